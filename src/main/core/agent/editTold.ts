import { exactLines, lineChanges, type LineChange, type LineSpan } from '../../../shared/domain/lineChanges'
import { said, type Said } from '../../../shared/domain/result'

/** What became of a proposed change of a text; spans are lines of the text before, from 0. */
export interface KeptChanges {
  readonly total: number
  readonly rejected: readonly LineSpan[]
  /** Written, but with other words. */
  readonly own: readonly LineSpan[]
  /** Changed by the person outside of all proposed changes. */
  readonly elsewhere: readonly LineSpan[]
}

/** So many places are named; the rest is counted. */
const mostNamed = 8
/** So many ways to read a text as a choice of changes are followed at once. */
const mostWays = 64

/**
 * What is told of a change that the person decided about part by part: worked out from the three texts, not from the window's
 * word. English sentences for the model, bounded in number and length; they hold no text of the file.
 */
export function toldOfChanges(before: string, proposed: string, effective: string): readonly Said[] {
  const { total, rejected, own, elsewhere } = keptChanges(before, proposed, effective)
  return [
    said('tool.kept-changes', { kept: total - rejected.length, total }),
    ...(rejected.length > 0 ? [said('tool.kept-not', { places: placesOf(rejected) })] : []),
    ...(own.length > 0 ? [said('tool.kept-own', { places: placesOf(own) })] : []),
    ...(elsewhere.length > 0 ? [said('tool.kept-elsewhere', { places: placesOf(elsewhere) })] : []),
    said('tool.kept-counts'),
  ]
}

/**
 * Which of the proposed changes a text has. A text that is a choice of them is read as that choice; otherwise a change counts
 * as kept where its lines are as proposed, as rejected where they are as before, and as the person's own in between.
 */
export function keptChanges(before: string, proposed: string, effective: string): KeptChanges {
  const [old, wanted, now] = [exactLines(before), exactLines(proposed), exactLines(effective)]
  const changes = lineChanges(old, wanted)
  const chosen = choiceOf(changes, old, wanted, effective)
  if (chosen !== null) return { total: changes.length, rejected: changes.filter((_, at) => chosen[at] === false).map((change) => change.before), own: [], elsewhere: [] }
  const fromOld = lineChanges(old, now).map((change) => change.before)
  const fromWanted = lineChanges(wanted, now).map((change) => change.before)
  const isKept = (change: LineChange): boolean => !fromWanted.some((span) => touches(span, change.after))
  const isRejected = (change: LineChange): boolean => !isKept(change) && !fromOld.some((span) => touches(span, change.before))
  return {
    total: changes.length,
    rejected: changes.filter(isRejected).map((change) => change.before),
    own: changes.filter((change) => !isKept(change) && !isRejected(change)).map((change) => change.before),
    elsewhere: fromOld.filter((span) => !changes.some((change) => touches(span, change.before) || touches(change.before, span))),
  }
}

/** Which changes are in a text that has nothing else; null for one that has. */
function choiceOf(changes: readonly LineChange[], old: readonly string[], wanted: readonly string[], text: string): readonly boolean[] | null {
  const join = (lines: readonly string[], { from, to }: LineSpan): string => lines.slice(from, to).join('')
  let ways = new Map<number, readonly boolean[]>([[0, []]])
  let at = 0
  for (const change of changes) {
    const same = join(old, { from: at, to: change.before.from })
    const next = new Map<number, readonly boolean[]>()
    for (const [offset, chosen] of ways) {
      if (!text.startsWith(same, offset)) continue
      for (const [isKept, part] of [[true, join(wanted, change.after)], [false, join(old, change.before)]] as const) {
        const start = offset + same.length
        if (text.startsWith(part, start) && !next.has(start + part.length) && next.size < mostWays) next.set(start + part.length, [...chosen, isKept])
      }
    }
    ways = next
    at = change.before.to
  }
  const rest = join(old, { from: at, to: old.length })
  for (const [offset, chosen] of ways) if (text.length === offset + rest.length && text.endsWith(rest)) return chosen
  return null
}

/** Whether a changed stretch reaches into another one; beside it is not in it. */
function touches(changed: LineSpan, span: LineSpan): boolean {
  if (span.from === span.to) return changed.from <= span.from && changed.to >= span.from
  return changed.from === changed.to ? changed.from > span.from && changed.from < span.to : changed.from < span.to && changed.to > span.from
}

function placesOf(spans: readonly LineSpan[]): readonly string[] {
  const named = spans.slice(0, mostNamed).map(({ from, to }) => (from === to ? `after line ${from}` : to - from === 1 ? `line ${to}` : `lines ${from + 1}-${to}`))
  return spans.length > mostNamed ? [...named, `and ${spans.length - mostNamed} more`] : named
}
