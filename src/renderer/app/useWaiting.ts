import { useApprovals } from '../features/approvals/approvalStore'
import { unknownCalls, useRecovery } from '../features/work/recoveryStore'
import { useWork } from '../features/work/workStore'

/** How many answers are waited for: approvals, calls of which nobody knows how they ended, and turns that are paused at a ceiling. */
export function useWaiting(): number {
  const asked = useApprovals((state) => state.open)
  const unknown = useRecovery(unknownCalls)
  const sessions = useWork((state) => state.sessions)
  const open = useRecovery((state) => state.open)
  // A session waits for a card, or else for an answer to its ceiling.
  const paused = sessions.filter(({ id, state }) => state === 'waiting' && !asked.some(({ sessionId }) => sessionId === id) && !open.some((one) => one.sessionId === id && one.unknown !== null))
  return asked.length + unknown.length + paused.length
}
