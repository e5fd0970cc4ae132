import { LoaderCircle, Undo2 } from 'lucide-react'
import type { Said } from '../../../shared/domain/result'
import type { RollbackRecord } from '../../../shared/domain/rollback'
import { Button } from '../../ui/Button'
import { Exact } from '../../ui/Exact'
import { Note } from '../../ui/parts'
import { useWords } from '../../ui/words'
import type { RollbackState } from './planState'
import { undo } from './rollbackStore'

const shownPaths = 200

/** What a rollback did not do, and why: what could not be written, and what the plan had no answer for. */
function notDone({ failed, plan }: RollbackRecord): readonly { readonly path: string; readonly reason: Said }[] {
  return [...failed, ...(plan.rows).filter((row) => row.action === 'conflict' || row.action === 'cannot')]
}

/** What really happened; nothing is called done that is not. */
export function Outcome({ state: { done, busy } }: { readonly state: RollbackState }) {
  const say = useWords()
  if (!done) return null
  const missing = notDone(done)
  const count = done.done.length
  const isUndo = done.undoOf !== null
  const canUndo = !isUndo && (count > 0 || (done.scope !== 'files' && missing.length === 0))
  return (
    <div className="col grow planbody">
      <Note tone={missing.length > 0 ? 'warn' : 'ok'} role="status" actions={canUndo ? <Button size="small" icon={Undo2} disabled={busy !== null} onClick={() => void undo(done.id)}>{say('timeline.undo-rollback')}</Button> : undefined}>{sentence()}</Note>
      {busy === 'writing' && <p className="row dim" role="status"><LoaderCircle className="i spin" size={14} aria-hidden />{say('timeline.plan.writing')}</p>}
      {missing.length > 0 && <section className="card planlist">
        <h2 className="strong">{say('timeline.plan.not-done', { count: missing.length })}{done.scope !== 'files' && ` ${say('timeline.plan.conversation-stays')}`}</h2>
        <ul>{missing.slice(0, shownPaths).map(({ path, reason }) => <li key={path}><Exact text={path} className="mono" /> <span className="dim">{say.fact(reason)}</span></li>)}</ul>
        <Rest count={missing.length - shownPaths} />
      </section>}
      {count > 0 && <section className="card planlist">
        <h2 className="strong">{say('timeline.plan.written')}</h2>
        <ul>{done.done.slice(0, shownPaths).map((path) => <li key={path}><Exact text={path} className="mono" /></li>)}</ul>
        <Rest count={count - shownPaths} />
      </section>}
    </div>
  )

  function sentence(): string {
    if (!done) return ''
    const isWhole = missing.length === 0
    if (isUndo && done.scope === 'conversation') return say('timeline.plan.undone-conversation')
    if (isUndo) return say(!isWhole ? 'timeline.plan.undone-part' : done.scope === 'both' ? 'timeline.plan.undone-both' : 'timeline.plan.undone', { count })
    if (done.scope === 'conversation') return say('timeline.plan.done-conversation')
    return say(done.scope === 'both' && isWhole ? 'timeline.plan.done-both' : 'timeline.plan.done', { count })
  }
}

function Rest({ count }: { readonly count: number }) {
  const say = useWords()
  return count > 0 && <p className="small dim">{say('timeline.uncovered-more', { count })}</p>
}
