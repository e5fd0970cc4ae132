import type { LineCount } from '../../../../shared/domain/snapshot'

/** Beyond this a count would take long and say little. */
const limits = { bytes: 4 << 20, edits: 3000 }

/** Lines added and removed between two contents; null for binary or very large ones. */
export function countLines(before: Buffer, after: Buffer): LineCount | null {
  if (isBinary(before) || isBinary(after) || before.length + after.length > limits.bytes) return null
  const numbers = new Map<string, number>()
  let a = linesOf(before, numbers)
  let b = linesOf(after, numbers)
  let head = 0
  while (head < a.length && head < b.length && a[head] === b[head]) head++
  let tail = 0
  while (tail < a.length - head && tail < b.length - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail++
  a = a.slice(head, a.length - tail)
  b = b.slice(head, b.length - tail)
  const edits = shortestEdits(a, b) ?? a.length + b.length - 2 * inBoth(a, b)
  // What is removed less what is added is what the length lost.
  const removed = (edits + a.length - b.length) / 2
  return { added: edits - removed, removed }
}

/** As git decides: a zero byte near the start. */
export function isBinary(bytes: Buffer): boolean {
  return bytes.subarray(0, 8000).includes(0)
}

/** Each line as a number, equal for equal lines. The end of a last line counts as part of it. */
function linesOf(bytes: Buffer, numbers: Map<string, number>): number[] {
  const lines = bytes.toString('latin1').split(/(?<=\n)/)
  return lines.filter((line) => line !== '').map((line) => {
    const known = numbers.get(line)
    if (known !== undefined) return known
    numbers.set(line, numbers.size)
    return numbers.size - 1
  })
}

/** Myers' greedy search for the least number of lines removed and added; null when it is more than the limit. */
function shortestEdits(a: readonly number[], b: readonly number[]): number | null {
  const most = Math.min(a.length + b.length, limits.edits)
  const reach = new Int32Array(2 * most + 3)
  const middle = most + 1
  for (let d = 0; d <= most; d++) {
    for (let k = -d; k <= d; k += 2) {
      const isDown = k === -d || (k !== d && (reach[middle + k - 1] ?? 0) < (reach[middle + k + 1] ?? 0))
      let x = isDown ? (reach[middle + k + 1] ?? 0) : (reach[middle + k - 1] ?? 0) + 1
      while (x < a.length && x - k < b.length && a[x] === b[x - k]) x++
      reach[middle + k] = x
      if (x >= a.length && x - k >= b.length) return d
    }
  }
  return null
}

/** How many lines two texts share when their order does not count. */
function inBoth(a: readonly number[], b: readonly number[]): number {
  const left = new Map<number, number>()
  for (const line of a) left.set(line, (left.get(line) ?? 0) + 1)
  let shared = 0
  for (const line of b) {
    const count = left.get(line) ?? 0
    if (count === 0) continue
    left.set(line, count - 1)
    shared++
  }
  return shared
}
