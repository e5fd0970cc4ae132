import type { CallId, SessionId, SnapshotId, TurnId } from '../../../shared/domain/ids'
import type { Result } from '../../../shared/domain/result'
import type { Author, Coverage } from '../../../shared/domain/snapshot'
import type { CancelSignal } from './cancelSignal'

/** The call that is about to change files. */
export interface MutatingCall {
  readonly callId: CallId
  readonly sessionId: SessionId
  readonly turnId: TurnId
  readonly step: number
  /** Who will be named as the author of what changes while it runs. */
  readonly author: Extract<Author, 'agent' | 'command'>
  /**
   * The only paths, relative to the root, that the call can change: what else moves meanwhile is not its doing. Null when it
   * could change any.
   */
  readonly touches: readonly string[] | null
}

/** A call's stay in the lane of its workspace. */
export interface LaneStay {
  readonly before: SnapshotId
  /** Takes the after-call snapshot, then gives the lane back, also when the snapshot failed. Null: none could be taken. */
  leave(): Promise<SnapshotId | null>
}

/** A snapshot before and after every call that can change files (R75), one call at a time. */
export interface CallSnapshots {
  /**
   * Waits for the lane, records what changed since as the user's own, takes the before-call snapshot. Null when cancelled
   * while waiting. A fault means that nothing was snapshotted: the call must not run.
   */
  enter(call: MutatingCall, signal: CancelSignal): Promise<Result<LaneStay> | null>
  /** The after-call snapshot of a call that a crash cut short, taken now where there is none yet. Null: it left nothing, or none could be taken. */
  endOf(callId: CallId): Promise<SnapshotId | null>
  /** The commit of the snapshots that holds a moment; null for one that is not of this folder. */
  commitOf(id: SnapshotId): Promise<string | null>
  /** What could not be undone of changes to these paths, existing or not; null for changes anywhere in the folder (R80). */
  coverageOf(paths: readonly string[] | null): Promise<Coverage>
}
