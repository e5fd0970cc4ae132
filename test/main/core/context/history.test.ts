import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { historyFor, makeHistory } from '../../../../src/main/core/context/history'
import type { AgentEvent, EventDraft } from '../../../../src/shared/domain/event'
import { asId, type CallId, type MessageId, type RollbackId, type SessionId, type TurnId } from '../../../../src/shared/domain/ids'
import type { ModelMessage } from '../../../../src/shared/domain/model'
import { said } from '../../../../src/shared/domain/result'
import { pairingProblems } from '../../../support/pairing'

// R5, R20, R22, R32, R91: what the model is sent is a fold over the events.

const sessionId = asId<SessionId>('s')
const turnId = asId<TurnId>('t')
const choice = { provider: 'p', model: 'm' }
const inTurn = { turnId, step: 1 }

function numbered(drafts: readonly EventDraft[]): readonly AgentEvent[] {
  return drafts.map((draft, at) => ({ ...draft, v: 1, sessionId, seq: at + 1, atMs: at }))
}

const user = (text: string): EventDraft => ({ type: 'user-message-added', turnId, messageId: asId<MessageId>(text), text })

interface ReplyOf {
  readonly text?: string
  readonly reasoning?: string
  readonly calls?: readonly (readonly [callId: string, providerCallId: string, args?: string])[]
  readonly isComplete?: boolean
}

function reply({ text = '', reasoning = '', calls = [], isComplete = true }: ReplyOf): EventDraft {
  return {
    type: 'assistant-message-added', ...inTurn, messageId: asId<MessageId>('m'), text, reasoning, choice, stop: 'stop', isComplete,
    calls: calls.map(([callId, providerCallId, argumentsText = '{}']) => ({ callId: asId<CallId>(callId), providerCallId, name: 'read_file', argumentsText })),
  }
}

function finished(callId: string, text: string): EventDraft {
  return { type: 'tool-finished', ...inTurn, callId: asId<CallId>(callId), status: 'ok', say: said('turn.done'), text, changed: [], exitCode: null, outputRef: null, durationMs: 0 }
}

const loaded = (name: string, callId: string | null): EventDraft => ({
  type: 'skill-loaded', ...inTurn, callId: callId === null ? null : asId<CallId>(callId), skill: { origin: 'user', path: `${name}/SKILL.md`, name, version: null }, inputs: {}, text: `<<skill ${name}>>`, tools: null, outputSchema: null,
})

function rolledBack(id: string, hidden: { readonly fromSeq: number; readonly toSeq: number } | null, paths: readonly string[] = []): EventDraft {
  return { type: 'rolled-back', rollbackId: asId<RollbackId>(id), scope: hidden ? 'both' : 'files', hidden, paths, failed: [] }
}

const undone = (id: string, undoneId: string): EventDraft => ({ type: 'rollback-undone', rollbackId: asId<RollbackId>(id), undoneId: asId<RollbackId>(undoneId) })

function history(drafts: readonly EventDraft[]): readonly ModelMessage[] {
  return historyFor(numbered(drafts), '')
}

const asked = (ids: readonly string[], text = ''): ModelMessage => ({ role: 'assistant', text, calls: ids.map((id) => ({ providerCallId: id, name: 'read_file', argumentsText: '{}' })) })
const answered = (id: string, text: string): ModelMessage => ({ role: 'tool', providerCallId: id, name: 'read_file', text })

describe('the history of the next request', () => {
  test('R5: results stand behind their message in call order, whatever finished first', () => {
    expect(historyFor(numbered([user('hi'), reply({ text: 'I look.', calls: [['1', 'a'], ['2', 'b']] }), finished('2', 'two'), finished('1', 'one'), reply({ text: 'Done.' })]), 'You are.')).toEqual([
      { role: 'system', text: 'You are.' },
      { role: 'user', text: 'hi' },
      asked(['a', 'b'], 'I look.'),
      answered('a', 'one'),
      answered('b', 'two'),
      { role: 'assistant', text: 'Done.', calls: [] },
    ])
  })

  test('R32: a call without result is answered as interrupted, once, and the repair is told once', () => {
    const kept = makeHistory()
    for (const event of numbered([user('hi'), reply({ calls: [['1', 'a'], ['2', 'b']] }), finished('1', 'one'), user('go on')])) kept.add(event)
    expect(kept.messages('')).toEqual([{ role: 'user', text: 'hi' }, asked(['a', 'b']), answered('a', 'one'), answered('b', 'Interrupted before it finished.'), { role: 'user', text: 'go on' }])
    expect(kept.takeRepairs()).toEqual([said('model.repaired-missing', { id: 'b', tool: 'read_file' })])
    expect(kept.takeRepairs()).toEqual([])
  })

  test('R32: a repair that was recorded is not recorded again after a restart', () => {
    const kept = makeHistory()
    for (const event of numbered([reply({ calls: [['1', 'a']] }), { type: 'history-repaired', turnId, repairs: [] }])) kept.add(event)
    expect(kept.takeRepairs()).toEqual([])
  })

  test('only the first result of a call counts', () => {
    expect(history([reply({ calls: [['1', 'a']] }), finished('1', 'one'), finished('1', 'again')])).toEqual([asked(['a']), answered('a', 'one')])
  })

  test('R20: a reply that broke off is text without calls, and goes when a new one follows', () => {
    const broken = reply({ text: 'half', calls: [['1', 'a']], isComplete: false })
    expect(history([user('hi'), broken])).toEqual([{ role: 'user', text: 'hi' }, { role: 'assistant', text: 'half', calls: [] }])
    expect(history([user('hi'), broken, reply({ text: 'whole' })])).toEqual([{ role: 'user', text: 'hi' }, { role: 'assistant', text: 'whole', calls: [] }])
    expect(history([user('hi'), broken, user('go on'), reply({ text: 'more' })])).toHaveLength(4)
  })

  test('replies with nothing to send are left out; thinking goes with its reply; a first message of white space is one of a note', () => {
    expect(history([user('  '), reply({ reasoning: 'hm' }), user(' '), reply({ text: 'x', reasoning: 'hm' })])).toEqual([
      { role: 'user', text: '[Note from the app] The user sent no words here.' },
      { role: 'assistant', text: 'x', reasoning: 'hm', calls: [] },
    ])
  })

  test('R91: ids that a provider gives out again in a later reply are told apart', () => {
    expect(history([reply({ calls: [['1', 'call_0']] }), finished('1', 'one'), reply({ calls: [['2', 'call_0']] }), finished('2', 'two')])).toEqual([asked(['call_0']), answered('call_0', 'one'), asked(['call_0_2']), answered('call_0_2', 'two')])
  })

  test.each([['{"path":"a","content":"oops', '{}'], ['', '{}'], ['{"n":1,}', '{"n":1}'], ['{"n": 1}', '{"n": 1}']])('b11: the arguments %j are sent as %j', (stored, sent) => {
    const [message] = history([reply({ calls: [['1', 'a', stored]] }), finished('1', 'x')])
    expect(message).toMatchObject({ calls: [{ argumentsText: sent }] })
  })

  test('notes reach the model only when they are meant for it', () => {
    const note = (isForModel: boolean): EventDraft => ({ type: 'note-added', ...inTurn, say: said('tool.cut-arguments'), isForModel })
    expect(history([note(false)])).toEqual([])
    expect(history([note(true)])).toEqual([{ role: 'user', text: '[Note from the app] Your output was cut at the limit in the middle of this call. Nothing was run or written. Send it again in smaller pieces.' }])
  })

  test('a rolled-back range is hidden, shown again when undone, hidden again when that is undone', () => {
    const drafts = [user('one'), reply({ text: 'first' }), user('two'), reply({ text: 'second' }), rolledBack('r', { fromSeq: 3, toSeq: 4 })]
    const texts = (more: readonly EventDraft[]) => history([...drafts, ...more]).map((message) => message.role === 'tool' ? '' : message.text)
    expect(texts([])).toEqual(['one', 'first'])
    expect(texts([user('three')])).toEqual(['one', 'first', 'three'])
    expect(texts([undone('u', 'r')])).toEqual(['one', 'first', 'two', 'second'])
    expect(texts([undone('u', 'r'), undone('v', 'u')])).toEqual(['one', 'first'])
  })

  test('a result inside a hidden range is replaced by a word about it, so that pairing holds', () => {
    expect(history([reply({ calls: [['1', 'a'], ['2', 'b']] }), finished('1', 'one'), finished('2', 'two'), rolledBack('r', { fromSeq: 3, toSeq: 3 })])).toEqual([asked(['a', 'b']), answered('a', 'one'), answered('b', 'The user took this call back: what it changed was undone.')])
  })

  test('R58: a message that a skill stands in stays the same object until the skill stands elsewhere', () => {
    const kept = makeHistory()
    for (const event of numbered([user('hi'), loaded('a', '1'), loaded('a', null), user('again'), user('end')])) kept.add(event)
    const before = kept.messages('')
    expect(before.map((message) => message.text)).toEqual(['hi', '<<skill a>>', 'again', 'end'])
    expect(kept.messages('').every((message, at) => message === before[at])).toBe(true)
    for (const event of numbered([...Array.from({ length: 5 }, () => user('')), rolledBack('r', { fromSeq: 1, toSeq: 2 })]).slice(5)) kept.add(event)
    const after = kept.messages('')
    expect(after.map((message) => message.text)).toEqual(['<<skill a>>\n\nagain', 'end'])
    expect(after[1]).toBe(before[3])
  })

  test('a rollback of files alone is told to the model', () => {
    const [note, undo] = history([rolledBack('r', null, ['a.txt', 'b.txt']), undone('u', 'r')])
    expect(note).toMatchObject({ role: 'user', text: expect.stringContaining('a.txt, b.txt') as string })
    expect(undo).toMatchObject({ role: 'user', text: expect.stringContaining('undid that rollback') as string })
  })

  test('messages that did not change are the same objects, and the system text may', () => {
    const kept = makeHistory()
    const events = numbered([user('hi'), reply({ calls: [['1', 'a']] }), finished('1', 'one'), reply({ text: 'x' })])
    for (const event of events.slice(0, 3)) kept.add(event)
    const before = kept.messages('one')
    for (const event of events.slice(3)) kept.add(event)
    const after = kept.messages('one')
    expect(after.slice(0, before.length).every((message, at) => message === before[at])).toBe(true)
    expect(kept.messages('two')[0]).toEqual({ role: 'system', text: 'two' })
  })
})

describe('pairing holds for any course of events', () => {
  const ids = ['1', '2', '3', '4']
  const draft = fc.oneof(
    fc.string().map(user),
    fc.record({ text: fc.constantFrom('', 'text'), isComplete: fc.boolean(), calls: fc.array(fc.tuple(fc.constantFrom(...ids), fc.constantFrom('a', 'b', ''), fc.constantFrom('{}', '{"cut', '')), { maxLength: 3 }) }).map(reply),
    fc.tuple(fc.constantFrom(...ids), fc.string()).map(([id, text]) => finished(id, text)),
    fc.tuple(fc.constantFrom('a', 'b'), fc.constantFrom('1', null)).map(([name, callId]) => loaded(name, callId)),
    fc.tuple(fc.constantFrom('r', 'q'), fc.nat(10), fc.nat(10)).map(([id, from, length]) => rolledBack(id, { fromSeq: from, toSeq: from + length })),
    fc.tuple(fc.constantFrom('u', 'v'), fc.constantFrom('r', 'q', 'u')).map(([id, of]) => undone(id, of)),
  )

  // Call ids are unique for ever: a generated id that came already is dropped.
  function unique(drafts: readonly EventDraft[]): readonly EventDraft[] {
    const seen = new Set<string>()
    return drafts.map((one) => one.type !== 'assistant-message-added' ? one : { ...one, calls: one.calls.filter((call) => !seen.has(call.callId) && seen.add(call.callId)) })
  }

  const wire = (message: ModelMessage) =>
    message.role === 'tool'
      ? { role: 'tool', tool_call_id: message.providerCallId, content: message.text }
      : { role: message.role, content: message.text, ...(message.role === 'assistant' && message.calls.length > 0 ? { tool_calls: message.calls.map((call) => ({ id: call.providerCallId, function: { name: call.name, arguments: call.argumentsText } })) } : {}) }

  test('R32, R58, invariant 1: the kept history equals the one made afresh, and both keep the pairing rule and tell a skill once', () => {
    fc.assert(fc.property(fc.array(draft, { maxLength: 25 }), (drafts) => {
      const events = numbered(unique(drafts))
      const kept = makeHistory()
      events.forEach((event, at) => {
        kept.add(event)
        const now = kept.messages('s')
        expect(now).toEqual(historyFor(events.slice(0, at + 1), 's'))
        expect(pairingProblems(now.map(wire))).toEqual([])
        for (const name of ['a', 'b']) expect(now.filter((message) => message.text.includes(`<<skill ${name}>>`)).length).toBeLessThanOrEqual(1)
      })
    }), { numRuns: 200 })
  })
})
