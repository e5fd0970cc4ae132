import type { BudgetRaise, Cost } from '../../../shared/domain/budget'
import type { SessionId, TurnId, WorkspaceId } from '../../../shared/domain/ids'
import type { Signatures, UsageTotals, UsedCall } from '../../../shared/domain/usage'

/** What of the usage is asked for; null: all of them. `sinceMs` is included, `untilMs` is not. */
export interface UsageScope {
  readonly workspaceId: WorkspaceId | null
  readonly sessionId: SessionId | null
}

/** The calls of one day, session, model and currency, added up. `currency` null: nobody said their price, and `micros` is 0. */
export interface UsageCell extends UsageTotals {
  /** The edge that its day begins with. */
  readonly dayMs: number
  readonly sessionId: SessionId
  readonly workspaceId: WorkspaceId
  readonly title: string
  readonly provider: string
  readonly model: string
  readonly currency: string | null
  readonly micros: number
}

/** One call of a model, with the names of where it was made. */
export interface UsageRow extends UsedCall {
  readonly sessionId: SessionId
  readonly turnId: TurnId
  /** The name of the project. */
  readonly project: string
  readonly title: string
  /** 0 where nobody said the price. */
  readonly micros: number
}

/** A row that the next page comes after. */
export type UsagePlace = Pick<UsageRow, 'atMs' | 'sessionId' | 'seq'>

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
