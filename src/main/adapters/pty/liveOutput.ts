import { StringDecoder } from 'node:string_decoder'
import { withoutCutStart } from './outputText'

/** One batch a frame, and no more in it than a screen can use: a flood of output must not become a flood of messages (O2). */
const frameMs = 16
const batchBytes = 64 * 1024

/** Output on its way to the screen. */
export interface LiveOutput {
  /** Takes a copy. */
  push(bytes: Buffer): void
  /** Shows what waits, now. */
  flush(): void
  /** Nothing is shown after it. */
  stop(): void
}

/**
 * Decodes output in batches for the screen. When more comes within a frame than a batch may hold, the oldest of it is left
 * out, up to the next line; colours are reset there.
 */
export function makeLiveOutput(show: (text: string) => void): LiveOutput {
  let decoder = new StringDecoder('utf8')
  // Copied into, over and over: new memory for each piece of a flood would lie about until it is collected (O1).
  const ring = Buffer.allocUnsafe(batchBytes)
  const ordered = Buffer.allocUnsafe(batchBytes)
  let waitingBytes = 0
  let timer: NodeJS.Timeout | undefined
  let isStopped = false

  const keep = (bytes: Buffer): void => {
    const kept = bytes.length > batchBytes ? bytes.subarray(bytes.length - batchBytes) : bytes
    const at = (waitingBytes + bytes.length - kept.length) % batchBytes
    const fits = Math.min(kept.length, batchBytes - at)
    kept.copy(ring, at, 0, fits)
    kept.copy(ring, 0, fits)
    waitingBytes += bytes.length
  }
  const takeKept = (): Buffer => {
    const length = Math.min(waitingBytes, batchBytes)
    const from = waitingBytes <= batchBytes ? 0 : waitingBytes % batchBytes
    ring.copy(ordered, 0, from, length)
    ring.copy(ordered, length - from, 0, from)
    return ordered.subarray(0, length)
  }
  const flush = (): void => {
    clearTimeout(timer)
    timer = undefined
    if (waitingBytes === 0 || isStopped) return
    const last = takeKept()
    const isTooMuch = waitingBytes > batchBytes
    waitingBytes = 0
    if (!isTooMuch) return show(decoder.write(last))
    const line = last.indexOf(0x0a) + 1
    decoder = new StringDecoder('utf8')
    show(`\x1b[0m\r\n${decoder.write(line > 0 ? last.subarray(line) : withoutCutStart(last))}`)
  }
  return {
    push(bytes) {
      if (isStopped || bytes.length === 0) return
      keep(bytes)
      timer ??= setTimeout(flush, frameMs)
    },
    flush,
    stop() {
      clearTimeout(timer)
      isStopped = true
    },
  }
}
