import type { ModelMessage, ThinkingBlock, ToolSpec } from '../../../../shared/domain/model'
import { BodyWriter, once } from '../bytes'
import { objectOf } from '../fields'
import type { PictureMessage } from '../pictures'
import type { BodyAsk } from '../protocol'
import { thinkingToSend } from '../thinking'
import { wireId, wireName, type Way } from '../way'

type Sent = ModelMessage | PictureMessage
type Block = Readonly<Record<string, unknown>>

/** Most tokens of an answer that are asked for unasked: what is asked for must fit into the window beside the input. */
const outputTokens = 32_000

const ephemeral = { type: 'ephemeral' }

/**
 * The body of a streaming request: https://docs.claude.com/en/api/messages. The instructions stand in `system`; results, notes and
 * pictures between two answers are the blocks of one user message, results first, as they come. The provider's cache is
 * marked behind what stays: the instructions with the tools, and the last two user messages, so that the next step finds the
 * end of this one. A last answer without calls is one that broke off and is asked for again: it is not sent, newer models refuse to
 * go on from one.
 */
export function requestBody({ choice, tools, messages, maxOutputTokens, way, facts }: BodyAsk): Uint8Array {
  const { quirks } = way
  const known = facts.maxOutputTokens ?? Infinity
  const limit = Math.min(known, maxOutputTokens ?? (facts.maxOutputTokens === null ? (quirks.maxTokensDefault ?? outputTokens) : outputTokens))
  const thinking = thinkingToSend(messages, choice, way)
  const groups = grouped(messages)
  const body = new BodyWriter().raw(`{"model":${JSON.stringify(choice.model)},${JSON.stringify(quirks.maxTokensField)}:${limit},"stream":true`)
  const system = messages.flatMap((message) => (message.role === 'system' && message.text.trim() !== '' ? [message.text] : []))
  if (system.length > 0) body.fields({ system: [{ type: 'text', text: system.join('\n\n'), ...(quirks.marksCache ? { cache_control: ephemeral } : {}) }] })
  const marked = quirks.marksCache ? groups.flatMap((group, at) => (group.role === 'user' ? [at] : [])).slice(-2) : []
  body.raw(',"messages":').list(groups.map((group, at) => groupBytes(group, marked.includes(at), thinking, way)))
  const offered = tools.length > 0 ? tools.map((tool) => once(tool, way.made, toolBody)) : namesUsed(messages).map((name) => Buffer.from(JSON.stringify({ name, input_schema: { type: 'object' } })))
  if (offered.length > 0) body.raw(',"tools":').list(offered)
  // A history with calls must come with tools, also where none is to be called.
  if (tools.length === 0 && offered.length > 0) body.fields({ tool_choice: { type: 'none' } })
  else if (tools.length > 0 && quirks.parallelCalls === false) body.fields({ tool_choice: { type: 'auto', disable_parallel_tool_use: true } })
  return body.fields(quirks.body).raw('}').done()
}

interface Group {
  readonly role: 'user' | 'assistant'
  readonly members: { readonly message: Sent; readonly at: number }[]
}

/** Messages of one side that follow each other are one; roles take turns, from the user to the user. */
function grouped(messages: readonly Sent[]): readonly Group[] {
  const groups: Group[] = []
  messages.forEach((message, at) => {
    if (message.role === 'system') return
    const role = message.role === 'assistant' ? 'assistant' : 'user'
    const last = groups.at(-1)
    if (last?.role === role) last.members.push({ message, at })
    else groups.push({ role, members: [{ message, at }] })
  })
  const last = groups.at(-1)
  if (last?.role === 'assistant' && last.members.every(({ message }) => message.role !== 'assistant' || message.calls.length === 0)) groups.pop()
  return groups
}

function groupBytes({ role, members }: Group, isMarked: boolean, thinking: ReturnType<typeof thinkingToSend>, way: Way): Uint8Array {
  const lists = members.map(({ message, at }, place) => {
    const own = thinking(message, at)
    const isLast = isMarked && place === members.length - 1
    if (isLast) return Buffer.from(JSON.stringify(marked(blocksOf(message, own, way))))
    return own.length === 0 ? once(message, way.made, (one) => blocksOf(one, [], way)) : once(message, way.madeThinking, (one) => blocksOf(one, own, way))
  })
  // Each is a list of blocks; together they are one list.
  const inner = lists.map((list) => list.subarray(1, -1)).filter((list) => list.length > 0)
  return new BodyWriter().raw(`{"role":"${role}","content":`).list(inner).raw('}').done()
}

function marked(blocks: readonly Block[]): readonly Block[] {
  return blocks.map((block, at) => (at === blocks.length - 1 ? { ...block, cache_control: ephemeral } : block))
}

function blocksOf(message: Sent, thinking: readonly ThinkingBlock[], way: Way): readonly Block[] {
  switch (message.role) {
    case 'system':
      return []
    case 'user':
      return textBlocks(message.text)
    case 'pictures':
      return message.parts.flatMap((part) => (part.kind === 'text' ? textBlocks(part.text) : [{ type: 'image', source: { type: 'base64', media_type: part.mimeType, data: part.base64 } }]))
    case 'tool':
      return [{ type: 'tool_result', tool_use_id: wireId(message.providerCallId, way), ...(message.text === '' ? {} : { content: message.text }) }]
    case 'assistant':
      return answerBlocks(message, thinking, way)
  }
}

/** Text, calls and, at their places among them, the blocks of thinking. */
function answerBlocks({ text, calls }: Extract<ModelMessage, { readonly role: 'assistant' }>, thinking: readonly ThinkingBlock[], way: Way): readonly Block[] {
  const blocks: Block[] = []
  let textAt = 0
  let callsAt = 0
  const upTo = (textEnd: number, callsEnd: number): void => {
    blocks.push(...textBlocks(text.slice(textAt, textEnd)))
    blocks.push(...calls.slice(callsAt, callsEnd).map((call) => ({ type: 'tool_use', id: wireId(call.providerCallId, way), name: wireName(call.name), input: objectOf(call.argumentsText) })))
    textAt = Math.max(textAt, textEnd)
    callsAt = Math.max(callsAt, callsEnd)
  }
  for (const block of thinking) {
    if (block.kind !== 'signed' && block.kind !== 'redacted') continue
    upTo(block.textBefore, block.callsBefore)
    if (block.kind === 'redacted') blocks.push({ type: 'redacted_thinking', data: block.data })
    else blocks.push({ type: 'thinking', thinking: block.text, ...(block.signature === '' ? {} : { signature: block.signature }) })
  }
  upTo(text.length, calls.length)
  return blocks
}

/** A block of white space alone is refused. */
function textBlocks(text: string): readonly Block[] {
  return text.trim() === '' ? [] : [{ type: 'text', text }]
}

function namesUsed(messages: readonly Sent[]): readonly string[] {
  return [...new Set(messages.flatMap((message) => (message.role === 'assistant' ? message.calls.map((call) => wireName(call.name)) : [])))]
}

function toolBody(tool: ToolSpec): unknown {
  return { name: tool.name, description: tool.description, input_schema: tool.parameters }
}
