import type { Quirks } from '../../../../shared/domain/catalogue'
import type { Usage } from '../../../../shared/domain/model'
import type { ListedModel } from '../../../core/ports/providerProbe'
import { isFields, numberIn, type Fields } from '../fields'
import { readLines } from '../lines'
import type { ModelProtocol } from '../protocol'
import type { ChunkTaker, Reply } from '../reply'
import { requestBody } from './requestBody'

/** Ollama's own chat: https://docs.ollama.com/api/chat */
export const ollama: ModelProtocol = {
  accept: 'application/x-ndjson',
  usesFacts: true,
  body: requestBody,
  reader: readLines,
  taker: (way) => new Taker(way.quirks.reasoningFields),
  relax: () => null,
  entries: (list) => (isFields(list) && Array.isArray(list['models']) ? (list['models'] as readonly unknown[]) : null),
  about: { path: 'api/show', body: (model) => JSON.stringify({ model }), read: readAbout },
}

class Taker implements ChunkTaker {
  private readonly fields: readonly string[]
  private thought = ''
  private calls = 0

  constructor(fields: readonly string[]) {
    this.fields = fields
  }

  take(chunk: unknown, reply: Reply): void {
    if (!isFields(chunk)) return
    const message = isFields(chunk['message']) ? chunk['message'] : {}
    const thought = this.fields.map((field) => message[field]).find((text) => typeof text === 'string' && text !== '')
    if (typeof thought === 'string') {
      this.thought += thought
      reply.addText('thinking-delta', thought)
    }
    reply.addText('text-delta', message['content'])
    this.takeCalls(message['tool_calls'], reply)
    if (chunk['done'] !== true) return
    reply.count(usageIn(chunk))
    reply.finish = typeof chunk['done_reason'] === 'string' && chunk['done_reason'] !== '' ? chunk['done_reason'] : 'stop'
    reply.isDone = true
  }

  close(reply: Reply): void {
    const [field] = this.fields
    if (!reply.fault && this.thought !== '' && field !== undefined) reply.add({ kind: 'thinking-block', block: { kind: 'field', field, text: this.thought } })
  }

  /** Every call comes whole. The index a server gives may be the same for all of them, so their order counts. */
  private takeCalls(calls: unknown, reply: Reply): void {
    for (const call of Array.isArray(calls) ? (calls as readonly unknown[]) : [calls]) {
      if (!isFields(call)) continue
      const inner = isFields(call['function']) ? call['function'] : call
      const { name, arguments: args } = inner
      const id = call['id']
      const argumentsText = typeof args === 'string' ? args : isFields(args) ? JSON.stringify(args) : '{}'
      reply.add({ kind: 'call-piece', index: this.calls++, ...(typeof id === 'string' && id !== '' ? { id } : {}), ...(typeof name === 'string' && name !== '' ? { name } : {}), argumentsText })
    }
  }
}

function usageIn(chunk: Fields): Usage | null {
  const input = numberIn(chunk, ['prompt_eval_count'])
  const output = numberIn(chunk, ['eval_count'])
  return input === null && output === null ? null : { inputTokens: input ?? 0, outputTokens: output ?? 0, estimated: false }
}

/** https://docs.ollama.com/api-reference/show-model-details: the window is `ARCHITECTURE.context_length` of `model_info`. */
function readAbout(answer: unknown, model: string, { windowLimit }: Quirks): ListedModel {
  const fields = isFields(answer) ? answer : {}
  const info = isFields(fields['model_info']) ? fields['model_info'] : {}
  const window = Object.entries(info).flatMap(([name, value]) => (name.endsWith('.context_length') && typeof value === 'number' && value > 0 ? [value] : []))[0]
  const abilities = fields['capabilities']
  return {
    id: model,
    windowTokens: window === undefined ? null : Math.min(window, windowLimit ?? window),
    seesImages: Array.isArray(abilities) ? abilities.includes('vision') : null,
  }
}
