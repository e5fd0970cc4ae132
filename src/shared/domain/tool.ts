import type { Said } from './result'

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

/** What a tool's handler gives back. `say` is the sentence, `body` the text below it that the model reads whole. */
export interface ToolOutput {
  readonly status: 'ok' | 'failed' | 'cancelled'
  readonly say: Said
  readonly body?: string
  readonly changed?: readonly ChangedFile[]
  readonly exitCode?: number | null
  /** Where the full text lies when `body` was cut; a name in the outputs store. */
  readonly outputRef?: string
}
