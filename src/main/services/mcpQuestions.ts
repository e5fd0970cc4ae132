import type { ApprovalAnswer, ApprovalPreview, ApprovalRequest } from '../../shared/domain/approval'
import type { EventDraft } from '../../shared/domain/event'
import { asId, type CallId, type SessionId, type TurnId } from '../../shared/domain/ids'
import type { ModelChoice, ModelMessage } from '../../shared/domain/model'
import { said, type Said } from '../../shared/domain/result'
import { bothStored } from '../core/agent/bothStored'
import { canonicalJson } from '../core/agent/repeatDetector'
import { estimateTokens } from '../core/context/estimate'
import type { CancelSignal } from '../core/ports/cancelSignal'
import { costBy } from '../core/usage/cost'
import type { McpAnswer, McpQuestion } from '../core/ports/mcpConnections'
import { StorageFault } from '../core/ports/storageFault'
import { isReachable } from './mcpEndpoint'
import { asksForSecret, valuesOf, type FormValues } from './mcpFormValues'
import { maskedValue } from './mcpMasked'
import type { McpServersPorts } from './mcpPorts'
import type { McpRegister } from './mcpRegister'

/** Where a call was made; what a server asks while it runs belongs there. */
export interface CallPlace {
  readonly sessionId: SessionId
  readonly turnId: TurnId
  readonly step: number
  readonly choice: ModelChoice
}

/** What servers ask of the person (R51): off until switched on, only while a call of the server runs, one approval each. */
export interface McpQuestions {
  /** A call of the server is in flight; returns what ends that. */
  entered(server: string, place: CallPlace, signal: CancelSignal): () => void
  /** The answer; `refused` by policy or the person, `cancelled` when nobody is there to answer. Never rejects for what the person does. */
  answer(server: string, question: McpQuestion, signal: CancelSignal): Promise<McpAnswer>
}

/** Most tokens that a server is given of a model, whatever it asks for. */
const sampledTokens = 2_000

type QuestionPorts = Pick<McpServersPorts, 'desk' | 'sessions' | 'audit' | 'clock' | 'ids' | 'hasher' | 'model' | 'facts' | 'openAddress' | 'withoutKnown'>

/** Most questions of one server to one session while its calls there run: more are no questions but a flood. */
const mostQuestions = 30

/** A session with calls of one server in flight. */
interface Present {
  readonly calls: Set<{ readonly place: CallPlace; readonly signal: CancelSignal }>
  /** Aborted when the last of the calls has ended: nobody waits for answers any more. */
  readonly over: AbortController
  questions: number
  /** Resolves when the last question so far is answered: a person gets one at a time. */
  last: Promise<void>
}

/** Makes it. */
export function makeMcpQuestions(ports: QuestionPorts, register: Pick<McpRegister, 'isOn'>): McpQuestions {
  /** By server; the session that was entered last is last. */
  const present = new Map<string, Map<SessionId, Present>>()
  return {
    entered(server, place, signal) {
      const sessions = present.get(server) ?? new Map<SessionId, Present>()
      present.set(server, sessions)
      const here = sessions.get(place.sessionId) ?? { calls: new Set(), over: new AbortController(), questions: 0, last: Promise.resolve() }
      sessions.delete(place.sessionId)
      sessions.set(place.sessionId, here)
      const call = { place, signal }
      here.calls.add(call)
      return () => {
        here.calls.delete(call)
        if (here.calls.size > 0) return
        here.over.abort()
        if (sessions.get(place.sessionId) === here) sessions.delete(place.sessionId)
      }
    },
    async answer(server, question, signal) {
      if (!register.isOn(server, question.kind === 'sampling' ? 'sampling' : 'elicitation')) return { kind: 'refused' }
      const here = [...(present.get(server)?.values() ?? [])].at(-1)
      const call = here && [...here.calls].at(-1)
      if (!here || !call) return { kind: 'refused' }
      here.questions += 1
      const both = firstOf([signal, call.signal, here.over.signal])
      try {
        if (here.questions > mostQuestions) return await tooMany(server, here, call.place, ports)
        return await inTurn(here, () => (both.signal.aborted ? Promise.resolve({ kind: 'cancelled' }) : answered(server, question, call.place, ports, both.signal)))
      } catch (error) {
        // What cannot be recorded is not answered; the turn meets the same fault and says it.
        if (error instanceof StorageFault) return { kind: 'cancelled' }
        throw error
      } finally {
        both.release()
      }
    },
  }
}

async function inTurn(here: Present, ask: () => Promise<McpAnswer>): Promise<McpAnswer> {
  const before = here.last
  let done: () => void = () => undefined
  here.last = new Promise((resolve) => (done = resolve))
  try {
    await before
    return await ask()
  } finally {
    done()
  }
}

async function tooMany(server: string, here: Present, place: CallPlace, ports: QuestionPorts): Promise<McpAnswer> {
  // Said once: a note for each would be the flood itself.
  if (here.questions === mostQuestions + 1) await ports.sessions.append(place.sessionId, [note(place, said('mcp.asks-too-often', { server, limit: mostQuestions }))])
  return { kind: 'refused' }
}

/** What a server asks is stored and shown, so it is asked without the keys that the server may have put into it. */
async function answered(server: string, given: McpQuestion, place: CallPlace, ports: QuestionPorts, signal: CancelSignal): Promise<McpAnswer> {
  const question = maskedValue(given, (text) => ports.withoutKnown(text))
  const barred = given.kind === 'open-address' && question.kind === 'open-address' && given.url !== question.url ? said('mcp.asks-secret-address', { server }) : barOf(server, question, ports)
  if (barred === null) return asked(server, question, place, ports, signal)
  await ports.sessions.append(place.sessionId, [note(place, barred)])
  return { kind: 'refused' }
}

/** Why a question is refused without asking anybody. */
function barOf(server: string, question: McpQuestion, ports: QuestionPorts): Said | null {
  if (question.kind === 'elicitation' && asksForSecret(question)) return said('mcp.asks-secret', { server })
  if (question.kind !== 'open-address') return null
  if (!isReachable(question.url)) return said('mcp.asks-bad-address', { server, address: question.url })
  return ports.openAddress === null ? said('mcp.nobody-to-open', { server, address: question.url }) : null
}

async function asked(server: string, question: McpQuestion, place: CallPlace, ports: QuestionPorts, signal: CancelSignal): Promise<McpAnswer> {
  const request = requestOf(server, question, place, ports)
  const at = { turnId: place.turnId, step: place.step, callId: request.callId }
  const entry = { sessionId: place.sessionId, turnId: place.turnId, callId: request.callId, tool: request.tool }
  await ports.sessions.append(place.sessionId, [{ type: 'approval-asked', ...at, request }])
  await ports.audit.append({ fact: 'asked', ...entry, atMs: request.askedAtMs, actor: 'agent', args: request.args })
  const answer = await ports.desk.ask(request, signal)
  if (answer === null) {
    await ports.sessions.append(place.sessionId, [{ type: 'approval-withdrawn', ...at }])
    return { kind: 'cancelled' }
  }
  const given = question.kind === 'elicitation' ? valuesOf(answer, question.fields) : null
  const values = given === null ? null : withoutSecrets(given, ports)
  const stored = ports.sessions.append(place.sessionId, [{ type: 'approval-decided', ...at, decision: answer.kind, by: 'person', args: values, reason: reasonOf(answer) }])
  await bothStored(stored, ports.audit.append({ fact: 'decided', ...entry, atMs: ports.clock.nowMs(), actor: 'person', args: values ?? request.args, outcome: answer.kind }))
  if (answer.kind === 'deny') return { kind: 'refused' }
  if (answer.kind === 'skip') return { kind: 'cancelled' }
  switch (question.kind) {
    case 'sampling':
      return sample(question, place, ports, signal)
    case 'elicitation':
      return given === null ? { kind: 'cancelled' } : { kind: 'values', values: given }
    case 'open-address':
      await ports.openAddress?.(question.url)
      return { kind: 'opened' }
  }
}

function requestOf(server: string, question: McpQuestion, place: CallPlace, ports: QuestionPorts): ApprovalRequest {
  const preview = previewOf(server, question)
  const { kind: _kind, ...shown } = preview
  const args: Readonly<Record<string, unknown>> = shown
  return {
    callId: asId<CallId>(ports.ids.next()),
    sessionId: place.sessionId,
    turnId: place.turnId,
    step: place.step,
    tool: { sampling: 'mcp_sampling', elicitation: 'mcp_elicitation', 'open-address': 'mcp_open_address' }[question.kind],
    effect: 'network',
    args,
    argsHash: ports.hasher.ofText(canonicalJson(args)),
    baseHashes: {},
    nonce: ports.ids.nonce(),
    reason: reasonToAsk(server, question),
    preview,
    coverage: { kind: 'full', skipped: [] },
    sandbox: 'none',
    askedAtMs: ports.clock.nowMs(),
  }
}

function previewOf(server: string, question: McpQuestion): ApprovalPreview {
  switch (question.kind) {
    case 'sampling':
      return { kind: 'sampling', server, system: question.system, messages: question.messages, maxTokens: Math.min(question.maxTokens, sampledTokens), attached: question.attached }
    case 'elicitation':
      return { kind: 'elicitation', server, message: question.message, fields: question.fields }
    case 'open-address':
      return { kind: 'open-address', server, message: question.message, url: question.url }
  }
}

function reasonToAsk(server: string, question: McpQuestion): Said {
  switch (question.kind) {
    case 'sampling':
      return said('mcp.asks-sampling', { server })
    case 'elicitation':
      return said('mcp.asks-values', { server })
    case 'open-address':
      return said('mcp.asks-address', { server })
  }
}

function reasonOf(answer: ApprovalAnswer): Said | null {
  if (answer.kind !== 'deny') return null
  return answer.reason.trim() === '' ? said('tool.denied') : said('tool.denied-reason', { reason: answer.reason.trim() })
}

/** The session's model, without tools; what it says beyond the cap is cut off. */
async function sample(question: McpQuestion & { readonly kind: 'sampling' }, place: CallPlace, ports: QuestionPorts, signal: CancelSignal): Promise<McpAnswer> {
  const cap = Math.min(question.maxTokens, sampledTokens)
  const system: readonly ModelMessage[] = question.system === '' ? [] : [{ role: 'system', text: ports.withoutKnown(question.system) }]
  const messages = question.messages.map(({ role, text }): ModelMessage => (role === 'user' ? { role, text: ports.withoutKnown(text) } : { role, text: ports.withoutKnown(text), calls: [] }))
  const enough = new AbortController()
  const both = firstOf([signal, enough.signal])
  let text = ''
  let isCut = false
  try {
    for await (const part of ports.model.stream({ choice: place.choice, messages: [...system, ...messages], tools: [], maxOutputTokens: cap }, both.signal)) {
      if (part.kind === 'usage') await ports.sessions.append(place.sessionId, [{ type: 'usage-reported', turnId: place.turnId, step: place.step, usage: part.usage, choice: place.choice, purpose: 'sampling', cost: await costBy((choice) => ports.facts(choice))(place.choice, part.usage) }])
      if (part.kind === 'stopped') isCut = part.reason === 'length'
      if (part.kind === 'failed') {
        await ports.sessions.append(place.sessionId, [note(place, part.fault.say)])
        return { kind: 'cancelled' }
      }
      if (part.kind !== 'text-delta') continue
      text += part.text
      if (estimateTokens(text) <= cap) continue
      isCut = true
      enough.abort()
      break
    }
  } finally {
    both.release()
  }
  return signal.aborted ? { kind: 'cancelled' } : { kind: 'text', text: ports.withoutKnown(text), model: place.choice.model, isCut }
}

function note({ turnId, step }: CallPlace, sentence: Said): EventDraft {
  return { type: 'note-added', turnId, step, say: sentence, isForModel: false }
}

/** The record keeps what was answered, without registered secrets. */
function withoutSecrets(values: FormValues, ports: Pick<QuestionPorts, 'withoutKnown'>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, typeof value === 'string' ? ports.withoutKnown(value) : value]))
}

/** A signal that any of several gives; `release` takes the listeners away. */
function firstOf(signals: readonly CancelSignal[]): { readonly signal: AbortSignal; readonly release: () => void } {
  const controller = new AbortController()
  const abort = (): void => controller.abort()
  if (signals.some((one) => one.aborted)) abort()
  for (const one of signals) one.addEventListener('abort', abort, { once: true })
  return {
    signal: controller.signal,
    release() {
      for (const one of signals) one.removeEventListener('abort', abort)
    },
  }
}
