import type { McpLogLine } from '../../../shared/domain/mcp'

/** What one server says outside of answers, on its way to its log. */
export interface ServerLog {
  /** Bytes of its standard error, as they come. */
  stderr(bytes: Buffer): void
  line(from: McpLogLine['from'], text: string): void
  /** Gives what waits, now; also the last line that has no end. */
  flush(): void
  /** Gives what waits, and nothing more comes. */
  close(): void
}

/** More than is shown: who masks secrets needs some of what is behind the cut. */
const longestLine = 8000
/** As much as a person could ever read; a server that says more in a second is flooding. */
const perWindow = { lines: 400, characters: 200_000, ms: 1000 } as const
const lineFeed = 0x0a

/**
 * Lines are cut, and what is more than a window's worth is only counted: a flood takes neither memory nor the main thread.
 * Lines are given off the reader.
 */
export function makeServerLog(give: (line: McpLogLine) => void): ServerLog {
  const gate = makeGate(give)
  let unfinished: Buffer[] = []
  let unfinishedBytes = 0
  const finish = (end: Buffer): void => {
    const text = Buffer.concat([...unfinished, end]).toString('utf8')
    unfinished = []
    unfinishedBytes = 0
    if (text.trim() !== '') gate.take('stderr', text)
  }
  const hold = (piece: Buffer): void => {
    const room = longestLine * 4 - unfinishedBytes
    if (room <= 0 || piece.length === 0) return
    // A copy: a small piece is not to keep the block alive that it was read into.
    unfinished.push(Buffer.from(piece.subarray(0, room)))
    unfinishedBytes += Math.min(room, piece.length)
  }
  return {
    stderr(bytes) {
      let from = 0
      for (let at = bytes.indexOf(lineFeed); at !== -1; at = bytes.indexOf(lineFeed, from)) {
        if (gate.isFull()) {
          gate.skip(bytes, from)
          from = bytes.lastIndexOf(lineFeed) + 1
          break
        }
        finish(bytes.subarray(from, Math.min(at, from + longestLine * 4)))
        from = at + 1
      }
      hold(bytes.subarray(from))
    },
    line: (from, text) => gate.take(from, text),
    flush() {
      finish(Buffer.alloc(0))
      gate.flush()
    },
    close() {
      finish(Buffer.alloc(0))
      gate.close()
    },
  }
}

interface Gate {
  isFull(): boolean
  take(from: McpLogLine['from'], text: string): void
  /** Counts the lines of bytes that are not looked at. */
  skip(bytes: Buffer, from: number): void
  flush(): void
  close(): void
}

function makeGate(give: (line: McpLogLine) => void): Gate {
  let waiting: McpLogLine[] = []
  let lines = 0
  let characters = 0
  let skipped = 0
  let window: NodeJS.Timeout | undefined
  let soon: NodeJS.Immediate | undefined
  let isClosed = false
  const flush = (): void => {
    clearImmediate(soon)
    soon = undefined
    const given = waiting
    waiting = []
    for (const line of given) give(line)
  }
  const put = (from: McpLogLine['from'], text: string): void => {
    waiting.push({ atMs: Date.now(), from, text })
    soon ??= setImmediate(flush)
  }
  const saySkipped = (): void => {
    // As short as the mark in cut output: it is read in every language.
    if (skipped > 0) put('app', `[… ${skipped.toLocaleString('en')} lines …]`)
    skipped = 0
  }
  const open = (): void => {
    window ??= setTimeout(() => {
      window = undefined
      lines = 0
      characters = 0
      saySkipped()
    }, perWindow.ms)
    // A log that waits for its next line is nothing to stay alive for.
    window.unref()
  }
  const isFull = (): boolean => lines >= perWindow.lines || characters >= perWindow.characters
  return {
    isFull,
    take(from, text) {
      if (isClosed) return
      open()
      if (isFull()) {
        skipped++
        return
      }
      const cut = text.length > longestLine ? `${text.slice(0, longestLine)}…` : text
      lines++
      characters += cut.length
      put(from, cut.replace(/\r$/, ''))
    },
    skip(bytes, from) {
      open()
      for (let at = bytes.indexOf(lineFeed, from); at !== -1; at = bytes.indexOf(lineFeed, at + 1)) skipped++
    },
    flush,
    close() {
      saySkipped()
      flush()
      isClosed = true
      clearTimeout(window)
    },
  }
}
