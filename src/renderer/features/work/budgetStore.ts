import { create } from 'zustand'
import type { BudgetAnswer, BudgetReached } from '../../../shared/domain/budget'
import type { SessionId } from '../../../shared/domain/ids'
import type { Said } from '../../../shared/domain/result'
import { host } from '../../bridge/host'
import { useWork } from './workStore'

/** Why the last answer to a ceiling was not taken, by session. */
export const useBudgetFaults = create<Readonly<Record<SessionId, Said | null>>>(() => ({}))

/** Answers the ceiling that the session on screen is paused at. */
export async function answerBudget({ kind, currency }: BudgetReached, answer: BudgetAnswer): Promise<void> {
  const sessionId = useWork.getState().current
  if (sessionId === null) return
  const done = await host().budgetAnswer({ sessionId, of: { kind, currency }, answer })
  useBudgetFaults.setState({ [sessionId]: done.ok ? null : done.fault })
}
