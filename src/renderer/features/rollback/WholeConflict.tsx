import { Check } from 'lucide-react'
import type { PlanRow } from '../../../shared/domain/rollback'
import { Button } from '../../ui/Button'
import { Exact } from '../../ui/Exact'
import { AuthorMark } from '../../ui/marks'
import { Chip } from '../../ui/parts'
import { sizeText } from '../../ui/sizeText'
import { TextEditor } from '../../ui/TextEditor'
import { useWords } from '../../ui/words'
import { DetailFrame } from './DetailFrame'
import { draftOf } from './planDecisions'
import type { RollbackState, RowLook, RowSide } from './planState'
import { draft } from './rollbackStore'

interface WholeConflictProps {
  readonly row: PlanRow
  readonly look: Extract<RowLook, { readonly kind: 'conflict' }>
  readonly state: RollbackState
}

/** A conflict that has no lines to merge: one side is no text, or is not there. One of them is taken as a whole. */
export function WholeConflict({ row, look, state }: WholeConflictProps) {
  const say = useWords()
  const made = draftOf(row, state.drafts)
  const taken = made?.kind === 'whole' ? made.side : null
  const choose = (side: 'earlier' | 'disk'): void => draft(row, { kind: 'whole', side })
  return (
    <DetailFrame
      row={row} state={state} about={<span className="small dim" role="status">{say(taken === null ? 'timeline.plan.whole-about' : taken === 'earlier' ? 'timeline.plan.is-earlier' : 'timeline.plan.is-disk')}</span>}
      actions={<><Button size="small" aria-pressed={taken === 'earlier'} onClick={() => choose('earlier')}>{say('timeline.plan.take-earlier')}</Button><Button size="small" aria-pressed={taken === 'disk'} onClick={() => choose('disk')}>{say('timeline.plan.take-mine')}</Button></>}
    >
      <div className="panes2">
        <div><div className="ph"><b className="med">{say('timeline.plan.earlier')}</b>{taken === 'earlier' && <Taken />}</div><Side side={look.after} path={row.path} name={say('timeline.plan.earlier')} /></div>
        <div><div className="ph"><AuthorMark kind="you" /><b className="med">{say('timeline.plan.disk')}</b>{taken === 'disk' && <Taken />}</div><Side side={look.disk} path={row.path} name={say('timeline.plan.disk')} /></div>
      </div>
    </DetailFrame>
  )
}

function Taken() {
  const say = useWords()
  return <Chip tone="ok"><Check className="i" size={14} aria-hidden />{say('timeline.plan.taken')}</Chip>
}

function Side({ side, path, name }: { readonly side: RowSide; readonly path: string; readonly name: string }) {
  const say = useWords()
  if (side === null) return <p className="plannote small dim">{say('timeline.plan.no-file')}</p>
  const { entry, version } = side
  if (entry.mode === '120000') return <p className="plannote small dim"><Exact text={say('timeline.file-link', { target: version?.text ?? '' })} /></p>
  if (entry.mode === '40000') return <p className="plannote small dim">{say('timeline.file-folder')}</p>
  if (version?.text == null) return <p className="plannote small dim">{say('timeline.file-binary', { size: sizeText(version?.sizeBytes ?? 0, say) })}</p>
  return <div className="editor"><div><TextEditor text={version.text} path={path} name={name} /></div></div>
}
