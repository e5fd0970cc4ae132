/** A stretch of a text; `isShared`: it stands in a text from outside too. */
export interface SharedPiece {
  readonly text: string
  readonly isShared: boolean
}

const special = /[.*+?^${}()|[\]\\]/g

/** Cuts a text at the runs of words it shares with texts from outside; blanks between the words may differ. Loses nothing. */
export function sharedPieces(text: string, shared: readonly string[]): readonly SharedPiece[] {
  const runs = shared.map((run) => run.split(/\s+/u).filter((word) => word !== '').map((word) => word.replace(special, '\\$&')).join('\\s+')).filter((run) => run !== '')
  if (runs.length === 0) return [{ text, isShared: false }]
  // The longest run first: a shorter one may be its beginning.
  const pattern = new RegExp([...runs].sort((a, b) => b.length - a.length).join('|'), 'gu')
  const pieces: SharedPiece[] = []
  let from = 0
  for (const { index, 0: found } of text.matchAll(pattern)) {
    if (index > from) pieces.push({ text: text.slice(from, index), isShared: false })
    pieces.push({ text: found, isShared: true })
    from = index + found.length
  }
  if (from < text.length) pieces.push({ text: text.slice(from), isShared: false })
  return pieces
}
