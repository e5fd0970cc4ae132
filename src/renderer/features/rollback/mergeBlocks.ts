import { endsIn, flatOf, linesTaken } from '../../../shared/domain/changedText'
import { exactLines, lineChanges, type LineChange, type LineSpan } from '../../../shared/domain/lineChanges'
import type { ConflictPart, ConflictView } from '../../../shared/domain/rollback'
import type { MergeSide } from '../../ui/mergeEditorProps'
import { resultOf, shownText, type MergeDraft } from './mergeDraft'

type Spans = Readonly<Record<MergeSide, LineSpan>>

/** A stretch in which the three texts differ; `part` is the conflict it is, or null where nothing is to decide. */
export interface MergeSpan extends Spans {
  readonly part: number | null
}

/** The three texts of a conflict's editor with LF only, and where they are not the same. */
export interface MergeLayout {
  readonly texts: Readonly<Record<MergeSide, string>>
  readonly spans: readonly MergeSpan[]
}

/**
 * Lays out a conflict. The files as they were and as they are are shown whole; the stretches of a conflict are found in them
 * by comparing them with the stretches put together.
 */
export function layOut({ earlier, disk }: Pick<ConflictView, 'earlier' | 'disk'>, draft: MergeDraft): MergeLayout {
  const texts = { earlier: flatOf(earlier ?? ''), result: flatOf(resultOf(draft)), disk: flatOf(disk ?? '') }
  const lines = { earlier: exactLines(texts.earlier), result: exactLines(texts.result), disk: exactLines(texts.disk) }
  const conflicts = placesOf(draft, lines)
  const spans: MergeSpan[] = []
  let at: Readonly<Record<MergeSide, number>> = { earlier: 0, result: 0, disk: 0 }
  for (const conflict of [...conflicts, null]) {
    const until = { earlier: conflict?.earlier.from ?? lines.earlier.length, result: conflict?.result.from ?? lines.result.length, disk: conflict?.disk.from ?? lines.disk.length }
    spans.push(...between(lines, at, until))
    if (!conflict) break
    spans.push(conflict)
    at = { earlier: conflict.earlier.to, result: conflict.result.to, disk: conflict.disk.to }
  }
  return { texts, spans }
}

/** Where the conflicts are in all three, in order and never one in another. */
function placesOf({ parts, texts }: MergeDraft, lines: Readonly<Record<MergeSide, readonly string[]>>): readonly MergeSpan[] {
  const sideText = (part: ConflictPart, side: 'earlier' | 'disk'): string => flatOf(part.kind === 'same' ? part.text : part[side])
  const finders = { earlier: finder(parts.map((part) => sideText(part, 'earlier')), lines.earlier), disk: finder(parts.map((part) => sideText(part, 'disk')), lines.disk) }
  const shown = parts.map((part, at) => flatOf(shownText(part, texts[at] ?? null)))
  let ends = 0
  return parts.flatMap((part, at): MergeSpan[] => {
    const result = linesTaken(shown[at] ?? '', ends)
    ends += endsIn(shown[at] ?? '')
    return part.kind === 'same' ? [] : [{ earlier: finders.earlier(at), result, disk: finders.disk(at), part: at }]
  })
}

/** Where the stretches of one side, put together, are in the file itself. */
function finder(stretches: readonly string[], file: readonly string[]): (at: number) => LineSpan {
  const changes = lineChanges(exactLines(stretches.join('')), file)
  const starts: number[] = []
  let ends = 0
  for (const text of stretches) {
    starts.push(ends)
    ends += endsIn(text)
  }
  let least = 0
  return (at) => {
    const span = linesTaken(stretches[at] ?? '', starts[at] ?? 0)
    const from = Math.min(Math.max(moved(span.from, changes, 'from'), least), file.length)
    const to = Math.min(Math.max(moved(span.to, changes, 'to'), from), file.length)
    least = to
    return { from, to }
  }
}

/** A border between lines, in the other text. What was put in there is outside of the stretch. */
function moved(line: number, changes: readonly LineChange[], border: 'from' | 'to'): number {
  let by = 0
  for (const { before, after } of changes) {
    const isPast = before.to < line || (before.to === line && (border === 'from' || before.from < line))
    if (!isPast) return before.from < line ? (border === 'from' ? after.from : after.to) : line + by
    by = after.to - before.to
  }
  return line + by
}

/** The stretches between two conflicts in which one of the files is not as the result. */
function between(lines: Readonly<Record<MergeSide, readonly string[]>>, from: Readonly<Record<MergeSide, number>>, to: Readonly<Record<MergeSide, number>>): readonly MergeSpan[] {
  const result = lines.result.slice(from.result, to.result)
  const [earlier, disk] = [lineChanges(result, lines.earlier.slice(from.earlier, to.earlier)), lineChanges(result, lines.disk.slice(from.disk, to.disk))]
  return joinedSpans([...earlier, ...disk].map((change) => change.before)).map((span) => ({
    earlier: shifted(inOther(span, earlier), from.earlier), result: shifted(span, from.result), disk: shifted(inOther(span, disk), from.disk), part: null,
  }))
}

/** Spans that overlap or touch are one. */
function joinedSpans(spans: readonly LineSpan[]): readonly LineSpan[] {
  const joined: { from: number; to: number }[] = []
  for (const span of [...spans].sort((a, b) => a.from - b.from || a.to - b.to)) {
    const last = joined.at(-1)
    if (last && span.from <= last.to) last.to = Math.max(last.to, span.to)
    else joined.push({ ...span })
  }
  return joined
}

/** Where lines that no change crosses the border of are in the other text. */
function inOther({ from, to }: LineSpan, changes: readonly LineChange[]): LineSpan {
  let [before, until] = [0, 0]
  for (const change of changes) {
    const by = change.after.to - change.before.to
    if (change.before.to < from || (change.before.to === from && change.before.from < from)) before = by
    if (change.before.to <= to) until = by
  }
  return { from: from + before, to: to + until }
}

function shifted({ from, to }: LineSpan, by: number): LineSpan {
  return { from: from + by, to: to + by }
}
