import type { Call, CallChange } from '../../../shared/domain/call'
import { assertNever } from '../../../shared/domain/result'

/** A transition that the journal does not allow: a bug of whoever asked for it. */
export class IllegalTransition extends Error {}

/**
 * A call's row after a transition, or an `IllegalTransition`.
 *
 * intent → approved | refused → started → finished. Asking again takes an approval back (something differs). Only a read is
 * taken up by itself from its beginning after a crash cut it short; anything else only when a person said so (`again`). Both go
 * through the gate again. What is refused or finished stays so; nothing that can change files starts without a before-snapshot.
 */
export function nextCall(call: Call | null, change: CallChange): Call {
  if (change.to === 'intent') {
    if (call !== null) throw new IllegalTransition(`call ${call.callId} was recorded before`)
    return { ...unasked, ...change.call }
  }
  if (call === null) throw new IllegalTransition(`no call ${change.callId} to become ${change.to}`)
  const open: readonly Call['state'][] = call.effect === 'read' ? ['intent', 'approved', 'started'] : ['intent', 'approved']
  switch (change.to) {
    case 'asked':
      expectState(call, change.to, open)
      return { ...call, ...notStarted, state: 'intent', approved: null, decidedBy: null, ruleId: null, decidedAtMs: null, askedAtMs: change.askedAtMs, argsHash: change.argsHash }
    case 'approved': {
      expectState(call, change.to, open)
      const { approved, argsHash, decidedBy, ruleId, decidedAtMs } = change
      return { ...call, ...notStarted, state: 'approved', approved, argsHash, decidedBy, ruleId, decidedAtMs }
    }
    case 'refused':
      expectState(call, change.to, open)
      // Ended by nobody's decision: who had let it run stays recorded.
      if (change.decidedBy === null) return { ...call, state: 'refused', decidedAtMs: call.decidedAtMs ?? change.decidedAtMs, outcome: change.outcome }
      return { ...call, state: 'refused', decidedBy: change.decidedBy, decidedAtMs: change.decidedAtMs, outcome: change.outcome }
    case 'started': {
      expectState(call, change.to, call.effect === 'read' ? ['approved', 'started'] : ['approved'])
      const canChange = call.effect === 'write' || call.effect === 'execute'
      if (canChange && change.beforeSnapshot === null) throw new IllegalTransition(`call ${call.callId} can change files and has no before-snapshot`)
      const { effective, startedAtMs, beforeSnapshot, writes } = change
      return { ...call, state: 'started', effective, startedAtMs, beforeSnapshot, writes }
    }
    case 'again':
      expectState(call, change.to, ['started'])
      return { ...call, ...notStarted, state: 'intent', approved: null, decidedBy: null, ruleId: null, decidedAtMs: change.decidedAtMs, argsHash: null }
    case 'running':
      expectState(call, change.to, ['started'])
      return { ...call, pid: change.pid }
    case 'finished':
      expectState(call, change.to, ['started'])
      return { ...call, state: 'finished', finishedAtMs: change.finishedAtMs, afterSnapshot: change.afterSnapshot, outcome: change.outcome }
    default:
      return assertNever(change)
  }
}

function expectState(call: Call, to: string, allowed: readonly Call['state'][]): void {
  if (!allowed.includes(call.state)) throw new IllegalTransition(`call ${call.callId} is ${call.state} and cannot become ${to}`)
}

/** A call that starts anew has nothing left of the start that was cut short. */
const notStarted = { effective: null, startedAtMs: null, beforeSnapshot: null, pid: null, writes: [] } as const

const unasked = {
  ...notStarted,
  state: 'intent',
  approved: null,
  argsHash: null,
  decidedBy: null,
  ruleId: null,
  askedAtMs: null,
  decidedAtMs: null,
  finishedAtMs: null,
  afterSnapshot: null,
  outcome: null,
} as const
