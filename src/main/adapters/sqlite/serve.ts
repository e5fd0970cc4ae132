import path from 'node:path'
import { StorageFault } from '../../core/ports/storageFault'
import { said } from '../../../shared/domain/result'
import type { ProcessIdentity } from '../../native/processIdentity'
import type { crasher } from './crashPoint'
import { sqliteCode, type Db } from './driver'
import { faultOf } from './faults'
import { versionOf } from './migrate'
import { operationsOf } from './operations'
import { searchIndexOf } from './sessions/searchIndex'
import { passing, writing, type Operations, type OperationName, type Request, type Response } from './protocol'

type Ask = Extract<Request, { readonly kind: 'ask' }>

/** What the worker serves with. */
export interface ServeOptions {
  readonly db: Db
  readonly file: string
  readonly isReadOnly: boolean
  readonly self: ProcessIdentity
  readonly crash: ReturnType<typeof crasher>
  readonly send: (response: Response) => void
}

type Outcome = { readonly answer: unknown } | { readonly error: unknown }

/**
 * Answers requests in the order they came. Writes that wait together share one commit: each stands in a savepoint of its own,
 * so a refused one takes nothing with it, and none is answered before the commit is on the disk.
 */
export function serve(options: ServeOptions): { ask(request: Ask): void; finish(): void } {
  const { db, file, isReadOnly, self, send } = options
  const index = searchIndexOf(db, path.join(path.dirname(file), 'cache.db'))
  const table = operationsOf(db, self, index)
  const newer = new StorageFault(said('app.database-newer', { file }))
  const inOneCommit = committer(options, versionOf(db), newer)
  const ownTickets = new Set<number>()
  let queue: Ask[] = []

  /** The table's functions take what its protocol says; the pairing of name and arguments is made by the typed client. */
  const perform = ({ op, args }: Ask): unknown => (table[op] as (args: unknown) => unknown)(args)

  function respond(request: Ask, outcome: Outcome): void {
    if ('answer' in outcome) noteTickets(ownTickets, request, outcome.answer)
    send(responseOf(request.id, outcome, file))
  }

  function read(request: Ask): void {
    const outcome = attempt(() => perform(request))
    // A newer version's file is opened for reading: writes, and reads of what it changed, end here.
    const isRefused = isReadOnly && 'error' in outcome && sqliteCode(outcome.error) !== null
    respond(request, isRefused ? { error: newer } : outcome)
  }

  function write(requests: readonly Ask[]): void {
    const outcomes = inOneCommit(requests, perform)
    requests.forEach((request, index) => respond(request, outcomes[index] ?? { error: new Error('no outcome') }))
  }

  function flush(): void {
    const waiting = queue
    queue = []
    for (const group of groupsOf(waiting, (request) => writing.has(request.op) && !isReadOnly)) {
      if (group.isWriting) write(group.requests)
      else group.requests.forEach(read)
    }
  }

  return {
    ask(request) {
      queue.push(request)
      // All that the port has ready is taken first, so that it can share a commit.
      if (queue.length === 1) setImmediate(flush)
    },
    finish() {
      flush()
      // Nobody waits for the answers.
      if (ownTickets.size > 0) write([...ownTickets].map((ticket) => ({ kind: 'ask', id: 0, op: 'leaveLane', args: { ticket } })))
      index.close()
    },
  }
}

interface Group {
  readonly isWriting: boolean
  readonly requests: Ask[]
}

/** Neighbours that write form a group, and so do those that read. */
function groupsOf(requests: readonly Ask[], isWriting: (request: Ask) => boolean): readonly Group[] {
  const groups: Group[] = []
  for (const request of requests) {
    const last = groups.at(-1)
    if (last?.isWriting === isWriting(request)) last.requests.push(request)
    else groups.push({ isWriting: isWriting(request), requests: [request] })
  }
  return groups
}

/** Runs requests in one transaction and gives each one's outcome; a fault of the commit is everybody's. */
function committer({ db, crash }: ServeOptions, version: number, newer: StorageFault) {
  // Made once: they run in every commit, and making them costs more than running them.
  const storedVersion = db.prepare('PRAGMA user_version').pluck()
  const [begin, commit] = [db.prepare('BEGIN IMMEDIATE'), db.prepare('COMMIT')]
  const inSavepoint = savepoints(db)
  function inOneCommit(requests: readonly Ask[], perform: (request: Ask) => unknown): readonly Outcome[] {
    const types = requests.flatMap(eventTypes)
    const whole = attempt(() => {
      begin.run()
      // Another process may have brought the schema up meanwhile.
      if (storedVersion.get() !== version) throw newer
      const outcomes = requests.map((request) => inSavepoint(() => perform(request)))
      crash.reach('before', types)
      commit.run()
      crash.reach('after', types)
      return outcomes
    })
    // Some faults of the disk have ended the transaction already.
    if (db.inTransaction) db.exec('ROLLBACK')
    return 'error' in whole ? requests.map(() => whole) : whole.answer
  }

  return function inFittingCommit(requests: readonly Ask[], perform: (request: Ask) => unknown): readonly Outcome[] {
    if (!requests.every(({ op }) => passing.has(op))) return inOneCommit(requests, perform)
    // What the next flush of the log takes along in its place.
    db.pragma('synchronous = NORMAL')
    try {
      return inOneCommit(requests, perform)
    } finally {
      db.pragma('synchronous = FULL')
    }
  }
}

function responseOf(id: number, outcome: Outcome, file: string): Response {
  if ('answer' in outcome) return { kind: 'answered', id, answer: outcome.answer }
  const fault = faultOf(outcome.error, file)
  if (fault !== null) return { kind: 'failed', id, fault }
  const error = outcome.error instanceof Error ? outcome.error : new Error(String(outcome.error))
  return { kind: 'bug', id, message: error.message, stack: error.stack ?? '' }
}

function attempt<T>(run: () => T): { readonly answer: T } | { readonly error: unknown } {
  try {
    return { answer: run() }
  } catch (error) {
    return { error }
  }
}

/** A fault that ended the whole transaction is passed on: what came before in the group is gone too. */
function savepoints(db: Db): (run: () => unknown) => Outcome {
  const [begin, keep, undo] = [db.prepare('SAVEPOINT one'), db.prepare('RELEASE one'), db.prepare('ROLLBACK TO one')]
  return (run) => {
    begin.run()
    const outcome = attempt(run)
    if ('error' in outcome) {
      if (!db.inTransaction) throw outcome.error
      undo.run()
    }
    keep.run()
    return outcome
  }
}

function eventTypes({ op, args }: Ask): readonly string[] {
  return op === 'append' ? (args as Operations['append']['args']).events.map((event) => event.type) : []
}

/** Places in the queue end with the connection, not only with the process. */
function noteTickets(own: Set<number>, { op, args }: Ask, answer: unknown): void {
  const named: Partial<Record<OperationName, () => void>> = {
    joinLane: () => own.add(answer as number),
    leaveLane: () => own.delete((args as Operations['leaveLane']['args']).ticket),
  }
  named[op]?.()
}
