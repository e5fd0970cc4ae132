/** A movement of the cursor to another line, an erasure, a line end, any other sequence (short enough to be one), or text. */
const parts = /\x1b\[(\d*)([ABEFJK])|\n|[^\x1b\n]+|\x1b/g
const movesUp = /\x1b\[\d*[AF]/
/** Farther up than any screen is high: then it is no movement to trust. */
const highestMove = 200

/**
 * Lines that a program went back to and wrote anew, as lists of downloads and builds do, as they stood at last. Where on a line
 * the cursor was is not followed: what is written on a line again begins it anew. Text without movements upwards is left as it is.
 */
export function withoutRedraws(text: string): string {
  if (!movesUp.test(text)) return text
  const lines = ['']
  let at = 0
  const goTo = (line: number): void => {
    if (Math.max(0, line) === at) return
    at = Math.max(0, line)
    while (lines.length <= at) lines.push('')
    if (lines[at] !== '') lines[at] += '\r'
  }
  for (const [part, count = '', move] of text.matchAll(parts)) {
    const lineCount = Math.min(highestMove, Number(count === '' ? 1 : count))
    if (part === '\n') goTo(at + 1)
    else if (move === 'A' || move === 'F') goTo(at - lineCount)
    else if (move === 'B' || move === 'E') goTo(Math.min(at + lineCount, lines.length - 1))
    else if (move === 'J') lines.splice(at, lines.length, '')
    else if (move === 'K') lines[at] = count === '' || count === '0' ? (lines[at] ?? '') : ''
    else lines[at] += part
  }
  return lines.join('\n')
}
