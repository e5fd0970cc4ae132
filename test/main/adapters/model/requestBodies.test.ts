import { expect, test } from 'vitest'
import { rooms } from '../../../../src/main/adapters/model/rooms'
import { withPictures } from '../../../../src/main/adapters/model/pictures'
import type { Way } from '../../../../src/main/adapters/model/way'
import { unknownFacts, type ModelFacts, type ModelMessage, type ModelRequest } from '../../../../src/shared/domain/model'
import { requestProblems } from '../../../support/fakeModelServerWire'
import { wayOf } from './world'

// R86, R88, R90, R91: the exact bodies, each by the protocol's public reference.

const choice = { provider: 'p', model: 'm' }
const picture = { ref: 'blob', mimeType: 'image/png', sizeBytes: 3 }
const base64 = Buffer.from('png').toString('base64')
const tools = [{ name: 'read_file', description: 'Reads.', parameters: { type: 'object', properties: { path: { type: 'string' } } } }]

/** A talk with instructions, a picture, two calls with thinking before and between, their results, a note, and an answer. */
function talk(thinking: Extract<ModelMessage, { readonly role: 'assistant' }>['thinking']): readonly ModelMessage[] {
  return [
    { role: 'system', text: 'You are.' },
    { role: 'user', text: 'Look.', images: [picture] },
    { role: 'assistant', text: 'I look.', reasoning: 'hm', ...(thinking ? { thinking } : {}), from: choice, calls: [{ providerCallId: 'a', name: 'read_file', argumentsText: '{"path":"x"}' }, { providerCallId: 'b', name: 'read_file', argumentsText: '{}' }] },
    { role: 'tool', providerCallId: 'a', name: 'read_file', text: 'one' },
    { role: 'tool', providerCallId: 'b', name: 'read_file', text: '' },
    { role: 'user', text: 'A note.' },
    { role: 'assistant', text: 'Done.', calls: [] },
    { role: 'user', text: 'More.' },
  ]
}

async function bodyOf(way: Way, messages: readonly ModelMessage[], more: { readonly tools?: ModelRequest['tools']; readonly facts?: Partial<ModelFacts>; readonly maxOutputTokens?: number; readonly sees?: boolean } = {}): Promise<Readonly<Record<string, unknown>>> {
  const source = { readBlob: () => Promise.resolve(Buffer.from('png')) }
  const sent = await withPictures({ choice, messages }, source, more.sees ?? true)
  const bytes = rooms[way.protocol].body({ choice, messages: sent, tools: more.tools ?? tools, way, facts: { ...unknownFacts, ...more.facts }, ...(more.maxOutputTokens === undefined ? {} : { maxOutputTokens: more.maxOutputTokens }) })
  const body = JSON.parse(Buffer.from(bytes).toString()) as Readonly<Record<string, unknown>>
  expect(requestProblems(way.protocol, body)).toEqual([])
  return body
}

// https://platform.openai.com/docs/api-reference/chat/create
test('R86 the whole body of chat completions, in the ways of OpenAI itself', async () => {
  const way = wayOf('openai', 'm', { preset: 'openai', quirks: { parallelCalls: true, strictTools: false, body: { store: false } } })
  expect(await bodyOf(way, talk([{ kind: 'field', field: 'reasoning_content', text: 'hm' }]), { maxOutputTokens: 100 })).toEqual({
    model: 'm',
    stream: true,
    stream_options: { include_usage: true },
    max_completion_tokens: 100,
    messages: [
      { role: 'developer', content: 'You are.' },
      { role: 'user', content: [{ type: 'text', text: 'Look.' }, { type: 'image_url', image_url: { url: `data:image/png;base64,${base64}` } }] },
      { role: 'assistant', content: 'I look.', tool_calls: [{ id: 'a', type: 'function', function: { name: 'read_file', arguments: '{"path":"x"}' } }, { id: 'b', type: 'function', function: { name: 'read_file', arguments: '{}' } }] },
      { role: 'tool', tool_call_id: 'a', content: 'one' },
      { role: 'tool', tool_call_id: 'b', content: '' },
      { role: 'user', content: 'A note.' },
      { role: 'assistant', content: 'Done.' },
      { role: 'user', content: 'More.' },
    ],
    tools: [{ type: 'function', function: { name: 'read_file', description: 'Reads.', strict: false, parameters: tools[0]?.parameters } }],
    parallel_tool_calls: true,
    store: false,
  })
})

// https://docs.claude.com/en/api/messages, …/build-with-claude/extended-thinking (blocks unchanged and at their places), …/prompt-caching
test('R86 R88 the whole body of messages: instructions apart, results first in one message of the user, thinking at its place, the cache marked', async () => {
  const thinking = [
    { kind: 'signed', text: 'hm', signature: 'S1', textBefore: 0, callsBefore: 0 },
    { kind: 'redacted', data: 'R', textBefore: 7, callsBefore: 0 },
    { kind: 'signed', text: 'and', signature: 'S2', textBefore: 7, callsBefore: 1 },
  ] as const
  expect(await bodyOf(wayOf('anthropic'), talk(thinking))).toEqual({
    model: 'm',
    max_tokens: 8192,
    stream: true,
    system: [{ type: 'text', text: 'You are.', cache_control: { type: 'ephemeral' } }],
    messages: [
      { role: 'user', content: [{ type: 'text', text: 'Look.' }, { type: 'image', source: { type: 'base64', media_type: 'image/png', data: base64 } }] },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'hm', signature: 'S1' },
          { type: 'text', text: 'I look.' },
          { type: 'redacted_thinking', data: 'R' },
          { type: 'tool_use', id: 'a', name: 'read_file', input: { path: 'x' } },
          { type: 'thinking', thinking: 'and', signature: 'S2' },
          { type: 'tool_use', id: 'b', name: 'read_file', input: {} },
        ],
      },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: 'one' }, { type: 'tool_result', tool_use_id: 'b' }, { type: 'text', text: 'A note.', cache_control: { type: 'ephemeral' } }] },
      { role: 'assistant', content: [{ type: 'text', text: 'Done.' }] },
      { role: 'user', content: [{ type: 'text', text: 'More.', cache_control: { type: 'ephemeral' } }] },
    ],
    tools: [{ name: 'read_file', description: 'Reads.', input_schema: tools[0]?.parameters }],
  })
})

// https://docs.ollama.com/api/chat, https://docs.ollama.com/capabilities/thinking, https://docs.ollama.com/capabilities/tool-calling
test('R86 R88 the whole body of Ollama: arguments as objects, pictures as base64, thinking under its name, the window told', async () => {
  expect(await bodyOf(wayOf('ollama'), talk([{ kind: 'field', field: 'thinking', text: 'hm' }]), { facts: { windowTokens: 16_384 }, maxOutputTokens: 50 })).toEqual({
    model: 'm',
    stream: true,
    messages: [
      { role: 'system', content: 'You are.' },
      { role: 'user', content: 'Look.', images: [base64] },
      { role: 'assistant', content: 'I look.', thinking: 'hm', tool_calls: [{ id: 'a', function: { name: 'read_file', arguments: { path: 'x' } } }, { id: 'b', function: { name: 'read_file', arguments: {} } }] },
      { role: 'tool', tool_name: 'read_file', tool_call_id: 'a', content: 'one' },
      { role: 'tool', tool_name: 'read_file', tool_call_id: 'b', content: '' },
      { role: 'user', content: 'A note.' },
      { role: 'assistant', content: 'Done.' },
      { role: 'user', content: 'More.' },
    ],
    tools: [{ type: 'function', function: { name: 'read_file', description: 'Reads.', parameters: tools[0]?.parameters } }],
    options: { num_ctx: 16_384, num_predict: 50 },
  })
})

// https://api-docs.deepseek.com/guides/thinking_mode, https://openrouter.ai/docs/use-cases/reasoning-tokens, https://docs.bigmodel.cn/cn/guide/capabilities/thinking-mode
test.each([
  ['deepseek', [{ kind: 'field', field: 'reasoning_content', text: 'hm' }], { reasoning_content: 'hm' }, { reasoning_content: ' ' }],
  ['moonshot', [{ kind: 'field', field: 'reasoning_content', text: 'hm' }], { reasoning_content: 'hm' }, { reasoning_content: '' }],
  ['zhipu', [{ kind: 'field', field: 'reasoning_content', text: 'hm' }], { reasoning_content: 'hm' }, {}],
  ['openrouter', [{ kind: 'field', field: 'reasoning', text: 'hm' }, { kind: 'item', field: 'reasoning_details', item: { type: 'reasoning.text', text: 'hm', signature: 's' } }], { reasoning_details: [{ type: 'reasoning.text', text: 'hm', signature: 's' }] }, {}],
  ['compatible', [{ kind: 'field', field: 'reasoning_content', text: 'hm' }], {}, {}],
] as const)('R88 thinking goes back to %s as it demands, and so does the lack of it', async (preset, thinking, own, none) => {
  const { messages } = await bodyOf(wayOf('openai', 'm', { preset }), talk(thinking))
  const [first, second] = (messages as readonly Readonly<Record<string, unknown>>[]).filter((message) => message['role'] === 'assistant')
  expect(first).toEqual({ role: 'assistant', content: 'I look.', tool_calls: expect.anything() as unknown, ...own })
  expect(second).toEqual({ role: 'assistant', content: 'Done.', ...none })
})

test('R88 a provider that wants only the thinking of the turn under way is sent no other', async () => {
  const way = wayOf('openai', 'm', { quirks: { reasoningReturn: 'turn', reasoningReturnAs: 'reasoning' } })
  const thought = (text: string): ModelMessage => ({ role: 'assistant', text, from: choice, thinking: [{ kind: 'field', field: 'reasoning_content', text: `why ${text}` }], calls: [] })
  const { messages } = await bodyOf(way, [{ role: 'user', text: '1' }, thought('a'), { role: 'user', text: '2' }, thought('b')])
  expect(messages).toEqual([{ role: 'user', content: '1' }, { role: 'assistant', content: 'a' }, { role: 'user', content: '2' }, { role: 'assistant', content: 'b', reasoning: 'why b' }])
})

test('R86 the most tokens of an answer that Anthropic must be told: what is asked for, within what the model gives', async () => {
  const ask: readonly ModelMessage[] = [{ role: 'user', text: 'a' }]
  const limits = [{ facts: { maxOutputTokens: 4000 } }, { facts: { maxOutputTokens: 128_000 } }, { maxOutputTokens: 500 }, { facts: { maxOutputTokens: 4000 }, maxOutputTokens: 9000 }]
  expect(await Promise.all(limits.map(async (more) => (await bodyOf(wayOf('anthropic'), ask, more))['max_tokens']))).toEqual([4000, 32_000, 500, 4000])
})

test('R32 Anthropic: a history with calls but without tools names them and lets none be called; a broken last answer and white space are not sent', async () => {
  const body = await bodyOf(wayOf('anthropic'), [...talk(undefined).slice(0, 5), { role: 'user', text: 'Sum up.' }, { role: 'assistant', text: ' \n', calls: [] }], { tools: [] })
  expect(body).toMatchObject({ tools: [{ name: 'read_file', input_schema: { type: 'object' } }], tool_choice: { type: 'none' } })
  expect((body['messages'] as readonly unknown[]).at(-1)).toMatchObject({ role: 'user', content: [{ type: 'tool_result' }, { type: 'tool_result' }, { type: 'text', text: 'Sum up.' }] })
})

test('R90 a model that takes no pictures gets a notice in each protocol', async () => {
  for (const protocol of ['openai', 'anthropic', 'ollama'] as const) {
    const text = JSON.stringify(await bodyOf(wayOf(protocol), talk(undefined), { sees: false }))
    expect([protocol, text.includes(base64), text.includes('is not known to take pictures')]).toEqual([protocol, false, true])
  }
})

test('R22 what was written before is not written again', () => {
  for (const protocol of ['openai', 'anthropic', 'ollama'] as const) {
    const way = wayOf(protocol)
    let reads = 0
    const counted = { role: 'assistant' as const, calls: [], get text() { return (reads++, 'Done.') } }
    const messages: readonly ModelMessage[] = [{ role: 'user', text: 'a' }, counted, { role: 'user', text: 'b' }]
    const write = () => rooms[protocol].body({ choice, messages, tools, way, facts: unknownFacts })
    const first = write()
    const before = reads
    expect([Buffer.from(write()).equals(Buffer.from(first)), reads]).toEqual([true, before])
  }
})
