import { useWords } from '../../ui/words'
import { ApprovalCard } from './ApprovalCard'
import { cardOnScreen, cardsOf, look, useApprovals } from './approvalStore'
import type { CardWorld } from './cardWorld'
import { TrialCard } from './TrialCard'

/**
 * The one card on screen: the oldest question of this session, unless the person looks at another. The arrows lead through
 * all that waits, of every session; keys act on the one that is shown.
 */
export function Approvals({ world }: { readonly world: CardWorld }) {
  const say = useWords()
  const state = useApprovals()
  const shown = cardOnScreen(state, world.sessionId)
  if (!shown) return null
  const { request, place } = shown
  const cards = cardsOf(state)
  const at = cards.indexOf(request)
  const onStep = (by: -1 | 1): void => {
    const next = cards[(at + by + cards.length) % cards.length]
    if (next) look(next, world.sessionId)
  }
  const isElsewhere = request.sessionId !== world.sessionId
  const asker = isElsewhere ? { title: world.titleOf(request.sessionId) ?? say('session.untitled'), onGo: () => world.onSession(request.sessionId) } : null
  const queue = { at, count: cards.length, onStep, asker }
  const key = `${request.nonce}${place}`
  if (request.preview.kind === 'trial') return <TrialCard key={key} request={request} preview={request.preview} place={place} queue={queue} world={world} />
  return <ApprovalCard key={key} request={request} place={place} queue={queue} world={world} isTrying={!state.open.includes(request)} />
}

/** Says once, politely, that a question waits; it moves nothing. */
export function ApprovalCall() {
  const say = useWords()
  const first = useApprovals((state) => state.open[0])
  const lost = first?.preview.kind === 'command' && first.preview.parts.some((part) => !part.canUndo)
  return <span className="sr" role="status">{first && say(lost ? 'approval.needed-lost' : 'approval.needed', { what: say(`approval.what.${first.preview.kind}`) })}</span>
}
