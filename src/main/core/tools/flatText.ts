/**
 * A text with every CRLF taken as LF, and the way back: models give line ends as LF, files keep their own. What is not
 * replaced keeps its bytes.
 */
export interface FlatText {
  readonly flat: string
  /** Replaces `length` characters at each flat place, ascending and not overlapping, by flat text; lines that stay keep their ends, new ones take those around them. */
  replace(places: readonly number[], length: number, by: string): string
}

/** Flattens a text. */
export function flattenText(text: string): FlatText {
  const flat = text.replace(/\r\n/gu, '\n')
  // Flat positions of the line feeds that were CRLF, ascending.
  const pairs: number[] = []
  for (let at = text.indexOf('\r\n'); at !== -1; at = text.indexOf('\r\n', at + 2)) pairs.push(at - pairs.length)
  const origin = (position: number): number => position + countBelow(pairs, position)
  return {
    flat,
    replace(places, length, by) {
      let out = ''
      let done = 0
      for (const from of places) {
        const until = from + length
        const [head, tail] = commonEnds(flat.slice(from, until), by)
        const start = origin(from + head)
        const end = origin(until - tail)
        out += text.slice(done, start) + withEnds(by.slice(head, by.length - tail), text.slice(start, lineEnd(text, end)), endNear(text, start, end))
        done = end
      }
      return out + text.slice(done)
    },
  }
}

function countBelow(sorted: readonly number[], limit: number): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle] ?? 0) < limit) low = middle + 1
    else high = middle
  }
  return low
}

/** Lengths of what two texts share at their start and at their end, never overlapping. */
function commonEnds(a: string, b: string): readonly [number, number] {
  const limit = Math.min(a.length, b.length)
  let head = 0
  while (head < limit && a[head] === b[head]) head += 1
  let tail = 0
  while (tail < limit - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail += 1
  return [head, tail]
}

/** The line end in use where the change is made: in the changed part, else before it, else after it. */
function endNear(text: string, from: number, until: number): string {
  const inside = text.indexOf('\n', from)
  const before = text.lastIndexOf('\n', from - 1)
  const at = inside !== -1 && inside < until ? inside : from > 0 && before !== -1 ? before : inside
  return at > 0 && text[at - 1] === '\r' ? '\r\n' : '\n'
}

/** Behind the end of the line that a position lies in. */
function lineEnd(text: string, from: number): number {
  const at = text.indexOf('\n', from)
  return at === -1 ? text.length : at + 1
}

/** How far ahead an old line is looked for that a new line may be. */
const lookAhead = 50

/** Gives flat text the line ends of the old text's lines where a line is the same, and the end in use elsewhere. */
function withEnds(flat: string, old: string, end: string): string {
  const oldLines = old.split('\n')
  const isUniform = !oldLines.slice(0, -1).some((line) => line.endsWith('\r') !== (end === '\r\n'))
  const lines = flat.split('\n')
  if (isUniform) return lines.join(end)
  let next = 0
  let out = ''
  lines.forEach((line, at) => {
    out += line
    if (at === lines.length - 1) return
    const window = oldLines.slice(next, Math.min(next + lookAhead, oldLines.length - 1))
    const found = window.findIndex((candidate) => candidate === line || candidate === `${line}\r`)
    if (found !== -1) next += found + 1
    out += found === -1 ? end : window[found] === `${line}\r` ? '\r\n' : '\n'
  })
  return out
}
