import type { EventDraft } from '../../../shared/domain/event'
import type { ForkPoint } from '../../../shared/domain/session'
import type { SessionId, WorkspaceId } from '../../../shared/domain/ids'
import type { AskingLevel } from '../../../shared/domain/session'

/** A session that is to begin as another one did. */
export interface NewFork {
  readonly sessionId: SessionId
  readonly from: ForkPoint
  /** What the other was opened with: the copied events change it as they did there. */
  readonly workspaceId: WorkspaceId
  readonly title: string
  readonly level: AskingLevel
  /** What sets it apart, behind the copied events. */
  readonly tail: readonly EventDraft[]
}

/** Copies the beginning of a session. */
export interface SessionForks {
  /**
   * Events 2 to `from.seq` under the same numbers, behind an opening of its own, and the tail: all or nothing, and whole when it
   * resolves. Journal rows stay with the session they were made in. The caller sees to it that no turn is open at that place.
   */
  fork(fork: NewFork): Promise<void>
}
