import { ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js'
import type { McpSamplingMessage } from '../../../shared/domain/mcp'
import type { McpAnswer, McpQuestion, McpStart } from '../../core/ports/mcpConnections'
import { fieldsOf, valuesFor } from './formFields'
import { isObject, listOf, textOf, type Json } from './messages'

type Ask = (question: McpQuestion) => Promise<McpAnswer>
type Offers = Pick<McpStart, 'offersSampling' | 'offersElicitation'>

/** The code of the specification for a person who said no to sampling. */
const userRefused = -1
const mostTokens = 1_000_000

/**
 * Answers what a server asks of us (R51); null for what was not offered.
 * Throws the library's error for what cannot be asked.
 */
export async function answerQuestion(method: string, params: Json, offers: Offers, ask: Ask): Promise<Json | null> {
  if (method === 'sampling/createMessage' && offers.offersSampling) return sample(params, ask)
  if (method === 'elicitation/create' && offers.offersElicitation) return params['mode'] === 'url' ? openAddress(params, ask) : askValues(params, ask)
  return null
}

async function sample(params: Json, ask: Ask): Promise<Json> {
  // Not declared, so the specification wants an error; nothing runs tools for a server.
  if (params['tools'] !== undefined || params['toolChoice'] !== undefined) throw new McpError(ErrorCode.InvalidParams, 'Tools are not supported in sampling')
  const messages = listOf(params['messages']).map(samplingMessage)
  const asked = params['maxTokens']
  const maxTokens = typeof asked === 'number' && asked >= 1 ? Math.min(Math.floor(asked), mostTokens) : mostTokens
  const attached = messages.reduce((sum, message) => sum + message.attached, 0)
  const answer = await ask({ kind: 'sampling', system: textOf(params['systemPrompt']), messages: messages.map(({ role, text }) => ({ role, text })), maxTokens, attached })
  if (answer.kind !== 'text') throw new McpError(userRefused, 'The user did not allow this')
  return { role: 'assistant', model: answer.model, stopReason: answer.isCut ? 'maxTokens' : 'endTurn', content: { type: 'text', text: answer.text } }
}

/** Only text reaches the model; other parts are counted, so that the person sees that there were some. */
function samplingMessage(value: unknown): McpSamplingMessage & { readonly attached: number } {
  const { role, content } = isObject(value) ? value : { role: 'user', content: [] }
  const parts = Array.isArray(content) ? content : [content]
  const texts = parts.flatMap((part: unknown) => (isObject(part) && part['type'] === 'text' ? [textOf(part['text'])] : []))
  return { role: role === 'assistant' ? 'assistant' : 'user', text: texts.join('\n'), attached: parts.length - texts.length }
}

async function askValues(params: Json, ask: Ask): Promise<Json> {
  const fields = fieldsOf(params['requestedSchema'])
  // What is nested cannot be shown as a form, and the specification does not allow it.
  if (fields === null) return { action: 'decline' }
  const answer = await ask({ kind: 'elicitation', message: textOf(params['message']), fields })
  if (answer.kind !== 'values') return { action: answer.kind === 'refused' ? 'decline' : 'cancel' }
  const content = valuesFor(fields, answer.values)
  return content === null ? { action: 'cancel' } : { action: 'accept', content }
}

async function openAddress(params: Json, ask: Ask): Promise<Json> {
  const url = textOf(params['url'])
  if (!isOpenable(url)) return { action: 'decline' }
  const answer = await ask({ kind: 'open-address', message: textOf(params['message']), url, elicitationId: textOf(params['elicitationId']) })
  if (answer.kind === 'opened') return { action: 'accept' }
  return { action: answer.kind === 'refused' ? 'decline' : 'cancel' }
}

/** Never a file, a script or a program of the system (CVE-2025-6514); plain http only on this machine. */
function isOpenable(text: string): boolean {
  try {
    const { protocol, hostname, username, password } = new URL(text)
    if (username !== '' || password !== '') return false
    return protocol === 'https:' || (protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(hostname))
  } catch {
    return false
  }
}
