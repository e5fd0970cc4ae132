import { parentPort } from 'node:worker_threads'
import { makeBlobStore } from '../adapters/blobs/blobStore'
import { blockBytes, type OutputMessage, type OutputRequest } from '../adapters/pty/outputProtocol'
import { makeOutputSink, type OutputSink } from '../adapters/pty/outputSink'
import { StreamRedactor } from '../core/policy/redactionStream'

/**
 * The output thread: what commands print is masked, cut, kept and made ready for the screen here. A terminal holds eight
 * kilobytes, so a program stands still for as long as its reader does anything else (O1).
 */
const port = parentPort
if (port === null) throw new Error('this file is a worker')
const send = (message: OutputMessage): void => port.postMessage(message)

interface Open {
  readonly sink: OutputSink
  readonly take: (bytes: Uint8Array<ArrayBuffer>) => void
}

const outputs = new Map<number, Open>()

function begin({ id, folder, name, known }: Extract<OutputRequest, { readonly kind: 'begin' }>): Open {
  const spool = makeBlobStore(folder).begin(name)
  let totalBytes = 0
  let isHeld = false
  let blocks: Uint8Array<ArrayBuffer>[] = []
  const say = (): void => {
    const back = blocks
    blocks = []
    port?.postMessage({ kind: 'taken', id, totalBytes, waitingBytes: spool.waitingBytes(), blocks: back } satisfies OutputMessage, back.map(({ buffer }) => buffer))
  }
  const sink = makeOutputSink({
    spool,
    filter: new StreamRedactor({ known }),
    show: (text) => send({ kind: 'shown', id, text }),
    hold: () => void (isHeld = true),
    letGo() {
      isHeld = false
      say()
    },
  })
  return {
    sink,
    take(bytes) {
      totalBytes += bytes.length
      sink.push(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
      // A full block is read at once; of a smaller piece the sink may still wait for more.
      if (bytes.length === blockBytes) blocks.push(bytes)
      if (!isHeld) say()
    },
  }
}

async function end(id: number): Promise<void> {
  const open = outputs.get(id)
  outputs.delete(id)
  if (open !== undefined) send({ kind: 'kept', id, output: await open.sink.end() })
}

/** What the compiler still does for a thread that has just begun comes to its end while the thread is idle, and only then (threadEnd.ts). */
const idleMs = 100

async function close(): Promise<void> {
  await Promise.all([...outputs.keys()].map(end))
  send({ kind: 'closed' })
  setTimeout(() => port?.close(), idleMs)
}

port.on('message', (request: OutputRequest) => {
  if (request.kind === 'begin') outputs.set(request.id, begin(request))
  else if (request.kind === 'bytes') outputs.get(request.id)?.take(request.bytes)
  else if (request.kind === 'mute') outputs.get(request.id)?.sink.mute()
  else if (request.kind === 'end') void end(request.id)
  else void close()
})
