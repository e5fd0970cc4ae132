import { brotliCompressSync, gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { assembleStep, type Assembled } from '../../../lab/assemble'
import { httpAnswer, rawStream, reply, type FakeStep, type Spoil } from '../../../support/fakeModelServer'

// R17–R19, R21: forms that are around and that the recorded cases do not hold.

const event = (body: unknown): string => `data: ${JSON.stringify(body)}\n\n`
const delta = (content: Readonly<Record<string, unknown>> | null, finish: string | null = null): string => event({ choices: [{ index: 0, delta: content, finish_reason: finish }] })
const text = (content: string): string => delta({ content })
const stop = delta({}, 'stop')
const toolStop = delta({}, 'tool_calls')
const done = 'data: [DONE]\n\n'
const piece = (call: Readonly<Record<string, unknown>>): string => delta({ tool_calls: [call] })

function read(stream: string | Uint8Array, spoil: Spoil = {}): Promise<Assembled> {
  return assembleStep(rawStream(stream, spoil))
}

async function brief(stream: string): Promise<readonly [string, string, boolean]> {
  const { status, text: shown, execute } = await read(stream)
  return [status, shown, execute]
}

describe('R21: what is absent, null or unknown is passed over', () => {
  test.each([
    ['delta null and choices missing, null, empty', event({ id: 'x' }) + event({ choices: null }) + event({ choices: [] }) + delta(null) + text('hi') + stop + done],
    ['role only, tool_calls null, content null', delta({ role: 'assistant', content: null, tool_calls: null }) + text('hi') + delta({ content: null, tool_calls: [] }) + stop],
    ['empty call entries beside text', delta({ content: 'hi', tool_calls: [{ index: 0, id: '', type: 'function', function: { name: '', arguments: '' } }] }) + stop],
    ['null call entries', delta({ content: 'hi', tool_calls: [null] }) + stop],
    ['unknown fields', event({ choices: [{ index: 0, delta: { content: 'hi', audio: {}, logprobs: null }, finish_reason: null, extra: 1 }], service_tier: 'x' }) + stop],
    ['usage null until the end', event({ choices: [{ index: 0, delta: { content: 'hi' } }], usage: null }) + stop],
    ['finish reason empty until the end', delta({ content: 'hi' }, '') + stop],
    ['finish reason with the last piece', delta({ content: 'hi' }, 'stop')],
    ['finish reason in a chunk without delta', text('hi') + event({ choices: [{ index: 0, finish_reason: 'stop' }] })],
    ['finish reason in capitals', text('hi') + delta({}, 'STOP')],
    ['error null beside the answer', event({ error: null, choices: [{ index: 0, delta: { content: 'hi' }, finish_reason: 'stop' }] })],
    ['code 0 and an empty message beside the answer', event({ code: 0, message: '', choices: [{ index: 0, delta: { content: 'hi' }, finish_reason: 'stop' }] })],
    ['content as a list of parts', delta({ content: [{ type: 'text', text: 'h' }, { type: 'text', text: 'i' }, { type: 'image' }] }) + stop],
    ['a second choice that nobody asked for', event({ choices: [{ index: 1, delta: { content: 'no' } }, { index: 0, delta: { content: 'hi' } }] }) + stop],
    ['a whole message beside an empty last delta', text('hi') + event({ choices: [{ index: 0, delta: {}, message: { content: 'hi' }, finish_reason: 'stop' }] })],
    ['a refusal as text', delta({ refusal: 'hi' }) + stop],
  ])('%s', async (_, stream) => {
    expect(await brief(stream)).toEqual(['complete', 'hi', true])
  })
})

describe('R18: the standard, and a little beyond', () => {
  test.each([
    ['a byte order mark at the start', `\uFEFF${text('hi')}${stop}`],
    ['CRLF', (text('hi') + stop + done).replaceAll('\n', '\r\n')],
    ['CR only, cut off at the last line end', (text('hi') + stop).replaceAll('\n', '\r').slice(0, -1)],
    ['no blank line after the last event', (text('hi') + stop).trimEnd()],
    ['single line ends between whole events', (text('h') + text('i') + stop + done).replaceAll('\n\n', '\n')],
    ['plain words as data', `data: OPENROUTER PROCESSING\n\n${text('hi')}data: ping\n\n${stop}`],
    ['[DONE] without a space, then more that does not count', `${text('hi')}${stop}data:[DONE]\n\n${text('never')}`],
    ['a comment between the lines of one event', `data: {"choices":[{"index":0,\n: still here\ndata: "delta":{"content":"hi"},"finish_reason":"stop"}]}\n\n`],
    ['fields without a colon', `data\n\nevent\n${text('hi')}${stop}`],
  ])('%s', async (_, stream) => {
    expect(await brief(stream)).toEqual(['complete', 'hi', true])
    expect((await read(stream, { bytewise: true })).text).toBe('hi')
  })

  test.each([['gzip', gzipSync], ['br', brotliCompressSync]] as const)('a body that is packed with %s is unpacked', async (encoding, pack) => {
    const packed = pack(text('hi') + stop)
    const step: FakeStep = { status: 200, headers: { 'content-type': 'text/event-stream', 'content-encoding': encoding }, body: () => packed }
    expect(await assembleStep(step)).toMatchObject({ status: 'complete', text: 'hi' })
  })

  test('a long line in many pieces', async () => {
    const long = '文'.repeat(200_000)
    expect((await read(text(long) + stop)).text).toBe(long)
  })
})

describe('R18: errors with status 200', () => {
  test.each([
    ['as the only event', event({ error: { message: 'no such thing', code: 'model_not_found' } }), ''],
    ['after text', text('half') + event({ error: { message: 'upstream died', type: 'server_error' } }), 'half'],
    ['as text', event({ error: 'overloaded' }), ''],
    ['as event: error', `event: error\n${event({ message: 'overloaded' })}`, ''],
    ['as event: error without JSON', 'event: error\ndata: something broke\n\n', ''],
    ['as object: error', event({ object: 'error', message: 'bad', code: 400 }), ''],
    ['as a code and a message', event({ code: 'InvalidApiKey', message: 'Invalid API-key provided.' }), ''],
    ['as base_resp', event({ base_resp: { status_code: 1004, status_msg: 'login fail' }, choices: null }), ''],
    ['as a raw line among events', `${text('half')}{"error":{"message":"engine stopped"}}\n\n`, 'half'],
    ['in a finish reason', text('half') + delta({}, 'network_error'), 'half'],
  ])('%s', async (_, stream, shown) => {
    const got = await read(stream)
    expect(got).toMatchObject({ status: 'error', text: shown, calls: [], execute: false })
    expect(got.error).toBeTruthy()
  })

  test.each([
    ['a JSON error', httpAnswer(200, { error: { message: 'You exceeded your current quota', code: 'insufficient_quota' } }), /quota is used up/],
    ['a JSON error of several lines', httpAnswer(200, '{\n  "error": {\n    "message": "Bad key",\n    "code": 401\n  }\n}', { 'content-type': 'text/event-stream' }), /asks for a key and none is set \(401\)\. Add one in Models\. The provider said: Bad key/],
    ['a web page', httpAnswer(200, '<!doctype html><title>Sign in</title>', { 'content-type': 'text/html' }), /web page instead of a model \(200, Sign in\)/],
    ['plain words', httpAnswer(200, 'Internal failure, try later', { 'content-type': 'text/plain' }), /no model answer: Internal failure, try later/],
    ['JSON of another kind', httpAnswer(200, { hello: 'world' }), /no model answer/],
    ['only comments', rawStream(': a\n\n: b\n\n'), /connection ended before/],
    ['only [DONE]', rawStream(done), /sent nothing at all/],
  ])('%s as the body', async (_, step, words) => {
    const got = await assembleStep(step)
    expect(got.execute).toBe(false)
    expect(got.status).not.toBe('complete')
    expect(got.error).toMatch(words)
  })

  test('a broken piece inside the stream: a part of the answer is lost, so nothing of it runs', async () => {
    const got = await read(piece({ index: 0, id: 'a', name: 'x', function: { name: 'run_command', arguments: '{"command":"rm ' } }) + 'data: {"choices":[{"delta":{"tool_ca\n\n' + piece({ index: 0, function: { arguments: 'x"}' } }) + toolStop)
    expect(got).toMatchObject({ status: 'error', execute: false, error: expect.stringContaining('broken piece') as string })
  })

  test('a piece cut by the end of the connection is a connection that ended early', async () => {
    expect(await read(`${text('half')}data: {"choices":[{"del`)).toMatchObject({ status: 'incomplete', text: 'half', error: expect.stringContaining('connection ended') as string })
  })
})

describe('R17, R19: calls and usage in odd forms', () => {
  const call = { id: 'a', name: 'read_file', args: { path: 'x' } }
  const args = JSON.stringify(call.args)
  test.each([
    ['index as text', piece({ index: '0', id: 'a', function: { name: 'read_file' } }) + piece({ index: '0', function: { arguments: args } })],
    ['id after the arguments', piece({ index: 0, function: { name: 'read_file', arguments: args } }) + piece({ index: 0, id: 'a' })],
    ['finish reason stop', piece({ index: 0, id: 'a', function: { name: 'read_file', arguments: args } }) + stop],
    ['no function around name and arguments', piece({ id: 'a', name: 'read_file', arguments: args })],
    ['calls as an object by index', delta({ tool_calls: { 0: { id: 'a', function: { name: 'read_file', arguments: args } } } })],
    ['null arguments in the head', piece({ index: 0, id: 'a', function: { name: 'read_file', arguments: null } }) + piece({ index: 0, function: { arguments: args } })],
    ['an empty object in the head', piece({ index: 0, id: 'a', function: { name: 'read_file', arguments: '{}' } }) + piece({ index: 0, function: { arguments: args } })],
    ['the whole call again at the end', piece({ index: 0, id: 'a', function: { name: 'read_file', arguments: args } }) + event({ choices: [{ index: 0, delta: { tool_calls: [{ index: 0, id: 'a', function: { name: 'read_file', arguments: args } }] }, finish_reason: 'tool_calls' }] })],
    ['thinking and text before', delta({ reasoning_content: 'hm', content: null }) + piece({ index: 0, id: 'a', function: { name: 'read_file', arguments: args } })],
    ['an id that is a number', piece({ index: 0, id: 7, function: { name: 'read_file', arguments: args } })],
  ])('%s', async (_, stream) => {
    const got = await read(stream + toolStop + done)
    expect(got).toMatchObject({ status: 'complete', execute: true, calls: [{ name: 'read_file', args: { path: 'x' } }] })
    expect(['a', '7']).toContain(got.calls[0]?.id)
  })

  test('calls without ids get one each', async () => {
    const got = await read(piece({ index: 0, function: { name: 'f', arguments: '{"n":1}' } }) + piece({ index: 1, function: { name: 'f', arguments: '{"n":2}' } }) + toolStop)
    expect(got.calls.map((one) => one.args)).toEqual([{ n: 1 }, { n: 2 }])
    expect(new Set(got.calls.map((one) => one.id)).size).toBe(2)
  })

  test('arguments that are nothing mean an empty object', async () => {
    expect((await read(piece({ index: 0, id: 'a', function: { name: 'f' } }) + toolStop)).calls).toEqual([{ id: 'a', name: 'f', args: {} }])
  })

  test('a call whose arguments cannot be read is not run, and says why', async () => {
    const got = await read(piece({ index: 0, id: 'a', function: { name: 'f', arguments: "{'path': 'x'}" } }) + toolStop)
    expect(got).toMatchObject({ status: 'complete', execute: false, calls: [{ id: 'a', name: 'f', args: null }], toolError: expect.stringContaining('not JSON') as string })
  })

  test('the old function_call form', async () => {
    const got = await read(delta({ function_call: { name: 'f', arguments: '{"n"' } }) + delta({ function_call: { arguments: ':1}' } }) + delta({}, 'function_call'))
    expect(got).toMatchObject({ status: 'complete', calls: [{ name: 'f', args: { n: 1 } }] })
  })

  test('a server that answers in one piece', async () => {
    const message = { role: 'assistant', content: 'hi', reasoning_content: 'hm', tool_calls: [{ id: 'a', type: 'function', function: { name: 'f', arguments: '{}' } }] }
    expect(await assembleStep(httpAnswer(200, { choices: [{ index: 0, message, finish_reason: 'tool_calls' }], usage: { prompt_tokens: 3, completion_tokens: 2 } }))).toEqual({
      status: 'complete', text: 'hi', reasoning: 'hm', calls: [{ id: 'a', name: 'f', args: {} }], usage: { inputTokens: 3, outputTokens: 2, estimated: false }, execute: true,
    })
  })

  test.each([
    ['in an extra last chunk', text('hi') + stop + event({ choices: [], usage: { prompt_tokens: 9, completion_tokens: 2, prompt_tokens_details: { cached_tokens: 4 } } }) + done],
    ['in every chunk, growing', event({ choices: [{ index: 0, delta: { content: 'hi' } }], usage: { prompt_tokens: 9, completion_tokens: 1 } }) + event({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }], usage: { prompt_tokens: 9, completion_tokens: 2, prompt_cache_hit_tokens: 4 } })],
    ['inside the choice', text('hi') + event({ choices: [{ index: 0, delta: {}, finish_reason: 'stop', usage: { prompt_tokens: 9, completion_tokens: 2, cached_tokens: 4 } }] })],
  ])('usage %s', async (_, stream) => {
    expect((await read(stream)).usage).toEqual({ inputTokens: 9, outputTokens: 2, cachedTokens: 4, estimated: false })
  })

  test('no usage is no usage: it is estimated elsewhere', async () => {
    expect((await read(text('hi') + stop + event({ choices: [], usage: {} }))).usage).toBeNull()
  })

  test('thinking under either name, once', async () => {
    expect((await read(delta({ reasoning_content: 'a', reasoning: 'a' }) + delta({ reasoning: 'b' }) + delta({ content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'c' }] }] }) + text('hi') + stop)).reasoning).toBe('abc')
  })
})

describe('endings', () => {
  test.each([
    ['length', 'incomplete'],
    ['max_tokens', 'incomplete'],
    ['content_filter', 'error'],
    ['malformed_function_call', 'error'],
  ])('text that ends with %s is %s', async (finish, status) => {
    expect(await read(text('half') + delta({}, finish) + done)).toMatchObject({ status, text: 'half', execute: false })
  })

  test('an unknown reason ends a text, and runs no call', async () => {
    expect(await brief(text('hi') + delta({}, 'because'))).toEqual(['complete', 'hi', true])
    expect(await read(piece({ index: 0, id: 'a', function: { name: 'f', arguments: '{}' } }) + delta({}, 'because'))).toMatchObject({ status: 'incomplete', execute: false })
  })

  test('[DONE] without a finish reason is not a proper stop', async () => {
    expect(await read(piece({ index: 0, id: 'a', function: { name: 'f', arguments: '{}' } }) + done)).toMatchObject({ status: 'incomplete', execute: false })
  })

  test('the connection breaks after the finish reason: the answer was whole', async () => {
    expect(await assembleStep({ ...rawStream(text('hi') + stop + done), dropAfter: (text('hi') + stop).length })).toMatchObject({ status: 'complete', text: 'hi' })
  })

  test('the connection breaks inside the answer', async () => {
    expect(await assembleStep({ ...reply({ text: 'a long answer that will be cut somewhere in the middle of it all' }), dropAfter: 700 })).toMatchObject({ status: 'incomplete', execute: false, error: expect.stringContaining('connection ended') as string })
  })
})
