import type { StreamPart, Usage } from '../../../../shared/domain/model'
import { isFields, numberIn, type Fields } from '../fields'

/** What one parsed chunk said. Fields that are absent, null or of a strange type are as if they were not there (R21). */
export interface ChunkFacts {
  readonly parts: readonly StreamPart[]
  readonly finish: string | null
  readonly usage: Usage | null
  /** What goes back with the history: the field that thinking came in with its text, and entries of lists. */
  readonly thought: { readonly field: string; readonly text: string } | null
  readonly items: readonly { readonly field: string; readonly item: Fields }[]
}

/** Where thinking stands. */
export interface ThinkingFields {
  readonly reasoningFields: readonly string[]
  readonly reasoningLists: readonly string[]
}

const nothing: ChunkFacts = { parts: [], finish: null, usage: null, thought: null, items: [] }

/** Reads a chunk of a stream, or a whole answer of a server that does not stream. */
export function readChunk(chunk: unknown, where: ThinkingFields): ChunkFacts {
  if (!isFields(chunk)) return nothing
  const choice = firstChoice(chunk['choices'])
  const usage = usageIn(chunk['usage']) ?? usageIn(choice?.['usage'])
  if (!choice) return usage ? { ...nothing, usage } : nothing
  const delta = isFields(choice['delta']) ? choice['delta'] : isFields(choice['message']) ? choice['message'] : {}
  const finish = choice['finish_reason']
  const parts: StreamPart[] = []
  const thought = thoughtIn(delta, where.reasoningFields)
  const items = itemsIn(delta, where.reasoningLists)
  const shown = thought?.text || items.map(({ item }) => textOf(item['text'] ?? item['summary'])).join('')
  if (shown !== '') parts.push({ kind: 'thinking-delta', text: shown })
  addContent(delta['content'] ?? choice['text'], parts)
  if (typeof delta['refusal'] === 'string' && delta['refusal'] !== '') parts.push({ kind: 'text-delta', text: delta['refusal'] })
  addCalls(delta['tool_calls'], parts)
  if (isFields(delta['function_call'])) parts.push(callPiece({ index: 0, function: delta['function_call'] }))
  return { parts, finish: typeof finish === 'string' && finish !== '' ? finish : null, usage, thought, items }
}

/** Only one answer is asked for; a server that gives more has the first one read. */
function firstChoice(choices: unknown): Fields | null {
  if (!Array.isArray(choices)) return isFields(choices) ? choices : null
  const list = (choices as readonly unknown[]).filter(isFields)
  return list.find((choice) => choice['index'] === undefined || choice['index'] === null || Number(choice['index']) === 0) ?? null
}

/** An empty text counts only where no other field has one: it says that there was no thinking, and some want that back. */
function thoughtIn(delta: Fields, fields: readonly string[]): ChunkFacts['thought'] {
  const found = fields.flatMap((field) => (typeof delta[field] === 'string' ? [{ field, text: delta[field] }] : []))
  return found.find((one) => one.text !== '') ?? found[0] ?? null
}

function itemsIn(delta: Fields, fields: readonly string[]): ChunkFacts['items'] {
  return fields.flatMap((field) => {
    const list = delta[field]
    return Array.isArray(list) ? (list as readonly unknown[]).filter(isFields).map((item) => ({ field, item })) : []
  })
}

/** A string, or a list of parts; parts of other kinds than text and thinking have nothing to show here. */
function addContent(content: unknown, parts: StreamPart[]): void {
  if (typeof content === 'string') {
    if (content !== '') parts.push({ kind: 'text-delta', text: content })
    return
  }
  for (const part of Array.isArray(content) ? (content as readonly unknown[]) : [content]) {
    if (typeof part === 'string') addContent(part, parts)
    if (!isFields(part)) continue
    const isThinking = part['type'] === 'thinking' || part['type'] === 'reasoning'
    const text = textOf(part['text'] ?? part['thinking'])
    if (text !== '') parts.push({ kind: isThinking ? 'thinking-delta' : 'text-delta', text })
  }
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  if (Array.isArray(value)) return (value as readonly unknown[]).map(textOf).join('')
  return isFields(value) ? textOf(value['text'] ?? value['value']) : ''
}

/** A list; some servers send one call as an object, or an object of calls by index. */
function addCalls(calls: unknown, parts: StreamPart[]): void {
  if (isFields(calls)) {
    const isOne = 'function' in calls || 'name' in calls || 'id' in calls || 'arguments' in calls
    return addCalls(isOne ? [calls] : Object.entries(calls).map(([index, call]) => (isFields(call) ? { index, ...call } : null)), parts)
  }
  if (!Array.isArray(calls)) return
  for (const call of calls as readonly unknown[]) if (isFields(call)) parts.push(callPiece(call))
}

function callPiece(call: Fields): StreamPart {
  const inner = isFields(call['function']) ? call['function'] : call
  const index = indexOf(call['index'])
  const id = typeof call['id'] === 'string' || typeof call['id'] === 'number' ? String(call['id']) : ''
  const name = typeof inner['name'] === 'string' ? inner['name'] : ''
  const argumentsText = argumentsOf(inner['arguments'])
  return { kind: 'call-piece', ...(index === null ? {} : { index }), ...(id === '' ? {} : { id }), ...(name === '' ? {} : { name }), ...(argumentsText === '' ? {} : { argumentsText }) }
}

function indexOf(value: unknown): number | null {
  const index = typeof value === 'number' ? value : typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : NaN
  return Number.isInteger(index) ? index : null
}

/** Text as it came; arguments that are JSON already become text again. */
function argumentsOf(value: unknown): string {
  if (typeof value === 'string') return value
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : ''
}

function usageIn(usage: unknown): Usage | null {
  if (!isFields(usage)) return null
  const input = numberIn(usage, ['prompt_tokens', 'input_tokens'])
  const output = numberIn(usage, ['completion_tokens', 'output_tokens'])
  if (input === null && output === null) return null
  const details = isFields(usage['prompt_tokens_details']) ? usage['prompt_tokens_details'] : {}
  const cached = numberIn(details, ['cached_tokens']) ?? numberIn(usage, ['prompt_cache_hit_tokens', 'cached_tokens'])
  return { inputTokens: input ?? 0, outputTokens: output ?? 0, ...(cached === null ? {} : { cachedTokens: cached }), estimated: false }
}
