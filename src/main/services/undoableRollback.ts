import type { RollbackId, SessionId } from '../../shared/domain/ids'
import type { RollbackRow } from '../../shared/domain/rollback'
import type { EventStore } from '../core/ports/eventStore'
import { Branch } from '../core/sessions/branch'

/** Finds the last rollback that can be undone. What it read of a session once is kept. */
export class UndoableRollback {
  readonly #events: Pick<EventStore, 'read'>
  readonly #branches = new Map<SessionId, Branch>()

  constructor(events: Pick<EventStore, 'read'>) {
    this.#events = events
  }

  /** Of rollbacks in their order; undefined where none can be. */
  async of(rows: readonly RollbackRow[]): Promise<RollbackId | undefined> {
    for (const row of [...rows].reverse()) if (wroteSomething(row) && !(await this.#mixes(row))) return row.id
    return undefined
  }

  async #mixes({ id, scope, sessionId }: RollbackRow): Promise<boolean> {
    if (scope === 'files' || sessionId === null) return false
    const branch = this.#branches.get(sessionId) ?? new Branch()
    this.#branches.set(sessionId, branch)
    for (const event of await this.#events.read(sessionId, branch.seq + 1)) branch.add(event)
    return branch.mixes(id)
  }
}

/** It stands, is no undo itself, and took back files or a conversation. */
function wroteSomething({ undoOf, state, scope, sessionId, beforeSnapshot, afterSnapshot, done }: RollbackRow): boolean {
  if (undoOf !== null || (state !== 'applied' && state !== 'partly')) return false
  return scope === 'conversation' ? sessionId !== null : beforeSnapshot !== null && afterSnapshot !== null && done > 0
}
