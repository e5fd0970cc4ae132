import { Check, Info, TriangleAlert, Undo2 } from 'lucide-react'
import type { ApprovalRequest } from '../../../shared/domain/approval'
import { Exact } from '../../ui/Exact'
import { joined, useWords } from '../../ui/words'
import type { EditPreview } from './editChanges'
import { Fact } from './Facts'
import { filled } from './filled'
import { TaintLines } from './TaintLine'
import { widerShapes } from './wider'

interface EditFactsProps {
  readonly request: ApprovalRequest
  readonly preview: EditPreview
  readonly isStale: boolean
  /** Puts the question anew, with what is there now. */
  readonly onLook: () => void
}

/** What can be lost by a change of a file, whether the file is still what it was made for, and where it may come from. */
export function EditFacts({ request, preview, isStale, onLook }: EditFactsProps) {
  const say = useWords()
  const { coverage, taint = [] } = request
  const undo = { full: { tone: 't-ok', code: 'approval.undo-full' }, partial: { tone: 't-warn', code: 'approval.undo-partial' }, none: { tone: 't-bad', code: 'approval.undo-none' } } as const
  // That the guards have no objection is no reason to ask; the level is.
  const reason = request.reason.code === 'guard.nothing-against' ? '' : say.fact(request.reason)
  const always = widerShapes(request) === 'never' ? say('approval.asks-always') : ''
  return (
    <div className="facts three">
      <Fact icon={Undo2} tone={undo[coverage.kind].tone}>{say(undo[coverage.kind].code)}</Fact>
      {isStale ? <Fact icon={TriangleAlert} tone="t-warn">{filled(say, 'approval.fresh.stale', { look: <button type="button" className="linkbtn" onClick={onLook}>{say('approval.fresh.look')}</button> })}</Fact> : <Fact icon={Check} tone="t-ok">{say(preview.before === null ? 'approval.fresh.none' : preview.after === null ? 'approval.fresh.shown' : 'approval.fresh.read')}</Fact>}
      {taint.length === 0 ? <Fact icon={Info} tone="">{say('approval.no-taint')}</Fact> : <TaintLines taint={taint} />}
      {reason + always !== '' && <Fact icon={Info} tone="" isWide>{reason !== '' && <Exact text={reason} />}{always !== '' && (reason === '' ? always : joined(reason, always))}</Fact>}
    </div>
  )
}
