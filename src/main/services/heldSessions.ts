import type { SessionId } from '../../shared/domain/ids'
import type { CancelSignal } from '../core/ports/cancelSignal'
import { subscribe } from './sessions'

interface Held {
  readonly cancel: AbortController
  step: AbortController | null
  /** Takes the step's listener off the turn's signal. */
  release: () => void
  ended: Promise<unknown>
}

/** Which sessions work in this process, one piece of work each; over all processes the record sees to it. */
export interface HeldSessions {
  has(id: SessionId): boolean
  list(): readonly SessionId[]
  hold<Outcome>(id: SessionId, work: (signal: CancelSignal) => Promise<Outcome>): Promise<Outcome>
  cancel(id: SessionId): void
  /** Cancels and waits for the end. */
  end(ids: readonly SessionId[]): Promise<void>
  /** A signal for the step that begins: aborted with the turn's, or by `interrupt`. */
  stepSignal(id: SessionId, ofTurn: CancelSignal): CancelSignal
  /** Aborts the running step alone; without one it does nothing. */
  interrupt(id: SessionId): void
  /** Told when work begins or ends. */
  onChange(listener: () => void): () => void
}

/** Makes an empty set. */
export function makeHeldSessions(): HeldSessions {
  const held = new Map<SessionId, Held>()
  const listeners = new Set<() => void>()
  const changed = (): void => listeners.forEach((listener) => listener())
  return {
    has: (id) => held.has(id),
    list: () => [...held.keys()],
    hold(id, work) {
      const entry: Held = { cancel: new AbortController(), step: null, release: () => undefined, ended: Promise.resolve() }
      held.set(id, entry)
      changed()
      const done = (async () => {
        try {
          return await work(entry.cancel.signal)
        } finally {
          entry.release()
          held.delete(id)
          changed()
        }
      })()
      entry.ended = done.catch(() => undefined) // whoever asked for the work is told
      return done
    },
    cancel: (id) => held.get(id)?.cancel.abort(),
    async end(ids) {
      const entries = ids.flatMap((id) => held.get(id) ?? [])
      entries.forEach((entry) => entry.cancel.abort())
      await Promise.all(entries.map((entry) => entry.ended))
    },
    stepSignal(id, ofTurn) {
      const entry = held.get(id)
      if (!entry) return ofTurn
      entry.release()
      const step = new AbortController()
      const abort = (): void => step.abort()
      if (ofTurn.aborted) step.abort()
      ofTurn.addEventListener('abort', abort, { once: true })
      entry.step = step
      entry.release = () => ofTurn.removeEventListener('abort', abort)
      return step.signal
    },
    interrupt: (id) => held.get(id)?.step?.abort(),
    onChange: (listener) => subscribe(listeners, listener),
  }
}
