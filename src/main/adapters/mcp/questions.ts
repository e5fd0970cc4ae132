import { ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js'
import type { McpSamplingMessage } from '../../../shared/domain/mcp'
import type { McpAnswer, McpQuestion, McpStart } from '../../core/ports/mcpConnections'
import { cutTo, mostOf, sizeOf } from './bounds'
import { fieldsOf, valuesFor } from './formFields'
import { isObject, listOf, textOf, type Json } from './messages'

type Ask = (question: McpQuestion) => Promise<McpAnswer>
type Offers = Pick<McpStart, 'offersSampling' | 'offersElicitation'>

/** The code of the specification for a person who said no to sampling. */
const userRefused = -1
const mostTokens = 1_000_000
/** What goes to the model is shown whole before; more than this nobody reads. */
const mostSampled = 100_000

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
  const system = textOf(params['systemPrompt'])
  if (messages.reduce((sum, { text }) => sum + text.length + 1, system.length) > mostSampled) throw new McpError(ErrorCode.InvalidParams, `More than ${mostSampled} characters`)
  const attached = messages.reduce((sum, message) => sum + message.attached, 0)
  const answer = await ask({ kind: 'sampling', system, messages: messages.map(({ role, text }) => ({ role, text })), maxTokens, attached })
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
  const fields = sizeOf(params['requestedSchema']) === null ? null : fieldsOf(params['requestedSchema'])
  // What is nested or endless cannot be shown as a form, and the specification does not allow the one.
  if (fields === null) return { action: 'decline' }
  const answer = await ask({ kind: 'elicitation', message: cutTo(textOf(params['message']), mostOf.description), fields })
  if (answer.kind !== 'values') return { action: answer.kind === 'refused' ? 'decline' : 'cancel' }
  const content = valuesFor(fields, answer.values)
  return content === null ? { action: 'cancel' } : { action: 'accept', content }
}

async function openAddress(params: Json, ask: Ask): Promise<Json> {
  const url = openable(textOf(params['url']))
  if (url === null) return { action: 'decline' }
  const answer = await ask({ kind: 'open-address', message: cutTo(textOf(params['message']), mostOf.description), url, elicitationId: cutTo(textOf(params['elicitationId']), mostOf.name) })
  if (answer.kind === 'opened') return { action: 'accept' }
  return { action: answer.kind === 'refused' ? 'decline' : 'cancel' }
}

/**
 * The address as a browser reads it, so that what is shown is what is opened: letters of other scripts in a name as punycode,
 * turned slashes and line breaks put right. Never a file, a script or a program of the system (CVE-2025-6514); plain http only on
 * this machine.
 */
function openable(text: string): string | null {
  if (text.length > mostOf.address || !URL.canParse(text)) return null
  const { protocol, hostname, username, password, href } = new URL(text)
  if (username !== '' || password !== '') return null
  return protocol === 'https:' || (protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(hostname)) ? href : null
}
