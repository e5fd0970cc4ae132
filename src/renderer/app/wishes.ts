import { create } from 'zustand'
import type { CallId } from '../../shared/domain/ids'
import { showCall } from '../features/audit/auditStore'
import { compareLast, openNow } from '../features/timeline/openMoment'
import { searchPaths } from '../features/timeline/pathStore'
import { useTimeline } from '../features/timeline/timelineStore'
import { turnWish, type RollbackWish } from '../features/timeline/timelineWishes'
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

/** Shows what the record holds of a call. */
export function openRecordOf(callId: CallId): void {
  go('audit')
  void showCall(callId)
}

/** To the page, with what is on disk and in no point yet. */
export function openDisk(): void {
  openNow()
  go('timeline')
}

/** Looks for a file among those of the last point, to open it as it was. */
export function findFile(): void {
  const last = useTimeline.getState().timeline.rows.at(-1)
  go('timeline')
  if (last) void searchPaths(last.id)
}

/** Compares the last point with the disk; both sides can be chosen there. */
export function compareMoments(): void {
  go('timeline')
  compareLast()
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
