import { useEffect, useMemo } from 'react'
import type { CallId, SessionId } from '../../shared/domain/ids'
import { useApprovals } from '../features/approvals/approvalStore'
import { GrantsDrawer } from '../features/rules/GrantsDrawer'
import type { RuleLinks } from '../features/rules/live'
import { editRule, ruleForCall, useRules } from '../features/rules/ruleStore'
import { selectSession, showPlace, useWork } from '../features/work/workStore'
import { go, useApp } from './appStore'
import { RulesView } from './pages'
import { useMedia } from './useMedia'
import { usePermissionWish } from './wishes'

/** The page of permissions, with the ways to a call in its conversation and to the question that waits about one. */
export function PermissionsPage() {
  const hasFolder = useApp((state) => state.workspace !== null)
  const isWide = useMedia('(min-width: 1280px)')
  const wish = usePermissionWish((state) => state.wish)
  const links = useRuleLinks()
  useEffect(() => {
    if (wish === null) return
    usePermissionWish.setState({ wish: null })
    void (wish.kind === 'new' ? ruleForCall(wish.callId) : editRule(wish.id))
  }, [wish])
  return <RulesView links={links} hasFolder={hasFolder} isNarrow={!isWide} />
}

/** What is allowed now, over whatever is on screen. */
export function PermissionsDrawer() {
  const isOpen = useRules((state) => state.isDrawerOpen)
  const links = useRuleLinks()
  return isOpen && <GrantsDrawer links={links} onPage={() => go('permissions')} />
}

function useRuleLinks(): RuleLinks {
  const sessions = useWork((state) => state.sessions)
  const open = useApprovals((state) => state.open)
  return useMemo(() => ({
    toCall: ({ sessionId, callId }) => (sessions.some(({ id }) => id === sessionId) ? () => toCall(sessionId, callId) : null),
    toQuestion: (callId) => {
      const asked = open.find((request) => request.callId === callId)
      return asked === undefined ? null : () => toQuestion(asked.sessionId)
    },
  }), [sessions, open])
}

function toCall(sessionId: SessionId, callId: CallId): void {
  void selectSession(sessionId)
  showPlace(sessionId, { callId })
  go('work')
}

async function toCard(sessionId: SessionId): Promise<void> {
  await selectSession(sessionId)
  requestAnimationFrame(() => document.querySelector<HTMLElement>('[data-zone="approval"]')?.focus())
}

/** To the card, as F8 does. */
function toQuestion(sessionId: SessionId): void {
  go('work')
  void toCard(sessionId)
}
