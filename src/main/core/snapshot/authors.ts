import type { SessionId } from '../../../shared/domain/ids'
import type { Author, PathAuthor, SnapshotKind, TreeChange } from '../../../shared/domain/snapshot'

/** One moment since the target of a rollback, with what it changed against the one before it. */
export interface TimelineStep {
  readonly kind: SnapshotKind
  readonly author: Author | null
  readonly others: readonly PathAuthor[]
  readonly changes: readonly TreeChange[]
  /** The session whose call it was; null for what no call did. */
  readonly sessionId: SessionId | null
}

/** Who changed a path in one step. A moment that nobody's change made (opened, before-call) but that differs: `unknown`. */
export function authorIn(step: TimelineStep, path: string): Author {
  return step.others.find((one) => one.path === path)?.author ?? step.author ?? 'unknown'
}

/** The same for many paths of one step. */
export function authorsOf(step: TimelineStep): (path: string) => Author {
  const others = new Map(step.others.map(({ path, author }) => [path, author]))
  return (path) => others.get(path) ?? step.author ?? 'unknown'
}

/** Who changed each path, oldest first, each once (R77). */
export function authorsByPath(steps: readonly TimelineStep[]): ReadonlyMap<string, readonly Author[]> {
  const authors = new Map<string, Author[]>()
  for (const step of steps) {
    const authorOf = authorsOf(step)
    for (const { path } of step.changes) {
      const author = authorOf(path)
      const known = authors.get(path)
      if (!known) authors.set(path, [author])
      else if (!known.includes(author)) known.push(author)
    }
  }
  return authors
}

/**
 * Whether a step's change of a path is to be kept as the person's own. `unknown` counts: it may be theirs. A rollback does
 * not: what it wrote was known before. `both` cannot be told apart and is neither.
 */
export function isPersons({ kind }: Pick<TimelineStep, 'kind'>, author: Author): boolean {
  return kind !== 'after-rollback' && (author === 'you' || author === 'unknown')
}

/** Whether a step is a call of another session than the one whose work is taken back. */
export function isOfAnother({ kind, sessionId }: Pick<TimelineStep, 'kind' | 'sessionId'>, ofSession: SessionId | undefined): boolean {
  return ofSession !== undefined && kind === 'after-call' && sessionId !== ofSession
}

/** One author for a line that has room for one: `both` when agent or command and person took part. Null for nobody. */
export function oneAuthor(authors: readonly Author[]): Author | null {
  const isMixed = authors.includes('both') || (authors.includes('you') && authors.some((author) => author !== 'you' && author !== 'unknown'))
  return isMixed ? 'both' : (authors.at(-1) ?? null)
}
