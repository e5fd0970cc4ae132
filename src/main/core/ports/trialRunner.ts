import type { Result } from '../../../shared/domain/result'
import type { CancelSignal } from './cancelSignal'
import type { CommandEnd, CommandStart } from './commandRunner'

/** One path that a trial changed. Hashes are SHA-256 of a file's content or of a link's target; null where there is none. */
export interface TrialFile {
  /** Relative to the root, with `/`. */
  readonly path: string
  readonly change: 'created' | 'changed' | 'deleted'
  /** What stands there after; for a deleted path what stood there. A path whose kind changed is told as `changed`. */
  readonly kind: 'file' | 'symlink' | 'folder'
  /** Permission bits after; for a deleted path before. */
  readonly mode: number
  /** Of the content when the copy was taken: whoever keeps the result checks that it still is there. */
  readonly beforeHash: string | null
  readonly afterHash: string | null
  readonly beforeBytes: number | null
  readonly afterBytes: number | null
  readonly isBinary: boolean
}

/** Both sides of a changed path, for a diff. Null where there is none; cut at the limit asked for. */
export interface TrialSides {
  readonly before: Uint8Array | null
  readonly after: Uint8Array | null
  readonly isCut: boolean
}

/** A trial that ran. Its copy takes place on the disk until it is kept or discarded; the next start of the app removes what was left. */
export interface Trial {
  readonly id: string
  /** When the copy was taken: just before the command began. */
  readonly takenAtMs: number
  readonly end: CommandEnd
  /** In path order. Folders only when they were created, deleted, or got other permissions. */
  readonly files: readonly TrialFile[]
  /** What the sandbox refused, as far as the output shows it: a path, or the line that speaks of the network. */
  readonly refused: readonly { readonly kind: 'write' | 'network'; readonly what: string }[]
  /** Both sides of one path; `trial.changed-since` when the file on disk is no longer what the copy was made of. */
  read(path: string, limitBytes: number): Promise<Result<TrialSides>>
  /** The whole content that a file or link has in the trial, as `afterHash` says; for callers that write it themselves. */
  after(path: string, limitBytes: number): Promise<Result<Uint8Array>>
  /** Paths of the trial where the disk no longer is what it was when the copy was taken. While there is one, nothing is kept. */
  changedSince(): Promise<readonly string[]>
  /**
   * Makes the project equal to the trial: what was deleted goes, deepest first, then what came or changed is written, each whole
   * or not at all and never through a link. Before the first write every base is checked again (`trial.changed-since` names the
   * paths) and `judge` is asked for every path; one refusal and nothing is written. Each path is told to `onStep` when it is
   * durable or has failed; one that fails does not stop the others. The trial stays until it is discarded.
   */
  keep(judge: (file: TrialFile) => Promise<Result<null>>, onStep: (path: string, outcome: Result<null>) => void): Promise<Result<null>>
  /** Removes the copy. Does nothing the second time; never rejects. */
  discard(): Promise<void>
}

/**
 * Runs a command in a copy-on-write copy of the project, in the sandbox and without network, and tells what it would have
 * changed (R73). The project is not written. Programs it leaves running are ended.
 */
export interface TrialRunner {
  /** Whether an overlay works here; found out by trying, once. Never rejects. */
  canTry(): Promise<boolean>
  /**
   * `start.confinement` must be sandboxed; its `network` is not given. Resolves when the command has ended, cancelled or not:
   * the files tell what had happened by then.
   */
  run(start: CommandStart, onOutput: (text: string) => void, signal: CancelSignal): Promise<Result<Trial>>
}
