import type { ModelMessage } from '../../../shared/domain/model'
import type { Said } from '../../../shared/domain/result'
import { parseArguments } from '../stream/parseArguments'
import { repairMessages, type LooseMessage } from './repair'
import { namelessTool } from './sendable'

/**
 * What is wrong with the messages of a request, in words for whoever develops this; empty when providers will take them (R5,
 * R25, R32): a system prompt only at the beginning, then the user first; behind a message with calls exactly its results, in call
 * order, each once, and results nowhere else; ids that no other call of the request has; arguments that are JSON objects. Pure;
 * what was looked at in a message once is not looked at again.
 */
export function requestProblems(messages: readonly ModelMessage[]): readonly string[] {
  const problems: string[] = []
  const ids = new Set<string>()
  let open: string[] = []
  let isFirst = true
  messages.forEach((message, at) => {
    if (message.role === 'system') {
      if (at > 0) problems.push(`message ${at}: a system prompt inside the conversation`)
      return
    }
    if (isFirst && message.role !== 'user') problems.push(`message ${at}: the first message is the ${message.role}'s`)
    isFirst = false
    if (message.role === 'tool') {
      const due = open.shift()
      if (due !== message.providerCallId) problems.push(`message ${at}: a result of ${message.providerCallId}, where ${due ?? 'none'} was due`)
      return
    }
    if (open.length > 0) problems.push(`message ${at}: no results before it for ${open.join(', ')}`)
    open = []
    if (message.role !== 'assistant') return
    for (const { providerCallId } of message.calls) {
      if (providerCallId === '' || ids.has(providerCallId)) problems.push(`message ${at}: the id ${JSON.stringify(providerCallId)} is taken`)
      ids.add(providerCallId)
      open.push(providerCallId)
    }
    if (!hasSoundCalls(message)) problems.push(`message ${at}: arguments that are no JSON object, or a call without name`)
  })
  if (open.length > 0) problems.push(`no results at the end for ${open.join(', ')}`)
  return problems
}

/** The messages as providers take them, and what was done for it; for a program that must go on although it has a fault (R32). */
export function repairRequest(messages: readonly ModelMessage[]): { readonly messages: readonly ModelMessage[]; readonly repairs: readonly Said[] } {
  const [first] = messages
  const head = first?.role === 'system' ? [first] : []
  const { messages: loose, repairs } = repairMessages(messages.filter((message) => message.role !== 'system').map(looseOf))
  const sound = loose.map(neutralOf)
  const start: readonly ModelMessage[] = sound.length > 0 && sound[0]?.role !== 'user' ? [{ role: 'user', text: '…' }] : []
  return { messages: [...head, ...start, ...sound], repairs }
}

const sound = new WeakSet<ModelMessage>()

function hasSoundCalls(message: Extract<ModelMessage, { readonly role: 'assistant' }>): boolean {
  if (sound.has(message)) return true
  const isSound = message.calls.every(({ name, argumentsText }) => {
    const parsed = parseArguments(argumentsText)
    return name !== '' && parsed.ok && parsed.value.repair === null && argumentsText.trim().startsWith('{')
  })
  if (isSound) sound.add(message)
  return isSound
}

/** In chat-completions form, with the message itself beside, so that nothing of it is lost on the way. */
function looseOf(message: ModelMessage): LooseMessage {
  switch (message.role) {
    case 'assistant': return { role: 'assistant', content: message.text, of: message, ...(message.calls.length === 0 ? {} : { tool_calls: message.calls.map((call) => ({ id: call.providerCallId, type: 'function', function: { name: call.name, arguments: call.argumentsText } })) }) }
    case 'tool': return { role: 'tool', tool_call_id: message.providerCallId, content: message.text, of: message }
    default: return { role: message.role, content: message.text, of: message }
  }
}

interface LooseBody {
  readonly of?: ModelMessage
  readonly content?: unknown
  readonly tool_call_id?: unknown
  readonly tool_calls?: readonly { readonly id: string; readonly function: { readonly name: string; readonly arguments: string } }[]
}

function neutralOf(loose: LooseMessage): ModelMessage {
  const { of, content, tool_call_id: id, tool_calls: calls = [] } = loose as LooseBody
  if (of?.role === 'assistant') return { ...of, calls: calls.map((call) => ({ providerCallId: call.id, name: call.function.name, argumentsText: call.function.arguments })) }
  if (of?.role === 'tool') return { ...of, providerCallId: String(id) }
  return of ?? { role: 'tool', providerCallId: String(id), name: namelessTool, text: String(content) }
}
