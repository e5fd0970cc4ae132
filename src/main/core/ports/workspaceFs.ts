import type { Result } from '../../../shared/domain/result'

/** What a caller wants to do with a path. `exec-cwd` is a command's working folder. */
export type PathUse = 'read' | 'write' | 'create' | 'mkdir' | 'delete' | 'rename' | 'list' | 'exec-cwd'

/** Identity of an opened file, so that what is acted on is what was judged. Times in nanoseconds as decimal text. */
export interface FileIdentity {
  readonly dev: string
  readonly ino: string
  readonly size: number
  readonly mtimeNs: string
  readonly ctimeNs: string
}

/**
 * What a component walk found about a path given by the model. No effect on the disk.
 * `problem` is set when the walk had to stop: then nothing else may be relied on and the guard denies.
 */
export interface PathFacts {
  readonly given: string
  /** The resolved place; for a missing file the resolved parent and the name. */
  readonly realPath: string
  /** Relative to the root with `/`, '' for the root itself; null when the place is outside. */
  readonly relative: string | null
  readonly problem: 'empty' | 'nul' | 'too-long' | 'url' | 'tilde' | 'control' | 'too-many-links' | 'dotdot-missing' | 'unreadable' | 'drive' | 'reserved-name' | 'stream' | 'trailing-dot' | 'short-name' | null
  readonly kind: 'file' | 'folder' | 'link' | 'special' | 'missing'
  /** True when a symbolic link was followed on the way. */
  readonly isThroughLink: boolean
  readonly linkCount: number
  readonly identity: FileIdentity | null
  /** Identity of the real parent folder: checked again when acting. */
  readonly parent: { readonly realPath: string; readonly dev: string; readonly ino: string } | null
  /** For a folder to be deleted or moved: repositories that lie in it, as far as a short search finds them, relative to it. */
  readonly holds?: readonly string[]
}

/** A file's bytes with what they were at that moment. `hash` is SHA-256 of the whole file. */
export interface FileContent {
  readonly bytes: Uint8Array
  readonly hash: string
  readonly identity: FileIdentity
  /** Permission bits. */
  readonly mode: number
}

/** One entry of a folder. */
export interface FolderEntry {
  readonly name: string
  readonly kind: 'file' | 'folder' | 'link' | 'special'
  readonly sizeBytes: number
}

/**
 * Files below one root, acted on by descriptor: every act takes the facts that the guard judged and refuses with
 * `path.moved` when the place is no longer the one that was judged, and with `path.stale` when the content is not.
 * Nothing here judges policy, and nothing here follows a link in the last component of a write, delete or rename.
 * Writes are atomic (temporary file in the same folder, mode kept, fsync of file and folder, rename).
 */
export interface WorkspaceFs {
  locate(path: string, use: PathUse): Promise<PathFacts>
  /** Whole file up to `limitBytes`; `path.too-large` beyond. */
  read(facts: PathFacts, limitBytes: number): Promise<Result<FileContent>>
  list(facts: PathFacts): Promise<Result<readonly FolderEntry[]>>
  /** Missing parents are made. `base` is the approved hash of what is there now, null for "no file": checked just before the rename. */
  write(facts: PathFacts, bytes: Uint8Array, base: string | null): Promise<Result<{ readonly hash: string }>>
  makeFolder(facts: PathFacts): Promise<Result<null>>
  /** A file, a link itself, or a folder with all it holds. `base` binds a file as in `write`; null for folders and links. */
  remove(facts: PathFacts, base: string | null): Promise<Result<null>>
  /** Never replaces: `path.exists` when the target is there. */
  move(from: PathFacts, to: PathFacts): Promise<Result<null>>
}
