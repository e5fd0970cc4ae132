import { describe, expect, test } from 'vitest'
import { makeAssembler } from '../../../../src/main/core/stream/assemble'
import { assembleStep } from '../../../lab/assemble'
import { httpAnswer, rawStream, startFakeModelServer } from '../../../support/fakeModelServer'
import { clientOf, partsOf } from './world'

// R16–R21, R88: Ollama's stream, https://docs.ollama.com/api/chat and https://docs.ollama.com/api/errors, in the ways of test/cases/A.

type Fields = Readonly<Record<string, unknown>>
const line = (message: Fields, more: Fields = { done: false }): string => `${JSON.stringify({ model: 'm', created_at: '2026-01-01T00:00:00Z', message: { role: 'assistant', content: '', ...message }, ...more })}\n`
const call = (name: string, args: unknown, more: Fields = {}): string => line({ tool_calls: [{ ...more, function: { name, arguments: args } }] })
const end = (done_reason?: string): string => line({}, { done: true, ...(done_reason === undefined ? {} : { done_reason }), total_duration: 9, prompt_eval_count: 40, eval_count: 7 })

const read = (body: string, spoil = {}) => assembleStep(rawStream(body, spoil), 'ollama')

const whole = line({ thinking: 'Let ' }) + line({ thinking: 'me see 🙂' }) + line({ content: '看' }) + line({ content: '一看。' }) + call('read_file', { path: '文.txt' }, { id: 'call_a' }) + call('list_files', {}) + end('stop')

describe('a whole reply', () => {
  const expected = { status: 'complete', text: '看一看。', reasoning: 'Let me see 🙂', calls: [{ id: 'call_a', name: 'read_file', args: { path: '文.txt' } }, { id: 'call_2', name: 'list_files', args: {} }], usage: { inputTokens: 40, outputTokens: 7, estimated: false }, execute: true }

  test.each([
    ['as it is', whole, {}],
    ['byte by byte, characters cut', whole, { bytewise: true }],
    ['with carriage returns and blank lines', whole.replaceAll('\n', '\r\n\r\n'), {}],
    ['with lines that are new, or no JSON', whole.replaceAll('\n', '\n{"progress":3}\n: keep-alive\n'), {}],
    ['without an end of its last line', whole.trimEnd(), {}],
    ['as events of a gateway', `${whole.trimEnd().split('\n').map((one) => `data: ${one}\n`).join('\n')}\ndata: [DONE]\n\n`, {}],
    ['with arguments as text', whole.replace(JSON.stringify({ path: '文.txt' }), JSON.stringify(JSON.stringify({ path: '文.txt' }))), {}],
    ['with one index for all its calls', whole.replaceAll('"function":{', '"function":{"index":0,'), {}],
    ['without a reason to stop', whole.replace(end('stop'), end()), {}],
  ])('%s', async (_how, body, spoil) => {
    expect(await read(body, spoil)).toEqual(expected)
  })

  test('R88 its thinking is kept under the name it goes back with', async () => {
    const server = await startFakeModelServer({ steps: [rawStream(whole)] })
    const { client, close } = clientOf(server.origin, { at: { protocol: 'ollama' } })
    const assembler = makeAssembler()
    for (const part of await partsOf(client)) assembler.feed(part)
    expect(assembler.result().thinking).toEqual([{ kind: 'field', field: 'thinking', text: 'Let me see 🙂' }])
    expect(server.requests[0]?.path).toBe('/api/chat')
    await close()
    await server.close()
  })

  test('two calls in one line', async () => {
    expect((await read(line({ tool_calls: [{ function: { name: 'a', arguments: { x: 1 } } }, { function: { name: 'a', arguments: { x: 2 } } }] }) + end('stop'))).calls).toEqual([{ id: 'call_1', name: 'a', args: { x: 1 } }, { id: 'call_2', name: 'a', args: { x: 2 } }])
  })
})

describe('what breaks', () => {
  test.each([
    ['cut in the middle of the arguments', line({ content: 'I look.' }) + call('read_file', { path: 'a' }).slice(0, -30), { status: 'incomplete', text: 'I look.', calls: [], execute: false, error: expect.stringContaining('ended before the answer was complete') as string }],
    ['cut after a call', call('read_file', { path: 'a' }), { status: 'incomplete', execute: false }],
    ['cut inside its first line', line({ content: 'I look.' }).slice(0, 40), { status: 'incomplete', text: '', execute: false }],
    ['an error line with status 200', line({ content: 'half' }) + '{"error":"an error was encountered while running the model: CUDA error"}\n' + end('stop'), { status: 'error', text: 'half', execute: false, error: expect.stringContaining('CUDA error') as string }],
    ['nothing at all', '', { status: 'error', execute: false, error: expect.stringContaining('sent nothing at all (200)') as string }],
    ['blank lines only', '\n\n\n', { status: 'error', execute: false, error: expect.stringContaining('sent nothing at all (200)') as string }],
    ['a broken line in between', line({ content: 'half' }) + '{"message":{"content":"x\n' + end('stop'), { status: 'error', text: 'half', execute: false }],
    ['cut at the output limit', line({ content: 'half' }) + end('length'), { status: 'incomplete', text: 'half', execute: false }],
    ['a model that is only being loaded', end('load'), { status: 'error', execute: false }],
    ['a web page', '<!DOCTYPE html>\n<html><head><title>Sign in</title></head></html>', { status: 'error', execute: false, error: expect.stringContaining('Sign in') as string }],
    ['an error over several lines', '{\n  "error": "no such thing"\n}\n', { status: 'error', execute: false, error: expect.stringContaining('no such thing') as string }],
    ['something else', 'hello', { status: 'error', execute: false, error: expect.stringContaining('hello') as string }],
  ])('%s', async (_what, body, expected) => {
    expect(await read(body)).toMatchObject(expected)
    expect(await read(body, { bytewise: true })).toMatchObject(expected)
  })

  test.each([
    [400, 'registry.ollama.ai/library/m does not support tools', /does not support tools/],
    [404, "model 'm' not found", /not found/],
    [500, 'model requires more system memory', /system memory/],
  ])('R89 a refusal with %i is told in words', async (status, error, words) => {
    expect(await assembleStep(httpAnswer(status, { error }), 'ollama')).toMatchObject({ status: 'error', error: expect.stringMatching(words) as string })
  })
})
