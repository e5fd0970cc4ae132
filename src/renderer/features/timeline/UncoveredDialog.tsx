import { Virtuoso } from 'react-virtuoso'
import type { SkippedPath } from '../../../shared/domain/snapshot'
import { Button } from '../../ui/Button'
import { Dialog } from '../../ui/Dialog'
import { Exact } from '../../ui/Exact'
import { Note } from '../../ui/parts'
import { useWords } from '../../ui/words'
import { closeUncovered, useRoom } from './roomStore'

/** So many rows are drawn at once; more come as they are scrolled to. */
const fewRows = 100
const rowPx = 40

/** What no point of the folder holds, and why. What ought to be held comes first. */
export function UncoveredDialog() {
  const say = useWords()
  const uncovered = useRoom((state) => state.uncovered)
  if (uncovered === null) return null
  const { list, fault } = uncovered
  const rows = list ? [...list.skipped].sort((a, b) => Number(a.reason === 'ignored') - Number(b.reason === 'ignored')) : []
  const rest = list ? list.count - rows.length : 0
  const name = say('timeline.uncovered')
  return (
    <Dialog name={name} isOpen isWide onClose={closeUncovered}>
      <div className="head"><h2 className="cut">{name}</h2></div>
      <div className="dialogbody">
        <p className="dim">{say('timeline.uncovered-about')}</p>
        {fault && <Note tone="bad" role="alert">{say.fact(fault)}</Note>}
        {list && rows.length === 0 && <Note tone="ok">{say('timeline.uncovered-none')}</Note>}
        {rows.length > 0 && (rows.length <= fewRows
          ? <ul className="skips" aria-label={name}>{rows.map((row) => <li key={`${row.reason} ${row.path}`}><Skip row={row} /></li>)}</ul>
          : <div className="skips" role="group" aria-label={name}><Virtuoso style={{ height: Math.min(380, rows.length * rowPx) }} data={rows} itemContent={(_, row) => <Skip row={row} />} /></div>)}
        {rest > 0 && <p className="small dim">{say('timeline.uncovered-more', { count: rest })}</p>}
      </div>
      <div className="savebar"><Button className="end" onClick={closeUncovered}>{say('ui.close')}</Button></div>
    </Dialog>
  )
}

function Skip({ row }: { readonly row: SkippedPath }) {
  const say = useWords()
  return <div className="row skip"><span className="grow wrap-any"><Exact text={row.path} className="mono" /></span><span className={row.reason === 'ignored' ? 'small faint' : 'small t-warn'}>{say(`snapshot.skip-${row.reason}`)}</span></div>
}
