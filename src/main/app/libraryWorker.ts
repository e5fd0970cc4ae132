import { parentPort } from 'node:worker_threads'
import { exportLog } from '../adapters/audit/exportLog'
import { exportPage } from '../adapters/audit/exportPage'
import { RecordIndex } from '../adapters/audit/recordIndex'
import { allLinesOf, type AuditFile } from '../adapters/audit/auditFiles'
import { excerptOf } from '../adapters/audit/excerpt'
import { verifyExport } from '../adapters/audit/verifyExport'
import { verifyFiles } from '../adapters/audit/verifyFiles'
import { makeEmbedder } from '../adapters/embed/embedder'
import { makeCodeIndex } from '../adapters/index/codeIndex'
import { makeSegmenter } from '../adapters/segment/segmenter'
import type { CancelSignal } from '../core/ports/cancelSignal'
import type { CodeIndex } from '../core/ports/codeIndex'
import { StorageFault } from '../core/ports/storageFault'
import { makeIndexTools } from './libraryIndexTools'
import type { LibraryMessage, LibraryOperationName, LibraryOperations, LibraryRequest, PartOf } from './libraryProtocol'

/**
 * The library thread: a small host of its own that holds what is heavy to load or to run (Chinese segmentation, the code index, reading the record).
 * Operations run beside one another; one that works long gives way between its steps.
 */
const port = parentPort
if (port === null) throw new Error('this file is a worker')
const send = (message: LibraryMessage): void => port.postMessage(message)

/** One function an operation. The signal is aborted when whoever asked has given up; what is answered then is not waited for. */
type OperationTable = { readonly [Name in LibraryOperationName]: (args: LibraryOperations[Name]['args'], signal: CancelSignal) => LibraryOperations[Name]['answer'] | Promise<LibraryOperations[Name]['answer']> }

const segmenter = makeSegmenter()
let codeIndex: CodeIndex | null = null

function index(): CodeIndex {
  if (codeIndex === null) throw new Error('the index was not started')
  return codeIndex
}

const records = new Map<string, RecordIndex>()

function record(dir: string): RecordIndex {
  const known = records.get(dir) ?? new RecordIndex(dir)
  records.set(dir, known)
  return known
}

async function linesOfPart(files: readonly AuditFile[], { dir, part }: PartOf): Promise<AsyncIterable<string>> {
  return part === null ? allLinesOf(files) : excerptOf(files, await record(dir).numbersOf(part))
}

const operations: OperationTable = {
  terms: (texts) => segmenter.terms(texts),
  queryTerms: (texts) => segmenter.queryTerms(texts),
  'index-start'({ cacheFile, home, appData, proxy }) {
    codeIndex = makeCodeIndex(cacheFile, makeIndexTools({ home, appData }, makeEmbedder({ env: proxy })))
    codeIndex.onState((value) => send({ kind: 'pushed', name: 'index-state', value }))
    return null
  },
  'index-open': (folder) => index().open(folder).then(() => null),
  'index-embedding': (endpoint) => index().useEmbedding(endpoint).then(() => null),
  'index-lookup': (lookup, signal) => index().lookup(lookup, signal),
  'index-rebuild': () => index().rebuild().then(() => null),
  'audit-page': ({ dir, query }) => record(dir).page(query),
  'audit-entries': ({ dir, entry }) => record(dir).entriesAt(entry),
  'audit-verify': ({ files, ...facts }) => verifyFiles(files, facts),
  async 'audit-export'({ files, to, page, ...part }) {
    const lines = await linesOfPart(files, part)
    return page === null ? exportLog(lines, to) : exportPage(lines, to, page)
  },
  async 'audit-excerpt'({ files, ...part }) {
    const lines: string[] = []
    for await (const line of await linesOfPart(files, part)) lines.push(line)
    return lines
  },
  'audit-verify-export': ({ file }) => verifyExport(file),
}

/** Ends what the operations opened, before the thread ends. */
const endings: readonly (() => void | Promise<void>)[] = [() => codeIndex?.close()]

/** What the compiler still does for a thread that has just begun comes to its end while the thread is idle, and only then (threadEnd.ts). */
const idleMs = 100

const running = new Map<number, AbortController>()

async function answer({ id, op, args }: Extract<LibraryRequest, { readonly kind: 'ask' }>): Promise<void> {
  const cancel = new AbortController()
  running.set(id, cancel)
  try {
    // The pairing of name and arguments is made by the typed client.
    const perform = operations[op] as (args: unknown, signal: CancelSignal) => unknown
    send({ kind: 'answered', id, answer: await perform(args, cancel.signal) })
  } catch (error) {
    if (error instanceof StorageFault) send({ kind: 'failed', id, fault: error.fault })
    else if (error instanceof Error) send({ kind: 'bug', id, message: error.message, stack: error.stack ?? '' })
    else send({ kind: 'bug', id, message: String(error), stack: '' })
  } finally {
    running.delete(id)
  }
}

port.on('message', (request: LibraryRequest) => {
  if (request.kind === 'ask') return void answer(request)
  if (request.kind === 'cancel') return running.get(request.id)?.abort()
  for (const one of running.values()) one.abort()
  void Promise.allSettled(endings.map(async (end) => end())).then(() => {
    send({ kind: 'closed' })
    setTimeout(() => port.close(), idleMs)
  })
})
