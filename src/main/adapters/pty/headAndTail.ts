/** The beginning and the end of a stream of bytes, whatever its length; `leftOut` bytes lay between them. */
export interface HeadAndTail {
  readonly head: Buffer
  readonly tail: Buffer
  readonly leftOut: number
}

/** Keeps the first and the last bytes of a stream in bounded memory. How the stream is cut into pieces makes no difference (O4). */
export function makeHeadAndTail(headBytes: number, tailBytes: number): { push(bytes: Buffer): void; take(): HeadAndTail; totalBytes(): number } {
  const head = Buffer.allocUnsafe(headBytes)
  let headLength = 0
  // Grown only for long outputs. Copied into, so that no piece keeps a larger block of memory alive.
  let ring = Buffer.alloc(0)
  let tailTotal = 0

  const pushTail = (bytes: Buffer): void => {
    if (ring.length === 0) ring = Buffer.allocUnsafe(tailBytes)
    const kept = bytes.length > tailBytes ? bytes.subarray(bytes.length - tailBytes) : bytes
    const at = (tailTotal + bytes.length - kept.length) % tailBytes
    const fits = Math.min(kept.length, tailBytes - at)
    kept.copy(ring, at, 0, fits)
    kept.copy(ring, 0, fits)
    tailTotal += bytes.length
  }
  return {
    push(bytes) {
      const toHead = Math.min(bytes.length, headBytes - headLength)
      bytes.copy(head, headLength, 0, toHead)
      headLength += toHead
      if (toHead < bytes.length) pushTail(bytes.subarray(toHead))
    },
    take() {
      const length = Math.min(tailTotal, tailBytes)
      const from = tailTotal <= tailBytes ? 0 : tailTotal % tailBytes
      const tail = Buffer.concat([ring.subarray(from, length), ring.subarray(0, from)])
      return { head: Buffer.from(head.subarray(0, headLength)), tail, leftOut: tailTotal - length }
    },
    totalBytes: () => headLength + tailTotal,
  }
}
