import { differenceOf, exactAt, flatOf, withEnd, type TypedEdit } from '../../../shared/domain/changedText'
import type { ConflictPart } from '../../../shared/domain/rollback'

/**
 * What the person made of a conflict so far: a text for each stretch, or null. Of a conflict null means that it is open; of
 * anything else, that it is as the plan has it.
 */
export interface MergeDraft {
  readonly parts: readonly ConflictPart[]
  readonly texts: readonly (string | null)[]
  /** What is on disk, whole. */
  readonly disk?: string
}

export type Take = 'earlier' | 'disk' | 'both'

export function beginDraft(parts: readonly ConflictPart[], disk?: string): MergeDraft {
  return { parts, texts: parts.map(() => null), ...(disk === undefined ? {} : { disk }) }
}

/** What stands in the result: an open conflict begins as the file was, or as it is where it was empty. */
export function shownText(part: ConflictPart, own: string | null): string {
  if (own !== null) return own
  return part.kind === 'same' ? part.text : part.earlier || part.disk
}

/** The whole result, to the byte. */
export function resultOf({ parts, texts }: MergeDraft): string {
  return parts.map((part, at) => shownText(part, texts[at] ?? null)).join('')
}

/** The stretches that are in conflict, by their places. */
export function conflictsIn({ parts }: MergeDraft): readonly number[] {
  return parts.flatMap((part, at) => (part.kind === 'conflict' ? [at] : []))
}

/** Those of them that nobody decided about yet. */
export function openIn(draft: MergeDraft): readonly number[] {
  return conflictsIn(draft).filter((at) => (draft.texts[at] ?? null) === null)
}

/** What became of a conflict. */
export function settledAs(part: ConflictPart, own: string | null): 'open' | 'own' | Take {
  if (part.kind === 'same' || own === null) return 'open'
  return (['earlier', 'disk', 'both'] as const).find((side) => textOf(part, side) === own) ?? 'own'
}

/** Decides these conflicts by one side, or by both, the earlier first. */
export function take(draft: MergeDraft, places: readonly number[], side: Take): MergeDraft {
  return { ...draft, texts: draft.texts.map((text, at) => {
    const part = draft.parts[at]
    return part?.kind === 'conflict' && places.includes(at) ? textOf(part, side) : text
  }) }
}

function textOf(part: Extract<ConflictPart, { readonly kind: 'conflict' }>, side: Take): string {
  if (side !== 'both') return part[side]
  const isCut = part.earlier !== '' && part.disk !== '' && !part.earlier.endsWith('\n')
  return part.earlier + (isCut ? withEnd('\n', [part.disk, part.earlier]) : '') + part.disk
}

/**
 * Takes over what was typed: each edit goes to the stretch it was made in, with the line ends in use there. An open conflict
 * that was typed in is decided; typed back to what it began as, it is open again. `value` is the result as it is now; where
 * the edits do not lead there, the difference itself is taken.
 */
export function typedInto(draft: MergeDraft, edits: readonly TypedEdit[], value: string): MergeDraft {
  const done = [...edits].sort((a, b) => b.from - a.from).reduce(typedOnce, draft)
  const text = flatOf(resultOf(done))
  return text === value ? done : typedOnce(done, differenceOf(text, value))
}

function typedOnce(draft: MergeDraft, { from, length, text }: TypedEdit): MergeDraft {
  const shown = draft.parts.map((part, at) => shownText(part, draft.texts[at] ?? null))
  const starts: number[] = []
  let size = 0
  for (const one of shown) {
    starts.push(size)
    size += flatOf(one).length
  }
  const until = from + length
  const first = lastAt(starts, from)
  const last = length === 0 ? first : Math.max(first, lastAt(starts, until - 1))
  const texts = [...draft.texts]
  for (let at = first; at <= last; at += 1) {
    const [part, now, start] = [draft.parts[at], shown[at] ?? '', starts[at] ?? 0]
    if (!part) continue
    const head = at === first ? now.slice(0, exactAt(now, from - start)) : ''
    const tail = at === last ? now.slice(exactAt(now, until - start)) : ''
    const next = head + (at === first ? withEnd(text, [now, ...shown]) : '') + tail
    texts[at] = flatOf(next) === flatOf(shownText(part, null)) ? null : next
  }
  return { ...draft, texts }
}

function lastAt(starts: readonly number[], position: number): number {
  let found = 0
  while (found + 1 < starts.length && (starts[found + 1] ?? 0) <= position) found += 1
  return found
}
