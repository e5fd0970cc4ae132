import type { Chunk } from '../../../shared/domain/retrieval'
import type { Result } from '../../../shared/domain/result'
import type { Embedder } from '../../core/ports/embedder'
import type { Root } from '../../native/safeFolder'
import type { FolderRules } from './scan'

/** What the index is made with; whoever composes it chooses. */
export interface IndexTools {
  languageOf(path: string): string
  /** The languages meant by a name; none: the name means nothing. */
  languagesFor(name: string): readonly string[]
  isProse(language: string): boolean
  /** Not worth reading, by its name. */
  isUnread(path: string): boolean
  /** The lines of a text as chunks count them. */
  linesOf(text: string): readonly string[]
  chunks(language: string, text: string): Promise<readonly Chunk[]>
  /** Terms with repetitions; the same for what is stored and what is asked. */
  terms(text: string): readonly string[]
  glob(pattern: string): Result<(path: string) => boolean>
  /** The rules over those of the project's ignore files. */
  readonly rules: FolderRules
  /** Which places of a folder are never read. */
  withheldIn(root: Root): (path: string) => boolean
  /** Takes secrets out of what is sent away. */
  redact(text: string): string
  readonly embedder: Embedder
}

/** Lets others in when it has been busy for some milliseconds: questions are answered between the steps of long work. */
export function makeBreath(busyMs = 6): () => Promise<void> {
  let since = performance.now()
  return async () => {
    if (performance.now() - since < busyMs) return
    await new Promise<void>((resolve) => setImmediate(resolve))
    since = performance.now()
  }
}
