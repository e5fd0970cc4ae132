import { parentPort, workerData } from 'node:worker_threads'
import { fail, said, succeed, type Result } from '../../../shared/domain/result'
import { ObjectMissing } from './store/heldDiff'
import { sendSkipped } from './scan/sentSkipped'
import { piecesOf } from './store/pieces'
import { SideStore } from './sideStore'
import type { OperationName, Operations, WorkerReply, WorkerRequest, WorkerStart } from './workerMessages'

/** The thread in which all snapshot work of one workspace happens, one operation after the other. */
const port = parentPort
if (!port) throw new Error('git/worker runs only as a worker thread')

let store: SideStore | null = null

const answers: { readonly [Name in OperationName]: (input: Operations[Name]['in'], id: number) => Operations[Name]['out'] | Promise<Operations[Name]['out']> } = {
  open: () => openStore(workerData as WorkerStart),
  scan: ({ flags, near }, id) => opened().scan(new Int32Array(flags), (seen) => reply({ id, kind: 'seen', seen }), near),
  commit: ({ held, facts }) => opened().commit(held, facts),
  diff: ({ before, after }) => piecesOf(opened().diff(before, after)),
  compare: ({ before, after, most }) => opened().compare(before, after, most),
  lineOwners: ({ first, stages }) => opened().lineOwners(first, stages),
  lineCounts: (changes) => opened().lineCounts(changes),
  blob: (oid) => opened().blob(oid),
  blobs: ({ oids, limitBytes }) => opened().blobs(oids, limitBytes),
  lacking: (oids) => opened().lacking(oids),
  uncovered: async ({ paths, at }) => sendSkipped(await opened().uncovered(paths, at)),
  changedAtMs: (paths) => opened().changedAtMs(paths),
  restore: async ({ steps, shape }, id) => {
    await opened().restore(steps, shape, (settled) => reply({ id, kind: 'settled', settled }))
    return null
  },
  paths: ({ held, query }) => opened().paths(held, query),
  entriesAt: ({ held, paths }) => opened().entriesAt(held, paths),
  missing: (moments) => opened().missing(moments),
  isPackable: () => opened().isPackable(),
  refresh: (damaged) => {
    opened().refresh(damaged)
    return null
  },
  stats: () => opened().stats(),
  setBounds: (bounds) => {
    opened().setBounds(bounds)
    return null
  },
  close: async () => {
    await store?.close()
    store = null
    return null
  },
}

function openStore(start: WorkerStart): Result<null> {
  try {
    store = new SideStore(start)
    return succeed(null)
  } catch (error) {
    return fail('snapshot.store-failed', { problem: error instanceof Error ? error.message : String(error) })
  }
}

function opened(): SideStore {
  if (!store) throw new Error('the store is not open')
  return store
}

function reply(message: WorkerReply): void {
  port?.postMessage(message)
}

async function answer<Name extends OperationName>({ id, name, input }: WorkerRequest<Name>): Promise<void> {
  try {
    reply({ id, kind: 'done', value: await answers[name](input, id) })
  } catch (error) {
    if (error instanceof ObjectMissing) reply({ id, kind: 'fault', fault: said('snapshot.object-missing', { object: error.id }) })
    else reply({ id, kind: 'broken', message: error instanceof Error ? (error.stack ?? error.message) : String(error) })
  }
  if (name !== 'scan') return
  keepLater()
  setTimeout(proveNext, keepAfterMs)
}

/** After an answer others are often asked at once: what is kept only for speed waits for that. */
const keepAfterMs = 100
let isKeepDue = false

function keepLater(): void {
  if (isKeepDue) return
  isKeepDue = true
  setTimeout(() => {
    queue = queue.then(() => {
      isKeepDue = false
      if (store?.keep()) keepLater()
    })
  }, keepAfterMs)
}

/** One piece at a time, behind what has been asked meanwhile. */
function proveNext(): void {
  queue = queue.then(async () => {
    if (await store?.prove()) setImmediate(proveNext)
  })
}

/** So long after the last answer nothing must have been asked before watches are set: they are for later, and must not hold up what comes first. */
const watchAfterMs = 1500
let quiet: NodeJS.Timeout | undefined

/** Some at a time; whoever asks meanwhile ends it until it is quiet again. */
function watchNext(): void {
  const since = quiet
  queue = queue.then(() => {
    if (quiet === since && store?.watch()) setImmediate(watchNext)
  })
}

let queue: Promise<void> = Promise.resolve()

port.on('message', (request: WorkerRequest) => {
  clearTimeout(quiet)
  quiet = undefined
  queue = queue
    .then(() => answer(request))
    .then(() => {
      clearTimeout(quiet)
      quiet = setTimeout(watchNext, watchAfterMs)
    })
})
