import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { makeAssembler } from '../../../../src/main/core/stream/assemble'
import type { AssembledReply, StopReason, StreamPart } from '../../../../src/shared/domain/model'
import { said } from '../../../../src/shared/domain/result'

// R17, R19, R21: calls are put together from raw pieces; only a stream that stopped as it should is complete.

type Piece = Omit<Extract<StreamPart, { kind: 'call-piece' }>, 'kind'>

function assemble(pieces: readonly Piece[], reason: StopReason = 'tool-calls', prefix?: string): AssembledReply {
  const assembler = makeAssembler(prefix)
  for (const piece of pieces) assembler.feed({ kind: 'call-piece', ...piece })
  assembler.feed({ kind: 'stopped', reason })
  return assembler.result()
}

function calls(pieces: readonly Piece[]): readonly (readonly [string, string, string])[] {
  return assemble(pieces).calls.map((call) => [call.providerCallId, call.name, call.argumentsText] as const)
}

describe('R17: pieces find their call', () => {
  test('ids that repeat on every piece keep to their call, whatever the order', () => {
    expect(calls([
      { index: 0, id: 'a', name: 'read_file' }, { index: 1, id: 'b', name: 'grep' },
      { index: 1, id: 'b', name: 'grep', argumentsText: '{"pattern"' }, { index: 0, id: 'a', name: 'read_file', argumentsText: '{"path":' },
      { index: 0, id: 'a', argumentsText: '"x"}' }, { index: 1, id: 'b', argumentsText: ':"y"}' },
    ])).toEqual([['a', 'read_file', '{"path":"x"}'], ['b', 'grep', '{"pattern":"y"}']])
  })

  test('an id that comes after the arguments is the id of the call that was opened without one', () => {
    expect(calls([{ index: 0, name: 'read_file', argumentsText: '{"path":"x"}' }, { index: 0, id: 'late' }])).toEqual([['late', 'read_file', '{"path":"x"}']])
  })

  test('a call may be opened by its arguments alone; name and id follow', () => {
    expect(calls([{ argumentsText: '{"path":' }, { name: 'read_file' }, { argumentsText: '"x"}' }, { id: 'late' }])).toEqual([['late', 'read_file', '{"path":"x"}']])
    expect(calls([{ index: 0, id: 'a' }, { index: 0, name: 'read_file' }, { index: 0, argumentsText: '{}' }])).toEqual([['a', 'read_file', '{}']])
  })

  test('calls without any id or index open at each name after whole arguments', () => {
    expect(calls([{ name: 'read_file', argumentsText: '{"path":"a"}' }, { name: 'read_file', argumentsText: '{"path":"b"}' }])).toEqual([
      ['call_1', 'read_file', '{"path":"a"}'],
      ['call_2', 'read_file', '{"path":"b"}'],
    ])
  })

  test('calls without ids that all say index 0 are told apart the same way', () => {
    expect(calls([
      { index: 0, name: 'read_file' }, { index: 0, argumentsText: '{"path":"a"}' },
      { index: 0, name: 'grep' }, { index: 0, argumentsText: '{"pattern":"b"}' },
    ])).toEqual([['call_1', 'read_file', '{"path":"a"}'], ['call_2', 'grep', '{"pattern":"b"}']])
  })

  test('heads that all say index 0 and tails with the right index are read by order of opening', () => {
    expect(calls([
      { index: 0, id: 'a', name: 'read_file' }, { index: 0, id: 'b', name: 'grep' },
      { index: 0, argumentsText: '{"path":' }, { index: 1, argumentsText: '{"pattern":' },
      { index: 0, argumentsText: '"x"}' }, { index: 1, argumentsText: '"y"}' },
    ])).toEqual([['a', 'read_file', '{"path":"x"}'], ['b', 'grep', '{"pattern":"y"}']])
  })

  test('indexes need not begin at 0 nor be contiguous', () => {
    expect(calls([{ index: 7, id: 'a', name: 'read_file', argumentsText: '{"path"' }, { index: 3, id: 'b', name: 'grep', argumentsText: '{' }, { index: 7, argumentsText: ':"x"}' }, { index: 3, argumentsText: '}' }])).toEqual([
      ['a', 'read_file', '{"path":"x"}'],
      ['b', 'grep', '{}'],
    ])
  })

  test('a name that is repeated on every piece is not joined to itself', () => {
    expect(calls([{ index: 0, id: 'a', name: 'bash', argumentsText: '' }, { index: 0, name: 'bash', argumentsText: '{"command":' }, { index: 0, name: 'bash', argumentsText: '"ls"}' }])).toEqual([['a', 'bash', '{"command":"ls"}']])
  })

  test('a name that comes in pieces before the arguments is joined', () => {
    expect(calls([{ index: 0, id: 'a', name: 'run_' }, { index: 0, name: 'command' }, { index: 0, argumentsText: '{"command":"ls"}' }])).toEqual([['a', 'run_command', '{"command":"ls"}']])
  })

  test('whole arguments that are sent once more after their pieces count once', () => {
    expect(calls([{ index: 0, id: 'a', name: 'bash', argumentsText: '{"command":' }, { index: 0, argumentsText: '"ls"}' }, { index: 0, id: 'a', name: 'bash', argumentsText: '{"command":"ls"}' }])).toEqual([['a', 'bash', '{"command":"ls"}']])
  })

  test('pieces that each repeat all before them give the last one', () => {
    expect(calls([{ index: 0, id: 'a', name: 'bash', argumentsText: '{"co' }, { index: 0, argumentsText: '{"command":' }, { index: 0, argumentsText: '{"command":"ls"' }, { index: 0, argumentsText: '{"command":"ls"}' }])).toEqual([['a', 'bash', '{"command":"ls"}']])
  })

  test('a nested object whose piece begins like the one before it stays joined', () => {
    expect(calls([{ index: 0, id: 'a', name: 'f', argumentsText: '{"a":' }, { index: 0, argumentsText: '{"a":1}}' }])).toEqual([['a', 'f', '{"a":{"a":1}}']])
  })

  test('two calls that were given one id are told apart and get an id each', () => {
    expect(calls([{ index: 0, id: 'same', name: 'read_file', argumentsText: '{"path":"a"}' }, { index: 1, id: 'same', name: 'read_file', argumentsText: '{"path":"b"}' }])).toEqual([
      ['same', 'read_file', '{"path":"a"}'],
      ['same_2', 'read_file', '{"path":"b"}'],
    ])
  })

  test('missing ids never take one that another call of the reply has', () => {
    const reply = assemble([{ index: 0, id: 'call_2', name: 'a', argumentsText: '{}' }, { index: 1, name: 'b', argumentsText: '{}' }])
    expect(reply.calls.map((call) => call.providerCallId)).toEqual(['call_2', 'call_2_2'])
    expect(assemble([{ name: 'a', argumentsText: '{}' }], 'tool-calls', 's7').calls[0]?.providerCallId).toBe('s7_1')
  })

  test('an empty piece beside a text opens no call', () => {
    const assembler = makeAssembler()
    assembler.feed({ kind: 'text-delta', text: 'hello' })
    assembler.feed({ kind: 'call-piece', index: 0, id: '', name: '', argumentsText: '' })
    assembler.feed({ kind: 'stopped', reason: 'stop' })
    expect(assembler.result()).toEqual({ status: 'complete', text: 'hello', reasoning: '', thinking: [], calls: [], usage: null, stop: 'stop', fault: null })
  })

  test('any interleaving of pieces with their index gives the same calls', () => {
    const call = fc.record({ path: fc.string(), n: fc.integer() }).map((args) => JSON.stringify(args))
    fc.assert(
      fc.property(fc.array(call, { minLength: 1, maxLength: 4 }), fc.infiniteStream(fc.nat()), (texts, random) => {
        const pieces: Piece[] = []
        const rest = texts.map((text, index) => ({ index, text, isOpen: false }))
        while (rest.some((one) => one.text !== '')) {
          const open = rest.filter((one) => one.text !== '')
          const one = open[(random.next().value ?? 0) % open.length]
          if (!one) break
          const length = 1 + ((random.next().value ?? 0) % 5)
          // Heads in order, as every provider sends them; then anything.
          const head = rest.find((other) => !other.isOpen)
          if (head) {
            pieces.push({ index: head.index, id: `id${head.index}`, name: `tool${head.index}` })
            head.isOpen = true
          } else {
            pieces.push({ index: one.index, argumentsText: one.text.slice(0, length) })
            one.text = one.text.slice(length)
          }
        }
        expect(calls(pieces)).toEqual(texts.map((text, index) => [`id${index}`, `tool${index}`, text]))
      }),
    )
  })
})

describe('only a proper stop is complete', () => {
  const piece: Piece = { index: 0, id: 'a', name: 'write_file', argumentsText: '{"path":"a"}' }
  const fault = (kind: 'cut' | 'stalled' | 'server') => ({ kind, say: said('turn.incomplete'), canRetry: true })

  test('a stream without an end is incomplete', () => {
    const assembler = makeAssembler()
    assembler.feed({ kind: 'call-piece', ...piece })
    expect(assembler.result()).toMatchObject({ status: 'incomplete', stop: null, fault: null })
  })

  test.each([['cut', 'incomplete'], ['stalled', 'incomplete'], ['server', 'error']] as const)('a stream that failed as %s is %s and keeps its text', (kind, status) => {
    const assembler = makeAssembler()
    assembler.feed({ kind: 'text-delta', text: 'half' })
    assembler.feed({ kind: 'failed', fault: fault(kind) })
    assembler.feed({ kind: 'text-delta', text: 'never' })
    expect(assembler.result()).toMatchObject({ status, text: 'half', fault: { kind } })
  })

  test('the output limit inside a reply with calls leaves none of them to run', () => {
    expect(assemble([piece], 'length')).toMatchObject({ status: 'incomplete', stop: 'length' })
  })

  test('the output limit inside a text leaves the text whole', () => {
    const assembler = makeAssembler()
    assembler.feed({ kind: 'text-delta', text: 'long' })
    assembler.feed({ kind: 'stopped', reason: 'length' })
    expect(assembler.result()).toMatchObject({ status: 'complete', stop: 'length', text: 'long' })
  })

  test('a filtered reply runs nothing', () => {
    expect(assemble([piece], 'filtered')).toMatchObject({ status: 'error', stop: 'filtered', fault: { kind: 'refused' } })
  })

  test('an unknown reason to stop runs nothing', () => {
    expect(assemble([piece], 'other')).toMatchObject({ status: 'incomplete', fault: { kind: 'protocol' } })
  })

  test('calls count although the provider says stop', () => {
    expect(assemble([piece], 'stop')).toMatchObject({ status: 'complete', calls: [{ providerCallId: 'a' }] })
  })

  test.each(['stop', 'tool-calls'] as const)('nothing at all before %s is an error, also when the model thought', (reason) => {
    const assembler = makeAssembler()
    assembler.feed({ kind: 'thinking-delta', text: 'hm' })
    assembler.feed({ kind: 'text-delta', text: ' \n' })
    assembler.feed({ kind: 'stopped', reason })
    expect(assembler.result()).toMatchObject({ status: 'error', reasoning: 'hm', fault: { kind: 'empty', canRetry: true } })
  })

  test('a stop for calls that never came is not taken for the end of the work', () => {
    const assembler = makeAssembler()
    assembler.feed({ kind: 'text-delta', text: 'I will read it.' })
    assembler.feed({ kind: 'stopped', reason: 'tool-calls' })
    expect(assembler.result()).toMatchObject({ status: 'incomplete', fault: { kind: 'protocol' } })
  })

  test('growing shows the call that the last piece went to', () => {
    const assembler = makeAssembler()
    expect(assembler.growing()).toBeNull()
    assembler.feed({ kind: 'call-piece', ...piece })
    assembler.feed({ kind: 'call-piece', index: 1, id: 'b', name: 'grep', argumentsText: '{"p' })
    expect(assembler.growing()).toEqual({ index: 1, name: 'grep', tail: '{"p', characters: 3 })
  })
})
