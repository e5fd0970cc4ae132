import type { EventDraft } from '../../shared/domain/event'
import type { SessionId, SnapshotId, WorkspaceId } from '../../shared/domain/ids'
import type { Said } from '../../shared/domain/result'
import type { AuditSink } from '../core/ports/auditSink'
import { neverCancelled, type CancelSignal } from '../core/ports/cancelSignal'
import type { Clock } from '../core/ports/clock'
import type { CallJournal, EventStore } from '../core/ports/eventStore'
import type { IdSource } from '../core/ports/idSource'
import type { LaneLock } from '../core/ports/laneLock'
import type { SnapshotBounds, SnapshotStores } from '../core/ports/snapshotStore'
import type { RetentionRule } from '../core/snapshot/retention'
import type { TimelineStore } from '../core/ports/timelineStore'
import type { Where } from '../core/policy/shell/call'

/** What the person set: what is held, and how long. */
export interface SnapshotRules extends RetentionRule {
  readonly bounds: SnapshotBounds
  /** Room for the points of one folder. */
  readonly keepBytes: number
}

/** What the snapshots of a workspace work through. */
export interface SnapshotPorts {
  readonly stores: SnapshotStores
  readonly timeline: TimelineStore
  readonly lane: LaneLock
  readonly events: Pick<EventStore, 'read'>
  readonly calls: Pick<CallJournal, 'acting' | 'lines'>
  /** How today's guards see a command in a folder. */
  readonly whereOf: (root: string) => Where
  readonly redact: (text: string) => string
  /** Records events of a session through whoever owns its numbers, and shows them. */
  readonly append: (sessionId: SessionId, drafts: readonly EventDraft[]) => Promise<unknown>
  readonly audit: Pick<AuditSink, 'append' | 'head' | 'hasRollback'>
  readonly clock: Clock
  readonly ids: IdSource
  /** How many programs that commands left behind still run: what changes meanwhile may be theirs. */
  readonly programsLeft: () => number
  /** As they stand now. */
  readonly rules: () => Promise<SnapshotRules>
  /** Points that turns under way, open questions and calls with an unknown end may go back to. */
  readonly neededPoints: (workspaceId: WorkspaceId) => Promise<readonly SnapshotId[]>
  /** Real path of the user's home folder. */
  readonly home: string
  /** How far the first snapshot is; once it is done, `fault` says why the last attempt at any snapshot failed, null when it did not. */
  readonly onProgress?: (progress: { readonly seen: number; readonly isDone: boolean; readonly fault: Said | null }) => void
  /** How many of the paths that a rollback writes are settled; at its begin, now and then, and with all of them. */
  readonly onRollback?: (progress: { readonly done: number; readonly total: number }) => void
  /** So long after a snapshot that failed it is tried again. */
  readonly retryMs?: number
  /** So long after a folder was opened it is read, unless somebody waits for that. Without it, at once. */
  readonly openingPauseMs?: number
}

/** For what must not be stopped halfway. */
export const never: CancelSignal = neverCancelled
