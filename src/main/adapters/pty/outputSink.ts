import { StringDecoder } from 'node:string_decoder'
import type { SpoolWriter } from '../../core/ports/outputSpool'
import { makeHeadAndTail } from './headAndTail'
import { makeLiveOutput } from './liveOutput'
import { outputText } from './outputText'

/** Masks secrets in output before anything of it is shown or written; pieces in, what can be judged already out. */
export interface OutputFilter {
  push(text: string): string
  end(): string
}

/** What was kept of a command's output; see `CommandEnd`. */
export interface KeptOutput {
  readonly text: string
  readonly totalBytes: number
  readonly outputRef: string | null
}

/** Where a command's output goes. */
export interface OutputSink {
  push(bytes: Buffer): void
  /** Nothing more is shown; it is still kept. */
  mute(): void
  /** No more comes: gives what was kept, and closes everything. */
  end(): Promise<KeptOutput>
}

/** Enough raw bytes that terminal sequences and overwritten progress lines do not crowd out the text that is made of them. */
const keptBytes = { head: 64 * 1024, tail: 256 * 1024 } as const
/** The source is held when the disk is this far behind, and let go again at the lower mark. */
const waitingLimits = { high: 1024 * 1024, low: 256 * 1024 } as const

/** What the sink works with; `hold` and `letGo` stop and start its source. */
export interface OutputSinkParts {
  readonly spool: SpoolWriter
  readonly filter: OutputFilter | null
  readonly show: (text: string) => void
  readonly hold: () => void
  readonly letGo: () => void
}

/** Head and tail in memory, all of it on disk while it grows, and a bounded part to the screen. Memory does not grow with the output. */
export function makeOutputSink({ spool, filter, show, hold, letGo }: OutputSinkParts): OutputSink {
  const kept = makeHeadAndTail(keptBytes.head, keptBytes.tail)
  const live = makeLiveOutput(show)
  const decoder = new StringDecoder('utf8')
  let isHeld = false

  spool.onWritten(() => {
    if (!isHeld || spool.waitingBytes() > waitingLimits.low) return
    isHeld = false
    letGo()
  })
  const take = (bytes: Buffer): void => {
    if (bytes.length === 0) return
    kept.push(bytes)
    spool.write(bytes)
    live.push(bytes)
    if (isHeld || spool.waitingBytes() <= waitingLimits.high) return
    isHeld = true
    hold()
  }
  return {
    push: (bytes) => take(filter === null ? bytes : Buffer.from(filter.push(decoder.write(bytes)), 'utf8')),
    mute: () => live.stop(),
    async end() {
      if (filter !== null) take(Buffer.from(filter.push(decoder.end()) + filter.end(), 'utf8'))
      live.flush()
      live.stop()
      const { text, isCut } = outputText(kept.take())
      if (!isCut) await spool.drop()
      return { text, totalBytes: kept.totalBytes(), outputRef: isCut ? await spool.keep() : null }
    },
  }
}
