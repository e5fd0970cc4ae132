/** A line of a text, counted from 1. */
export interface NearLine {
  readonly line: number
  readonly text: string
}

const longestCompared = 20_000
const shownCharacters = 200

/** The line of `text` that is most like the first line of `wanted` that is not blank; null when none is like it. */
export function nearestLine(text: string, wanted: string): NearLine | null {
  const first = wanted.split('\n').map((line) => line.trim()).find((line) => line !== '')
  if (first === undefined) return null
  const pairs = pairsOf(first)
  let best: NearLine | null = null
  let bestLikeness = 0.5
  for (const [at, line] of text.split('\n', longestCompared).entries()) {
    const trimmed = line.trim()
    const likeness = trimmed === first ? 1 : likenessOf(pairs, first.length, trimmed)
    if (likeness <= bestLikeness) continue
    bestLikeness = likeness
    best = { line: at + 1, text: line.slice(0, shownCharacters) }
    if (likeness === 1) break
  }
  return best
}

function pairsOf(text: string): ReadonlyMap<string, number> {
  const pairs = new Map<string, number>()
  for (let at = 0; at < text.length - 1; at += 1) {
    const pair = text.slice(at, at + 2)
    pairs.set(pair, (pairs.get(pair) ?? 0) + 1)
  }
  return pairs
}

/** Dice's coefficient over pairs of neighbouring characters, 0 to 1. */
function likenessOf(pairs: ReadonlyMap<string, number>, length: number, line: string): number {
  // A line of quite another length cannot be like it; most are passed over here.
  if (line.length * 3 < length || line.length > length * 3 || line.length > 2000) return 0
  let shared = 0
  for (const [pair, count] of pairsOf(line)) shared += Math.min(count, pairs.get(pair) ?? 0)
  return (2 * shared) / Math.max(1, length - 1 + line.length - 1)
}
