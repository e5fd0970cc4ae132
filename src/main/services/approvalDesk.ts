import type { ApprovalAnswer, ApprovalDecision, ApprovalRequest } from '../../shared/domain/approval'
import type { CallId } from '../../shared/domain/ids'
import { fail, succeed, type Result, type Said } from '../../shared/domain/result'
import type { ApprovalDesk } from '../core/ports/approvalDesk'
import { subscribe } from './sessions'

/** The desk of one host: questions wait here for the person, over all sessions. */
export interface Desk extends ApprovalDesk {
  /** Oldest first. */
  list(): readonly ApprovalRequest[]
  /**
   * The person's answer. Refused when the question is gone, or when nonce or hash are not exactly those of the question:
   * a replayed, foreign or outdated answer (E19); and when it is no answer to a question of this kind. Refused too when what was edited cannot be done: the question stays, and the
   * person goes on with their text. The first answer wins.
   */
  decide(decision: ApprovalDecision): Result<null>
  /** Whether a question still shows what is there now. False also for one that is gone, and where that cannot be found out. */
  isFresh(question: Pick<ApprovalDecision, 'callId' | 'nonce'>): Promise<boolean>
  onChange(listener: (open: readonly ApprovalRequest[]) => void): () => void
}

interface Waiting {
  readonly request: ApprovalRequest
  readonly answer: (answer: ApprovalAnswer | null) => void
  readonly isAsShown: (() => Promise<boolean>) | null
}

/** Makes an empty desk. `refuses` says why an answer cannot be taken before it is; the gate judges it all the same. */
export function makeDesk(refuses: (request: ApprovalRequest, answer: ApprovalAnswer) => Said | null = () => null): Desk {
  const waiting = new Map<CallId, Waiting>()
  const listeners = new Set<(open: readonly ApprovalRequest[]) => void>()
  const list = (): readonly ApprovalRequest[] => [...waiting.values()].map((entry) => entry.request)
  const changed = (): void => listeners.forEach((listener) => listener(list()))

  return {
    list,
    onChange: (listener) => subscribe(listeners, listener),
    ask(request, signal, isAsShown) {
      if (signal.aborted) return Promise.resolve(null)
      return new Promise((resolve) => {
        const withdraw = (): void => settle(null)
        const settle = (answer: ApprovalAnswer | null): void => {
          signal.removeEventListener('abort', withdraw)
          if (waiting.get(request.callId)?.request !== request) return
          waiting.delete(request.callId)
          changed()
          resolve(answer)
        }
        waiting.set(request.callId, { request, answer: settle, isAsShown: isAsShown ?? null })
        signal.addEventListener('abort', withdraw, { once: true })
        changed()
      })
    },
    decide(decision) {
      const entry = waiting.get(decision.callId)
      if (!entry) return fail('approval.gone')
      const { nonce, argsHash } = entry.request
      if (decision.nonce !== nonce || decision.argsHash !== argsHash || !isAnswerTo(entry, decision.answer)) return fail('approval.outdated')
      const fault = refuses(entry.request, decision.answer)
      if (fault) return { ok: false, fault }
      entry.answer(decision.answer)
      return succeed(null)
    },
    async isFresh({ callId, nonce }) {
      const entry = waiting.get(callId)
      if (entry?.request.nonce !== nonce) return false
      return (await entry.isAsShown?.()) ?? true
    },
  }
}

/** A trial is tried where the card offers it, and kept or discarded where it shows one; what only shows something takes no other text. */
function isAnswerTo({ request: { preview, canTry }, isAsShown }: Waiting, { kind }: ApprovalAnswer): boolean {
  const isTrial = preview.kind === 'trial'
  switch (kind) {
    case 'look': return isAsShown !== null
    case 'try': return canTry === true
    case 'keep':
    case 'discard': return isTrial
    case 'allow': return !isTrial || preview.files.length === 0
    case 'edited':
    case 'edited-text': return !isTrial && preview.kind !== 'sampling' && preview.kind !== 'open-address'
    case 'deny':
    case 'skip': return true
  }
}
