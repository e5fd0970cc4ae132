import type { ModelMessage, ThinkingBlock, ToolSpec } from '../../../../shared/domain/model'
import { BodyWriter, once } from '../bytes'
import { objectOf } from '../fields'
import type { PictureMessage } from '../pictures'
import type { BodyAsk } from '../protocol'
import { thinkingToSend } from '../thinking'
import { wireId, wireName, type Way } from '../way'

/**
 * The body of a streaming chat request. `num_ctx` is the window that the app counts with: left out, a server takes a few thousand
 * tokens and drops the beginning of a longer history without a word.
 */
export function requestBody({ choice, tools, messages, maxOutputTokens, way, facts }: BodyAsk): Uint8Array {
  const { quirks } = way
  const thinking = thinkingToSend(messages, choice, way)
  const body = new BodyWriter().raw(`{"model":${JSON.stringify(choice.model)},"stream":true,"messages":`)
  body.list(messages.map((message, at) => messageBytes(message, thinking(message, at), way)))
  if (tools.length > 0) body.raw(',"tools":').list(tools.map((tool) => once(tool, way.made, toolBody)))
  const limit = maxOutputTokens ?? quirks.maxTokensDefault ?? undefined
  const options = { num_ctx: facts.windowTokens ?? undefined, [quirks.maxTokensField]: limit }
  return body.fields({ options: Object.values(options).some((value) => value !== undefined) ? options : undefined, ...quirks.body }).raw('}').done()
}

function messageBytes(message: ModelMessage | PictureMessage, thinking: readonly ThinkingBlock[], way: Way): Uint8Array {
  return thinking.length === 0 ? once(message, way.made, (one) => messageBody(one, '', way)) : once(message, way.madeThinking, (one) => messageBody(one, thoughtOf(thinking), way))
}

function thoughtOf(thinking: readonly ThinkingBlock[]): string {
  return thinking.map((block) => (block.kind === 'field' ? block.text : '')).join('')
}

function messageBody(message: ModelMessage | PictureMessage, thought: string, way: Way): unknown {
  switch (message.role) {
    case 'system':
    case 'user':
      return { role: message.role, content: message.text }
    case 'pictures': {
      const texts = message.parts.flatMap((part) => (part.kind === 'text' ? [part.text] : []))
      const images = message.parts.flatMap((part) => (part.kind === 'picture' ? [part.base64] : []))
      return { role: 'user', content: texts.join('\n\n'), ...(images.length === 0 ? {} : { images }) }
    }
    case 'tool':
      return { role: 'tool', tool_name: wireName(message.name), tool_call_id: wireId(message.providerCallId, way), content: message.text }
    case 'assistant': {
      const thinking = thought === '' ? {} : { thinking: thought }
      if (message.calls.length === 0) return { role: 'assistant', content: message.text, ...thinking }
      return { role: 'assistant', content: message.text, ...thinking, tool_calls: message.calls.map((call) => ({ id: wireId(call.providerCallId, way), function: { name: wireName(call.name), arguments: objectOf(call.argumentsText) } })) }
    }
  }
}

function toolBody(tool: ToolSpec): unknown {
  return { type: 'function', function: { name: tool.name, description: tool.description, parameters: tool.parameters } }
}
