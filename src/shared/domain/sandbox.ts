import type { Said } from './result'

/** What the self-test of the sandbox found (R72). `canTry`: a command can be run on a copy of the project (R73). */
export type SandboxReport =
  | { readonly kind: 'on'; readonly means: 'bubblewrap' | 'seatbelt'; readonly canTry: boolean; readonly testedAtMs: number }
  | { readonly kind: 'none'; readonly reason: Said; readonly canTry: false; readonly testedAtMs: number }

/** What the window knows of it; `testing` until the self-test of the start is done. */
export type SandboxFacts = SandboxReport | { readonly kind: 'testing' }

/** What a sandboxed command that failed seems to have lacked. */
export type SandboxHint = 'network' | 'path'

/** A changed path of a trial, relative to the project. Hashes are SHA-256 of the content, null where there is no file. */
export interface TrialRow {
  readonly path: string
  readonly change: 'created' | 'changed' | 'deleted'
  readonly kind: 'file' | 'symlink' | 'folder'
  readonly beforeHash: string | null
  readonly afterHash: string | null
  readonly beforeBytes: number | null
  readonly afterBytes: number | null
  readonly isBinary: boolean
  readonly added: number
  readonly removed: number
}
