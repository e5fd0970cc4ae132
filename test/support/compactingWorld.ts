import { createHash } from 'node:crypto'
import type { AgentEvent, EventDraft, LivePart } from '../../src/shared/domain/event'
import { asId, type SessionId, type WorkspaceId } from '../../src/shared/domain/ids'
import { unknownFacts, type ModelFacts, type ModelRequest, type StreamPart } from '../../src/shared/domain/model'
import { defaultSettings, type CompactionSettings } from '../../src/shared/domain/settings'
import type { NextRequest, Turn } from '../../src/main/core/agent/turnPorts'
import { makeHistory } from '../../src/main/core/context/history'
import { tokensOf } from '../../src/main/core/context/messageTokens'
import type { CancelSignal } from '../../src/main/core/ports/cancelSignal'
import type { ModelClient } from '../../src/main/core/ports/modelClient'
import { makeCompacting, type Compacting, type CompactionPorts } from '../../src/main/services/compaction'
import type { OpenSession } from '../../src/main/services/sessions'
import { storedChoice } from './storedMessages'

/** What the world is made with; `answer` is the whole summary, or the parts of the model's stream. */
export interface CompactingOptions {
  readonly drafts: readonly EventDraft[]
  readonly systemText?: string
  readonly windowTokens: number | null
  readonly settings?: Partial<CompactionSettings>
  readonly answer?: (request: ModelRequest, at: number) => string | readonly StreamPart[]
  readonly clean?: (text: string) => string
  readonly model?: ModelClient
  readonly facts?: Partial<ModelFacts>
}

/** The real service over a session in memory. */
export interface CompactingWorld {
  readonly session: OpenSession & { readonly events: AgentEvent[] }
  readonly compacting: Compacting
  readonly ports: CompactionPorts
  readonly requests: readonly ModelRequest[]
  readonly shown: readonly LivePart['body'][]
  readonly blobs: ReadonlyMap<string, string>
  append(drafts: readonly EventDraft[]): void
  prepare(signal?: CancelSignal): Promise<NextRequest>
}

/** Makes the world. */
export function makeCompactingWorld(options: CompactingOptions): CompactingWorld {
  const sessionId = asId<SessionId>('s')
  const events: AgentEvent[] = []
  const append = (drafts: readonly EventDraft[]): void => drafts.forEach((draft) => void events.push({ ...draft, v: 1, sessionId, seq: events.length + 1, atMs: events.length }))
  append(options.drafts)
  const session = { id: sessionId, workspaceId: asId<WorkspaceId>('w'), level: 'writes' as const, title: 'x', events }
  const requests: ModelRequest[] = []
  const shown: LivePart['body'][] = []
  const blobs = new Map<string, string>()
  const history = makeHistory()
  let taken = 0
  let ids = 0
  const ports: CompactionPorts = {
    model: options.model ?? scripted(options.answer ?? (() => 'Goal: go on (turn 1)'), requests),
    spending: { costOf: () => Promise.resolve(null), pass: () => Promise.resolve(null) },
    ids: { next: () => `k${++ids}`, nonce: () => 'n' },
    clock: { nowMs: () => 0 },
    redact: options.clean ?? ((text) => text),
    withoutKnown: (text) => text,
    sessions: { append: (_id, drafts) => (append(drafts), Promise.resolve(events.slice(-drafts.length))), show: ({ body }) => void shown.push(body) },
    blobs: { put: (bytes) => {
      const ref = createHash('sha256').update(bytes).digest('hex')
      blobs.set(ref, new TextDecoder().decode(bytes))
      return Promise.resolve(ref)
    } },
    prompts: { summary: 'Summarise.{{words}}', merge: 'Merge.{{words}}' },
    context: () => {
      for (const event of events.slice(taken)) history.add(event)
      taken = events.length
      return Promise.resolve({ history, systemText: options.systemText ?? 'You are.', repairs: history.takeRepairs(), memoryFault: null })
    },
    facts: () => Promise.resolve({ ...unknownFacts, windowTokens: options.windowTokens, ...options.facts }),
    settings: () => Promise.resolve({ ...defaultSettings.compaction, ...options.settings }),
    isFitMemory: () => true,
    isDevelopment: true,
    log: () => undefined,
  }
  const compacting = makeCompacting(ports)
  return {
    session, compacting, ports, requests, shown, blobs, append,
    async prepare(signal = new AbortController().signal) {
      const last = events.findLast((event) => event.type === 'turn-started')
      const turn: Turn = { sessionId, turnId: last?.type === 'turn-started' ? last.turnId : asId('t1'), choice: storedChoice, level: 'writes', maxSteps: 50, step: 0 }
      return (await compacting.prepare(session, turn, 1, [], signal)).next
    },
  }
}

function scripted(answer: NonNullable<CompactingOptions['answer']>, requests: ModelRequest[]): ModelClient {
  return {
    async *stream(request, signal) {
      const parts = answer(request, requests.push(request) - 1)
      const stream: readonly StreamPart[] = typeof parts === 'string' ? [{ kind: 'text-delta', text: parts }, { kind: 'usage', usage: { inputTokens: tokensOf(request.messages), outputTokens: 90, estimated: false } }, { kind: 'stopped', reason: 'stop' }] : parts
      for (const part of stream) {
        await Promise.resolve()
        if (signal.aborted) return
        yield part
      }
    },
  }
}

/** What a fault of a provider looks like in the stream, after as many retries of the client. */
export function failing(retries: number): readonly StreamPart[] {
  const fault = { kind: 'server' as const, say: { code: 'model.no-provider' as const, values: { provider: 'p' } }, canRetry: true }
  return [...Array.from({ length: retries }, (_, at): StreamPart => ({ kind: 'retrying', fault, attempt: at + 1, waitMs: 0 })), { kind: 'failed', fault }]
}

