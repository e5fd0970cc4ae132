import type { BudgetRaise, Cost, UsagePurpose } from '../../../shared/domain/budget'
import type { SessionId, TurnId, WorkspaceId } from '../../../shared/domain/ids'

/** What of the usage is asked for; null: all of them. `sinceMs` is included, `untilMs` is not. */
export interface UsageScope {
  readonly workspaceId: WorkspaceId | null
  readonly sessionId: SessionId | null
}

/** The calls of one day, session, model and currency, added up. `currency` null: nobody said their price, and `micros` is 0. */
export interface UsageCell {
  /** The edge that its day begins with. */
  readonly dayMs: number
  readonly sessionId: SessionId
  readonly workspaceId: WorkspaceId
  readonly title: string
  readonly provider: string
  readonly model: string
  readonly currency: string | null
  readonly micros: number
  readonly calls: number
  readonly inputTokens: number
  readonly cachedTokens: number
  readonly outputTokens: number
  /** Of all tokens, those that were counted here because the provider reported none. */
  readonly estimatedTokens: number
  readonly durationMs: number
}

/** One call of a model, as it is stored. */
export interface UsageRow {
  readonly sessionId: SessionId
  readonly seq: number
  readonly atMs: number
  /** The name of the project. */
  readonly project: string
  readonly title: string
  readonly turnId: TurnId
  readonly step: number
  readonly provider: string
  readonly model: string
  readonly purpose: UsagePurpose
  readonly inputTokens: number
  readonly cachedTokens: number
  readonly outputTokens: number
  readonly isEstimated: boolean
  readonly durationMs: number | null
  readonly currency: string | null
  readonly micros: number
}

/** A row that the next page comes after. */
export type UsagePlace = Pick<UsageRow, 'atMs' | 'sessionId' | 'seq'>

/** How calls were decided. */
export interface Signatures {
  readonly person: number
  /** By rules, and by grants for a turn or session. */
  readonly rule: number
  /** By the person or by policy. */
  readonly denied: number
  /** The time a person took, in the middle; null when nobody was asked. */
  readonly medianMs: number | null
}

/** What models were called for and what it cost (R93): a projection of the record, aggregated where it lies. */
export interface UsageStore {
  /** When the first call was; null before any. */
  firstAt(scope: UsageScope): Promise<number | null>
  /** Sums over the days between neighbouring `edges`, in the order of the days. */
  cells(scope: UsageScope, edges: readonly number[]): Promise<readonly UsageCell[]>
  /** In the order of time, `limit` at most, after a place. */
  rows(scope: UsageScope, sinceMs: number, after: UsagePlace | null, limit: number): Promise<readonly UsageRow[]>
  signatures(scope: UsageScope, sinceMs: number, untilMs: number): Promise<Signatures>
  /** Costs of every session of every project since then, by currency. */
  costsSince(sinceMs: number): Promise<readonly Cost[]>
  /** The highest ceiling of a day that was raised since then, by currency. */
  raisesSince(sinceMs: number): Promise<readonly BudgetRaise[]>
}
