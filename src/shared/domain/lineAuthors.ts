import { exactLines, lineChanges } from './lineChanges'
import type { Author } from './snapshot'

/** One text of a path, who made it out of the one before, and whether a rollback wrote it. */
export interface TextStep {
  readonly text: string
  readonly author: Author
  readonly isRollback: boolean
}

/** Who took out the lines of a first text, and who put in those of a last one, since; null: they are in both. */
export interface LineOwners {
  readonly before: readonly (Author | null)[]
  readonly after: readonly (Author | null)[]
}

/** A line since it came up: one of the first text (`author` null) or put in by somebody; `taker` took it out. */
interface Line {
  readonly text: string
  readonly author: Author | null
  taker: Author | null
}

/**
 * Follows the lines of one path from text to text. Each step costs about what comparing its two texts does, so that whoever
 * has many can rest in between. A line that a rollback puts back the same counts as never taken out, and is whose it was.
 */
export class LineHistory {
  readonly #first: readonly Line[]
  readonly #removed = new Map<string, Line[]>()
  #lines: readonly Line[]
  #lastAuthor: Author | null = null

  /** @param first the text that the history begins with; '' where there is no file. */
  constructor(first: string) {
    this.#first = exactLines(first).map((text) => ({ text, author: null, taker: null }))
    this.#lines = this.#first
  }

  /** Goes on to the next text. */
  add(step: TextStep): void {
    const after = exactLines(step.text)
    const lines: Line[] = []
    let from = 0
    this.#lastAuthor = step.author
    for (const change of lineChanges(this.#lines.map(({ text }) => text), after)) {
      for (const line of this.#lines.slice(from, change.before.from)) lines.push(line)
      const gone = this.#lines.slice(change.before.from, change.before.to)
      // Put in first: what the same change takes out is not what it puts back.
      for (const text of after.slice(change.after.from, change.after.to)) lines.push(this.#put(text, step))
      for (const line of gone) this.#take(line, step.author)
      from = change.before.to
    }
    for (const line of this.#lines.slice(from)) lines.push(line)
    this.#lines = lines
  }

  /**
   * Whose each line is, as the first and the last text are compared with each other: lines outside of what differs are
   * nobody's, whatever was done to them in between. One that the steps say to be untouched but that stands inside of a
   * difference is whose the rest of that difference is.
   */
  owners(): LineOwners {
    const before: (Author | null)[] = this.#first.map(() => null)
    const after: (Author | null)[] = this.#lines.map(() => null)
    const changes = lineChanges(this.#first.map(({ text }) => text), this.#lines.map(({ text }) => text))
    for (const change of changes) {
      const taken = this.#first.slice(change.before.from, change.before.to).map(({ taker }) => taker)
      const put = this.#lines.slice(change.after.from, change.after.to).map(({ author }) => author)
      const one = [...put, ...taken].find((author) => author !== null) ?? this.#lastAuthor
      taken.forEach((author, at) => (before[change.before.from + at] = author ?? one))
      put.forEach((author, at) => (after[change.after.from + at] = author ?? one))
    }
    return { before, after }
  }

  #put(text: string, { author, isRollback }: TextStep): Line {
    const earlier = isRollback ? this.#removed.get(text)?.shift() : undefined
    if (!earlier) return { text, author, taker: null }
    earlier.taker = null
    return earlier
  }

  #take(line: Line, author: Author): void {
    line.taker = author
    const same = this.#removed.get(line.text)
    if (same) same.push(line)
    else this.#removed.set(line.text, [line])
  }
}
