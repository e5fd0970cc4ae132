import { StorageFault } from '../../core/ports/storageFault'
import { said } from '../../../shared/domain/result'
import type { ProcessIdentity } from '../../native/processIdentity'
import type { crasher } from './crashPoint'
import { sqliteCode, type Db } from './driver'
import { faultOf } from './faults'
import { versionOf } from './migrate'
import { operationsOf } from './operations'
import { writing, type Operations, type OperationName, type Request, type Response } from './protocol'

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
export function serve({ db, file, isReadOnly, self, crash, send }: ServeOptions): { ask(request: Ask): void; finish(): void } {
  const table = operationsOf(db, self)
  const version = versionOf(db)
  const newer = said('app.database-newer', { file })
  const ownTickets = new Set<number>()
  let queue: Ask[] = []

  /** The table's functions take what its protocol says; the pairing of name and arguments is made by the typed client. */
  function perform({ op, args }: Ask): unknown {
    return (table[op] as (args: unknown) => unknown)(args)
  }

  function respond(request: Ask, outcome: Outcome): void {
    if ('answer' in outcome) {
      noteTickets(ownTickets, request, outcome.answer)
      return send({ kind: 'answered', id: request.id, answer: outcome.answer })
    }
    const fault = faultOf(outcome.error, file)
    if (fault !== null) return send({ kind: 'failed', id: request.id, fault })
    const error = outcome.error instanceof Error ? outcome.error : new Error(String(outcome.error))
    send({ kind: 'bug', id: request.id, message: error.message, stack: error.stack ?? '' })
  }

  function read(request: Ask): void {
    const outcome = attempt(() => perform(request))
    // A newer version's file is opened for reading: writes, and reads of what it changed, end here.
    const isRefused = isReadOnly && 'error' in outcome && sqliteCode(outcome.error) !== null
    respond(request, isRefused ? { error: new StorageFault(newer) } : outcome)
  }

  function write(requests: readonly Ask[]): void {
    const types = requests.flatMap(eventTypes)
    const outcomes = attempt(() => {
      db.exec('BEGIN IMMEDIATE')
      if (versionOf(db) !== version) throw new StorageFault(newer)
      const each = requests.map((request) => inSavepoint(db, () => perform(request)))
      crash.reach('before', types)
      db.exec('COMMIT')
      crash.reach('after', types)
      return each
    })
    // Some faults of the disk have ended the transaction already.
    if (db.inTransaction) db.exec('ROLLBACK')
    requests.forEach((request, index) => respond(request, 'error' in outcomes ? outcomes : (outcomes.answer[index] ?? { error: new Error('no outcome') })))
  }

  function flush(): void {
    const waiting = queue
    queue = []
    let group: Ask[] = []
    const writeGroup = () => {
      if (group.length > 0) write(group)
      group = []
    }
    for (const request of waiting) {
      if (writing.has(request.op) && !isReadOnly) group.push(request)
      else {
        writeGroup()
        read(request)
      }
    }
    writeGroup()
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
    },
  }
}

function attempt<T>(run: () => T): { readonly answer: T } | { readonly error: unknown } {
  try {
    return { answer: run() }
  } catch (error) {
    return { error }
  }
}

/** A fault that ended the whole transaction is passed on: what came before in the group is gone too. */
function inSavepoint(db: Db, run: () => unknown): Outcome {
  db.exec('SAVEPOINT one')
  const outcome = attempt(run)
  if ('error' in outcome) {
    if (!db.inTransaction) throw outcome.error
    db.exec('ROLLBACK TO one')
  }
  db.exec('RELEASE one')
  return outcome
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
