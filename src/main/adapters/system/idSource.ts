import { randomBytes } from 'node:crypto'
import type { Clock } from '../../core/ports/clock'
import type { IdSource } from '../../core/ports/idSource'

/**
 * UUIDs of version 7 (RFC 9562), 36 characters: milliseconds, a counter, 62 random bits. Ids of one source sort in the
 * order of their making, also within a millisecond and when the clock goes back.
 */
export function makeIdSource(clock: Clock, random: (size: number) => Uint8Array = randomBytes): IdSource {
  let lastMs = 0
  let count = 0
  return {
    next() {
      const nowMs = clock.nowMs()
      if (nowMs > lastMs) {
        lastMs = nowMs
        count = 0
      } else if (count === 0xfff) {
        lastMs += 1
        count = 0
      } else {
        count += 1
      }
      return formatId(lastMs, count, random(8))
    },
    nonce: () => hex(random(16)),
  }
}

function formatId(ms: number, count: number, random: Uint8Array): string {
  const time = ms.toString(16).padStart(12, '0')
  const tail = Uint8Array.from(random)
  tail[0] = ((tail[0] ?? 0) & 0x3f) | 0x80
  const rest = hex(tail)
  return `${time.slice(0, 8)}-${time.slice(8)}-7${count.toString(16).padStart(3, '0')}-${rest.slice(0, 4)}-${rest.slice(4)}`
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex')
}
