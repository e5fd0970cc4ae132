import type { SpoolWriter } from '../../core/ports/outputSpool'
import { makeHeadAndTail } from './headAndTail'
import { makeLiveOutput } from './liveOutput'
import { makeOutputDecoder } from './outputDecoder'
import { outputText } from './outputText'

/** Masks secrets in output before anything of it is shown or written; pieces in, what can be judged already out. */
export interface OutputFilter {
  push(text: string): string
  /** What is held back although no secret has begun in it: asked for when nothing more comes for a while. More may come after it. */
  idle(): string
  /** All that was held back: no more comes. */
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
/** The source is held when the disk is this far behind, and let go again at the lower mark: with what is on its way to the thread, no more than half a megabyte waits (O2). */
const waitingLimits = { high: 192 * 1024, low: 96 * 1024 } as const

/** A filter is given larger pieces than a terminal gives: that costs it a third less. */
const gathered = { bytes: 16 * 1024, ms: 8 } as const
/** A question without a line end is held back by a filter; when nothing more comes for so long, the person has to see it (R68). */
const idleMs = 100

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
  const sieve = filter === null ? null : makeSieve(filter, take)
  return {
    push: sieve === null ? take : (bytes) => sieve.push(bytes),
    mute: () => live.stop(),
    async end() {
      sieve?.end()
      live.flush()
      live.stop()
      const { text, isCut } = outputText(kept.take())
      if (!isCut) await spool.drop()
      return { text, totalBytes: kept.totalBytes(), outputRef: isCut ? await spool.keep() : null }
    },
  }
}

/** Gives text as UTF-8, in one piece of memory that is used over and over: what it is given to takes a copy (O1). */
function makeEncoder(give: (bytes: Buffer) => void): (text: string) => void {
  const encoder = new TextEncoder()
  const room = Buffer.allocUnsafe(64 * 1024)
  return (text) => {
    for (let from = 0; from < text.length; ) {
      const { read, written } = encoder.encodeInto(from === 0 ? text : text.slice(from), room)
      give(room.subarray(0, written))
      from += read
    }
  }
}

/** Leads bytes through a filter of text, in pieces of a good size, and lets go what it holds back when nothing more comes. */
function makeSieve(filter: OutputFilter, take: (bytes: Buffer) => void): { push(bytes: Buffer): void; end(): void } {
  const decoder = makeOutputDecoder()
  const give = makeEncoder(take)
  let pieces: Buffer[] = []
  let size = 0
  let timer: NodeJS.Timeout | undefined
  const sift = (): void => {
    clearTimeout(timer)
    const text = decoder.push(pieces.length === 1 && pieces[0] !== undefined ? pieces[0] : Buffer.concat(pieces))
    pieces = []
    size = 0
    give(filter.push(text))
    timer = setTimeout(() => {
      timer = undefined
      give(filter.push(decoder.idle()) + filter.idle())
    }, idleMs)
  }
  return {
    push(bytes) {
      if (size === 0) {
        clearTimeout(timer)
        timer = setTimeout(sift, gathered.ms)
      }
      pieces.push(bytes)
      size += bytes.length
      if (size >= gathered.bytes) sift()
    },
    end() {
      sift()
      clearTimeout(timer)
      give(filter.push(decoder.end()) + filter.end())
    },
  }
}
