import type { z } from 'zod'
import type { ApprovalPreview, SandboxState } from '../../../shared/domain/approval'
import type { ModelUse } from '../../../shared/domain/budget'
import type { CallId } from '../../../shared/domain/ids'
import type { McpOrigin } from '../../../shared/domain/mcp'
import type { TextOrigin } from '../../../shared/domain/memory'
import type { Result } from '../../../shared/domain/result'
import type { SandboxHint } from '../../../shared/domain/sandbox'
import type { Effect, ToolOutput } from '../../../shared/domain/tool'
import type { BlobStore } from '../ports/blobStore'
import type { CancelSignal } from '../ports/cancelSignal'
import type { CommandPart, Verdict } from '../../../shared/domain/verdict'
import type { CommandEnd, CommandRunner, CommandStart } from '../ports/commandRunner'
import type { Hasher } from '../ports/hasher'
import type { TextSearch } from '../ports/textSearch'
import type { Redact } from '../policy/redaction'
import type { PathFacts, PathUse, WorkspaceFs } from '../ports/workspaceFs'
import type { NamedOutput } from './namedOutput'

/** One path a call will touch, and how; the gate locates and judges each before anything runs. */
export interface PathClaim {
  readonly path: string
  readonly use: PathUse
}

/** A claimed path after judging: the facts that the act must be bound to. */
export interface JudgedPath extends PathClaim {
  readonly facts: PathFacts
}

/** What the agent has read in this session: path relative to the root → SHA-256 it had then (R103). */
export interface ReadLog {
  get(relative: string): string | undefined
  set(relative: string, hash: string): void
  forget(relative: string): void
}

/** What commands of this session lacked when they failed in the sandbox, by their text: asked again, the card says so. */
export interface HintLog {
  get(command: string): SandboxHint | undefined
  set(command: string, hint: SandboxHint): unknown
}

/** What a handler works with. Everything is bound to one call. */
export interface ToolContext {
  readonly callId: CallId
  readonly root: string
  readonly fs: WorkspaceFs
  readonly search: TextSearch
  readonly commands: CommandRunner
  readonly blobs: BlobStore
  readonly hasher: Hasher
  readonly readLog: ReadLog
  readonly hintLog: HintLog
  /** Of the call's command, as the guards judged them last; empty for other tools. */
  readonly parts: readonly CommandPart[]
  readonly signal: CancelSignal
  /** What the person was told of the sandbox. */
  readonly sandbox: SandboxState
  /** What the call was granted by, as it was shown or would have been; null while that is being made. */
  readonly shown: ApprovalPreview | null
  /** The judged facts of a claimed path, by the text given in the arguments. Throws for a path that was not claimed: a bug. */
  place(path: string): PathFacts
  /** What the guard says of a place that the call came across and did not claim: one that is not allowable is left out. */
  readonly judgePath: (facts: PathFacts, use: PathUse) => Verdict
  /** What this session knows of a name in the outputs store; null for one that none of its results gave. */
  output(ref: string): NamedOutput | null
  /** Where in this session words of the text stand already, the nearest first. */
  origins(text: string): readonly TextOrigin[]
  /** Masks detected secrets; every result goes through it once more. */
  readonly redact: Redact
  /** Records what the call itself used of a model. Resolves when committed. */
  used(use: ModelUse): Promise<void>
  /** Live output for the screen, with its secrets masked; not stored. */
  emit(text: string): void
  /** Records the command's first process in the journal. Resolves when committed. */
  started(pid: number): Promise<void>
}

/**
 * What a call would change, worked out before asking. `writes` are the content hashes before and after for the journal
 * (after null: unknown or none); `base` is bound into the approval.
 */
export interface CallForecast {
  readonly preview: ApprovalPreview
  readonly writes: readonly { readonly path: string; readonly before: string | null; readonly after: string | null }[]
  readonly base: Readonly<Record<string, string | null>>
}

/**
 * A tool: one file, data and three small functions.
 * `forecast` reads but never writes; a fault from it ends the call as `failed` before anybody is asked (a stale file, text
 * that is not there). `run` gets the effective arguments, already judged.
 */
export interface Tool<Args = Readonly<Record<string, unknown>>> {
  readonly name: string
  /** For the model. */
  readonly description: string
  readonly params: z.ZodType<Args>
  /** JSON Schema of the arguments as the model is sent it, where it is not made from `params`. */
  readonly schema?: Readonly<Record<string, unknown>>
  /** For a tool of an MCP server. */
  readonly origin?: McpOrigin
  readonly effect: Effect
  /** It changes what the app keeps for the person: not offered where the level is read-only, although no file is touched. */
  readonly isHiddenReadOnly?: true
  paths(args: Args): readonly PathClaim[]
  /** The command line to judge and its working folder as given, for tools that run one. */
  command?(args: Args): { readonly command: string; readonly cwd: string }
  /**
   * The tool's own word about a call, of the moment; the most severe of this and the guards' counts. `ask` where only a
   * person may answer although no guard asks: the answer is the tool's whole purpose (ask_user), or it is no longer what was
   * accepted (R54).
   */
  verdict?(args: Args): Verdict
  forecast(args: Args, context: ToolContext): Promise<Result<CallForecast>>
  /** The arguments that write `edited` instead of what was proposed; only for tools whose preview is an edit. */
  withEdit?(args: Args, edited: string, before: string | null): Args
  run(args: Args, context: ToolContext): Promise<ToolOutput>
  /** For a tool whose work is one command, which can be tried on a copy (R73): what is started, and what its end says. */
  readonly trial?: {
    start(args: Args, context: ToolContext): CommandStart
    output(args: Args, end: CommandEnd, context: ToolContext): ToolOutput
  }
}

/** Declares a tool; its only work is to hold the types of arguments and handler together. */
export function defineTool<Args extends Readonly<Record<string, unknown>>>(tool: Tool<Args>): Tool {
  return tool
}
