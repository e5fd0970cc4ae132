import { parentPort } from 'node:worker_threads'
import { LookList, stampWidth, type Shared } from './scan/lookList'
import { ObjectStore } from './store/objectStore'
import { ProjectLender } from './project/projectGitPacks'
import { restoreSent } from './restore/sentRestore'
import { readFiles } from './scan/readFiles'
import { claims, type SecondOperation, type SecondOperations, type SecondReply, type SecondRequest, type SentLooks } from './scan/scanMessages'

/** The second thread of a store's scans and restores: started by the thread that owns the store, one question after the other. */
const port = parentPort
if (!port) throw new Error('git/scanWorker runs only as a worker thread')

const list = new LookList()
let reading: { readonly objects: ObjectStore; readonly lender: ProjectLender | null; readonly shared: Shared; readonly untilMs: number } | null = null

const answers: { readonly [Name in SecondOperation]: (input: SecondOperations[Name]['in']) => SecondOperations[Name]['out'] | Promise<SecondOperations[Name]['out']> } = {
  keep: (looks) => keep(looks),
  look: (shared) => list.check(shared),
  begin({ folder, tag, lendFrom, untilMs, flags, seen }) {
    stop()
    const lender = lendFrom === null ? null : new ProjectLender(lendFrom)
    reading = { objects: new ObjectStore(folder, tag), lender, shared: { flags, seen }, untilMs }
    reading.objects.lender = lender
    return null
  },
  read(files) {
    const now = reading
    if (!now || Atomics.compareExchange(files.claim, 0, claims.none, claims.second) !== claims.none) return null
    return readFiles(files, { ...now, store: (body) => now.objects.put('blob', body), storeStream: (size, read) => now.objects.putStream(size, read), onRead: () => undefined })
  },
  async finish() {
    await reading?.objects.flush()
    stop()
    return null
  },
  restore: (sent) => restoreSent(sent),
  abandon() {
    stop()
    return null
  },
}

function keep({ slots, texts, stamps }: SentLooks): null {
  let from = 0
  for (const [i, slot] of slots.entries()) {
    const [place = '', names] = (texts[i] ?? '').split('\0')
    const own = names?.split('/') ?? []
    list.set(slot, names === undefined ? null : { place, names: own, stamps: stamps.subarray(from, from + own.length * stampWidth) })
    from += own.length * stampWidth
  }
  return null
}

/** Leaves nothing of what was not finished. */
function stop(): void {
  reading?.objects.close()
  reading?.lender?.close()
  reading = null
}

async function answer<Name extends SecondOperation>({ id, name, input }: SecondRequest<Name>): Promise<void> {
  let reply: SecondReply
  try {
    reply = { id, kind: 'done', value: await answers[name](input) }
  } catch (error) {
    const { message, code = '', path } = error as NodeJS.ErrnoException
    reply = { id, kind: 'failed', message, code, path: typeof path === 'string' ? path : null }
  }
  port?.postMessage(reply)
}

let queue: Promise<void> = Promise.resolve()

port.on('message', (request: SecondRequest) => {
  queue = queue.then(() => answer(request))
})
