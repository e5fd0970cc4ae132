import type { CallId, RollbackId, SessionId, SnapshotId, TurnId, WorkspaceId } from './ids'
import type { Author, LineCount, TreeEntry } from './snapshot'
import type { Said } from './result'

/** What a rollback would do with a path (R77). */
export const planActions = ['revert', 'recreate', 'delete', 'merge', 'conflict', 'leave', 'cannot'] as const
export type PlanAction = (typeof planActions)[number]

/**
 * What a rollback will do to one path, and why (R77).
 * `from` is what is on disk, `to` what will be; `merged` holds the text of a merge (base = the agent's last after-tree).
 */
export interface PlanRow {
  readonly path: string
  readonly action: PlanAction
  /** Who changed the path since the target, oldest first, each once. */
  readonly authors: readonly Author[]
  readonly reason: Said
  readonly from: TreeEntry | null
  readonly to: TreeEntry | null
  readonly merged?: string
}

/** Files, conversation, or both (R76). */
export type RollbackScope = 'files' | 'conversation' | 'both'

/**
 * What the person asks for: `only` takes back that one call's own changes instead of everything since; `ofSession` only what
 * calls of that session changed since: what calls of others changed stays, as the person's own does. `ofCall`: `paths` are all that
 * this call changed, of which nobody knows how it ended; what else was found with it is the person's or another program's.
 */
export interface RollbackTarget {
  readonly to: SnapshotId
  readonly only?: { readonly from: SnapshotId; readonly until: SnapshotId }
  readonly ofSession?: SessionId
  readonly ofCall?: CallId
  readonly paths?: readonly string[]
  readonly keepUserEdits: boolean
}

/** The plan shown before anything is written. `head` names what the disk held when it was made; a moved head asks for a new plan. */
export interface RollbackPlan {
  readonly target: RollbackTarget
  readonly head: string
  readonly rows: readonly PlanRow[]
  readonly notCovered: readonly string[]
}

/**
 * Something of the range that no rollback takes back: a call that may have sent something out, or changed something elsewhere
 * (R77). Listed are commands that had the network or ran outside the sandbox, commands that no sandbox held and whose effect the
 * guard does not know to stay in the project, and every call of an MCP tool. Pages fetched and searches are not.
 */
export interface SentOut {
  readonly callId: CallId
  readonly sessionId: SessionId
  readonly atMs: number
  readonly tool: string
  /** The command, or the tool's name, in one line, redacted, at most 200 characters. */
  readonly label: string
}

/**
 * A plan as it is shown. `lines` stands beside each row of the plan: what the write adds to and takes from what is on disk;
 * null where there are no lines, where a text is very large, and beyond 500 rows that write. Changes inside a row are numbered
 * from 0 as `lineChanges` finds them from the text on disk to the text that will be.
 */
export interface RollbackPreview {
  readonly plan: RollbackPlan
  readonly lines: readonly (LineCount | null)[]
  /** The 100 newest, oldest of them first. */
  readonly sent: readonly SentOut[]
  /** How many there are among the 1,000 newest calls that may act outside the project. */
  readonly sentCount: number
}

/**
 * A stretch of a file in conflict: decided, or three versions of the same lines: as they were before the agent, as the agent left
 * them, and as they are. What only one side changed is decided already. So `earlier` everywhere is the file with all of the
 * agent's changes taken back and of the person's those kept that touch none of them, and `disk` everywhere is the file with all
 * of the person's kept and of the agent's those taken back that touch none of them. Where nobody can tell what the agent left
 * (the file came or went in between, or was saved while the agent wrote), `base` is `earlier`: then they are the earlier text
 * and the disk's, whole.
 */
export type ConflictPart =
  | { readonly kind: 'same'; readonly text: string }
  | { readonly kind: 'conflict'; readonly earlier: string; readonly base: string; readonly disk: string }

/**
 * What the editor of a conflict shows, or of a merge (all of it decided). Texts are whole, null where there is no file, or no text;
 * then there is one part with '' for what is missing, or none; where the file is gone its `base` is what stood before it went. More than 20,000 lines: one part with the whole texts, `base` ''.
 */
export interface ConflictView {
  readonly earlier: string | null
  readonly disk: string | null
  readonly parts: readonly ConflictPart[]
}

/** `applying` is found after a crash and finished or undone at the next start (R78); `partly` lists what could not be written. */
export type RollbackState = 'planned' | 'applying' | 'applied' | 'partly' | 'undone'

/**
 * A rollback's journal row; the plan is stored before the first write (R78). `sessionId` and `turnId` name the conversation
 * that goes back with the files, from the turn on, so that a rollback killed halfway can be finished.
 */
export interface RollbackRecord {
  readonly id: RollbackId
  readonly workspaceId: WorkspaceId
  readonly plan: RollbackPlan
  readonly scope: RollbackScope
  readonly sessionId: SessionId | null
  readonly turnId: TurnId | null
  readonly state: RollbackState
  readonly done: readonly string[]
  readonly failed: readonly { readonly path: string; readonly reason: Said }[]
  readonly beforeSnapshot: SnapshotId | null
  readonly afterSnapshot: SnapshotId | null
  readonly undoOf: RollbackId | null
  readonly atMs: number
}

/** A rollback as the timeline needs it, without its plan; `done` and `failed` count paths. */
export interface RollbackRow extends Omit<RollbackRecord, 'workspaceId' | 'plan' | 'done' | 'failed'> {
  readonly target: RollbackTarget
  readonly done: number
  readonly failed: number
  /** Paths that were not gone back with: unticked, kept, in conflict or failed. None of a plan that is very large. */
  readonly left: readonly string[]
  /** Paths of which some changes went back and others were left, or may have been, as in a conflict settled by hand. None of a plan that is very large. */
  readonly partly: readonly string[]
  /** Paths among `left` that stayed because only the person changed them, or may have. */
  readonly kept: readonly string[]
}
