import type { ModelMessage, ThinkingBlock, ToolSpec } from '../../../../shared/domain/model'
import { BodyWriter, once } from '../bytes'
import type { PictureMessage } from '../pictures'
import type { BodyAsk } from '../protocol'
import { thinkingToSend } from '../thinking'
import { wireId, wireName, type Way } from '../way'

/**
 * The body of a streaming chat request. Order is as given; an empty list of tools is left out. Messages and tools that were
 * written before are copied: a history is sent again each step and only its end is new (R22).
 */
export function requestBody({ choice, tools, messages, maxOutputTokens, way }: BodyAsk): Uint8Array {
  const { quirks } = way
  const limit = maxOutputTokens ?? quirks.maxTokensDefault ?? undefined
  const thinking = thinkingToSend(messages, choice, way)
  const body = new BodyWriter().raw(`{"model":${JSON.stringify(choice.model)},"stream":true`)
  body.fields({ stream_options: quirks.asksForUsage ? { include_usage: true } : undefined, [quirks.maxTokensField]: limit })
  body.raw(',"messages":').list(messages.map((message, at) => messageBytes(message, thinking(message, at), way)))
  if (tools.length > 0) {
    body.raw(',"tools":').list(tools.map((tool) => once(tool, way.made, (spec) => toolBody(spec, way))))
    body.fields({ parallel_tool_calls: quirks.parallelCalls ?? undefined })
  }
  return body.fields(quirks.body).raw('}').done()
}

function messageBytes(message: ModelMessage | PictureMessage, thinking: readonly ThinkingBlock[], way: Way): Uint8Array {
  return thinking.length === 0 ? once(message, way.made, (one) => messageBody(one, [], way)) : once(message, way.madeThinking, (one) => messageBody(one, thinking, way))
}

function messageBody(message: ModelMessage | PictureMessage, thinking: readonly ThinkingBlock[], way: Way): unknown {
  switch (message.role) {
    case 'system':
      return { role: way.quirks.systemRole, content: message.text }
    case 'user':
      return { role: 'user', content: message.text }
    case 'pictures':
      return { role: 'user', content: message.parts.map((part) => (part.kind === 'text' ? { type: 'text', text: part.text } : { type: 'image_url', image_url: { url: pictureUrl(part, way) } })) }
    case 'tool':
      return { role: 'tool', tool_call_id: wireId(message.providerCallId, way), content: message.text }
    case 'assistant': {
      const extra = thinkingFields(thinking, way)
      if (message.calls.length === 0) return { role: 'assistant', content: message.text, ...extra }
      const calls = message.calls.map((call) => ({ id: wireId(call.providerCallId, way), type: 'function', function: { name: wireName(call.name), arguments: call.argumentsText } }))
      return { role: 'assistant', content: message.text === '' ? null : message.text, ...extra, tool_calls: calls }
    }
  }
}

/** The entries of lists as they came, else the text of the field; the filler where there is neither and one is needed. */
function thinkingFields(thinking: readonly ThinkingBlock[], { quirks }: Way): Readonly<Record<string, unknown>> {
  const items: Record<string, unknown[]> = {}
  const texts: Record<string, string> = {}
  for (const block of thinking) {
    if (block.kind === 'item') (items[block.field] ??= []).push(block.item)
    if (block.kind === 'field') texts[quirks.reasoningReturnAs ?? block.field] = block.text
  }
  if (Object.keys(items).length > 0) return items
  if (Object.keys(texts).length > 0 || quirks.reasoningFiller === null) return texts
  const field = quirks.reasoningReturnAs ?? quirks.reasoningFields[0]
  return field === undefined ? {} : { [field]: quirks.reasoningFiller }
}

function pictureUrl({ mimeType, base64 }: { readonly mimeType: string; readonly base64: string }, { quirks }: Way): string {
  return quirks.images === 'base64' ? base64 : `data:${mimeType};base64,${base64}`
}

function toolBody(tool: ToolSpec, { quirks }: Way): unknown {
  const strict = quirks.strictTools === null ? {} : { strict: quirks.strictTools }
  return { type: 'function', function: { name: tool.name, description: tool.description, ...strict, parameters: tool.parameters } }
}
