/** A message of a chat-completions request body, as far as pairing goes. */
export interface WireMessage {
  readonly role?: unknown
  readonly content?: unknown
  readonly tool_calls?: unknown
  readonly tool_call_id?: unknown
}

interface WireCall {
  readonly id?: unknown
  readonly function?: { readonly name?: unknown; readonly arguments?: unknown }
}

/**
 * The pairing rule that every request body must keep: after an assistant message with `tool_calls` come at once the `tool`
 * messages that answer exactly these ids, each once; no `tool` message stands anywhere else; every `arguments` string is
 * a JSON object. Answers with the problems, in words; empty when the rule holds.
 */
export function pairingProblems(messages: readonly WireMessage[]): readonly string[] {
  const problems: string[] = []
  let open = new Set<string>()
  messages.forEach((message, at) => {
    if (message.role === 'tool') {
      const id = message.tool_call_id
      if (typeof id !== 'string' || !open.delete(id)) problems.push(`message ${at}: a tool result for ${JSON.stringify(id)}, which no call right before it asked for`)
      return
    }
    if (open.size > 0) problems.push(`message ${at}: calls without result before it: ${[...open].join(', ')}`)
    open = new Set()
    if (message.tool_calls === undefined) return
    const calls = Array.isArray(message.tool_calls) ? (message.tool_calls as readonly WireCall[]) : []
    if (message.role !== 'assistant' || calls.length === 0) problems.push(`message ${at}: tool_calls must be a filled list of an assistant message`)
    for (const call of calls) {
      problems.push(...callProblems(call, at, open))
      if (typeof call.id === 'string') open.add(call.id)
    }
  })
  if (open.size > 0) problems.push(`calls without result at the end: ${[...open].join(', ')}`)
  return problems
}

function callProblems(call: WireCall, at: number, open: ReadonlySet<string>): readonly string[] {
  const problems: string[] = []
  if (typeof call.id !== 'string' || call.id === '') problems.push(`message ${at}: a call without id`)
  else if (open.has(call.id)) problems.push(`message ${at}: two calls with the id ${call.id}`)
  if (typeof call.function?.name !== 'string' || call.function.name === '') problems.push(`message ${at}: a call without name`)
  if (!isObjectText(call.function?.arguments)) problems.push(`message ${at}: arguments are no JSON object: ${JSON.stringify(call.function?.arguments)}`)
  return problems
}

function isObjectText(text: unknown): boolean {
  if (typeof text !== 'string') return false
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
  } catch {
    return false
  }
}
