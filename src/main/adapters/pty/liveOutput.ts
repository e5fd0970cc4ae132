import { StringDecoder } from 'node:string_decoder'
import { withoutCutStart } from './outputText'

/** One batch a frame, and no more in it than a screen can use: a flood of output must not become a flood of messages (O2). */
const frameMs = 16
const batchBytes = 64 * 1024

/** Output on its way to the screen. */
export interface LiveOutput {
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
  let waiting: Buffer[] = []
  let waitingBytes = 0
  let hasGap = false
  let timer: NodeJS.Timeout | undefined
  let isStopped = false

  const flush = (): void => {
    clearTimeout(timer)
    timer = undefined
    if (waitingBytes === 0 || isStopped) return
    const all = Buffer.concat(waiting)
    waiting = []
    waitingBytes = 0
    const isTooMuch = hasGap || all.length > batchBytes
    hasGap = false
    if (!isTooMuch) return show(decoder.write(all))
    const last = all.subarray(Math.max(0, all.length - batchBytes))
    const line = last.indexOf(0x0a) + 1
    decoder = new StringDecoder('utf8')
    show(`\x1b[0m\r\n${decoder.write(line > 0 ? last.subarray(line) : withoutCutStart(last))}`)
  }
  return {
    push(bytes) {
      if (isStopped || bytes.length === 0) return
      waiting.push(bytes)
      waitingBytes += bytes.length
      while (waitingBytes - (waiting[0]?.length ?? 0) >= batchBytes) {
        waitingBytes -= waiting.shift()?.length ?? 0
        hasGap = true
      }
      timer ??= setTimeout(flush, frameMs)
    },
    flush,
    stop() {
      clearTimeout(timer)
      isStopped = true
      waiting = []
    },
  }
}
