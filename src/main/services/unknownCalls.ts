import type { CallId, SessionId } from '../../shared/domain/ids'
import { fail, succeed, type Result, type Said } from '../../shared/domain/result'
import type { Recovery, UnknownAnswer } from '../../shared/ipc/recoveryViews'
import type { CancelSignal } from '../core/ports/cancelSignal'
import { subscribe } from './sessions'

/** Turns that a crash or an exit left and that go on here, each with the call of which nobody knows how it ended (R84). */
export interface UnknownCalls {
  list(): readonly Recovery[]
  /** The turn is taken up. */
  begin(recovery: Recovery): void
  /** The turn is over, or given up: nothing is asked about it any more. */
  end(id: SessionId): void
  /** Waits for the person, on no timer; null when the turn was cancelled. */
  ask(id: SessionId, call: NonNullable<Recovery['unknown']>, signal: CancelSignal): Promise<UnknownAnswer | null>
  /** The first answer wins. `refuses` says why an answer cannot be taken. */
  settle(callId: CallId, answer: UnknownAnswer, refuses: (recovery: Recovery) => Said | null): Result<null>
  onChange(listener: (open: readonly Recovery[]) => void): () => void
}

/** Makes an empty one. */
export function makeUnknownCalls(): UnknownCalls {
  const open = new Map<SessionId, Recovery>()
  const answers = new Map<CallId, (answer: UnknownAnswer | null) => void>()
  const listeners = new Set<(open: readonly Recovery[]) => void>()
  const list = (): readonly Recovery[] => [...open.values()]
  const changed = (): void => listeners.forEach((listener) => listener(list()))
  const show = (id: SessionId, unknown: Recovery['unknown']): void => {
    const known = open.get(id)
    if (known) open.set(id, { ...known, unknown })
    changed()
  }
  return {
    list,
    begin(recovery) {
      open.set(recovery.sessionId, recovery)
      changed()
    },
    end(id) {
      if (open.delete(id)) changed()
    },
    ask(id, call, signal) {
      if (signal.aborted) return Promise.resolve(null)
      return new Promise((resolve) => {
        const cancel = (): void => settle(null)
        const settle = (answer: UnknownAnswer | null): void => {
          signal.removeEventListener('abort', cancel)
          answers.delete(call.callId)
          show(id, null)
          resolve(answer)
        }
        answers.set(call.callId, settle)
        signal.addEventListener('abort', cancel, { once: true })
        show(id, call)
      })
    },
    settle(callId, answer, refuses) {
      const recovery = list().find(({ unknown }) => unknown?.callId === callId)
      const take = answers.get(callId)
      if (!recovery || !take) return fail('call.settled-already')
      const fault = refuses(recovery)
      if (fault) return { ok: false, fault }
      take(answer)
      return succeed(null)
    },
    onChange: (listener) => subscribe(listeners, listener),
  }
}
