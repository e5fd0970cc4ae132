import { Pin, PinOff } from 'lucide-react'
import type { ContextRow } from '../../../shared/ipc/contextViews'
import { Button } from '../../ui/Button'
import { Exact } from '../../ui/Exact'
import { useWords } from '../../ui/words'
import { pin, useContext } from './contextStore'

/** Every part of the next request, and what a summary stands for. */
export function ContextTable({ rows, hasBefore }: { readonly rows: readonly ContextRow[]; readonly hasBefore: boolean }) {
  const say = useWords()
  return (
    <div className="card ctxcard">
      <table aria-label={say('compaction.table')} className="ctxtable">
        <thead><tr><th className="c-state">{say('compaction.state')}</th><th>{say('compaction.what')}</th>{hasBefore && <th className="num c-tokens">{say('compaction.before')}</th>}<th className="num c-tokens">{say(hasBefore ? 'compaction.after' : 'compaction.now')}</th><th className="c-pin" aria-label={say('compaction.pin')} /></tr></thead>
        <tbody>{rows.map((row) => <Row key={row.id} row={row} hasBefore={hasBefore} />)}</tbody>
      </table>
    </div>
  )
}

function Row({ row, hasBefore }: { readonly row: ContextRow; readonly hasBefore: boolean }) {
  const say = useWords()
  const isBusy = useContext((state) => state.isBusy)
  const what = say.fact(row.what)
  return (
    <tr>
      <td className="nowrap"><span className="row"><i className={`cz cz-${row.state} swatch`} aria-hidden />{say(`compaction.state.${row.state}`)}</span></td>
      <td><div className="cut" title={what}><Exact text={what} /></div><div className="small faint cut">{say.fact(row.why)}</div></td>
      {hasBefore && <td className="num small">{row.before.toLocaleString(say.locale)}</td>}
      <td className="num small">{row.after.toLocaleString(say.locale)}</td>
      <td className="num">{row.pin && <PinButton place={row.pin} name={what} isBusy={isBusy} />}</td>
    </tr>
  )
}

function PinButton({ place, name, isBusy }: { readonly place: NonNullable<ContextRow['pin']>; readonly name: string; readonly isBusy: boolean }) {
  const say = useWords()
  const word = say(place.isPinned ? 'compaction.unpin' : 'compaction.pin')
  return <Button size="small" look="quiet" icon={place.isPinned ? PinOff : Pin} aria-label={`${word}: ${name}`} disabled={isBusy} onClick={() => void pin(place.messageSeq, !place.isPinned)}>{word}</Button>
}
