import type { Result } from '../../../shared/domain/result'
import type { CancelSignal } from './cancelSignal'

/** What to look for in contents, and where. */
export interface TextQuery {
  readonly root: string
  /** Regular expression, or literal text when `isLiteral`. */
  readonly pattern: string
  readonly isLiteral: boolean
  readonly ignoreCase: boolean
  /** Folder or file inside the root, judged by the caller. */
  readonly under: string
  readonly glob?: string
  readonly maxHits: number
  /** Paths never searched: secrets the person has not agreed to show. Globs. */
  readonly exclude: readonly string[]
}

/** One matching line, counted from 1; `path` from the root, with slashes. */
export interface TextHit {
  readonly path: string
  readonly line: number
  readonly text: string
}

/** Search over file contents and names, honouring ignore files, never following links. */
export interface TextSearch {
  text(query: TextQuery, signal: CancelSignal): Promise<Result<{ readonly hits: readonly TextHit[]; readonly isCut: boolean }>>
  /** File paths that match a glob, in path order. */
  files(query: { readonly root: string; readonly under: string; readonly glob: string; readonly max: number }, signal: CancelSignal): Promise<Result<{ readonly paths: readonly string[]; readonly isCut: boolean }>>
}
