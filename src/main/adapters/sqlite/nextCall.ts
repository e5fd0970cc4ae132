import type { Call, CallChange } from '../../../shared/domain/call'
import { assertNever } from '../../../shared/domain/result'

/** A transition that the journal does not allow: a bug of whoever asked for it. */
export class IllegalTransition extends Error {}

/**
 * A call's row after a transition, or an `IllegalTransition`.
 *
 * intent → approved | refused → started → finished. Asking again takes an approval back (something differs). Only a read may
 * start twice: it is run again after a crash. What is refused or finished stays so; nothing that can change files starts
 * without a before-snapshot.
 */
export function nextCall(call: Call | null, change: CallChange): Call {
  if (change.to === 'intent') {
    if (call !== null) throw new IllegalTransition(`call ${call.callId} was recorded before`)
    return { ...unasked, ...change.call }
  }
  if (call === null) throw new IllegalTransition(`no call ${change.callId} to become ${change.to}`)
  switch (change.to) {
    case 'asked':
      expectState(call, change.to, ['intent', 'approved'])
      return { ...call, state: 'intent', approved: null, decidedBy: null, ruleId: null, decidedAtMs: null, askedAtMs: change.askedAtMs, argsHash: change.argsHash }
    case 'approved': {
      expectState(call, change.to, ['intent', 'approved'])
      const { approved, argsHash, decidedBy, ruleId, decidedAtMs } = change
      return { ...call, state: 'approved', approved, argsHash, decidedBy, ruleId, decidedAtMs }
    }
    case 'refused':
      expectState(call, change.to, ['intent', 'approved'])
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

const unasked = {
  state: 'intent',
  approved: null,
  effective: null,
  argsHash: null,
  decidedBy: null,
  ruleId: null,
  askedAtMs: null,
  decidedAtMs: null,
  startedAtMs: null,
  finishedAtMs: null,
  beforeSnapshot: null,
  afterSnapshot: null,
  pid: null,
  writes: [],
  outcome: null,
} as const
