import { createHash } from 'node:crypto'
import type { AttachedFile, EventDraft } from '../../src/shared/domain/event'
import { asId, type CallId, type MessageId, type TurnId, type WorkspaceId } from '../../src/shared/domain/ids'
import type { ModelMessage } from '../../src/shared/domain/model'
import { said } from '../../src/shared/domain/result'

interface StoredCall {
  readonly id?: unknown
  readonly function?: { readonly name?: unknown; readonly arguments?: unknown }
}

/** A message of a chat-completions conversation. */
export interface StoredMessage {
  readonly role: string
  readonly content?: unknown
  readonly tool_calls?: readonly StoredCall[]
  readonly tool_call_id?: unknown
}

/** A conversation as the app would have recorded it; `seqOf` is the event of each message, 0 for one that has none; `pictures` is the outputs store. */
export interface StoredSession {
  readonly drafts: readonly EventDraft[]
  readonly systemText: string
  readonly seqOf: readonly number[]
  readonly pictures: ReadonlyMap<string, Uint8Array>
}

/** Who a stored conversation was held with. */
export const storedChoice = { provider: 'p', model: 'fake-model' }

/** The events that a conversation in chat-completions form comes to: each user message begins a turn; texts of parts are joined. */
export function sessionOf(messages: readonly StoredMessage[]): StoredSession {
  const drafts: EventDraft[] = [{ type: 'session-opened', workspaceId: asId<WorkspaceId>('w'), title: 'x', level: 'writes' }]
  const seqOf: number[] = []
  const calls = new Map<string, CallId>()
  const pictures = new Map<string, Uint8Array>()
  let turn = 0
  let step = 0
  const at = () => ({ turnId: asId<TurnId>(`t${turn}`), step })
  const add = (draft: EventDraft): number => drafts.push(draft)
  for (const message of messages) {
    if (message.role === 'user') {
      if (turn > 0) add(ended(`t${turn}`))
      turn += 1
      step = 0
      seqOf.push(add({ type: 'user-message-added', turnId: at().turnId, messageId: asId<MessageId>(`m${drafts.length}`), text: textOf(message.content), ...filesOf(message.content, pictures) }))
      add({ type: 'turn-started', turnId: at().turnId, choice: storedChoice, level: 'writes' })
    } else if (message.role === 'assistant') {
      step += 1
      const own = (message.tool_calls ?? []).map((call) => ({ callId: asId<CallId>(`c${drafts.length}-${String(call.id)}`), providerCallId: String(call.id), name: String(call.function?.name), argumentsText: String(call.function?.arguments) }))
      own.forEach((call) => calls.set(call.providerCallId, call.callId))
      seqOf.push(add({ type: 'assistant-message-added', ...at(), messageId: asId<MessageId>(`m${drafts.length}`), text: textOf(message.content), reasoning: '', choice: storedChoice, calls: own, stop: own.length > 0 ? 'tool-calls' : 'stop', isComplete: true }))
    } else if (message.role === 'tool') {
      const callId = calls.get(String(message.tool_call_id))
      seqOf.push(callId === undefined ? 0 : add({ type: 'tool-finished', ...at(), callId, status: 'ok', say: said('turn.done'), text: textOf(message.content), changed: [], exitCode: null, outputRef: null, durationMs: 1 }))
    } else seqOf.push(0)
  }
  return { drafts, systemText: textOf(messages.find((message) => message.role === 'system')?.content), seqOf, pictures }
}

/** The same, with its last turn ended: then another may begin. */
export function endedSessionOf(messages: readonly StoredMessage[]): readonly EventDraft[] {
  const { drafts } = sessionOf(messages)
  const last = drafts.findLast((draft) => draft.type === 'turn-started')
  return last?.type === 'turn-started' ? [...drafts, ended(last.turnId)] : drafts
}

/** A message in chat-completions form. */
export function wireOf(message: ModelMessage): object {
  if (message.role === 'tool') return { role: 'tool', tool_call_id: message.providerCallId, content: message.text }
  if (message.role !== 'assistant' || message.calls.length === 0) return { role: message.role, content: message.text }
  return { role: 'assistant', content: message.text === '' ? null : message.text, tool_calls: message.calls.map((call) => ({ id: call.providerCallId, type: 'function', function: { name: call.name, arguments: call.argumentsText } })) }
}

function ended(turnId: string): EventDraft {
  return { type: 'turn-ended', turnId: asId<TurnId>(turnId), step: 1, reason: 'done', say: said('turn.done'), text: '', tokens: { input: 0, output: 0 }, auditHead: null }
}

/** The pictures of a message as the person would have attached them. */
function filesOf(content: unknown, pictures: Map<string, Uint8Array>): { readonly files?: readonly AttachedFile[] } {
  const parts = Array.isArray(content) ? (content as readonly { readonly image_url?: { readonly url: string } }[]) : []
  const files = parts.flatMap(({ image_url }, at): AttachedFile[] => {
    const [, mimeType, base64] = /^data:([^;]+);base64,(.+)$/.exec(image_url?.url ?? '') ?? []
    if (mimeType === undefined || base64 === undefined) return []
    const bytes = Buffer.from(base64, 'base64')
    const ref = createHash('sha256').update(bytes).digest('hex')
    const name = `Picture ${at}`
    pictures.set(ref, bytes)
    return [{ path: null, name, text: '', outputRef: null, content: [{ kind: 'image', mimeType, ref, sizeBytes: bytes.length, name }] }]
  })
  return files.length === 0 ? {} : { files }
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return (content as readonly { readonly text?: unknown }[]).map((part) => (typeof part.text === 'string' ? part.text : '')).filter((text) => text !== '').join('\n')
}
