import type { StreamPart, Usage } from '../../../../shared/domain/model'
import { isFields, numberIn, type Fields } from '../fields'
import type { ModelProtocol } from '../protocol'
import type { ChunkTaker, Reply } from '../reply'
import { readEvents } from '../sse'
import { requestBody } from './requestBody'

/** Anthropic's messages: https://docs.claude.com/en/api/messages, https://docs.claude.com/en/docs/build-with-claude/streaming */
export const anthropic: ModelProtocol = {
  accept: 'text/event-stream',
  usesFacts: true,
  body: requestBody,
  reader: readEvents,
  taker: () => new Taker(),
  relax: () => null,
  entries: (list) => (isFields(list) && Array.isArray(list['data']) ? (list['data'] as readonly unknown[]) : null),
}

interface OpenBlock {
  readonly index: number
  readonly type: string
  text: string
  signature: string
  data: string
  /** Arguments that came whole with the opening, for servers that send no pieces of them. */
  readonly input: Fields | null
  hasPieces: boolean
  readonly textBefore: number
  readonly callsBefore: number
}

/** Unknown events, blocks and deltas are passed over: more will come. */
class Taker implements ChunkTaker {
  private readonly open = new Map<number, OpenBlock>()
  private textLength = 0
  private calls = 0
  private last = 0

  take(event: unknown, reply: Reply): void {
    if (!isFields(event)) return
    switch (event['type']) {
      case 'message_start':
        return this.count(isFields(event['message']) ? event['message']['usage'] : null, reply)
      case 'content_block_start':
        return this.start(this.indexOf(event), event['content_block'], reply)
      case 'content_block_delta':
        return this.grow(this.indexOf(event), event['delta'], reply)
      case 'content_block_stop':
        return this.stop(this.indexOf(event), reply)
      case 'message_delta':
        this.finish(event['delta'], reply)
        return this.count(event['usage'], reply)
      case 'message_stop':
        reply.isDone = true
        return
      case 'message':
        return this.takeWhole(event, reply)
    }
  }

  close(reply: Reply): void {
    for (const index of [...this.open.keys()].sort((a, b) => a - b)) this.stop(index, reply)
  }

  private indexOf(event: Fields): number {
    const { index } = event
    this.last = typeof index === 'number' ? index : this.last
    return this.last
  }

  private start(index: number, content: unknown, reply: Reply): void {
    if (!isFields(content)) return
    // A server that forgot to close the one before.
    if (this.open.has(index)) this.stop(index, reply)
    const input = isFields(content['input']) && Object.keys(content['input']).length > 0 ? content['input'] : null
    const block: OpenBlock = { index, type: textOf(content['type']), text: '', signature: textOf(content['signature']), data: textOf(content['data']), input, hasPieces: false, textBefore: this.textLength, callsBefore: this.calls }
    this.open.set(index, block)
    if (block.type === 'text') this.addText(content['text'], reply)
    if (block.type === 'thinking') this.addThought(block, content['thinking'], reply)
    if (block.type !== 'tool_use') return
    this.calls++
    const id = textOf(content['id'])
    const name = textOf(content['name'])
    reply.add({ kind: 'call-piece', index, ...(id === '' ? {} : { id }), ...(name === '' ? {} : { name }) })
  }

  private grow(index: number, delta: unknown, reply: Reply): void {
    if (!isFields(delta)) return
    const block = this.open.get(index)
    switch (delta['type']) {
      case 'text_delta':
        return this.addText(delta['text'], reply)
      case 'input_json_delta':
        return this.addArguments(index, block, delta['partial_json'], reply)
      case 'thinking_delta':
        return this.addThought(block, delta['thinking'], reply)
      case 'signature_delta':
        if (block) block.signature += textOf(delta['signature'])
        return
    }
  }

  private stop(index: number, reply: Reply): void {
    const block = this.open.get(index)
    if (!block) return
    this.open.delete(index)
    if (block.type === 'tool_use' && !block.hasPieces && block.input) reply.add(piece(index, JSON.stringify(block.input)))
    if (reply.fault) return
    const place = { textBefore: block.textBefore, callsBefore: block.callsBefore }
    if (block.type === 'thinking') reply.add({ kind: 'thinking-block', block: { kind: 'signed', text: block.text, signature: block.signature, ...place } })
    if (block.type === 'redacted_thinking' && block.data !== '') reply.add({ kind: 'thinking-block', block: { kind: 'redacted', data: block.data, ...place } })
  }

  private addText(text: unknown, reply: Reply): void {
    if (typeof text !== 'string') return
    this.textLength += text.length
    reply.addText('text-delta', text)
  }

  private addThought(block: OpenBlock | undefined, text: unknown, reply: Reply): void {
    if (block) block.text += textOf(text)
    reply.addText('thinking-delta', text)
  }

  /** Text in pieces; a server may also send the arguments as what they are. */
  private addArguments(index: number, block: OpenBlock | undefined, json: unknown, reply: Reply): void {
    const text = typeof json === 'string' ? json : isFields(json) ? JSON.stringify(json) : ''
    if (text === '') return
    if (block) block.hasPieces = true
    reply.add(piece(index, text))
  }

  private finish(delta: unknown, reply: Reply): void {
    const reason = isFields(delta) ? delta['stop_reason'] : null
    if (typeof reason === 'string' && reason !== '') reply.finish = reason
  }

  /** The later figures are whole, not more; what they leave out stands as before. */
  private count(usage: unknown, reply: Reply): void {
    if (isFields(usage)) reply.count(usageIn(usage, reply.counted()))
  }

  /** A server that does not stream. */
  private takeWhole(message: Fields, reply: Reply): void {
    const content = Array.isArray(message['content']) ? (message['content'] as readonly unknown[]) : []
    content.forEach((block, index) => {
      this.start(index, block, reply)
      this.stop(index, reply)
    })
    this.finish(message, reply)
    this.count(message['usage'], reply)
    reply.isDone = true
  }
}

function piece(index: number, argumentsText: string): StreamPart {
  return { kind: 'call-piece', index, argumentsText }
}

/** `input_tokens` holds neither what came from the cache nor what went into it. */
function usageIn(usage: Fields, before: Usage | null): Usage | null {
  const fresh = numberIn(usage, ['input_tokens'])
  const cached = numberIn(usage, ['cache_read_input_tokens']) ?? before?.cachedTokens ?? null
  const written = numberIn(usage, ['cache_creation_input_tokens']) ?? before?.cacheWriteTokens ?? null
  const output = numberIn(usage, ['output_tokens']) ?? before?.outputTokens ?? null
  const input = fresh === null ? (before?.inputTokens ?? null) : fresh + (cached ?? 0) + (written ?? 0)
  if (input === null && output === null) return null
  return { inputTokens: input ?? 0, outputTokens: output ?? 0, ...(cached === null ? {} : { cachedTokens: cached }), ...(written === null ? {} : { cacheWriteTokens: written }), estimated: false }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
