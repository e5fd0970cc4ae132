import type { IBufferCellPosition, IDisposable, ILink, Terminal } from '@xterm/xterm'
import type { FileLinks, TextOrigin } from './fileLinks'

/** The text of a line as it was printed, wrapped rows joined, with the cell of each of its characters. */
function lineAround(terminal: Terminal, row: number): { readonly text: string; readonly cells: readonly IBufferCellPosition[] } {
  const { active } = terminal.buffer
  let first = row
  while (first > 0 && active.getLine(first)?.isWrapped === true) first -= 1
  const cells: IBufferCellPosition[] = []
  let text = ''
  for (let y = first; y === first || active.getLine(y)?.isWrapped === true; y += 1) {
    const line = active.getLine(y)
    for (let x = 0; x < (line?.length ?? 0); x += 1) {
      const cell = line?.getCell(x)
      // The second half of a wide character holds nothing.
      if (!cell || cell.getWidth() === 0) continue
      const characters = cell.getChars() || ' '
      for (let at = 0; at < characters.length; at += 1) cells.push({ x: x + 1, y: y + 1 })
      text += characters
    }
  }
  return { text: text.trimEnd(), cells }
}

/** Selects the n-th hit of a pattern in what the terminal still holds, or the last one, and brings it into view. */
export function showHit(terminal: Terminal, pattern: RegExp, nth: number): void {
  let count = 0
  let shown: { readonly start: IBufferCellPosition; readonly length: number } | null = null
  const { active } = terminal.buffer
  for (let row = 0; row < active.length && count <= nth; row += 1) {
    if (active.getLine(row)?.isWrapped === true) continue
    const { text, cells } = lineAround(terminal, row)
    for (const match of text.matchAll(pattern)) {
      const [start, end] = [cells[match.index], cells[match.index + match[0].length - 1]]
      if (!start || !end || count > nth) break
      shown = { start, length: (end.y - start.y) * terminal.cols + end.x - start.x + 1 }
      count += 1
    }
  }
  if (shown === null) return terminal.clearSelection()
  terminal.select(shown.start.x - 1, shown.start.y - 1, shown.length)
  terminal.scrollToLine(Math.max(0, shown.start.y - 4))
}

/** Makes the places of files in a terminal's output links, by the pointer; its last lines stand in the row too, for the keyboard. */
export function linkFiles(terminal: Terminal, links: FileLinks, origin: TextOrigin): IDisposable {
  const linksAt = async (y: number): Promise<ILink[]> => {
    const { text, cells } = lineAround(terminal, y - 1)
    const places = links.placesIn(text)
    await links.want(places.map(({ path }) => path), origin.base)
    return places.flatMap((place) => {
      const path = links.known(place.path, origin.base)
      const [start, end] = [cells[place.start], cells[place.end - 1]]
      if (typeof path !== 'string' || !start || !end) return []
      return [{ range: { start, end }, text: text.slice(place.start, place.end), activate: () => links.open({ ...place, path }, origin) }]
    })
  }
  return terminal.registerLinkProvider({ provideLinks: (y, tell) => void linksAt(y).then((found) => tell(found.length === 0 ? undefined : found), () => tell(undefined)) })
}
