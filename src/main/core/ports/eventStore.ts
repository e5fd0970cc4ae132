import type { Call, CallArgs, CallChange } from '../../../shared/domain/call'
import type { AgentEvent, EventDraft } from '../../../shared/domain/event'
import type { CallId, SessionId, WorkspaceId } from '../../../shared/domain/ids'
import type { SessionSummary } from '../../../shared/domain/session'
import type { Confined } from '../../../shared/domain/tool'

/**
 * The one record. All of it runs in a database worker; a resolved promise means committed with synchronous FULL.
 * Rejects with a `StorageFault` when the disk or the file is at fault; nothing was written then.
 */
export interface EventStore {
  /**
   * Appends events in order and applies journal transitions in the same transaction: all or nothing.
   * Sequence numbers are given here, without gaps, also between processes. A session's first event is `session-opened`.
   * A transition that the journal does not allow, and an event of an unknown session, is a bug and throws.
   * While a turn of the session runs in another living process, this one neither starts one nor adds to it: a `StorageFault`
   * says so. A turn left by a dead process belongs to the first one that adds to it.
   */
  append(sessionId: SessionId, drafts: readonly EventDraft[], changes?: readonly CallChange[]): Promise<readonly AgentEvent[]>
  /** Events with `fromSeq` ≤ seq ≤ `toSeq`, in order. */
  read(sessionId: SessionId, fromSeq?: number, toSeq?: number): Promise<readonly AgentEvent[]>
  /** Newest first. */
  sessions(workspaceId: WorkspaceId): Promise<readonly SessionSummary[]>
  /** Sessions whose last turn did not end and runs in no other living process: left by a crash, or running here. */
  unfinished(): Promise<readonly SessionId[]>
}

/**
 * A call that was begun and may have acted outside the project, as far as a rollback has to know it. `args` are those that ran,
 * of a command; empty otherwise. `confined` is what held it, null as long as its result is not known.
 */
export interface ActingCall {
  readonly callId: CallId
  readonly sessionId: SessionId
  readonly atMs: number
  readonly tool: string
  readonly args: CallArgs
  readonly confined: Confined | null
}

/** What of a call stands in one line: a command, or the tool's name. */
export interface CallLine {
  readonly callId: CallId
  readonly tool: string
  /** As it ran; null for what is no command. */
  readonly command: string | null
}

/** Reading side of the call journal; writing is a part of `EventStore.append`. */
export interface CallJournal {
  get(callId: CallId): Promise<Call | null>
  /** Calls of a session in order. */
  list(sessionId: SessionId): Promise<readonly Call[]>
  /** Those of these calls that have the effect `execute` and were started, in no order; of whatever session. */
  lines(callIds: readonly CallId[]): Promise<readonly CallLine[]>
  /**
   * Calls of all sessions of a workspace that were started at or after a moment and have the effect `execute` or `network`, the
   * newest first; `callId` asks for that one only.
   */
  acting(ask: { readonly workspaceId: WorkspaceId; readonly sinceMs: number; readonly callId: CallId | null; readonly limit: number }): Promise<readonly ActingCall[]>
}
