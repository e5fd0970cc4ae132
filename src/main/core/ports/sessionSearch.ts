import type { SessionId, WorkspaceId } from '../../../shared/domain/ids'

/** What is looked for in the messages; `workspaceId` null: in all projects. */
export interface SessionQuery {
  readonly query: string
  readonly workspaceId: WorkspaceId | null
  readonly limit: number
}

/** A message that holds what was looked for. What a fork took over is found in its origin. */
export interface FoundMessage {
  readonly sessionId: SessionId
  readonly seq: number
  readonly atMs: number
  readonly by: 'user' | 'agent'
  /** So much of it around the place that what must not be shown can be told apart; as it is stored. */
  readonly text: string
  /** A rollback of the conversation hides it. */
  readonly isRolledBack: boolean
  readonly title: string
  readonly workspaceId: WorkspaceId
  readonly project: string
  readonly root: string
  readonly isDeleted: boolean
}

/** The index over what was said in all sessions. It is made from the events, beside them, and can be made again at any time. */
export interface SessionSearch {
  /** Takes some of what was said since into the index, for a bounded time; whether that was all. False too while another process does it. */
  catchUp(): Promise<boolean>
  /** Newest first; `hasMore` when `limit` cut it. Only what is in the index by now. Rejects with a `StorageFault` when the cache cannot be had. */
  find(ask: SessionQuery): Promise<{ readonly found: readonly FoundMessage[]; readonly hasMore: boolean }>
}
