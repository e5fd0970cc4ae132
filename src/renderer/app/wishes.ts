import type { RollbackWish } from '../features/timeline/Timeline'
import { turnWish } from '../features/timeline/Timeline'
import { planFor } from '../features/rollback/rollbackStore'
import { useWork } from '../features/work/workStore'
import type { Speaker } from '../ui/words'
import { go } from './appStore'
import { factsOf } from './pastFacts'

/** Opens the plan for a wish; nothing is written there before the person says so. */
export function openPlan(wish: RollbackWish, say: Speaker): void {
  void planFor({ target: wish.target, title: say(wish.title, wish.values), sessionId: wish.sessionId, turnId: wish.turnId })
  go('plan')
}

/** The wish to take back the last turn of the session on screen. */
export function lastTurnWish(): RollbackWish | null {
  const { current, chats } = useWork.getState()
  const chat = current === null ? undefined : chats[current]
  const turn = chat && factsOf(chat).turns.at(-1)
  return turn ? turnWish(turn) : null
}
