import type { ApprovalAnswer, ApprovalRequest, DecidedBy } from './approval'
import type { AuditHead } from './audit'
import type { BudgetRaise, BudgetReached, Cost, UsagePurpose } from './budget'
import type { Compaction } from './compaction'
import type { CallId, CompactionId, MessageId, RollbackId, SessionId, SnapshotId, TurnId, WorkspaceId } from './ids'
import type { ModelCall, ModelChoice, StopReason, ThinkingBlock, Usage } from './model'
import type { Said } from './result'
import type { Grant } from './rule'
import type { RollbackScope } from './rollback'
import type { AskingLevel, ForkPoint } from './session'
import type { Author, SnapshotKind } from './snapshot'
import type { McpOrigin } from './mcp'
import type { InjectedMemory } from './memory'
import type { LoadedSkill } from './skill'
import type { ChangedFile, Confined, Effect, SeenFile, TaintSource, ToolContent, ToolStatus } from './tool'

/** Why a turn ended. `incomplete`: the stream broke off; `refused`: the model's content was filtered. */
export type TurnEndReason = 'done' | 'cancelled' | 'step-limit' | 'repeat' | 'budget' | 'refused' | 'incomplete' | 'error'

/** A resource of a server that the person attached to a message (R50); `text` is what the model reads, framed as data from outside, cut when long. */
export interface MessageAttachment {
  readonly server: string
  readonly uri: string
  readonly name: string
  readonly text: string
  /** The whole, when `text` was cut; a name in the outputs store. */
  readonly outputRef: string | null
  readonly content: readonly ToolContent[]
}

/** A file of the project, or a picture or file from elsewhere, that the person attached to a message (R90). */
export interface AttachedFile {
  /** Relative to the opened folder; null for what was pasted or dropped. */
  readonly path: string | null
  readonly name: string
  /** What the model reads of it, cut when long; empty for a picture. */
  readonly text: string
  /** The whole, when `text` was cut; a name in the outputs store. */
  readonly outputRef: string | null
  readonly content: readonly ToolContent[]
  /** SHA-256 of the file as it was read: the agent knows it since (R103). Left out for folders and for what is no file of the project. */
  readonly hash?: string
}

interface InTurn {
  readonly turnId: TurnId
  readonly step: number
}

/** What each event says, without the fields that every stored event has. Past tense; append-only (R95). */
export type EventDraft =
  | { readonly type: 'session-opened'; readonly workspaceId: WorkspaceId; readonly title: string; readonly level: AskingLevel; readonly forkedFrom?: ForkPoint }
  | { readonly type: 'session-renamed'; readonly title: string }
  | { readonly type: 'session-pinned'; readonly isPinned: boolean }
  /** Out of the list, and back again (R96); nothing of it is removed. */
  | { readonly type: 'session-deleted' }
  | { readonly type: 'session-restored' }
  | { readonly type: 'user-message-added'; readonly turnId: TurnId; readonly messageId: MessageId; readonly text: string; readonly attachments?: readonly MessageAttachment[]; readonly files?: readonly AttachedFile[] }
  /**
   * A message typed while a turn runs waits for the next step boundary (R10). Said again with the same id it was edited; a
   * `user-message-added` with that id delivered it.
   */
  | { readonly type: 'message-queued'; readonly messageId: MessageId; readonly text: string; readonly attachments?: readonly MessageAttachment[]; readonly files?: readonly AttachedFile[]; readonly skills?: readonly LoadedSkill[] }
  | { readonly type: 'message-withdrawn'; readonly messageId: MessageId }
  /** A message that compaction keeps whole (R29); `messageSeq` is the seq of its event. */
  | { readonly type: 'message-pinned'; readonly messageSeq: number; readonly isPinned: boolean }
  /** `memories`: what the prompt of this turn holds of the long-term memory, in its order (R39); left out when nothing. */
  | { readonly type: 'turn-started'; readonly turnId: TurnId; readonly choice: ModelChoice; readonly level: AskingLevel; readonly memories?: readonly InjectedMemory[] }
  /**
   * A skill's text entered the conversation, once (R58): before the user's message when the person chose it (`callId` null,
   * step 0), else right behind the results of the step in which the model asked for it. Until the turn ends, its `tools` are all that
   * may be used (null: no narrowing; several skills: what any of them may), and the answer is checked against `outputSchema` (R59).
   */
  | (InTurn & LoadedSkill & { readonly type: 'skill-loaded'; readonly callId: CallId | null })
  | (InTurn & {
      readonly type: 'assistant-message-added'
      readonly messageId: MessageId
      readonly text: string
      readonly reasoning: string
      /** As the provider sent it, for the model of `choice` alone (R88); left out when there is none. */
      readonly thinking?: readonly ThinkingBlock[]
      readonly choice: ModelChoice
      /** As the provider sent them (R91), each with our id, in order. Empty when the reply was not complete. */
      readonly calls: readonly (ModelCall & { readonly callId: CallId })[]
      readonly stop: StopReason | null
      readonly isComplete: boolean
    })
  /**
   * One call of a model (R93). `cost` is by the price of that moment, null where nobody says one, so that a later price does not
   * change the past. Records of before there were prices have `usage` alone: then it was the turn's own model, in the loop.
   * `expectedTokens`: what its input was estimated at before, uncorrected (R31).
   */
  | (InTurn & { readonly type: 'usage-reported'; readonly usage: Usage; readonly choice?: ModelChoice; readonly purpose?: UsagePurpose; readonly cost?: Cost | null; readonly durationMs?: number; readonly expectedTokens?: number })
  | (InTurn & {
      readonly type: 'tool-called'
      readonly callId: CallId
      readonly providerCallId: string
      readonly index: number
      readonly tool: string
      readonly effect: Effect
      readonly argumentsText: string
      /** The server and the tool's own name, for a tool of an MCP server. */
      readonly mcp?: McpOrigin
      /** Parsed by the tool's schema, or null when they could not be. */
      readonly args: Readonly<Record<string, unknown>> | null
      /** The repair made to the text, when one was unambiguous (R7). */
      readonly repair?: Said
    })
  | (InTurn & { readonly type: 'approval-asked'; readonly callId: CallId; readonly request: ApprovalRequest })
  | (InTurn & {
      readonly type: 'approval-decided'
      readonly callId: CallId
      readonly decision: ApprovalAnswer['kind']
      readonly by: DecidedBy
      readonly args: Readonly<Record<string, unknown>> | null
      /** A denial's reason, or the guard's. */
      readonly reason: Said | null
      /** The number of the rule that answered; absent for every other answer, and in records of before there were rules. */
      readonly ruleId?: string
    })
  | (InTurn & { readonly type: 'approval-withdrawn'; readonly callId: CallId })
  | (InTurn & { readonly type: 'tool-started'; readonly callId: CallId; readonly args: Readonly<Record<string, unknown>> })
  /** Something was typed into a running command. What, nobody records: it may be a password. `text` holds a dot a character. */
  | (InTurn & { readonly type: 'command-input-sent'; readonly callId: CallId; readonly text: string })
  | (InTurn & {
      readonly type: 'tool-finished'
      readonly callId: CallId
      readonly status: ToolStatus
      readonly say: Said
      /** What the model reads, whole. */
      readonly text: string
      readonly changed: readonly ChangedFile[]
      /** What the agent knows of files since this call; left out when nothing. */
      readonly seen?: readonly SeenFile[]
      readonly exitCode: number | null
      readonly outputRef: string | null
      /** Pictures, sounds, files and links of the result; left out when none. */
      readonly content?: readonly ToolContent[]
      readonly durationMs: number
      /** Of a command; absent for other tools. */
      readonly confined?: Confined
    })
  /** A permission for the turn or the session; it answers from the next call on. */
  | (InTurn & { readonly type: 'grant-given'; readonly grant: Grant })
  /** By the person, or because it ended. */
  | { readonly type: 'grant-revoked'; readonly grantId: string }
  /** A grant answered a call. */
  | (InTurn & { readonly type: 'grant-used'; readonly grantId: string; readonly callId: CallId })
  /** Text from outside is now part of what the model reads; `callId` null: the person attached it. Committed before that text is. */
  | (InTurn & { readonly type: 'taint-marked'; readonly callId: CallId | null; readonly source: TaintSource })
  | {
      readonly type: 'snapshot-taken'
      readonly turnId: TurnId | null
      readonly step: number | null
      readonly snapshotId: SnapshotId
      readonly kind: SnapshotKind
      readonly author: Author | null
      readonly callId: CallId | null
      /** The first 1,000 that changed. */
      readonly paths: readonly string[]
    }
  | { readonly type: 'history-repaired'; readonly turnId: TurnId | null; readonly repairs: readonly Said[] }
  | ({ readonly type: 'history-compacted'; readonly turnId: TurnId | null } & Compaction)
  | { readonly type: 'compaction-undone'; readonly compactionId: CompactionId }
  /** A summary is offered as a long-term memory (R27, R33), and the person's answer to it. */
  | { readonly type: 'memory-proposed'; readonly compactionId: CompactionId; readonly text: string }
  | { readonly type: 'memory-decided'; readonly compactionId: CompactionId; readonly decision: 'kept' | 'refused' }
  /** The turn is paused and asks; a `budget-raised` of the same ceiling lets it go on, else it ends. */
  | (InTurn & { readonly type: 'budget-reached'; readonly reached: BudgetReached })
  /** For the turn, or for the local day of this event and all its sessions. */
  | (InTurn & { readonly type: 'budget-raised'; readonly raise: BudgetRaise; readonly by: 'person' })
  | { readonly type: 'level-changed'; readonly level: AskingLevel }
  | { readonly type: 'model-changed'; readonly choice: ModelChoice }
  /** A fact the person sees in the conversation; `isForModel`: the model reads it too, as a note of the app. */
  | (InTurn & { readonly type: 'note-added'; readonly say: Said; readonly isForModel: boolean })
  | {
      readonly type: 'turn-ended'
      readonly turnId: TurnId
      readonly step: number
      readonly reason: TurnEndReason
      readonly say: Said
      /** The final answer's text, empty when there is none. */
      readonly text: string
      /** Tokens of all model calls of the turn (R9). */
      readonly tokens: { readonly input: number; readonly output: number }
      readonly auditHead: AuditHead | null
    }
  | {
      readonly type: 'rolled-back'
      readonly rollbackId: RollbackId
      readonly scope: RollbackScope
      /** The hidden range of this session's events, when the conversation went back too; null when only files did. */
      readonly hidden: { readonly fromSeq: number; readonly toSeq: number } | null
      readonly paths: readonly string[]
      readonly failed: readonly string[]
    }
  | { readonly type: 'rollback-undone'; readonly rollbackId: RollbackId; readonly undoneId: RollbackId }

/** Every kind of event. */
export type EventType = EventDraft['type']

/**
 * A stored row that this version cannot read: of a newer version, of a kind it does not know, or damaged. Kept whole and in
 * its place, so that seq has no gaps and nothing is lost; folds leave it out, or say that it is there. Never written.
 * `storedType` is `event-lost` where a damaged database could not give the row back.
 */
export interface UnreadEvent {
  readonly type: 'event-unread'
  readonly storedType: string
  /** As it is stored. */
  readonly payload: string
}

/** A stored event: committed first, then pushed. `seq` starts at 1 and has no gaps in a session. */
export type AgentEvent = (EventDraft | UnreadEvent) & {
  readonly v: number
  readonly sessionId: SessionId
  readonly seq: number
  readonly atMs: number
}

/** The version each event is written in today. Raising one needs a step in `readEvent` and a transcript of the old form in the tests. */
export const eventVersions: Readonly<Record<EventType, number>> = {
  'session-opened': 1,
  'session-renamed': 1,
  'session-pinned': 1,
  'session-deleted': 1,
  'session-restored': 1,
  'user-message-added': 1,
  'message-queued': 1,
  'message-withdrawn': 1,
  'message-pinned': 1,
  'turn-started': 1,
  'skill-loaded': 1,
  'assistant-message-added': 1,
  'usage-reported': 1,
  'tool-called': 1,
  'approval-asked': 1,
  'approval-decided': 1,
  'approval-withdrawn': 1,
  'tool-started': 1,
  'command-input-sent': 1,
  'tool-finished': 1,
  'grant-given': 1,
  'grant-revoked': 1,
  'grant-used': 1,
  'taint-marked': 1,
  'snapshot-taken': 1,
  'history-repaired': 1,
  'history-compacted': 1,
  'compaction-undone': 1,
  'memory-proposed': 1,
  'memory-decided': 1,
  'budget-reached': 1,
  'budget-raised': 1,
  'level-changed': 1,
  'model-changed': 1,
  'note-added': 1,
  'turn-ended': 1,
  'rolled-back': 1,
  'rollback-undone': 1,
}

/** A call whose arguments are still coming: the end of what came, cut at `growingTail`, and how much came. The whole would be sent again with each piece. */
export interface GrowingCall {
  readonly index: number
  readonly name: string
  readonly tail: string
  readonly characters: number
}

/** Most characters of a growing call that are shown. */
export const growingTail = 200

/** A pushed piece of the reply that is being made: the stored seq it follows, and its own number from 1 in the step. */
export interface LivePart {
  readonly sessionId: SessionId
  readonly turnId: TurnId
  readonly step: number
  readonly seq: number
  readonly part: number
  readonly atMs: number
  readonly body:
    | { readonly type: 'text-delta'; readonly text: string }
    | { readonly type: 'thinking-delta'; readonly text: string }
    | ({ readonly type: 'call-growing' } & GrowingCall)
    | { readonly type: 'tool-output'; readonly callId: CallId; readonly text: string }
    | { readonly type: 'retrying'; readonly say: Said; readonly attempt: number; readonly waitMs: number }
}
