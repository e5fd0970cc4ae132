import { exactLines, lineChanges, type LineChange, type LineSpan } from '../../../shared/domain/lineChanges'

/** Texts with more lines than this are not merged: nobody could look the result over. */
export const mostLines = 20_000

/** The versions of one stretch: what both began from, and what each made of it. */
export interface ThreeWay<Text> {
  readonly base: Text
  readonly ours: Text
  readonly theirs: Text
}

/** A stretch of three texts that is not the same in all. */
interface Region {
  readonly spans: ThreeWay<LineSpan>
  readonly changedBy: 'ours' | 'theirs' | 'both'
}

/** A part of a merge: lines that are decided, or what both changed differently. */
export type MergedPart = { readonly kind: 'same'; readonly text: string } | ({ readonly kind: 'conflict' } & ThreeWay<string>)

/**
 * Merges two changes of one text, line by line. Changes that touch are one stretch; what both changed alike is no conflict. Line
 * ends and a missing end of the last line are kept as they are. Joined, the parts with every conflict taken from one side are
 * that side's text, with what only the other side changed. Null for texts that are too long.
 */
export function mergeParts(texts: ThreeWay<string>): readonly MergedPart[] | null {
  const lines = { base: exactLines(texts.base), ours: exactLines(texts.ours), theirs: exactLines(texts.theirs) }
  if (Object.values(lines).some(({ length }) => length > mostLines)) return null
  return partsOf(lines, ({ changedBy }, { ours, theirs }) => {
    if (changedBy === 'ours' || ours === theirs) return ours
    return changedBy === 'theirs' ? theirs : null
  })
}

/** The same without deciding anything: wherever two texts differ it is a conflict, and the third says what it began from. */
export function compareParts(texts: ThreeWay<string>): readonly MergedPart[] {
  const lines = { base: exactLines(texts.base), ours: exactLines(texts.ours), theirs: exactLines(texts.theirs) }
  return partsOf(lines, (_, { ours, theirs }) => (ours === theirs ? ours : null))
}

/** The merge with every conflict taken from one of the three, or null when there is one and `side` is null. */
export function mergeText(texts: ThreeWay<string>, side: keyof ThreeWay<string> | null = null): string | null {
  if (texts.ours === texts.base) return texts.theirs
  if (texts.theirs === texts.base || texts.theirs === texts.ours) return texts.ours
  let merged = ''
  for (const part of mergeParts(texts) ?? [{ kind: 'conflict' as const, ...texts }]) {
    if (part.kind === 'conflict' && side === null) return null
    merged += part.kind === 'same' ? part.text : part[side ?? 'ours']
  }
  return merged
}

function partsOf(lines: ThreeWay<readonly string[]>, decide: (region: Region, texts: ThreeWay<string>) => string | null): readonly MergedPart[] {
  const parts: MergedPart[] = []
  const addSame = (text: string): void => {
    const last = parts.at(-1)
    if (text === '') return
    if (last?.kind === 'same') parts[parts.length - 1] = { kind: 'same', text: last.text + text }
    else parts.push({ kind: 'same', text })
  }
  let at = 0
  for (const region of regionsOf(lines)) {
    const { base, ours, theirs } = region.spans
    addSame(textIn(lines.base, { from: at, to: base.from }))
    const texts = { base: textIn(lines.base, base), ours: textIn(lines.ours, ours), theirs: textIn(lines.theirs, theirs) }
    const decided = decide(region, texts)
    if (decided === null) parts.push({ kind: 'conflict', ...texts })
    else addSame(decided)
    at = base.to
  }
  addSame(textIn(lines.base, { from: at, to: lines.base.length }))
  return parts
}

function textIn(lines: readonly string[], { from, to }: LineSpan): string {
  return lines.slice(from, to).join('')
}

/** Changes of both sides, those that touch taken together, in order. */
function regionsOf({ base, ours, theirs }: ThreeWay<readonly string[]>): readonly Region[] {
  const sides = { ours: lineChanges(base, ours), theirs: lineChanges(base, theirs) }
  const next = { ours: 0, theirs: 0 }
  /** How far each side's line numbers are from the base's, behind the changes that are taken. */
  const shift = { ours: 0, theirs: 0 }
  const regions: Region[] = []
  for (;;) {
    const starts = [sides.ours[next.ours], sides.theirs[next.theirs]].flatMap((change) => (change ? [change.before.from] : []))
    if (starts.length === 0) return regions
    const from = Math.min(...starts)
    const began = { ...shift }
    const taken = new Set<'ours' | 'theirs'>()
    let to = from
    const take = (side: 'ours' | 'theirs'): boolean => {
      const change: LineChange | undefined = sides[side][next[side]]
      if (!change || change.before.from > to) return false
      to = Math.max(to, change.before.to)
      shift[side] = change.after.to - change.before.to
      next[side] += 1
      taken.add(side)
      return true
    }
    while (take('ours') || take('theirs'));
    const spanOf = (side: 'ours' | 'theirs'): LineSpan => ({ from: from + began[side], to: to + shift[side] })
    regions.push({ spans: { base: { from, to }, ours: spanOf('ours'), theirs: spanOf('theirs') }, changedBy: taken.size === 2 ? 'both' : taken.has('ours') ? 'ours' : 'theirs' })
  }
}
