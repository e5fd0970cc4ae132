import type { Cost } from '../domain/budget'
import type { SessionId } from '../domain/ids'
import type { ModelChoice } from '../domain/model'
import type { Signatures, UsageTotals } from '../domain/usage'

/** How far back the page of usage looks. */
export const usagePeriods = ['session', 'today', 'fortnight', 'all'] as const
export type UsagePeriod = (typeof usagePeriods)[number]

/** What is asked for. `sessionId` counts where the period is `session`. */
export interface UsageAsk {
  readonly period: UsagePeriod
  readonly isThisProject: boolean
  readonly sessionId: SessionId | null
}

/** Calls of models, added up; costs by currency, never across. */
export interface UsageSum extends UsageTotals {
  /** Calls whose price nobody said: no cost is in `costs` for them. */
  readonly unpricedCalls: number
  readonly costs: readonly Cost[]
}

/** A local day: in the opened project, and in all others. */
export interface UsageDay {
  readonly startMs: number
  readonly here: UsageSum
  readonly elsewhere: UsageSum
}

/** The calls of one model. */
export interface UsageOfModel extends UsageSum {
  readonly choice: ModelChoice
}

/** The calls of one session. */
export interface UsageOfSession extends UsageSum {
  readonly sessionId: SessionId
  readonly title: string
  /** Of the opened project. */
  readonly isHere: boolean
  /** The most used first. */
  readonly models: readonly string[]
}

/** The page of usage (R93). */
export interface UsageView {
  readonly total: UsageSum
  /** Every day from the first to today, without gaps. */
  readonly days: readonly UsageDay[]
  readonly models: readonly UsageOfModel[]
  /** The most used; `sessionCount` of them there are. */
  readonly sessions: readonly UsageOfSession[]
  readonly sessionCount: number
  readonly signatures: Signatures
  /** The ceilings of today, with what is spent so far over all projects. */
  readonly today: readonly { readonly limit: Cost; readonly spentMicros: number }[]
}
