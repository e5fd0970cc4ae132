import { said, type Said } from '../../../shared/domain/result'
import { say } from '../../../shared/words/say'
import { parseArguments } from '../stream/parseArguments'
import { namelessTool, sendableArguments } from './sendable'

/** A chat-completions message as it was stored, its fields unchecked. */
export type LooseMessage = Readonly<Record<string, unknown>>

/** A list that keeps the pairing rule, and what had to be done for it. */
export interface RepairedMessages {
  readonly messages: readonly LooseMessage[]
  readonly repairs: readonly Said[]
}

interface LooseCall {
  /** The id the results refer to; `sent` is what it is called now. */
  readonly id: string
  readonly sent: string
  readonly name: string
  readonly body: LooseMessage
}

/**
 * Makes any list of messages one that providers accept (R32): behind an assistant message with calls stand exactly the
 * results of these calls, each once; no result stands anywhere else; arguments are JSON objects. A call without result
 * gets one that says it was interrupted; a result that stands too late is moved to its call; results that no call asked
 * for and second ones are left out. A list that keeps the rule comes back as it is; repairing twice changes nothing more.
 */
export function repairMessages(messages: readonly unknown[]): RepairedMessages {
  const repairs: Said[] = []
  const sound = messages.filter((message): message is LooseMessage => {
    const isMessage = isObject(message) && typeof message['role'] === 'string'
    if (!isMessage) repairs.push(said('model.repaired-message'))
    return isMessage
  })
  const moved = new Set<LooseMessage>()
  const out: LooseMessage[] = []
  for (let at = 0; at < sound.length; ) {
    const message = sound[at]
    at++
    if (message === undefined || moved.has(message)) continue
    if (message['role'] === 'tool') {
      repairs.push(said('model.repaired-orphan', { id: idOf(message) }))
      continue
    }
    const { kept, calls } = cleanCalls(message, repairs)
    if (kept) out.push(kept)
    if (calls.length === 0) continue
    const next = endOfResults(sound, at)
    out.push(...resultsFor(calls, sound, { from: at, to: next }, moved, repairs))
    at = next
  }
  return { messages: out, repairs }
}

function endOfResults(messages: readonly LooseMessage[], from: number): number {
  let to = from
  while (messages[to]?.['role'] === 'tool') to++
  return to
}

/** The message with calls that can be sent; null when nothing of it is left. */
function cleanCalls(message: LooseMessage, repairs: Said[]): { readonly kept: LooseMessage | null; readonly calls: readonly LooseCall[] } {
  if (!('tool_calls' in message)) return { kept: message, calls: [] }
  const { tool_calls: raw, ...rest } = message
  const list = Array.isArray(raw) ? (raw as readonly unknown[]) : isObject(raw) ? [raw] : []
  const calls = message['role'] === 'assistant' ? readCalls(list, repairs) : []
  if (calls.length === 0) {
    repairs.push(said('model.repaired-field'))
    return { kept: isBlank(rest['content']) ? null : rest, calls: [] }
  }
  const isSame = Array.isArray(raw) && raw.length === calls.length && calls.every((call, at) => call.body === list[at])
  return { kept: isSame ? message : { ...message, tool_calls: calls.map((call) => call.body) }, calls }
}

function readCalls(list: readonly unknown[], repairs: Said[]): readonly LooseCall[] {
  const given = new Set(list.flatMap((call) => (isObject(call) && typeof call['id'] === 'string' ? [call['id']] : [])))
  const taken = new Set<string>()
  return list.flatMap((call): readonly LooseCall[] => {
    const inner = isObject(call) ? call['function'] : null
    if (!isObject(call) || !isObject(inner)) {
      repairs.push(said('model.repaired-call'))
      return []
    }
    const id = typeof call['id'] === 'string' ? call['id'] : typeof call['id'] === 'number' ? String(call['id']) : ''
    const name = typeof inner['name'] === 'string' && inner['name'] !== '' ? inner['name'] : namelessTool
    const sent = uniqueId(id, taken, given)
    taken.add(sent)
    if (sent !== call['id']) repairs.push(said('model.repaired-id', { tool: name, id: sent }))
    if (name !== inner['name']) repairs.push(said('model.repaired-name', { id: sent, tool: name }))
    const argumentsText = readArguments(inner['arguments'], { id: sent, name }, repairs)
    const isSame = sent === call['id'] && name === inner['name'] && argumentsText === inner['arguments']
    return [{ id, sent, name, body: isSame ? call : { ...call, id: sent, function: { ...inner, name, arguments: argumentsText } } }]
  })
}

function uniqueId(id: string, taken: ReadonlySet<string>, given: ReadonlySet<string>): string {
  if (id !== '' && !taken.has(id)) return id
  const base = id === '' ? 'call' : id
  let n = id === '' ? 1 : 2
  while (taken.has(`${base}_${n}`) || given.has(`${base}_${n}`)) n++
  return `${base}_${n}`
}

function readArguments(value: unknown, call: { readonly id: string; readonly name: string }, repairs: Said[]): string {
  if (typeof value === 'string' && isObjectText(value)) return value
  const sent = typeof value === 'string' ? sendableArguments(value) : isObject(value) ? JSON.stringify(value) : '{}'
  repairs.push(said('model.repaired-arguments', { id: call.id, tool: call.name, sent }))
  return sent
}

function isObjectText(text: string): boolean {
  const parsed = parseArguments(text)
  return parsed.ok && parsed.value.repair === null && text.trim().startsWith('{')
}

/** The results of the calls of one message. Untouched, in whatever order, when they are all there and nothing else is. */
function resultsFor(calls: readonly LooseCall[], messages: readonly LooseMessage[], span: { readonly from: number; readonly to: number }, moved: Set<LooseMessage>, repairs: Said[]): readonly LooseMessage[] {
  const found = new Map<LooseCall, LooseMessage>()
  const inPlace = messages.slice(span.from, span.to).filter((message) => !moved.has(message))
  let isSame = true
  for (const result of inPlace) {
    const id = idOf(result)
    const call = calls.find((one) => one.id === id && !found.has(one))
    if (call) found.set(call, result)
    else repairs.push(calls.some((one) => one.id === id) ? said('model.repaired-duplicate', { id }) : said('model.repaired-orphan', { id }))
    isSame &&= call !== undefined && result['tool_call_id'] === call.sent
  }
  if (isSame && found.size === calls.length) return inPlace
  return calls.map((call) => {
    const result = found.get(call) ?? laterResult(call, messages, span.to, moved, repairs)
    if (result) return result['tool_call_id'] === call.sent ? result : { ...result, tool_call_id: call.sent }
    repairs.push(said('model.repaired-missing', { id: call.sent, tool: call.name }))
    return { role: 'tool', tool_call_id: call.sent, content: say('en', said('tool.interrupted')) }
  })
}

/** A result that stands behind another message, unless a later call asked for that id again. */
function laterResult(call: LooseCall, messages: readonly LooseMessage[], from: number, moved: Set<LooseMessage>, repairs: Said[]): LooseMessage | null {
  for (const message of messages.slice(from)) {
    if (message['role'] === 'tool' && idOf(message) === call.id && call.id !== '' && !moved.has(message)) {
      moved.add(message)
      repairs.push(said('model.repaired-moved', { id: call.sent }))
      return message
    }
    const asked = Array.isArray(message['tool_calls']) ? (message['tool_calls'] as readonly unknown[]) : []
    if (asked.some((other) => isObject(other) && other['id'] === call.id)) return null
  }
  return null
}

function idOf(message: LooseMessage): string {
  const id = message['tool_call_id']
  return typeof id === 'string' ? id : typeof id === 'number' ? String(id) : ''
}

function isBlank(content: unknown): boolean {
  return content === undefined || content === null || content === '' || (Array.isArray(content) && content.length === 0)
}

function isObject(value: unknown): value is LooseMessage {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
