import type { CallArgs } from '../domain/call'
import type { CallId, SessionId, SnapshotId, TurnId } from '../domain/ids'
import type { Said } from '../domain/result'
import type { Effect } from '../domain/tool'
import type { Author, LineCount, TreeChange } from '../domain/snapshot'

/** What the person says of a call of which nobody knows how it ended: it is done, it is to run again, its files were taken back. */
export const unknownAnswers = ['done', 'again', 'rolled-back'] as const
export type UnknownAnswer = (typeof unknownAnswers)[number]

/** A call that was under way when the app was killed; never repeated by itself (R84). */
export interface UnknownCall {
  readonly callId: CallId
  readonly tool: string
  readonly effect: Effect
  /** What ran. */
  readonly args: CallArgs
  readonly startedAtMs: number
  /** When it last printed something; null where it had printed nothing. */
  readonly lastSignAtMs: number | null
  /** The end of what it had printed, redacted. */
  readonly output: string
  /** The files as they were before it; null for what has no snapshot. */
  readonly beforeSnapshot: SnapshotId | null
}

/** A turn that a crash or an exit left and that is taken up. Nothing of its session runs while `unknown` waits for an answer. */
export interface Recovery {
  readonly sessionId: SessionId
  readonly turnId: TurnId
  /** The last thing that was recorded of the session before. */
  readonly stoppedAtMs: number
  readonly startedAtMs: number
  readonly unknown: UnknownCall | null
}

/** A file that changed since the snapshot before an unknown call. `you`: by the person or another program. */
export interface ChangeSince extends TreeChange {
  readonly author: Author | null
  /** Null where there are no lines, and beyond the first 200 paths. */
  readonly lines: LineCount | null
}

/** What stopping everything ended (R112). Waiting messages are kept. */
export interface Stopped {
  readonly sessions: readonly { readonly id: SessionId; readonly title: string }[]
  readonly programs: readonly string[]
  readonly grants: number
  /** Why grants could not be taken back. */
  readonly fault: Said | null
  readonly waitingMessages: number
}
