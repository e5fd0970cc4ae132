/** So many rows are written as one text. */
const rowsTogether = 250
/** The rest of the app gets a turn after as long. */
const sliceMs = 4

/**
 * A long list for another thread, as texts. A list of objects is taken apart in one go where it arrives, and holds that thread
 * up; texts are taken over whole, and read one after the other. Half surrogates in names are kept.
 */
export function piecesOf<Row>(rows: readonly Row[]): readonly string[] {
  const pieces: string[] = []
  for (let from = 0; from < rows.length; from += rowsTogether) pieces.push(JSON.stringify(rows.slice(from, from + rowsTogether)))
  return pieces
}

/** The list again, without holding anybody up. */
export async function rowsOf<Row>(pieces: readonly string[]): Promise<readonly Row[]> {
  const rows: Row[] = []
  let sinceMs = performance.now()
  for (const piece of pieces) {
    for (const row of JSON.parse(piece) as readonly Row[]) rows.push(row)
    if (performance.now() - sinceMs < sliceMs) continue
    await new Promise<void>((resolve) => void setImmediate(resolve))
    sinceMs = performance.now()
  }
  return rows
}
