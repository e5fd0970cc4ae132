import { diff3Merge } from 'node-diff3'

/** Texts with more lines than this are not merged: the search is quadratic where lines repeat. */
const mostLines = 20_000

/**
 * Merges two changes of one text, line by line: what `theirs` changed against `base` is applied to `ours`. Line ends and a
 * missing end of the last line are kept as they are. Null when both changed the same lines differently.
 */
export function mergeText(base: string, ours: string, theirs: string): string | null {
  if (ours === base) return theirs
  if (theirs === base || theirs === ours) return ours
  const [a, o, b] = [linesOf(ours), linesOf(base), linesOf(theirs)]
  if (a.length > mostLines || o.length > mostLines || b.length > mostLines) return null
  const merged: string[] = []
  for (const part of diff3Merge(a, o, b, { excludeFalseConflicts: true })) {
    if (part.ok) merged.push(...part.ok)
    else return null
  }
  return merged.join('')
}

function linesOf(text: string): string[] {
  return text.split(/(?<=\n)/).filter((line) => line !== '')
}
