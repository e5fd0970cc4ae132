import type { Cost } from '../../../shared/domain/budget'
import type { SessionId, TurnId } from '../../../shared/domain/ids'
import type { ModelChoice, Usage } from '../../../shared/domain/model'
import type { Said } from '../../../shared/domain/result'
import type { CancelSignal } from './cancelSignal'

/** The turn whose ceilings are looked at. */
export interface SpendingTurn {
  readonly sessionId: SessionId
  readonly turnId: TurnId
  readonly choice: ModelChoice
}

/** What calls of models cost, and how far a turn may go (R2, R93). */
export interface Spending {
  /** By the price of now; null where nobody says one. Never rejects for that. */
  costOf(choice: ModelChoice, usage: Usage): Promise<Cost | null>
  /**
   * Before every call of a model. Where a ceiling is met the turn is paused and the person asked, for as long as it takes; a
   * cancel ends the waiting.
   *
   * @returns null to go on, also after a cancel; or why the turn ends.
   */
  pass(turn: SpendingTurn, step: number, signal: CancelSignal): Promise<Said | null>
}
