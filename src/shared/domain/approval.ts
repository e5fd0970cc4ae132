import type { CallId, SessionId, TurnId } from './ids'
import type { McpChange, McpFormField, McpOrigin, McpSamplingMessage } from './mcp'
import type { MemoryScope, RelatedMemory, TextOrigin } from './memory'
import type { Said } from './result'
import type { PartAnswer, Remember, RuleShape } from './rule'
import type { SandboxHint, TrialRow } from './sandbox'
import type { Coverage } from './snapshot'
import type { Effect, TaintSource } from './tool'
import type { CommandPart } from './verdict'

/** The thing itself, as the card draws it. Texts are whole; `before` is null for a new file, `after` null for a deletion. */
export type ApprovalPreview =
  | { readonly kind: 'edit'; readonly path: string; readonly before: string | null; readonly after: string | null; readonly notes: readonly Said[] }
  | { readonly kind: 'binary'; readonly path: string; readonly beforeBytes: number | null; readonly afterBytes: number | null; readonly notes: readonly Said[] }
  | { readonly kind: 'move'; readonly from: string; readonly to: string; readonly notes: readonly Said[] }
  | { readonly kind: 'command'; readonly command: string; readonly cwd: string; readonly parts: readonly CommandPart[]; readonly confinement?: CommandConfinement }
  /** What a command did on a copy of the project (R73). `keep` writes the files, once, without running it again; `discard` goes back to the question. */
  | { readonly kind: 'trial'; readonly trialId: string; readonly command: string; readonly cwd: string; readonly takenAtMs: number; readonly exitCode: number | null; readonly durationMs: number; readonly files: readonly TrialRow[]; readonly refused: readonly { readonly kind: 'write' | 'network'; readonly what: string }[]; readonly changedSince: readonly string[]; readonly output: string; readonly isOutputCut: boolean }
  | { readonly kind: 'question'; readonly question: string; readonly options: readonly string[] }
  | { readonly kind: 'arguments'; readonly text: string; readonly notes: readonly Said[] }
  /** A tool of an MCP server: its words as the server gave them, the arguments whole, and what is no longer as accepted (R54). */
  | { readonly kind: 'mcp'; readonly origin: McpOrigin; readonly description: string; readonly text: string; readonly change: McpChange | null; readonly notes: readonly Said[] }
  /** A server wants text from the model (R51). `attached` counts parts that are no text; they are not sent. */
  | { readonly kind: 'sampling'; readonly server: string; readonly system: string; readonly messages: readonly McpSamplingMessage[]; readonly maxTokens: number; readonly attached: number }
  /** A server asks the person to fill in a form; the answer is `edited` with the values by name. */
  | { readonly kind: 'elicitation'; readonly server: string; readonly message: string; readonly fields: readonly McpFormField[] }
  /** The model proposes to remember something; `edited-text` changes the fact. Outside origins are why it would not be injected by itself. */
  | { readonly kind: 'memory'; readonly text: string; readonly scope: MemoryScope; readonly origins: readonly TextOrigin[]; readonly related: readonly RelatedMemory[] }
  /** A page to fetch. `isPrivate`: it lies in a private network, and a person allowed that host. `notes`: what of this session goes there in the address. */
  | { readonly kind: 'fetch'; readonly url: string; readonly host: string; readonly isPrivate: boolean; readonly notes: readonly Said[] }
  /** A question to the configured search service. */
  | { readonly kind: 'web-search'; readonly query: string; readonly service: string; readonly host: string; readonly notes: readonly Said[] }
  /** A server asks the person to open an address; it is opened when allowed, and by nothing else. */
  | { readonly kind: 'open-address'; readonly server: string; readonly message: string; readonly url: string }

/** How a command would run: what is asked of the sandbox, and what an earlier run of it lacked. Absent in records of before there was one. */
export interface CommandConfinement {
  readonly network: boolean
  readonly outside: boolean
  /** The same command failed before for lack of this. */
  readonly after: SandboxHint | null
}

/** Text from outside that the turn has read (R71), and words of the call that stand there too, when some do. */
export interface TaintMark {
  readonly source: TaintSource
  readonly shared: string | null
}

/** Whether commands run in a sandbox here, said honestly on the card (R72). */
export type SandboxState = 'none' | 'on'

/**
 * The question to the person. It is bound to the exact arguments (`argsHash`), to the content it shows (`baseHashes`,
 * path to SHA-256 or null for "no file") and to a one-time number made in main (`nonce`): anything else asks again (E19).
 */
export interface ApprovalRequest {
  readonly callId: CallId
  readonly sessionId: SessionId
  readonly turnId: TurnId
  readonly step: number
  readonly tool: string
  readonly effect: Effect
  readonly args: Readonly<Record<string, unknown>>
  readonly argsHash: string
  readonly baseHashes: Readonly<Record<string, string | null>>
  readonly nonce: string
  readonly reason: Said
  readonly preview: ApprovalPreview
  readonly coverage: Coverage
  readonly sandbox: SandboxState
  /** Where text from outside marks the turn: then no rule answers. Absent: none, as in records of before this. */
  readonly taint?: readonly TaintMark[]
  /** Who would answer each part of a command, in the order of `preview.parts`; null where a person is needed. */
  readonly partAnswers?: readonly (PartAnswer | null)[]
  /** What could be allowed for longer: the narrowest shapes for this call. Absent or null: no rule may answer it. */
  readonly remembered?: readonly RuleShape[] | null
  /** Whether it can be tried on a copy (R73). */
  readonly canTry?: boolean
  /** When the agent read the file that is changed, or wrote it last; absent where that is not known. */
  readonly readAtMs?: number
  /** It was allowed and not run, for this reason: the signature was not used, and is asked for again. */
  readonly notRun?: Said
  /** It waited already when the app was closed or killed: since when, and whether verdict, arguments and files are what they were then (R84). */
  readonly askedBefore?: { readonly atMs: number; readonly isSame: boolean }
  readonly askedAtMs: number
}

/** The person's answer (R63). `edited` runs with other arguments; the guards judge those again. */
export type ApprovalAnswer =
  | { readonly kind: 'allow'; readonly remember?: Remember }
  | { readonly kind: 'edited'; readonly args: Readonly<Record<string, unknown>> }
  /** The shown result edited as text, or the answer to a question; the gate turns it into arguments (`Tool.withEdit`). */
  | { readonly kind: 'edited-text'; readonly text: string }
  | { readonly kind: 'deny'; readonly reason: string }
  | { readonly kind: 'skip' }
  /** Run it on a copy first; asks again with the result. Only where `canTry`. */
  | { readonly kind: 'try' }
  /** Put the question anew, with what is there now; no word about the call. Only of calls of the agent. */
  | { readonly kind: 'look' }
  /** Of a trial's result only. */
  | { readonly kind: 'keep' }
  | { readonly kind: 'discard' }

/** An answer with what it answers; the desk refuses one whose nonce or hash is not the open request's. */
export interface ApprovalDecision {
  readonly callId: CallId
  readonly nonce: string
  readonly argsHash: string
  readonly answer: ApprovalAnswer
}

/** Who let a call run, or stopped it. `level`: the asking level did not ask for it. */
export type DecidedBy = 'person' | 'rule' | 'grant' | 'policy' | 'level'
