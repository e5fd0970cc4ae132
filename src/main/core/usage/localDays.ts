/** The local midnight, or where a day has none, its first moment. A day is 23 or 25 hours long where the clock is changed. */
export function dayStart(atMs: number): number {
  const at = new Date(atMs)
  return new Date(at.getFullYear(), at.getMonth(), at.getDate()).getTime()
}

/** The beginning of the local day so many days later, or earlier. */
export function dayLater(startMs: number, days: number): number {
  const at = new Date(startMs)
  return new Date(at.getFullYear(), at.getMonth(), at.getDate() + days).getTime()
}

/** The beginnings of the local days from the one of `fromMs` to the one of `toMs`, and the end of the last: one more than there are days. */
export function dayEdges(fromMs: number, toMs: number): readonly number[] {
  const edges = [dayStart(fromMs)]
  while ((edges.at(-1) ?? 0) <= toMs) edges.push(dayLater(edges.at(-1) ?? 0, 1))
  return edges
}
