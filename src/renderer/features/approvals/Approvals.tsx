import { useState } from 'react'
import type { SessionId } from '../../../shared/domain/ids'
import { useWords } from '../../ui/words'
import { ApprovalCard } from './ApprovalCard'
import { useApprovals } from './approvalStore'

/** The one card on screen: the oldest question of this session, unless the person looks at another. */
export function Approvals({ sessionId, root, place }: { readonly sessionId: SessionId | null; readonly root: string; readonly place: 'docked' | 'review' }) {
  const all = useApprovals((state) => state.open)
  const reviewed = useApprovals((state) => state.reviewed)
  const [chosen, setChosen] = useState<string | null>(null)
  const open = all.filter((request) => request.sessionId === sessionId)
  const at = Math.max(0, open.findIndex((request) => request.callId === (place === 'review' ? reviewed : chosen)))
  const request = open[at]
  if (!request) return null
  const step = (by: -1 | 1): void => setChosen(open[(at + by + open.length) % open.length]?.callId ?? null)
  return <ApprovalCard key={`${request.nonce}${place}`} request={request} root={root} place={place} at={at} count={open.length} onStep={step} />
}

/** Says once, politely, that a question waits; it moves nothing. */
export function ApprovalCall() {
  const say = useWords()
  const first = useApprovals((state) => state.open[0])
  const lost = first?.preview.kind === 'command' && first.preview.parts.some((part) => !part.canUndo)
  return <span className="sr" role="status">{first && say(lost ? 'approval.needed-lost' : 'approval.needed', { what: say(`approval.what.${first.preview.kind}`) })}</span>
}
