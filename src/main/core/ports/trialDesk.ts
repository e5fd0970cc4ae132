import type { Result } from '../../../shared/domain/result'
import type { TrialRow } from '../../../shared/domain/sandbox'
import type { CancelSignal } from './cancelSignal'
import type { CommandStart } from './commandRunner'
import type { Trial } from './trialRunner'

/** A trial that waits for the person's word, with its rows as the card shows them. */
export interface OpenTrial extends Trial {
  readonly rows: readonly TrialRow[]
}

/** Where a call's command is tried on a copy before it is allowed (R73). */
export interface TrialDesk {
  /** Whether a copy works here, as far as is known; never waits. */
  canTry(): boolean
  /** Runs it; the window can look at both sides of its files until it is discarded. */
  run(start: CommandStart, onOutput: (text: string) => void, signal: CancelSignal): Promise<Result<OpenTrial>>
}
