const lineFeed = 0x0a

/** Cuts a stream of bytes into lines. */
export interface LineReader {
  push(bytes: Buffer): void
  /** What stands behind the last line feed; empty after it. */
  rest(): Buffer
}

/**
 * Pieces of a long line are put together once, when its end has come, so that the time grows with the length alone.
 * @param limitBytes the longest line
 * @param onLong told once when a line is longer; nothing is read after it
 */
export function makeLineReader(limitBytes: number, onLine: (line: Buffer) => void, onLong: () => void): LineReader {
  let held: Buffer[] = []
  let heldBytes = 0
  let isOver = false
  const take = (end: Buffer): Buffer => {
    const line = held.length === 0 ? end : Buffer.concat([...held, end])
    held = []
    heldBytes = 0
    return line
  }
  const isTooLong = (bytes: number): boolean => {
    if (heldBytes + bytes <= limitBytes) return false
    isOver = true
    held = []
    onLong()
    return true
  }
  return {
    push(bytes) {
      let from = 0
      while (!isOver) {
        const at = bytes.indexOf(lineFeed, from)
        const end = at === -1 ? bytes.length : at
        if (isTooLong(end - from)) return
        const piece = bytes.subarray(from, end)
        if (at !== -1) onLine(take(piece))
        else if (piece.length > 0) {
          held.push(piece)
          heldBytes += piece.length
        }
        if (at === -1) return
        from = at + 1
      }
    },
    rest: () => take(Buffer.alloc(0)),
  }
}
