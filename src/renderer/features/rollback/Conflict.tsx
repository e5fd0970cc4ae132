import { GitMerge } from 'lucide-react'
import type { PlanRow } from '../../../shared/domain/rollback'
import { Button } from '../../ui/Button'
import { Exact } from '../../ui/Exact'
import { useWords } from '../../ui/words'
import { resolve, type ConflictTexts } from './rollbackStore'

interface ConflictProps {
  readonly row: PlanRow
  readonly texts: ConflictTexts
  /** What the person decided so far. */
  readonly result: string | undefined
  readonly open: number
}

/** Earlier, result, on disk now. The result is typed, or taken from one side. */
export function Conflict({ row, texts, result, open }: ConflictProps) {
  const say = useWords()
  const side = (text: string | null) => (text === null ? <p className="dim" style={{ padding: '6px 12px' }}>{say('timeline.plan.no-file')}</p> : <div className="code" tabIndex={0}><Exact text={text} /></div>)
  return (
    <section className="card col" style={{ flex: '1 0 300px', overflow: 'hidden' }} aria-label={say('timeline.plan.conflict-in', { path: row.path })}>
      <div className="row" style={{ height: 36, padding: '0 12px', borderBottom: '1px solid var(--line)', flex: 'none' }}>
        <GitMerge className="i t-warn" size={14} aria-hidden /><Exact text={row.path} className="mono med" /><span className="small dim">{say('timeline.plan.conflicts-open', { count: open })}</span>
        <span className="end row">
          <Button size="small" disabled={texts.earlier === null} onClick={() => resolve(row.path, texts.earlier ?? '')}>{say('timeline.plan.take-earlier')}</Button>
          <Button size="small" disabled={texts.disk === null} onClick={() => resolve(row.path, texts.disk ?? '')}>{say('timeline.plan.take-mine')}</Button>
        </span>
      </div>
      <div className="panes3">
        <div><div className="ph"><b className="med">{say('timeline.plan.earlier')}</b></div>{side(texts.earlier)}</div>
        <div>
          <div className="ph"><b className="med">{say('timeline.plan.result')}</b><span className="faint cut">{say('timeline.plan.type-here')}</span></div>
          <textarea className="code" aria-label={say('timeline.plan.result')} spellCheck={false} value={result ?? row.merged ?? ''} placeholder={say('timeline.plan.choose')} onChange={(event) => resolve(row.path, event.target.value)} />
        </div>
        <div><div className="ph"><AuthorDot /><b className="med">{say('timeline.plan.disk')}</b></div>{side(texts.disk)}</div>
      </div>
    </section>
  )
}

function AuthorDot() {
  return <svg className="g g-you" viewBox="0 0 14 14" aria-hidden><circle cx="7" cy="7" r="4.8" /></svg>
}
