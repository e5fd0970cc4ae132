import type { DecidedBy } from '../../../shared/domain/approval'
import type { AgentEvent } from '../../../shared/domain/event'
import type { CallId, SessionId, TurnId, WorkspaceId } from '../../../shared/domain/ids'
import type { Rule, RuleDraft } from '../../../shared/domain/rule'

/** A call that was decided, as far as a rule is tried on it. `asked`: its texts that say what it was about. */
export interface PastCall {
  readonly callId: CallId
  readonly sessionId: SessionId
  readonly workspaceId: WorkspaceId
  /** The real path of its project then. */
  readonly root: string
  readonly atMs: number
  readonly tool: string
  readonly asked: Readonly<Record<string, string>>
  readonly decision: 'allowed' | 'denied' | 'skipped'
  readonly by: DecidedBy
}

/** A session in which grants were given; all events that say what became of them, in order. */
export interface GrantHistory {
  readonly sessionId: SessionId
  readonly workspaceId: WorkspaceId
  readonly title: string
  /** The turn that has not ended. */
  readonly openTurn: TurnId | null
  readonly events: readonly AgentEvent[]
}

/**
 * Rules, in the database and nowhere else: nothing in a project can add one. Everything is committed when it resolves.
 * Rejects with a `StorageFault`.
 */
export interface RuleStore {
  /** Those that have not ended, of all projects, by number. */
  rules(nowMs: number): Promise<readonly Rule[]>
  /** Adds the drafts, each with a number of its own, and removes `replaces`. Null when that is gone: then nothing was added. */
  save(drafts: readonly RuleDraft[], replaces: string | null, atMs: number): Promise<readonly Rule[] | null>
  /** Removes them; gives those that were there. */
  remove(ids: readonly string[]): Promise<readonly Rule[]>
  /** Counts one use. Null when it has ended or was removed, also by another process: then it does not answer. */
  use(id: string, atMs: number): Promise<Rule | null>
  /** Decided calls of a tool, the newest first; `before` is the `next` of the page before. */
  past(ask: { readonly tool: string; readonly workspaceId: WorkspaceId | null; readonly before: number | null; readonly limit: number }): Promise<{ readonly calls: readonly PastCall[]; readonly next: number | null }>
  /** Sessions with grants, of one project or of all. */
  grants(workspaceId: WorkspaceId | null): Promise<readonly GrantHistory[]>
  /** Names of projects, by id. */
  projectNames(): Promise<Readonly<Record<string, string>>>
}
