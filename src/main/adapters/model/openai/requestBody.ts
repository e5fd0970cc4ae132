import type { ModelMessage, ModelRequest, ToolSpec } from '../../../../shared/domain/model'
import type { PictureMessage } from './pictures'

/** Message and tool texts that were made before; a history is sent again each step and only its end is new (R22). */
const made = new WeakMap<ModelMessage | PictureMessage | ToolSpec, Buffer>()

const comma = Buffer.from(',')

/** The body of a streaming chat request. Order is as given; an empty list of tools is left out. */
export function requestBody({ choice, tools, messages, maxOutputTokens }: Pick<ModelRequest, 'choice' | 'tools' | 'maxOutputTokens'> & { readonly messages: readonly (ModelMessage | PictureMessage)[] }, options: { readonly asksForUsage: boolean }): Uint8Array {
  const usage = options.asksForUsage ? ',"stream_options":{"include_usage":true}' : ''
  const limit = maxOutputTokens === undefined ? '' : `,"max_tokens":${maxOutputTokens}`
  const pieces: Buffer[] = [Buffer.from(`{"model":${JSON.stringify(choice.model)},"stream":true${usage}${limit},"messages":[`)]
  join(messages, messageBody, pieces)
  if (tools.length > 0) {
    pieces.push(Buffer.from('],"tools":['))
    join(tools, toolBody, pieces)
  }
  pieces.push(Buffer.from(']}'))
  return Buffer.concat(pieces)
}

function join<Item extends ModelMessage | PictureMessage | ToolSpec>(items: readonly Item[], form: (item: Item) => unknown, pieces: Buffer[]): void {
  items.forEach((item, at) => {
    if (at > 0) pieces.push(comma)
    let bytes = made.get(item)
    if (!bytes) made.set(item, (bytes = Buffer.from(JSON.stringify(form(item)))))
    pieces.push(bytes)
  })
}

/** A message in the protocol's form. Thinking is not sent back: this protocol has no field for it. */
function messageBody(message: ModelMessage | PictureMessage): unknown {
  switch (message.role) {
    case 'system':
    case 'user':
      return { role: message.role, content: message.text }
    case 'pictures':
      return { role: 'user', content: message.parts.map((part) => (part.kind === 'text' ? { type: 'text', text: part.text } : { type: 'image_url', image_url: { url: `data:${part.mimeType};base64,${part.base64}` } })) }
    case 'tool':
      return { role: 'tool', tool_call_id: message.providerCallId, content: message.text }
    case 'assistant': {
      if (message.calls.length === 0) return { role: 'assistant', content: message.text }
      const calls = message.calls.map((call) => ({ id: call.providerCallId, type: 'function', function: { name: call.name, arguments: call.argumentsText } }))
      return { role: 'assistant', content: message.text === '' ? null : message.text, tool_calls: calls }
    }
  }
}

function toolBody(tool: ToolSpec): unknown {
  return { type: 'function', function: { name: tool.name, description: tool.description, parameters: tool.parameters } }
}
