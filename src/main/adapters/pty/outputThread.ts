import { Worker } from 'node:worker_threads'
import type { OutputSpool } from '../../core/ports/outputSpool'
import { threadEnd } from '../../native/threadEnd'
import { blockBytes, type OutputMessage, type OutputRequest } from './outputProtocol'
import type { KeptOutput, OutputSink, OutputSinkParts } from './outputSink'
import { lastOutputText, missingMark } from './outputText'

/** Where the runner opens a place for a command's output. */
export interface OutputThread {
  /** A sink that works beside this thread. Nothing of it throws when the thread ends before its time: then what had reached the disk is what was kept. */
  open(name: string, doors: Pick<OutputSinkParts, 'show' | 'hold' | 'letGo'>): OutputSink
  /** Ends what is open, and the thread. */
  close(): Promise<void>
}

/** What the thread is made of. */
export interface OutputThreadParts {
  /** The built worker: out/main/outputWorker.js. */
  readonly workerFile: string
  /** The outputs store's folder, and the store itself for what a thread that ended leaves there. */
  readonly folder: string
  readonly spool: Pick<OutputSpool, 'recover' | 'peek'>
  /** Values of stored secrets at this moment. */
  readonly known: () => readonly string[]
  /** Hears how much of an output is on its way or waits for the disk, each time that is known. */
  readonly onWaiting?: (bytes: number) => void
}

/** The thread is told in large pieces: a message for each of the terminal's costs more than reading it. What is typed shall be seen at once all the same. */
const gatheredMs = 2
/** The source is held while so much was sent that the thread has not taken: with what it lets wait for the disk, no more than half a megabyte waits (O2). */
const sentLimits = { high: 128 * 1024, low: 64 * 1024 } as const
/** Output leaves nothing behind: a small room for new objects keeps the thread at some megabytes (O1). */
const resourceLimits = { maxYoungGenerationSizeMb: 4 } as const
/** Of an output whose thread ended, so much of the end is read again. */
const lostBytes = 16 * 1024

interface Open {
  readonly name: string
  readonly hear: (message: Exclude<OutputMessage, { readonly kind: 'closed' }>) => void
  readonly lose: () => void
}

interface Started {
  readonly worker: Worker
  readonly opens: Map<number, Open>
  /** Blocks that came back. */
  readonly empty: Uint8Array<ArrayBuffer>[]
  readonly closed: Promise<void>
  readonly ended: Promise<void>
}

/** Makes the thread; it starts with the first command, and anew when it ended before its time. */
export function makeOutputThread(parts: OutputThreadParts): OutputThread {
  let current: Started | null = null
  let lastId = 0
  const start = (): Started => {
    const begun = startThread(parts.workerFile, () => {
      if (current === begun) current = null
    })
    return begun
  }
  return {
    open(name, doors) {
      const thread = (current ??= start())
      return openSink({ thread, id: (lastId += 1), name }, doors, parts)
    },
    async close() {
      const ending = current
      if (ending === null) return
      post(ending, { kind: 'close' })
      await Promise.race([ending.closed, ending.ended])
      await threadEnd(ending.ended)
    },
  }
}

function startThread(workerFile: string, onEnd: () => void): Started {
  const worker = new Worker(workerFile, { execArgv: [], resourceLimits })
  const opens = new Map<number, Open>()
  const empty: Started['empty'] = []
  let isClosed = (): void => {}
  const closed = new Promise<void>((resolve) => (isClosed = resolve))
  worker.on('message', (message: OutputMessage) => {
    if (message.kind === 'closed') isClosed()
    else opens.get(message.id)?.hear(message)
  })
  // Its exit follows, and says the same.
  worker.on('error', () => undefined)
  const ended = new Promise<void>((resolve) => worker.once('exit', () => {
    onEnd()
    for (const open of opens.values()) open.lose()
    opens.clear()
    resolve()
  }))
  return { worker, opens, empty, closed, ended }
}

function post({ worker }: Started, request: OutputRequest): void {
  worker.postMessage(request, request.kind === 'bytes' ? [request.bytes.buffer] : [])
}

interface Place {
  readonly thread: Started
  readonly id: number
  readonly name: string
}

function openSink({ thread, id, name }: Place, doors: Pick<OutputSinkParts, 'show' | 'hold' | 'letGo'>, parts: OutputThreadParts): OutputSink {
  let isMuted = false
  let sentBytes = 0
  let isLost = false
  const pace = makePace(doors)
  let give = (_output: KeptOutput): void => {}
  const kept = new Promise<KeptOutput>((resolve) => (give = resolve))
  thread.opens.set(id, {
    name,
    hear(message) {
      if (message.kind === 'shown') return isMuted ? undefined : doors.show(message.text)
      if (message.kind === 'kept') {
        thread.opens.delete(id)
        return give(message.output)
      }
      thread.empty.push(...message.blocks)
      pace.taken(message.totalBytes)
      parts.onWaiting?.(sentBytes - message.totalBytes + message.waitingBytes)
    },
    lose() {
      isLost = true
      pace.stop()
      void leftOf(name, () => sentBytes, parts.spool).then(give)
    },
  })
  post(thread, { kind: 'begin', id, folder: parts.folder, name, known: parts.known() })
  const gather = makeGather(thread.empty, (bytes) => {
    sentBytes += bytes.length
    if (isLost) return
    post(thread, { kind: 'bytes', id, bytes })
    pace.sent(sentBytes)
  })
  return {
    push: (bytes) => gather.push(bytes),
    mute() {
      isMuted = true
      if (!isLost) post(thread, { kind: 'mute', id })
    },
    end() {
      gather.flush()
      if (!isLost) post(thread, { kind: 'end', id })
      return kept
    },
  }
}

/** Holds the source while too much of what was sent is not taken. */
function makePace({ hold, letGo }: Pick<OutputSinkParts, 'hold' | 'letGo'>): { sent(totalBytes: number): void; taken(totalBytes: number): void; stop(): void } {
  let sentBytes = 0
  let takenBytes = 0
  let isHeld = false
  let isOver = false
  const look = (): void => {
    const waiting = isOver ? 0 : sentBytes - takenBytes
    if (isHeld ? waiting > sentLimits.low : waiting < sentLimits.high) return
    isHeld = !isHeld
    if (isHeld) hold()
    else letGo()
  }
  return {
    sent(totalBytes) {
      sentBytes = totalBytes
      look()
    },
    taken(totalBytes) {
      takenBytes = totalBytes
      look()
    },
    stop() {
      isOver = true
      look()
    },
  }
}

/** Copies pieces into large ones, which are given away. */
function makeGather(empty: Started['empty'], give: (bytes: Uint8Array<ArrayBuffer>) => void): { push(bytes: Uint8Array): void; flush(): void } {
  let block: Uint8Array<ArrayBuffer> | null = null
  let filled = 0
  let timer: NodeJS.Timeout | undefined
  const flush = (): void => {
    clearTimeout(timer)
    timer = undefined
    if (block === null || filled === 0) return
    const isFull = filled === block.length
    const ready = isFull ? block : block.slice(0, filled)
    if (isFull) block = null
    filled = 0
    give(ready)
  }
  return {
    flush,
    push(bytes) {
      for (let from = 0; from < bytes.length; ) {
        block ??= empty.pop() ?? new Uint8Array(blockBytes)
        const piece = bytes.subarray(from, from + block.length - filled)
        block.set(piece, filled)
        filled += piece.length
        from += piece.length
        if (filled === block.length) flush()
      }
      if (filled > 0) timer ??= setTimeout(flush, gatheredMs)
    },
  }
}

/** What a thread that ended left of an output: as after a crash of the app, what is on the disk. */
async function leftOf(name: string, sentBytes: () => number, spool: OutputThreadParts['spool']): Promise<KeptOutput> {
  const last = await spool.peek(name, lostBytes).catch(() => null)
  const outputRef = await spool.recover(name).catch(() => null)
  const text = last === null ? '' : lastOutputText(last.bytes)
  return { text: `${text}${missingMark(sentBytes() - (last?.bytes.length ?? 0))}`, totalBytes: sentBytes(), outputRef }
}
