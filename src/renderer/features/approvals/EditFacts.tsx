import { Check, Info, TriangleAlert } from 'lucide-react'
import type { ApprovalRequest } from '../../../shared/domain/approval'
import { Exact } from '../../ui/Exact'
import { joined, useWords, type Speaker } from '../../ui/words'
import { AgainFact } from './AgainFact'
import type { EditPreview } from './editChanges'
import { Fact } from './Fact'
import { filled } from './filled'
import { TaintLines } from './TaintLine'
import { UndoFact } from './UndoFact'
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
  const { taint = [], readAtMs } = request
  // That the guards have no objection is no reason to ask; the level is.
  const reason = request.reason.code === 'guard.nothing-against' ? '' : say.fact(request.reason)
  const always = widerShapes(request) === 'never' ? say('approval.asks-always') : ''
  return (
    <div className="facts three">
      <UndoFact request={request} root="" />
      {isStale ? <Fact icon={TriangleAlert} tone="t-warn">{filled(say, 'approval.fresh.stale', { look: <button type="button" className="linkbtn" onClick={onLook}>{say('approval.fresh.look')}</button> })}</Fact> : <Fact icon={Check} tone="t-ok">{freshWords(preview, readAtMs, say)}</Fact>}
      {taint.length === 0 ? <Fact icon={Info} tone="">{say('approval.no-taint')}</Fact> : <TaintLines taint={taint} />}
      <AgainFact request={request} />
      {reason + always !== '' && <Fact icon={Info} tone="" isWide>{reason !== '' && <Exact text={reason} />}{always !== '' && (reason === '' ? always : joined(reason, always))}</Fact>}
    </div>
  )
}

/** When the agent read it, where that is known; a file that it wrote itself it knows from then. */
function freshWords(preview: EditPreview, readAtMs: number | undefined, say: Speaker): string {
  if (preview.before === null) return say('approval.fresh.none')
  if (preview.after === null) return say('approval.fresh.shown')
  return readAtMs === undefined ? say('approval.fresh.read') : say('approval.fresh.read-at', { time: secondsOf(readAtMs, say.locale) })
}

/** 14:03:40 of today; an older one with its date. */
function secondsOf(atMs: number, locale: Speaker['locale']): string {
  const isToday = new Date(atMs).toDateString() === new Date().toDateString()
  return new Intl.DateTimeFormat(locale, { ...(isToday ? {} : { month: 'short', day: 'numeric' }), hour: '2-digit', minute: '2-digit', second: '2-digit', hour12: false }).format(atMs)
}
