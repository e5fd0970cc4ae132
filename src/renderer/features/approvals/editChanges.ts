import type { ApprovalPreview } from '../../../shared/domain/approval'
import { differenceOf, exactAt, flatOf, partsBetween, withEnd, type TextPart, type TypedEdit } from '../../../shared/domain/changedText'

export type EditPreview = Extract<ApprovalPreview, { readonly kind: 'edit' }>

/** What the person did with a stretch. A rejected one keeps what was typed there, for when it is kept again. */
export interface PartMark {
  readonly isRejected: boolean
  /** Their text instead of the proposed one (of a stretch that is the same: instead of what is there). */
  readonly own: string | null
}

/** Marks by the number of their stretch; none: as proposed. */
export type EditMarks = Readonly<Record<number, PartMark>>

const plain: PartMark = { isRejected: false, own: null }
const parted = new WeakMap<EditPreview, readonly TextPart[]>()

/** Cuts a proposed change into the stretches the person decides about. A new file is one change of nothing; so is a deletion. */
export function partsOfEdit(preview: EditPreview): readonly TextPart[] {
  const known = parted.get(preview)
  if (known) return known
  const { before, after } = preview
  const parts: readonly TextPart[] = before === null || after === null ? [{ kind: 'change', before: before ?? '', after: after ?? '' }] : partsBetween(before, after)
  parted.set(preview, parts)
  return parts
}

/** What a stretch will be. */
export function partText(part: TextPart, { isRejected, own }: PartMark = plain): string {
  return isRejected ? part.before : (own ?? part.after)
}

/** What is written: the text on disk with the kept changes and the person's own words; everything else to the byte as it was. */
export function composed(parts: readonly TextPart[], marks: EditMarks): string {
  return parts.map((part, at) => partText(part, marks[at])).join('')
}

/** Keeps or rejects one stretch. What was typed in a rejected one comes back when it is kept. */
export function keepPart(marks: EditMarks, at: number, isKept: boolean): EditMarks {
  return { ...marks, [at]: { own: marks[at]?.own ?? null, isRejected: !isKept } }
}

export type ChangeState = 'kept' | 'rejected' | 'own'

/** One change and what becomes of it; `at` is its stretch. */
export interface Change {
  readonly at: number
  readonly state: ChangeState
}

/** The changes in order. */
export function changesIn(parts: readonly TextPart[], marks: EditMarks): readonly Change[] {
  return parts.flatMap((part, at) => (part.kind === 'change' ? [{ at, state: stateOf(marks[at]) }] : []))
}

function stateOf(mark: PartMark = plain): ChangeState {
  if (mark.isRejected) return 'rejected'
  return mark.own === null ? 'kept' : 'own'
}

/** How many changes there are, are written, and are written with the person's words; whether they typed outside of them. */
export interface EditCounts {
  readonly total: number
  readonly kept: number
  readonly own: number
  readonly isElsewhere: boolean
}

/** Counts what will be written. */
export function countChanges(parts: readonly TextPart[], marks: EditMarks): EditCounts {
  const states = changesIn(parts, marks).map((change) => change.state)
  return {
    total: states.length,
    kept: states.filter((state) => state !== 'rejected').length,
    own: states.filter((state) => state === 'own').length,
    isElsewhere: parts.some((part, at) => part.kind === 'same' && (marks[at]?.own ?? null) !== null),
  }
}

/**
 * Takes over what the person typed: each edit goes to the stretch it was made in, with the line ends that are in use there.
 * A change that was typed back to the proposal is kept as proposed; one typed back to what is on disk is rejected. `value` is
 * the text as it is now; where the edits do not lead there, the difference itself is taken.
 */
export function typed(parts: readonly TextPart[], marks: EditMarks, edits: readonly TypedEdit[], value: string): EditMarks {
  const done = [...edits].sort((a, b) => b.from - a.from).reduce((now, edit) => typedOnce(parts, now, edit), marks)
  const text = flatOf(composed(parts, done))
  return text === value ? done : typedOnce(parts, done, differenceOf(text, value))
}

function typedOnce(parts: readonly TextPart[], marks: EditMarks, { from, length, text }: TypedEdit): EditMarks {
  const changed: Record<number, PartMark> = { ...marks }
  const starts: number[] = []
  let size = 0
  const texts = parts.map((part, at) => {
    starts.push(size)
    const now = partText(part, marks[at])
    size += flatOf(now).length
    return now
  })
  const until = from + length
  // At a border the text belongs to what follows; what is taken out, to where it was.
  const first = lastAt(starts, from)
  const last = length === 0 ? first : Math.max(first, lastAt(starts, until - 1))
  for (let at = first; at <= last; at += 1) {
    const part = parts[at]
    if (!part) continue
    const now = texts[at] ?? ''
    const start = starts[at] ?? 0
    const head = at === first ? now.slice(0, exactAt(now, from - start)) : ''
    const tail = at === last ? now.slice(exactAt(now, until - start)) : ''
    changed[at] = markFor(part, head + (at === first ? withEnd(text, [now, ...parts.map((one) => one.before), ...parts.map((one) => one.after)]) : '') + tail)
  }
  return changed
}

function lastAt(starts: readonly number[], position: number): number {
  let found = 0
  while (found + 1 < starts.length && (starts[found + 1] ?? 0) <= position) found += 1
  return found
}

function markFor(part: TextPart, text: string): PartMark {
  if (part.kind === 'same') return { isRejected: false, own: text === part.before ? null : text }
  if (text === part.after) return plain
  return text === part.before ? { isRejected: true, own: null } : { isRejected: false, own: text }
}
