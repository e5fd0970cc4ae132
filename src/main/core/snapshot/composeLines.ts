import { exactLines, lineChanges } from '../../../shared/domain/lineChanges'

/** A text that some changes were left out of. */
export type Composed =
  | { readonly kind: 'text'; readonly text: string }
  /** Every change there is was left: it is the first text. */
  | { readonly kind: 'none' }
  /** There is no change of this number. */
  | { readonly kind: 'unknown'; readonly number: number }

/**
 * What is on disk with only some of the changes that lead to what was planned. Changes are numbered from 0 as `lineChanges` finds
 * them between the two; `left` are those that are not made. Bytes stay as they are: line ends, and a last line without one.
 */
export function composeLines(disk: string, planned: string, left: readonly number[]): Composed {
  const [before, after, skipped] = [exactLines(disk), exactLines(planned), new Set(left)]
  const changes = lineChanges(before, after)
  const unknown = left.find((number) => changes[number] === undefined)
  if (unknown !== undefined) return { kind: 'unknown', number: unknown }
  if (skipped.size === changes.length) return { kind: 'none' }
  const lines: string[] = []
  let at = 0
  changes.forEach((change, number) => {
    lines.push(...before.slice(at, change.before.from))
    lines.push(...(skipped.has(number) ? before.slice(change.before.from, change.before.to) : after.slice(change.after.from, change.after.to)))
    at = change.before.to
  })
  return { kind: 'text', text: [...lines, ...before.slice(at)].join('') }
}
