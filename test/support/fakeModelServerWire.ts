/**
 * What a fake provider says on the wire, by protocol, and what it refuses to be asked, each by the protocol's public reference:
 * OpenAI https://platform.openai.com/docs/api-reference/chat, Anthropic https://docs.claude.com/en/api/messages and
 * https://docs.claude.com/en/docs/build-with-claude/streaming, Ollama https://docs.ollama.com/api/chat.
 */
import type { FakeReply } from './fakeModelServer'
import { pairingProblems, type WireMessage } from './pairing'

export type FakeProtocol = 'openai' | 'anthropic' | 'ollama'
type Fields = Readonly<Record<string, unknown>>

/** The protocol that a path belongs to; null for any other path. */
export function protocolOf(path: string): FakeProtocol | null {
  const [bare = ''] = path.split('?')
  if (bare.endsWith('/chat/completions')) return 'openai'
  if (bare.endsWith('/messages')) return 'anthropic'
  return bare.endsWith('/api/chat') ? 'ollama' : null
}

/** The bytes of a scripted reply, in the pieces that real providers use: a few characters a delta. */
export function replyText(protocol: FakeProtocol, what: FakeReply, n: number): string {
  return { openai: openaiText, anthropic: anthropicText, ollama: ollamaText }[protocol](what, n)
}

export const contentTypes: Readonly<Record<FakeProtocol, string>> = { openai: 'text/event-stream', anthropic: 'text/event-stream', ollama: 'application/x-ndjson' }

/** What a provider would refuse in a request's body; empty when it is as the reference wants it. */
export function requestProblems(protocol: FakeProtocol, body: Fields): readonly string[] {
  const messages = Array.isArray(body['messages']) ? (body['messages'] as readonly Fields[]) : []
  if (protocol === 'openai') return pairingProblems(messages)
  return protocol === 'anthropic' ? anthropicProblems(body, messages) : ollamaProblems(messages)
}

function openaiText(what: FakeReply, n: number): string {
  const lines: string[] = []
  const chunk = (delta: Fields, finish: string | null = null): void => {
    lines.push(`data: ${JSON.stringify({ id: `fake-${n}`, object: 'chat.completion.chunk', model: 'fake-model', choices: [{ index: 0, delta, finish_reason: finish }] })}`)
  }
  chunk({ role: 'assistant', content: '' })
  for (const piece of pieces(what.reasoning ?? '', 9)) chunk({ reasoning_content: piece })
  for (const piece of pieces(what.text ?? '', 7)) chunk({ content: piece })
  what.calls?.forEach((call, at) => {
    const index = what.repeatIndex ? 0 : at
    chunk({ tool_calls: [{ index, id: call.id ?? `call_${n}_${at}`, type: 'function', function: { name: call.name, arguments: '' } }] })
    for (const piece of pieces(call.argumentsText ?? JSON.stringify(call.args ?? {}), 12)) chunk({ tool_calls: [{ index, function: { arguments: piece } }] })
  })
  lines.push(...(what.extra ?? []))
  const finish = what.finish === undefined ? (what.calls?.length ? 'tool_calls' : 'stop') : what.finish
  if (finish !== null) chunk({}, finish)
  if (what.usage) {
    const cached = what.usage.cached === undefined ? {} : { prompt_tokens_details: { cached_tokens: what.usage.cached } }
    const usage = { prompt_tokens: what.usage.input, completion_tokens: what.usage.output, total_tokens: what.usage.input + what.usage.output, ...cached }
    lines.push(`data: ${JSON.stringify({ id: `fake-${n}`, object: 'chat.completion.chunk', choices: [], usage })}`)
  }
  if (finish !== null && !what.noDone) lines.push('data: [DONE]')
  return lines.map((line) => `${line}\n\n`).join('')
}

function anthropicText(what: FakeReply, n: number): string {
  const lines: string[] = []
  const event = (fields: Fields & { readonly type: string }): void => void lines.push(`event: ${fields.type}\ndata: ${JSON.stringify(fields)}`)
  const { input = 10, output = 5, cached = 0 } = what.usage ?? {}
  event({ type: 'message_start', message: { id: `msg_${n}`, type: 'message', role: 'assistant', model: 'fake-model', content: [], stop_reason: null, usage: { input_tokens: input - cached, cache_creation_input_tokens: 0, cache_read_input_tokens: cached, output_tokens: 1 } } })
  event({ type: 'ping' })
  let index = 0
  const block = (content: Fields, deltas: readonly Fields[]): void => {
    event({ type: 'content_block_start', index, content_block: content })
    for (const delta of deltas) event({ type: 'content_block_delta', index, delta })
    event({ type: 'content_block_stop', index })
    index++
  }
  if (what.reasoning) block({ type: 'thinking', thinking: '', signature: '' }, [...pieces(what.reasoning, 9).map((thinking) => ({ type: 'thinking_delta', thinking })), { type: 'signature_delta', signature: `sig-${n}` }])
  if (what.text) block({ type: 'text', text: '' }, pieces(what.text, 7).map((text) => ({ type: 'text_delta', text })))
  what.calls?.forEach((call, at) => {
    block({ type: 'tool_use', id: call.id ?? `toolu_${n}_${at}`, name: call.name, input: {} }, pieces(call.argumentsText ?? JSON.stringify(call.args ?? {}), 12).map((partial_json) => ({ type: 'input_json_delta', partial_json })))
  })
  lines.push(...(what.extra ?? []))
  const finish = what.finish === undefined ? (what.calls?.length ? 'tool_use' : 'end_turn') : what.finish
  if (finish !== null) event({ type: 'message_delta', delta: { stop_reason: finish, stop_sequence: null }, usage: { output_tokens: output } })
  if (finish !== null && !what.noDone) event({ type: 'message_stop' })
  return lines.map((line) => `${line}\n\n`).join('')
}

function ollamaText(what: FakeReply, n: number): string {
  const lines: string[] = []
  const line = (message: Fields, more: Fields = { done: false }): void => void lines.push(JSON.stringify({ model: 'fake-model', created_at: '2026-01-01T00:00:00Z', message: { role: 'assistant', content: '', ...message }, ...more }))
  for (const thinking of pieces(what.reasoning ?? '', 9)) line({ thinking })
  for (const content of pieces(what.text ?? '', 7)) line({ content })
  what.calls?.forEach((call, at) => {
    const args: unknown = call.argumentsText === undefined ? (call.args ?? {}) : call.argumentsText
    line({ tool_calls: [{ id: call.id ?? `call_${n}_${at}`, function: { index: what.repeatIndex ? 0 : at, name: call.name, arguments: args } }] })
  })
  lines.push(...(what.extra ?? []))
  const finish = what.finish === undefined ? 'stop' : what.finish
  const counts = what.usage ? { prompt_eval_count: what.usage.input, eval_count: what.usage.output } : {}
  if (finish !== null) line({}, { done: true, done_reason: finish, total_duration: 1, ...counts })
  return lines.map((one) => `${one}\n`).join('')
}

/** Roles take turns from the user on; every call has its result at once, in the next message, before anything else; nothing is empty. */
function anthropicProblems(body: Fields, messages: readonly Fields[]): readonly string[] {
  const problems: string[] = []
  if (typeof body['max_tokens'] !== 'number') problems.push('max_tokens: field required')
  if (messages[0]?.['role'] !== 'user') problems.push('the first message must be of the user')
  if (messages.at(-1)?.['role'] !== 'user') problems.push('the last message must be of the user')
  let open: readonly string[] = []
  messages.forEach((message, at) => {
    if (at > 0 && message['role'] === messages[at - 1]?.['role']) problems.push(`message ${at}: roles must take turns`)
    const blocks = Array.isArray(message['content']) ? (message['content'] as readonly Fields[]) : []
    if (blocks.length === 0) problems.push(`message ${at}: content must not be empty`)
    problems.push(...blocks.flatMap((block) => blockProblems(block, at)))
    const answered = blocks.flatMap((block) => (block['type'] === 'tool_result' ? [String(block['tool_use_id'])] : []))
    if (JSON.stringify(answered) !== JSON.stringify(open)) problems.push(`message ${at}: results for ${answered.join(', ')} where ${open.join(', ')} were asked for`)
    if (blocks.findLastIndex((block) => block['type'] === 'tool_result') >= answered.length) problems.push(`message ${at}: results must come first`)
    open = blocks.flatMap((block) => (block['type'] === 'tool_use' ? [String(block['id'])] : []))
    if (open.length > 0 && message['role'] !== 'assistant') problems.push(`message ${at}: a call of the user`)
  })
  if (open.length > 0) problems.push('calls without result at the end')
  const hasCalls = JSON.stringify(messages).includes('"type":"tool_use"')
  if (hasCalls && !Array.isArray(body['tools'])) problems.push('a history with calls needs tools')
  if (JSON.stringify(body).split('"cache_control"').length > 5) problems.push('at most 4 blocks may be marked for the cache')
  return problems
}

function blockProblems(block: Fields, at: number): readonly string[] {
  const problems: string[] = []
  if (block['type'] === 'text' && String(block['text']).trim() === '') problems.push(`message ${at}: text must hold more than white space`)
  if (block['type'] === 'tool_use' && !/^[a-zA-Z0-9_-]+$/.test(String(block['id']))) problems.push(`message ${at}: the id of a call has another form: ${String(block['id'])}`)
  if (block['type'] === 'tool_use' && !/^[a-zA-Z0-9_-]{1,128}$/.test(String(block['name']))) problems.push(`message ${at}: the name of a call has another form`)
  if (block['type'] === 'tool_use' && (typeof block['input'] !== 'object' || Array.isArray(block['input']))) problems.push(`message ${at}: the input of a call must be an object`)
  if (block['type'] === 'thinking' && typeof block['signature'] !== 'string') problems.push(`message ${at}: thinking without its signature`)
  return problems
}

/** As in the OpenAI form, with the arguments as objects. */
function ollamaProblems(messages: readonly Fields[]): readonly string[] {
  const asTexts = messages.map((message): WireMessage => {
    const calls = message['tool_calls']
    if (!Array.isArray(calls)) return message
    return { ...message, tool_calls: (calls as readonly { readonly id?: unknown; readonly function: Fields }[]).map((call) => ({ ...call, function: { ...call.function, arguments: typeof call.function['arguments'] === 'object' ? JSON.stringify(call.function['arguments']) : 'no object' } })) }
  })
  return [...pairingProblems(asTexts), ...messages.flatMap((message, at) => (message['role'] === 'tool' && typeof message['tool_name'] !== 'string' ? [`message ${at}: a result without the name of its tool`] : []))]
}

function pieces(text: string, size: number): readonly string[] {
  const characters = [...text]
  return Array.from({ length: Math.ceil(characters.length / size) }, (_, at) => characters.slice(at * size, (at + 1) * size).join(''))
}
