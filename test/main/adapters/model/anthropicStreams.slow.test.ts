import { describe, expect, test } from 'vitest'
import { makeAssembler } from '../../../../src/main/core/stream/assemble'
import type { AssembledReply } from '../../../../src/shared/domain/model'
import { assembleStep } from '../../../lab/assemble'
import { httpAnswer, rawStream, startFakeModelServer, type FakeStep } from '../../../support/fakeModelServer'
import { clientOf, partsOf } from './world'

// R16–R21, R88: Anthropic's stream, https://docs.claude.com/en/docs/build-with-claude/streaming, in the ways of test/cases/A.

type Fields = Readonly<Record<string, unknown>>
const event = (fields: Fields): string => `event: ${String(fields['type'])}\ndata: ${JSON.stringify(fields)}\n\n`
const begin = event({ type: 'message_start', message: { id: 'msg_1', type: 'message', role: 'assistant', content: [], stop_reason: null, usage: { input_tokens: 20, cache_creation_input_tokens: 5, cache_read_input_tokens: 75, output_tokens: 1 } } })
const start = (index: number, content_block: Fields): string => event({ type: 'content_block_start', index, content_block })
const delta = (index: number, fields: Fields): string => event({ type: 'content_block_delta', index, delta: fields })
const stop = (index: number): string => event({ type: 'content_block_stop', index })
const text = (index: number, ...texts: readonly string[]): string => start(index, { type: 'text', text: '' }) + texts.map((one) => delta(index, { type: 'text_delta', text: one })).join('') + stop(index)
const json = (index: number, partial_json: string): string => delta(index, { type: 'input_json_delta', partial_json })
const tool = (index: number, id: string, name = 'read_file', input: Fields = {}): string => start(index, { type: 'tool_use', id, name, input })
const end = (stop_reason: string): string => event({ type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: 30 } }) + event({ type: 'message_stop' })
const ping = event({ type: 'ping' })

const read = (body: string, spoil = {}) => assembleStep(rawStream(body, spoil), 'anthropic')

/** The reply with what goes back of its thinking. */
async function assembled(step: FakeStep): Promise<AssembledReply> {
  const server = await startFakeModelServer({ steps: [step] })
  const { client, close } = clientOf(server.origin, { at: { protocol: 'anthropic' }, key: 'k' })
  const assembler = makeAssembler()
  for (const part of await partsOf(client)) assembler.feed(part)
  expect(server.requests[0]?.headers).toMatchObject({ 'x-api-key': 'k', 'anthropic-version': '2023-06-01' })
  expect(server.requests[0]?.path).toBe('/v1/messages')
  await close()
  await server.close()
  return assembler.result()
}

const whole = begin + ping + start(0, { type: 'thinking', thinking: '', signature: '' }) + delta(0, { type: 'thinking_delta', thinking: 'Let ' }) + delta(0, { type: 'thinking_delta', thinking: 'me see 🙂' }) + delta(0, { type: 'signature_delta', signature: 'S1' }) + stop(0) + start(1, { type: 'redacted_thinking', data: 'R1' }) + stop(1) + text(2, '看', '一看。') + tool(3, 'toolu_1') + json(3, '') + json(3, '{"path":') + json(3, '"文.txt"}') + stop(3) + end('tool_use')

describe('a whole reply', () => {
  const expected = { status: 'complete', text: '看一看。', reasoning: 'Let me see 🙂', calls: [{ id: 'toolu_1', name: 'read_file', args: { path: '文.txt' } }], usage: { inputTokens: 100, outputTokens: 30, cachedTokens: 75, cacheWriteTokens: 5, estimated: false }, execute: true }

  test.each([
    ['as it is', whole, {}],
    ['byte by byte, characters cut', whole, { bytewise: true }],
    ['with carriage returns', whole.replaceAll('\n', '\r\n'), {}],
    ['with lone carriage returns', whole.replaceAll('\n', '\r'), {}],
    ['with pings and unknown events in between', whole.replaceAll('event: content_block_delta', `: keep-alive\n\n${ping}event: news\ndata: {"type":"news","index":0}\n\nevent: content_block_delta`), {}],
    ['without the names of its events', whole.replaceAll(/event: .*\n/g, ''), {}],
    ['without its last event', whole.slice(0, whole.lastIndexOf('event: message_stop')), {}],
    ['with blocks that are never closed', whole.replaceAll(/event: content_block_stop\n.*\n\n/g, ''), {}],
    ['with a block and a delta of kinds that are new', whole.replace(text(2, '看', '一看。'), start(2, { type: 'server_tool_use', id: 'srv', name: 'web', input: {} }) + json(2, '{}') .replace('input_json_delta', 'new_delta') + stop(2) + text(9, '看', '一看。')), {}],
  ])('%s', async (_how, body, spoil) => {
    expect(await read(body, spoil)).toEqual(expected)
  })

  test('R88 signed and redacted thinking is kept as it came, with its place among text and calls', async () => {
    const interleaved = whole.replace(end('tool_use'), start(4, { type: 'thinking', thinking: '', signature: '' }) + delta(4, { type: 'thinking_delta', thinking: 'more' }) + delta(4, { type: 'signature_delta', signature: 'S' }) + delta(4, { type: 'signature_delta', signature: '2' }) + stop(4) + tool(5, 'toolu_2') + stop(5) + end('tool_use'))
    expect((await assembled(rawStream(interleaved, { bytewise: true }))).thinking).toEqual([
      { kind: 'signed', text: 'Let me see 🙂', signature: 'S1', textBefore: 0, callsBefore: 0 },
      { kind: 'redacted', data: 'R1', textBefore: 0, callsBefore: 0 },
      { kind: 'signed', text: 'more', signature: 'S2', textBefore: 4, callsBefore: 1 },
    ])
  })

  test('R88 thinking whose text is left out still goes back with its signature', async () => {
    const hidden = begin + start(0, { type: 'thinking', thinking: '', signature: '' }) + delta(0, { type: 'signature_delta', signature: 'S' }) + stop(0) + text(1, 'ok') + end('end_turn')
    expect(await assembled(rawStream(hidden))).toMatchObject({ reasoning: '', thinking: [{ kind: 'signed', text: '', signature: 'S', textBefore: 0, callsBefore: 0 }] })
  })

  test('a server that does not stream', async () => {
    const message = { id: 'm', type: 'message', role: 'assistant', content: [{ type: 'thinking', thinking: 'hm', signature: 'S' }, { type: 'text', text: 'ok' }, { type: 'tool_use', id: 't', name: 'f', input: { a: 1 } }], stop_reason: 'tool_use', usage: { input_tokens: 3, output_tokens: 2 } }
    expect(await assembleStep(httpAnswer(200, message), 'anthropic')).toEqual({ status: 'complete', text: 'ok', reasoning: 'hm', calls: [{ id: 't', name: 'f', args: { a: 1 } }], usage: { inputTokens: 3, outputTokens: 2, estimated: false }, execute: true })
  })
})

describe('calls', () => {
  test('R17 the pieces of two calls that come by turns each go to their own', async () => {
    expect((await read(begin + tool(0, 'a') + tool(1, 'b', 'list_files') + json(0, '{"path"') + json(1, '{"path":"d') + json(0, ':"x"}') + json(1, '"}') + stop(1) + stop(0) + end('tool_use'))).calls).toEqual([{ id: 'a', name: 'read_file', args: { path: 'x' } }, { id: 'b', name: 'list_files', args: { path: 'd' } }])
  })

  test.each([
    ['whole with the opening', tool(0, 'a', 'f', { a: 1 }) + stop(0)],
    ['as an object in a piece', tool(0, 'a', 'f') + delta(0, { type: 'input_json_delta', partial_json: { a: 1 } }) + stop(0)],
    ['in pieces, and with the opening too', tool(0, 'a', 'f', { a: 2 }) + json(0, '{"a":') + json(0, '1}') + stop(0)],
  ])('R7 arguments that come %s', async (_how, blocks) => {
    expect(await read(begin + blocks + end('tool_use'))).toMatchObject({ calls: [{ id: 'a', name: 'f', args: { a: 1 } }], execute: true })
  })

  test('a call without arguments', async () => {
    expect(await read(begin + tool(0, 'a', 'f') + stop(0) + end('tool_use'))).toMatchObject({ calls: [{ id: 'a', name: 'f', args: {} }], execute: true })
  })
})

describe('what breaks', () => {
  test.each([
    ['cut in the middle of the arguments', begin + text(0, 'I look.') + tool(1, 'a') + json(1, '{"path":"a'), { status: 'incomplete', text: 'I look.', execute: false, error: expect.stringContaining('ended before the answer was complete') as string }],
    ['cut after the last piece', begin + text(0, 'half'), { status: 'incomplete', text: 'half', execute: false }],
    ['an error event after text', begin + text(0, 'half') + event({ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }) + end('end_turn'), { status: 'error', text: 'half', execute: false, error: expect.stringContaining('Overloaded') as string }],
    ['an error event of a kind of its own', begin + 'event: error\ndata: {"message":"strange"}\n\n', { status: 'error', execute: false, error: expect.stringContaining('strange') as string }],
    ['pings only', ping + ping, { status: 'incomplete', text: '', execute: false }],
    ['nothing at all', '', { status: 'error', execute: false, error: expect.stringContaining('sent nothing at all (200)') as string }],
    ['a broken event in between', begin + 'data: {"type":"content_block_delta","index":0,"del\n\n' + text(0, 'x') + end('end_turn'), { status: 'error', execute: false }],
    ['cut at the output limit inside a call', begin + tool(0, 'a') + json(0, '{"content":"aaaa') + stop(0) + end('max_tokens'), { status: 'incomplete', execute: false }],
    ['refused', begin + text(0, 'I') + end('refusal'), { status: 'error', execute: false, error: expect.stringContaining('content filter') as string }],
    ['a web page', '<!DOCTYPE html><html><head><title>Sign in</title></head></html>', { status: 'error', execute: false, error: expect.stringContaining('Sign in') as string }],
  ])('%s', async (_what, body, expected) => {
    expect(await read(body)).toMatchObject(expected)
    expect(await read(body, { bytewise: true })).toMatchObject(expected)
  })

  test.each([
    ['permission_error', '(403)'],
    ['billing_error', '(402)'],
    ['rate_limit_error', '(429)'],
    ['overloaded_error', 'overloaded'],
    ['timeout_error', '(504)'],
    ['api_error', 'reported an error'],
  ])('R89 an error of kind %s inside a stream is told in words', async (type, words) => {
    expect((await read(begin + event({ type: 'error', error: { type, message: 'the words' } }))).error).toContain(words)
  })

  test.each([
    [401, 'authentication_error', /key/],
    [403, 'permission_error', /403/],
    [404, 'not_found_error', /fake|m /],
    [413, 'request_too_large', /large/],
    [429, 'rate_limit_error', /429|too many|limit/i],
    [529, 'overloaded_error', /overloaded|busy/i],
  ])('R89 a refusal with %i %s is told in words', async (status, type, words) => {
    const got = await assembleStep(httpAnswer(status, { type: 'error', error: { type, message: 'the words' } }), 'anthropic')
    expect(got).toMatchObject({ status: 'error', error: expect.stringMatching(words) as string })
    expect(got.error).toContain('the words')
  })
})
