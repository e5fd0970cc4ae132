import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { repairMessages, type LooseMessage } from '../../../../src/main/core/context/repair'
import { pairingProblems } from '../../../support/pairing'

// R32: history that a crash or cancel left unpaired is repaired before it is sent, and the repair is recorded.

const call = (id: string, args = '{}', name = 'run_command') => ({ id, type: 'function', function: { name, arguments: args } })
const asks = (...calls: readonly unknown[]): LooseMessage => ({ role: 'assistant', content: null, tool_calls: calls })
const result = (id: string, content = `result of ${id}`): LooseMessage => ({ role: 'tool', tool_call_id: id, content })
const user = (content: string): LooseMessage => ({ role: 'user', content })
const interrupted = (id: string): LooseMessage => ({ role: 'tool', tool_call_id: id, content: 'Interrupted before it finished.' })

function repair(messages: readonly unknown[]): { readonly messages: readonly LooseMessage[]; readonly codes: readonly string[] } {
  const { messages: repaired, repairs } = repairMessages(messages)
  return { messages: repaired, codes: repairs.map((fact) => fact.code) }
}

function caseB(name: string): readonly LooseMessage[] {
  return JSON.parse(readFileSync(resolve(import.meta.dirname, `../../../cases/B/${name}.messages.json`), 'utf8')) as LooseMessage[]
}

describe('R32: repair of a message list', () => {
  test('b03: a call without result gets one that says interrupted; the real one is kept', () => {
    const stored = [...caseB('b03'), user('never mind, explain instead')]
    expect(repair(stored)).toEqual({ messages: [...stored.slice(0, 3), interrupted('F'), user('never mind, explain instead')], codes: ['model.repaired-missing'] })
  })

  test('b11: broken arguments are sent as an object, the rest stays', () => {
    const stored = [...caseB('b11'), user('go on')]
    const [first, , ...rest] = stored
    expect(repair(stored)).toEqual({ messages: [first, asks(call('X', '{}', 'write_file')), ...rest], codes: ['model.repaired-arguments'] })
  })

  test('arguments that were repaired when they ran are sent as what ran', () => {
    expect(repair([asks(call('a', '{"n":1,}')), result('a')]).messages[0]).toEqual(asks(call('a', '{"n":1}')))
  })

  test('results that no call asked for and second ones are left out', () => {
    expect(repair([result('x'), asks(call('a')), result('a'), result('a'), result('b'), user('hi'), result('a')])).toEqual({
      messages: [asks(call('a')), result('a'), user('hi')],
      codes: ['model.repaired-orphan', 'model.repaired-duplicate', 'model.repaired-orphan', 'model.repaired-orphan'],
    })
  })

  test('a result behind another message is moved to its call, in call order', () => {
    expect(repair([asks(call('a'), call('b')), result('b'), user('hi'), result('a')])).toEqual({ messages: [asks(call('a'), call('b')), result('a'), result('b'), user('hi')], codes: ['model.repaired-moved'] })
  })

  test('a later result is not taken from a later call of the same id', () => {
    const later = [asks(call('a')), result('a')]
    expect(repair([asks(call('a')), user('hi'), ...later])).toEqual({ messages: [asks(call('a')), interrupted('a'), user('hi'), ...later], codes: ['model.repaired-missing'] })
  })

  test('two calls of one id in a message are told apart, each with a result', () => {
    expect(repair([asks(call('a', '{"n":1}'), call('a', '{"n":2}')), result('a', 'one'), result('a', 'two')])).toEqual({
      messages: [asks(call('a', '{"n":1}'), call('a_2', '{"n":2}')), result('a', 'one'), result('a_2', 'two')],
      codes: ['model.repaired-id'],
    })
  })

  test('calls without id, name or shape, and calls on other messages', () => {
    const odd = [{ type: 'function', function: { name: '', arguments: { n: 1 } } }, 'not a call', { id: 'x' }]
    const { messages, codes } = repair([asks(...odd), { role: 'user', content: 'hi', tool_calls: [call('u')] }, { role: 'assistant', content: '', tool_calls: [] }, null, 'text'])
    expect(messages).toEqual([
      asks({ id: 'call_1', type: 'function', function: { name: 'unknown_tool', arguments: '{"n":1}' } }),
      interrupted('call_1'),
      user('hi'),
    ])
    expect(new Set(codes)).toEqual(new Set(['model.repaired-id', 'model.repaired-name', 'model.repaired-arguments', 'model.repaired-call', 'model.repaired-missing', 'model.repaired-field', 'model.repaired-message']))
  })

  test('results in another order than the calls are a valid list and stay', () => {
    const valid = [asks(call('a'), call('b')), result('b'), result('a')]
    expect(repair(valid)).toEqual({ messages: valid, codes: [] })
  })

  const id = fc.constantFrom('a', 'b', 'c', '')
  const args = fc.constantFrom('{}', '{"n":1}', '{"n":1,}', '', 'null', '{"cut":"', '[1]', { n: 1 }, null)
  const looseCall = fc.oneof(
    { weight: 8, arbitrary: fc.record({ id, type: fc.constant('function'), function: fc.record({ name: fc.constantFrom('f', ''), arguments: args }) }) },
    { weight: 1, arbitrary: fc.constantFrom<unknown>(null, 7, {}, { id: 'a' }, { id: 3, function: { name: 'f', arguments: '{}' } }) },
  )
  const anyMessage = fc.oneof(
    fc.record({ role: fc.constantFrom('user', 'system'), content: fc.string() }),
    fc.record({ role: fc.constant('assistant'), content: fc.constantFrom(null, '', 'text'), tool_calls: fc.oneof(fc.array(looseCall, { maxLength: 3 }), fc.constantFrom<unknown>(null, {}, 'x')) }),
    fc.record({ role: fc.constant('tool'), tool_call_id: fc.oneof(id, fc.constantFrom<unknown>(3, null)), content: fc.string() }),
    fc.constantFrom<unknown>(null, 1, {}, { content: 'no role' }),
  )

  test('any list comes out with the pairing rule kept, and repairing again changes nothing', () => {
    fc.assert(fc.property(fc.array(anyMessage, { maxLength: 12 }), (messages) => {
      const once = repairMessages(messages)
      expect(pairingProblems(once.messages)).toEqual([])
      expect(repairMessages(once.messages)).toEqual({ messages: once.messages, repairs: [] })
    }), { numRuns: 1000 })
  })

  test('a list that keeps the rule comes back as it is', () => {
    const step = fc.array(fc.constantFrom('{}', '{"n": 1}', ' {"s":"x"} '), { minLength: 1, maxLength: 3 }).chain((texts) => {
      const calls = texts.map((text, at) => call(`c${at}`, text))
      return fc.shuffledSubarray(calls, { minLength: calls.length }).map((order) => [asks(...calls), ...order.map((one) => result(one.id))])
    })
    const plain = fc.constantFrom<readonly LooseMessage[]>([user('hi')], [{ role: 'assistant', content: 'text', extra: 1 }], [{ role: 'assistant', content: '' }])
    fc.assert(fc.property(fc.array(fc.oneof(step, plain), { maxLength: 8 }), (parts) => {
      const messages = parts.flat()
      expect(repairMessages(messages)).toEqual({ messages, repairs: [] })
    }))
  })
})
