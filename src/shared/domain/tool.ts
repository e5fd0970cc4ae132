import type { Said } from './result'
import type { LoadedSkill } from './skill'

/** What a tool can do to the world. MCP tools are `execute` unless the user says `network`. */
export type Effect = 'read' | 'write' | 'execute' | 'network'

/** How a call ended; exactly one for each call (R5). `unknown`: a crash lies between its start and its end. */
export type ToolStatus = 'ok' | 'failed' | 'denied' | 'skipped' | 'cancelled' | 'unknown'

/** A changed file, hashes of the whole content (SHA-256, hex); null where there was or is no file. */
export interface ChangedFile {
  readonly path: string
  readonly before: string | null
  readonly after: string | null
}

/** A file as the agent knows it after a call: relative path and SHA-256, null when it knows it no more (R103). */
export interface SeenFile {
  readonly path: string
  readonly hash: string | null
}

/**
 * What a result holds besides its text. Bytes lie in the outputs store under `ref`; nothing that has an address is fetched or
 * opened by itself.
 */
export type ToolContent =
  | { readonly kind: 'image' | 'audio' | 'file'; readonly mimeType: string; readonly ref: string; readonly sizeBytes: number; readonly name: string }
  | { readonly kind: 'link'; readonly uri: string; readonly name: string; readonly description: string; readonly mimeType: string | null }

/** Where text from outside came from. `host` is the host of `url`; for a web search it is the search service's. */
export type TaintSource =
  | { readonly kind: 'mcp'; readonly server: string }
  | { readonly kind: 'web'; readonly host: string; readonly url: string }
  /** A file outside the project, by its real path. */
  | { readonly kind: 'file'; readonly path: string }

/** What a tool's handler gives back. `say` is the sentence, `body` the text below it that the model reads whole. */
export interface ToolOutput {
  readonly status: 'ok' | 'failed' | 'cancelled'
  readonly say: Said
  readonly body?: string
  readonly changed?: readonly ChangedFile[]
  readonly exitCode?: number | null
  /** Where the full text lies when `body` was cut; a name in the outputs store. */
  readonly outputRef?: string
  /** Pictures, sounds, files and links, in the order of the result. */
  readonly content?: readonly ToolContent[]
  /** A skill whose text is to follow the step's results (R58). */
  readonly loaded?: LoadedSkill
  /** Set when the result is text from outside. */
  readonly taint?: TaintSource
  /** Of a command: what held it. */
  readonly confined?: Confined
}

/** What held a command that ran: the sandbox without or with the network, nothing on the person's word, a copy of the project, or nothing since there is no sandbox. */
export type Confined = 'sandbox' | 'network' | 'outside' | 'trial' | 'none'
