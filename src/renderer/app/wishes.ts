import { create } from 'zustand'
import type { CallId } from '../../shared/domain/ids'
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

/** What the page of permissions is to open with: a rule made from what a call proposes, or one that is there. */
export type PermissionWish = { readonly kind: 'new'; readonly callId: CallId } | { readonly kind: 'rule'; readonly id: string }

/** The last such wish, until that page has taken it. */
export const usePermissionWish = create<{ readonly wish: PermissionWish | null }>(() => ({ wish: null }))

/** Opens the editor of rules with what a call proposes; nothing is allowed there before it is saved. */
export function openRuleFor(callId: CallId): void {
  usePermissionWish.setState({ wish: { kind: 'new', callId } })
  go('permissions')
}

/** Shows a rule that is there. */
export function openRule(id: string): void {
  usePermissionWish.setState({ wish: { kind: 'rule', id } })
  go('permissions')
}
