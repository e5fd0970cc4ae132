import { describe, expect, test } from 'vitest'
import { said } from '../../../../src/shared/domain/result'
import { play, tool } from '../../../support/playTurn'
import { reply } from '../../../support/turnWorld'

describe('R20 R21 broken replies', () => {
  test('R20 a reply that falls silent stays, marked broken off; the request is sent again, a bounded number of times', async () => {
    const stalled = [{ kind: 'text-delta' as const, text: 'half' }, { kind: 'failed' as const, fault: { kind: 'stalled' as const, say: said('turn.incomplete'), canRetry: true } }]
    const kept = (events: Awaited<ReturnType<typeof play>>['events']) => events.flatMap((event) => (event.type === 'assistant-message-added' ? [[event.text, event.isComplete]] : []))
    const once = await play({ tools: [], replies: [stalled, reply('whole')] })
    expect({ reason: once.end.reason, text: once.end.text, kept: kept(once.events) }).toEqual({ reason: 'done', text: 'whole', kept: [['half', false], ['whole', true]] })
    const always = await play({ tools: [], replies: [stalled, stalled, stalled, reply('never')] })
    expect({ reason: always.end.reason, asked: always.requests.length }).toEqual({ reason: 'incomplete', asked: 3 })
  })

  test('a stream that was cut runs nothing, keeps the text, and says so', async () => {
    const { end, events, finished } = await play({ tools: [tool('put', 'write', () => 'never')], replies: [[{ kind: 'text-delta', text: 'half' }, { kind: 'call-piece', index: 0, id: 'a', name: 'put', argumentsText: '{}' }, { kind: 'failed', fault: { kind: 'cut', say: said('turn.incomplete'), canRetry: true } }]] })
    expect({ reason: end.reason, finished: finished.length, kept: events.flatMap((event) => (event.type === 'assistant-message-added' ? [[event.text, event.isComplete, event.calls.length]] : [])) }).toEqual({ reason: 'incomplete', finished: 0, kept: [['half', false, 0]] })
  })

  test('a call cut at the output limit is not run; the model is told and may go on, three times at most', async () => {
    const cut = [{ kind: 'call-piece' as const, index: 0, id: 'a', name: 'put', argumentsText: '{"text": "ab' }, { kind: 'stopped' as const, reason: 'length' as const }]
    const once = await play({ tools: [tool('put', 'write', () => 'never')], replies: [cut, reply('smaller now')] })
    expect({ reason: once.end.reason, told: once.requests[1]?.messages.at(-1)?.text }).toEqual({ reason: 'done', told: 'tool.cut-arguments' })
    const always = await play({ tools: [tool('put', 'write', () => 'never')], replies: [cut, cut, cut, cut] })
    expect({ reason: always.end.reason, asked: always.requests.length }).toEqual({ reason: 'incomplete', asked: 3 })
  })

  test('nothing at all is not done', async () => {
    const { end } = await play({ tools: [], replies: [[{ kind: 'stopped', reason: 'stop' }]] })
    expect(end.reason).toBe('error')
  })
})

describe('R112 R20 a stream torn off by the network', () => {
  const torn = (text: string, canRetry = true) => [{ kind: 'text-delta' as const, text }, { kind: 'failed' as const, fault: { kind: 'network' as const, say: said('model.reset', { host: 'h' }), canRetry } }]

  test('is asked for again, visibly and twice at most; what was shown stays in the record', async () => {
    const { end, events, parts } = await play({ tools: [], replies: [torn('Half of'), torn('Half'), reply('Whole.')] })
    expect([end.reason, end.text, events.flatMap((event) => (event.type === 'assistant-message-added' ? [[event.text, event.isComplete]] : []))]).toEqual(['done', 'Whole.', [['Half of', false], ['Half', false], ['Whole.', true]]])
    expect(parts.filter(({ type }) => type === 'retrying')).toHaveLength(2)
    expect((await play({ tools: [], replies: [torn('a'), torn('b'), torn('c'), reply('never')] })).end).toMatchObject({ reason: 'error', say: said('model.reset', { host: 'h' }), text: 'c' })
  })

  test('that cannot be mended, or a server that closes in the middle, ends the turn with a sentence', async () => {
    expect((await play({ tools: [], replies: [torn('a', false), reply('never')] })).end.reason).toBe('error')
    expect((await play({ tools: [], replies: [[{ kind: 'text-delta', text: 'a' }, { kind: 'failed', fault: { kind: 'cut', say: said('turn.incomplete'), canRetry: true } }], reply('never')] })).end.reason).toBe('incomplete')
  })
})

test('R93 a request that never arrived uses no token of a budget; one that broke off is estimated', async () => {
  const fault = { kind: 'network' as const, say: said('model.refused-connection', { host: 'h' }), canRetry: false }
  const used = async (parts: Parameters<typeof play>[0]['replies'][number]) => (await play({ tools: [], replies: [parts] })).events.flatMap((event) => (event.type === 'usage-reported' ? [event.usage] : []))
  expect(await used([{ kind: 'failed', fault }])).toEqual([{ inputTokens: 0, outputTokens: 0, estimated: true }])
  const [half] = await used([{ kind: 'text-delta', text: 'half an answer' }, { kind: 'failed', fault }])
  expect(half?.outputTokens).toBeGreaterThan(0)
})
