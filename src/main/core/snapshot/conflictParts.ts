import { exactLines } from '../../../shared/domain/lineChanges'
import type { ConflictPart, ConflictView } from '../../../shared/domain/rollback'
import type { TreeEntry } from '../../../shared/domain/snapshot'
import { compareParts, mergeText, mostLines, type ThreeWay } from './mergeLines'
import { entriesOf, type Way } from './planRollback'
import { isFile, type TextOf } from './takeBack'

/**
 * What the editor of a conflict shows (R77). The changes are taken out as the plan does it, newest first, three times: each
 * stretch that both changed is settled once as it was before (`earlier`), once as the agent left it (`base`), once as it is
 * (`disk`). Where the three agree nothing needs deciding, and what only one side changed is in there already. Hence:
 *
 * - `earlier` everywhere: all of the agent's changes are taken back, and of the person's those stay that touch none of them;
 * - `disk` everywhere: all of the person's changes stay, and of the agent's those are taken back that touch none of them.
 *
 * Where nobody can tell what the agent left (the file came or went in between, or was saved while the agent wrote), the two
 * texts are compared, and `base` is the earlier one: then `earlier` everywhere is the earlier text, `disk` everywhere the
 * disk's. So are texts of more than 20,000 lines, as one part.
 *
 * @param isConflict whether the plan says so. What it merged has no part to decide.
 */
export function conflictView(way: Way, textOf: TextOf, isConflict: boolean): ConflictView {
  const textAt = (entry: TreeEntry | null): string | null => (isFile(entry) ? textOf(entry.oid) : null)
  const [earlier, disk] = [textAt(way.then), textAt(way.now)]
  // It is gone: what stood there before somebody else took it away is all there is to go by.
  const base = way.now === null ? textAt(way.stretches[0]?.before ?? null) : null
  if (earlier === null && disk === null && base === null) return { earlier, disk, parts: [] }
  const whole: ConflictPart = { kind: 'conflict', earlier: earlier ?? '', base: base ?? '', disk: disk ?? '' }
  if (earlier === null || disk === null) return { earlier, disk, parts: [whole] }
  const stretches = way.stretches.map(({ before, after }) => ({ before: textAt(before), after: textAt(after) }))
  const all = [earlier, disk, ...stretches.flatMap(({ before, after }) => [before ?? '', after ?? ''])]
  if (all.some((text) => exactLines(text).length > mostLines)) return { earlier, disk, parts: [whole] }
  const settled = way.isInseparable ? null : settle(disk, stretches)
  const parts = compareParts(settled ?? { base: earlier, ours: disk, theirs: earlier }).map((part): ConflictPart => (part.kind === 'same' ? part : { kind: 'conflict', earlier: part.theirs, base: part.base, disk: part.ours }))
  // All ways may lead to one text by chance: the person sees the two whole ones.
  return { earlier, disk, parts: isConflict && parts.every(({ kind }) => kind === 'same') ? [whole] : parts }
}

/** Null where a stretch has no text on one of its sides. */
function settle(disk: string, stretches: readonly { readonly before: string | null; readonly after: string | null }[]): ThreeWay<string> | null {
  let texts: ThreeWay<string> = { base: disk, ours: disk, theirs: disk }
  for (const { before, after } of stretches) {
    if (before === null || after === null) return null
    const taken = (side: keyof ThreeWay<string>): string => mergeText({ base: after, ours: texts[side], theirs: before }, side) ?? texts[side]
    texts = { base: taken('base'), ours: taken('ours'), theirs: taken('theirs') }
  }
  return texts
}

/** Contents that the editor needs to see. */
export function textsToCompare(way: Way): readonly string[] {
  return [...new Set([way.then, ...entriesOf(way)].flatMap((entry) => (isFile(entry) ? [entry.oid] : [])))]
}
