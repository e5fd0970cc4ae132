import type { Quirks, QuirkChanges } from '../../../../shared/domain/catalogue'
import type { ThinkingBlock } from '../../../../shared/domain/model'
import { isFields, type Fields } from '../fields'
import type { ModelProtocol } from '../protocol'
import type { ChunkTaker, Reply } from '../reply'
import { readEvents } from '../sse'
import type { Way } from '../way'
import { readChunk } from './readChunk'
import { requestBody } from './requestBody'

/** OpenAI's chat completions, which most providers speak: https://platform.openai.com/docs/api-reference/chat */
export const openai: ModelProtocol = {
  accept: 'text/event-stream',
  usesFacts: false,
  body: requestBody,
  reader: readEvents,
  taker: (way) => new Taker(way),
  relax,
  entries: (list) => listIn(list),
}

class Taker implements ChunkTaker {
  private readonly way: Way
  private readonly texts = new Map<string, string>()
  private readonly items: { readonly field: string; item: Fields }[] = []

  constructor(way: Way) {
    this.way = way
  }

  take(chunk: unknown, reply: Reply): void {
    const { parts, finish, usage, thought, items } = readChunk(chunk, this.way.quirks)
    for (const part of parts) reply.add(part)
    if (thought) this.texts.set(thought.field, (this.texts.get(thought.field) ?? '') + thought.text)
    for (const { field, item } of items) this.takeItem(field, item)
    reply.finish = finish ?? reply.finish
    reply.count(usage)
  }

  close(reply: Reply): void {
    if (reply.fault || this.way.quirks.reasoningReturn === 'never') return
    const blocks: readonly ThinkingBlock[] = [
      ...[...this.texts].map(([field, text]): ThinkingBlock => ({ kind: 'field', field, text })),
      ...this.items.map(({ field, item }): ThinkingBlock => ({ kind: 'item', field, item })),
    ]
    for (const block of blocks) reply.add({ kind: 'thinking-block', block })
  }

  /** Entries come in pieces: those of one kind and place that follow each other are one (https://openrouter.ai/docs/use-cases/reasoning-tokens). */
  private takeItem(field: string, item: Fields): void {
    const last = this.items.at(-1)
    if (!last || last.field !== field || last.item['type'] !== item['type'] || last.item['index'] !== item['index'] || (last.item['id'] && item['id'] && last.item['id'] !== item['id'])) {
      this.items.push({ field, item })
      return
    }
    const joined: Record<string, unknown> = { ...last.item }
    for (const [name, value] of Object.entries(item)) {
      const before = joined[name]
      if (growing.has(name) && typeof before === 'string' && typeof value === 'string') joined[name] = before + value
      else if (value !== null && value !== undefined) joined[name] = value
    }
    last.item = joined
  }
}

/** The fields of an entry that come in pieces; a signature comes whole. */
const growing = new Set(['text', 'summary', 'data'])

/** What a refusal names is left out or named otherwise from then on. */
function relax(refusal: string, quirks: Quirks): QuirkChanges | null {
  if (quirks.asksForUsage && refusal.includes('stream_options')) return { asksForUsage: false }
  if (quirks.maxTokensField !== 'max_completion_tokens' && refusal.includes('max_completion_tokens')) return { maxTokensField: 'max_completion_tokens' }
  if (quirks.parallelCalls !== null && refusal.includes('parallel_tool_calls')) return { parallelCalls: null }
  if (quirks.systemRole === 'developer' && refusal.includes('developer')) return { systemRole: 'system' }
  return null
}

/** `{data: [...]}`, `{models: [...]}` or a bare list. */
function listIn(body: unknown): readonly unknown[] | null {
  const list = Array.isArray(body) ? (body as readonly unknown[]) : isFields(body) ? (body['data'] ?? body['models']) : null
  return Array.isArray(list) ? (list as readonly unknown[]) : null
}
