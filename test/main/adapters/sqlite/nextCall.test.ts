import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { IllegalTransition, nextCall } from '../../../../src/main/adapters/sqlite/nextCall'
import type { Call, CallChange, CallState } from '../../../../src/shared/domain/call'
import { asId, type CallId } from '../../../../src/shared/domain/ids'

const callId = asId<CallId>('call-1')

function intentOf(effect: Call['effect']): CallChange {
  return { to: 'intent', call: { callId, providerCallId: 'p', sessionId: asId('s'), turnId: asId('t'), step: 1, index: 0, tool: 'x', effect, proposed: '{}' } }
}

const asked: CallChange = { to: 'asked', callId, askedAtMs: 1, argsHash: 'h1' }
const approved: CallChange = { to: 'approved', callId, approved: { a: 1 }, argsHash: 'h2', decidedBy: 'person', ruleId: null, decidedAtMs: 2 }
const refused: CallChange = { to: 'refused', callId, decidedBy: 'policy', decidedAtMs: 2, outcome: 'denied' }
const started: CallChange = { to: 'started', callId, effective: { a: 2 }, startedAtMs: 3, beforeSnapshot: asId('snap'), writes: [] }
const running: CallChange = { to: 'running', callId, pid: 7 }
const finished: CallChange = { to: 'finished', callId, finishedAtMs: 4, afterSnapshot: null, outcome: 'ok' }
const changes = { asked, approved, refused, started, running, finished } as const

/** What may follow each state as the design says it; told a second time here so that the code is held against it. */
const follows: Readonly<Record<CallState, Partial<Record<keyof typeof changes, CallState>>>> = {
  intent: { asked: 'intent', approved: 'approved', refused: 'refused' },
  approved: { asked: 'intent', approved: 'approved', refused: 'refused', started: 'started' },
  refused: {},
  started: { running: 'started', finished: 'finished' },
  finished: {},
}

function tryNext(call: Call | null, change: CallChange): Call | 'illegal' {
  try {
    return nextCall(call, change)
  } catch (error) {
    if (error instanceof IllegalTransition) return 'illegal'
    throw error
  }
}

test('R84: in any order of transitions a call is only ever where the five states allow', () => {
  const names = fc.constantFrom(...(Object.keys(changes) as (keyof typeof changes)[]))
  fc.assert(
    fc.property(fc.constantFrom('read', 'write', 'execute', 'network' as const), fc.array(names, { maxLength: 12 }), (effect, order) => {
      let call = nextCall(null, intentOf(effect))
      for (const name of order) {
        // A read that a crash cut short is taken up from its beginning.
        const isCutRead = effect === 'read' && call.state === 'started'
        const expected = follows[call.state][name] ?? (isCutRead ? follows.approved[name] : undefined)
        const next = tryNext(call, changes[name])
        expect(next === 'illegal' ? undefined : next.state).toBe(expected)
        if (next !== 'illegal') call = next
      }
    }),
  )
})

describe('R84', () => {
  test('nothing that can change files starts without a before-snapshot', () => {
    for (const effect of ['write', 'execute', 'read', 'network'] as const) {
      const call = nextCall(nextCall(null, intentOf(effect)), approved)
      const next = tryNext(call, { ...started, beforeSnapshot: null })
      expect([effect, next === 'illegal']).toEqual([effect, effect === 'write' || effect === 'execute'])
    }
  })

  test('a read that is asked for again has nothing left of the start that was cut short', () => {
    const call = [approved, started, running, asked].reduce(nextCall, nextCall(null, intentOf('read')))
    expect(call).toMatchObject({ state: 'intent', effective: null, startedAtMs: null, beforeSnapshot: null, pid: null, writes: [] })
  })

  test('asking again takes the approval back', () => {
    const call = nextCall(nextCall(nextCall(null, intentOf('write')), approved), asked)
    expect(call).toMatchObject({ state: 'intent', approved: null, decidedBy: null, decidedAtMs: null, argsHash: 'h1' })
    expect(tryNext(call, started)).toBe('illegal')
  })

  test('a call that a cancelled turn ends keeps who had approved it', () => {
    const call = nextCall(nextCall(null, intentOf('write')), approved)
    expect(nextCall(call, { ...refused, decidedBy: null, decidedAtMs: 9, outcome: 'cancelled' })).toMatchObject({ state: 'refused', decidedBy: 'person', decidedAtMs: 2, outcome: 'cancelled' })
  })

  test('a call is recorded once, and one that was not recorded cannot go on', () => {
    expect(tryNext(nextCall(null, intentOf('read')), intentOf('read'))).toBe('illegal')
    expect(tryNext(null, approved)).toBe('illegal')
  })
})
