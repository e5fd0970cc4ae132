import type { ApprovalRequest, SandboxState, TaintMark } from '../../../shared/domain/approval'
import type { CallChange } from '../../../shared/domain/call'
import type { AgentEvent, EventDraft, LivePart } from '../../../shared/domain/event'
import type { CallId, SessionId, TurnId } from '../../../shared/domain/ids'
import type { TextOrigin } from '../../../shared/domain/memory'
import type { ModelChoice, ModelMessage, ToolSpec } from '../../../shared/domain/model'
import type { Said } from '../../../shared/domain/result'
import type { AskingLevel } from '../../../shared/domain/session'
import type { JudgePorts } from '../policy/judgeCall'
import type { ApprovalDesk } from '../ports/approvalDesk'
import type { AuditSink } from '../ports/auditSink'
import type { BlobStore } from '../ports/blobStore'
import type { CallSnapshots } from '../ports/callSnapshots'
import type { CancelSignal } from '../ports/cancelSignal'
import type { Clock } from '../ports/clock'
import type { CommandRunner, RunningCommand } from '../ports/commandRunner'
import type { Hasher } from '../ports/hasher'
import type { IdSource } from '../ports/idSource'
import type { ModelClient } from '../ports/modelClient'
import type { Spending } from '../ports/spending'
import type { TextSearch } from '../ports/textSearch'
import type { PermissionDesk } from '../ports/permissionDesk'
import type { TrialDesk } from '../ports/trialDesk'
import type { Redact } from '../policy/redaction'
import type { WithoutKnown } from '../policy/redactionKnown'
import type { HintLog } from '../tools/defineTool'
import type { TimedReadLog } from '../tools/readLog'
import type { SessionSkills } from '../skills/loadedSkills'
import type { NamedOutput } from '../tools/namedOutput'
import type { ToolRegistry } from '../tools/registry'

/** The turn to run: data only. `step` is the step to go on after, 0 for a fresh turn. */
export interface Turn {
  readonly sessionId: SessionId
  readonly turnId: TurnId
  readonly choice: ModelChoice
  readonly level: AskingLevel
  readonly maxSteps: number
  readonly step: number
  /** Of a turn that is taken up again; left out for one that begins. */
  readonly before?: TurnBefore
}

/** What a turn's calls did before it was taken up again. */
export interface TurnBefore {
  /** Calls that name the files they changed. */
  readonly changes: number
  /** A call ran that does not say what it changed, or of which nobody knows how it ended. */
  readonly hasRun: boolean
}

/** What goes into the next request, or why there is none: nothing more can be left out, and it does not fit the model's window. */
export type NextRequest =
  | {
      readonly kind: 'ready'
      readonly messages: readonly ModelMessage[]
      /** What it is estimated to cost, tools included, uncorrected (R31). */
      readonly expectedTokens: number
      /** What making room for it took. */
      readonly spent: { readonly input: number; readonly output: number }
    }
  | { readonly kind: 'ended'; readonly say: Said }

/** The record of the turn's session. */
export interface TurnRecord {
  /** Committed when it resolves. */
  append(drafts: readonly EventDraft[], changes?: readonly CallChange[]): Promise<readonly AgentEvent[]>
  /** Shows a piece that is not stored. */
  show(turn: Turn, step: number, body: LivePart['body']): void
  /**
   * The history as the model is sent it, system prompt first, with room for it made where the window is nearly full (R22): that
   * may take a model call, and ends at once with the signal. What had to be repaired in it is recorded before this resolves (R32).
   */
  history(turn: Turn, step: number, tools: readonly ToolSpec[], signal: CancelSignal): Promise<NextRequest>
  /**
   * Messages that waited become user messages of the turn, in the order they were typed (R10); how many. Committed when it
   * resolves, so a message is delivered once, also when the app is killed over it.
   */
  deliver(turn: Turn, step: number): Promise<number>
  /** What the session's results say of a name in the outputs store (`outputNamed`). */
  output(ref: string): NamedOutput | null
  /** What the session and the turn know of skills, as of now (`skillsOf`). */
  skills(turn: Turn): SessionSkills
  /** Where in the session words of a text stand (`originsOf`). */
  origins(text: string): readonly TextOrigin[]
  /** The question about a call that waited when the app was closed or killed; null for every other. */
  askedBefore(callId: CallId): ApprovalRequest | null
  /** The asking level that holds now (`levelOfTurn`). */
  level(turn: Turn): AskingLevel
  /** The model of the next request (`modelOfTurn`): whoever switches in the middle of a turn is answered by the new one from there on. */
  choice(turn: Turn): ModelChoice
  /** Whether text from outside marks the turn (R71). */
  isTainted(turn: Turn): boolean
  /** What marks it, and what of a text stands there too (`taintMarks`). */
  taint(turn: Turn, text: string): readonly TaintMark[]
}

/** Everything the loop reaches the world through. */
export interface TurnPorts {
  readonly model: ModelClient
  readonly tools: ToolRegistry
  readonly record: TurnRecord
  readonly desk: ApprovalDesk
  readonly audit: AuditSink
  readonly snapshots: CallSnapshots
  readonly judge: Omit<JudgePorts, 'level'>
  readonly commands: CommandRunner
  readonly search: TextSearch
  readonly blobs: BlobStore
  readonly readLog: TimedReadLog
  readonly clock: Clock
  readonly ids: IdSource
  readonly hasher: Hasher
  readonly spending: Spending
  readonly root: string
  /** Of the moment: whether commands run in a sandbox. */
  sandbox(): SandboxState
  /** Resolves once the sandbox has been tested: before, a card could only say that there is none. */
  sandboxTested(): Promise<void>
  readonly permissions: PermissionDesk
  readonly trials: TrialDesk
  readonly hintLog: HintLog
  /** Masks detected secrets in what the model and the window are shown. */
  readonly redact: Redact
  /** Takes registered secrets out of what is about to be stored; nothing else changes. */
  readonly withoutKnown: WithoutKnown
  /** The signal of the step that begins: aborted with the turn's, or when the person interrupts the step alone. */
  stepSignal(ofTurn: CancelSignal): CancelSignal
  /** Where a running command can be reached for input; removed when it ended. */
  running(callId: CallId, command: RunningCommand | null): void
}
