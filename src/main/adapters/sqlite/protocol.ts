import type { ActingCall, CallLine } from '../../core/ports/eventStore'
import type { McpPin, McpSwitch } from '../../core/ports/mcpPins'
import type { SkillSwitch, SkillUses } from '../../core/ports/skillRecord'
import type { StoredDraft } from '../../core/ports/draftStore'
import type { FoundMessage, SessionQuery } from '../../core/ports/sessionSearch'
import type { PastCall } from '../../core/ports/ruleStore'
import type { KnownSummary, PointPage } from '../../core/ports/timelineStore'
import type { UsageCell, UsagePlace, UsageRow, UsageScope } from '../../core/ports/usageStore'
import type { TrustDecision } from '../../core/ports/trustStore'
import type { FoundMemory, MemoryChange, MemoryChanged, MemoryFilter, MemoryOrder, MemorySearch, NewMemory } from '../../core/ports/memoryStore'
import type { AuditHead } from '../../../shared/domain/audit'
import type { BudgetRaise, Cost } from '../../../shared/domain/budget'
import type { Call, CallChange } from '../../../shared/domain/call'
import type { CallId, SessionId, WorkspaceId } from '../../../shared/domain/ids'
import type { Memory, MemoryScope } from '../../../shared/domain/memory'
import type { StoredEvent } from '../../../shared/domain/readEvent'
import type { Said } from '../../../shared/domain/result'
import type { Rule, RuleDraft } from '../../../shared/domain/rule'
import type { RollbackRecord, RollbackRow } from '../../../shared/domain/rollback'
import type { ForkPoint, SessionSummary, Workspace } from '../../../shared/domain/session'
import type { Signatures } from '../../../shared/domain/usage'
import type { SkippedPath, Snapshot, SnapshotSummary } from '../../../shared/domain/snapshot'
import type { GrantSession } from './rules/pastCalls'

/** What the worker is started with. */
export interface WorkerOptions {
  readonly file: string
  readonly migrationsDir: string
}

/** An event on its way to the database: all but its number. */
export interface EventToStore {
  readonly type: string
  readonly v: number
  readonly turnId: string | null
  readonly step: number | null
  readonly payload: string
}

/** What can be asked of the worker: name → arguments and answer. Plain data, so that it can be cloned between threads. */
export interface Operations {
  append: { args: { sessionId: string; atMs: number; events: readonly EventToStore[]; changes: readonly CallChange[] }; answer: { firstSeq: number } }
  readEvents: { args: { sessionId: string; fromSeq: number; toSeq: number }; answer: { rows: readonly StoredEvent[]; isWhole: boolean } }
  sessions: { args: { workspaceId: string }; answer: readonly SessionSummary[] }
  unfinished: { args: null; answer: readonly SessionId[] }
  rebuildSessions: { args: null; answer: number }
  call: { args: { callId: string }; answer: Call | null }
  calls: { args: { sessionId: string }; answer: readonly Call[] }
  callLines: { args: { callIds: readonly CallId[] }; answer: readonly CallLine[] }
  actingCalls: { args: { workspaceId: WorkspaceId; sinceMs: number; callId: CallId | null; limit: number }; answer: readonly ActingCall[] }
  workspace: { args: { root: string; name: string; newId: string; atMs: number }; answer: Workspace }
  addSnapshot: { args: Snapshot; answer: null }
  snapshots: { args: { workspaceId: string; since: string | null }; answer: readonly Snapshot[] }
  points: { args: { workspaceId: string; since: string | null; limit: number }; answer: PointPage }
  skippedOf: { args: { id: string }; answer: readonly SkippedPath[] }
  summaries: { args: { ids: readonly string[] }; answer: readonly (SnapshotSummary | null)[] }
  keepSummaries: { args: { known: readonly KnownSummary[] }; answer: null }
  forgetSnapshots: { args: { workspaceId: string; ids: readonly string[] }; answer: null }
  addRollback: { args: RollbackRecord; answer: null }
  updateRollback: { args: RollbackRecord; answer: null }
  markRollbackPaths: { args: { id: string; settled: readonly { readonly path: string; readonly fault: Said | null }[] }; answer: null }
  rollbacks: { args: { workspaceId: string }; answer: readonly RollbackRecord[] }
  rollback: { args: { id: string }; answer: RollbackRecord | null }
  rollbackRows: { args: { workspaceId: string }; answer: readonly RollbackRow[] }
  auditHead: { args: null; answer: AuditHead | null }
  joinLane: { args: { workspaceId: string; nowMs: number }; answer: number }
  askLane: { args: { workspaceId: string; ticket: number; nowMs: number }; answer: 'held' | 'waiting' | 'lost' }
  leaveLane: { args: { ticket: number }; answer: null }
  beatLane: { args: { tickets: readonly number[]; nowMs: number }; answer: null }
  mcpPins: { args: null; answer: readonly McpPin[] }
  pinMcp: { args: { pins: readonly McpPin[] }; answer: null }
  unpinMcp: { args: { server: string; tool: string | null }; answer: null }
  mcpSwitches: { args: null; answer: readonly McpSwitch[] }
  setMcpSwitch: { args: McpSwitch; answer: null }
  renameMcp: { args: { from: string; to: string }; answer: null }
  forgetMcp: { args: { server: string }; answer: null }
  addMemories: { args: { entries: readonly NewMemory[] }; answer: null }
  memories: { args: { ids: readonly string[] }; answer: readonly Memory[] }
  changeMemories: { args: { changes: readonly MemoryChange[] }; answer: MemoryChanged }
  removeMemories: { args: { ids: readonly string[]; batch: string; atMs: number }; answer: number }
  clearMemories: { args: { workspaceId: WorkspaceId; scope: MemoryScope; batch: string; atMs: number }; answer: number }
  restoreMemories: { args: { from: { readonly batch: string } | { readonly ids: readonly string[] } }; answer: number }
  emptyMemories: { args: { beforeMs: number }; answer: number }
  countMemories: { args: { workspaceId: WorkspaceId }; answer: { readonly project: number; readonly general: number; readonly bin: number } }
  pageMemories: { args: { filter: MemoryFilter; order: MemoryOrder; offset: number; limit: number }; answer: readonly Memory[] }
  searchMemories: { args: MemorySearch; answer: readonly FoundMemory[] }
  sameMemories: { args: { workspaceId: WorkspaceId; normalTexts: readonly string[] }; answer: readonly Memory[] }
  skillSwitches: { args: null; answer: readonly SkillSwitch[] }
  setSkillSwitch: { args: SkillSwitch; answer: null }
  skillUses: { args: { sinceMs: number }; answer: readonly SkillUses[] }
  addSkillUses: { args: { skills: readonly Pick<SkillUses, 'origin' | 'path'>[]; atMs: number }; answer: null }
  trustDecisions: { args: { workspaceId: WorkspaceId }; answer: readonly TrustDecision[] }
  decideTrust: { args: { workspaceId: WorkspaceId; decisions: readonly TrustDecision[] }; answer: null }
  rules: { args: { nowMs: number }; answer: readonly Rule[] }
  saveRules: { args: { drafts: readonly RuleDraft[]; replaces: string | null; atMs: number }; answer: readonly Rule[] | null }
  removeRules: { args: { ids: readonly string[] }; answer: readonly Rule[] }
  useRule: { args: { id: string; atMs: number }; answer: Rule | null }
  pastCalls: { args: { tool: string; workspaceId: string | null; before: number | null; limit: number }; answer: { readonly calls: readonly PastCall[]; readonly next: number | null } }
  grantHistories: { args: { workspaceId: string | null }; answer: readonly (GrantSession & { readonly events: readonly StoredEvent[] })[] }
  firstUse: { args: UsageScope; answer: number | null }
  usageCells: { args: { scope: UsageScope; edges: readonly number[] }; answer: readonly UsageCell[] }
  usageRows: { args: { scope: UsageScope; sinceMs: number; after: UsagePlace | null; limit: number }; answer: readonly UsageRow[] }
  signatures: { args: { scope: UsageScope; sinceMs: number; untilMs: number }; answer: Signatures }
  costsSince: { args: { sinceMs: number }; answer: readonly Cost[] }
  raisesSince: { args: { sinceMs: number }; answer: readonly BudgetRaise[] }
  indexSessions: { args: null; answer: boolean }
  searchSessions: { args: SessionQuery; answer: { readonly found: readonly FoundMessage[]; readonly hasMore: boolean } }
  forkSession: { args: { sessionId: string; from: ForkPoint; atMs: number; opening: EventToStore; tail: readonly EventToStore[] }; answer: null }
  drafts: { args: { workspaceId: string }; answer: readonly StoredDraft[] }
  saveDraft: { args: { workspaceId: string; draft: StoredDraft; atMs: number }; answer: null }
  projectNames: { args: null; answer: Readonly<Record<string, string>> }
}
export type OperationName = keyof Operations

/** One function an operation, on the worker's side. */
export type OperationTable = { readonly [Name in OperationName]: (args: Operations[Name]['args']) => Operations[Name]['answer'] }

/** Operations that write, so that they are run in a transaction and several waiting ones share a commit. */
export const writing: ReadonlySet<OperationName> = new Set<OperationName>([
  'append', 'rebuildSessions', 'workspace', 'addSnapshot', 'addRollback', 'updateRollback', 'markRollbackPaths', 'keepSummaries', 'forgetSnapshots', 'joinLane', 'askLane', 'leaveLane', 'beatLane',
  'pinMcp', 'unpinMcp', 'setMcpSwitch', 'renameMcp', 'forgetMcp',
  'addMemories', 'changeMemories', 'removeMemories', 'clearMemories', 'restoreMemories', 'emptyMemories',
  'setSkillSwitch', 'addSkillUses', 'decideTrust',
  'saveRules', 'removeRules', 'useRule', 'forkSession', 'saveDraft',
])

/** Those of them whose rows end with the processes they belong to, also with the power: a commit of nothing else waits for no disk. */
export const passing: ReadonlySet<OperationName> = new Set<OperationName>(['joinLane', 'askLane', 'leaveLane', 'beatLane'])

/** A request of the main thread; `close` is answered by `closed`, and the worker ends. */
export type Request = { readonly kind: 'ask'; readonly id: number; readonly op: OperationName; readonly args: unknown } | { readonly kind: 'close' }

/** What the opening came to. */
export type Opened =
  | { readonly kind: 'opened'; readonly isReadOnly: boolean; readonly faults: readonly Said[] }
  | { readonly kind: 'not-opened'; readonly fault: Said }

/** The worker's answers. `failed` is the disk's or the file's fault, `bug` the program's. */
export type Response =
  | Opened
  | { readonly kind: 'answered'; readonly id: number; readonly answer: unknown }
  | { readonly kind: 'failed'; readonly id: number; readonly fault: Said }
  | { readonly kind: 'bug'; readonly id: number; readonly message: string; readonly stack: string }
  | { readonly kind: 'closed' }
