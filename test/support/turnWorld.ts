import { createHash } from 'node:crypto'
import type { ApprovalAnswer, ApprovalRequest } from '../../src/shared/domain/approval'
import type { AuditDraft } from '../../src/shared/domain/audit'
import type { CallChange } from '../../src/shared/domain/call'
import type { AgentEvent, EventDraft, LivePart } from '../../src/shared/domain/event'
import { asId, type SessionId, type SnapshotId, type TurnId } from '../../src/shared/domain/ids'
import type { ModelMessage, ModelRequest, StreamPart } from '../../src/shared/domain/model'
import { said, succeed } from '../../src/shared/domain/result'
import { modelOfTurn } from '../../src/shared/domain/sessionModel'
import type { Verdict } from '../../src/shared/domain/verdict'
import type { NextRequest, Turn, TurnPorts } from '../../src/main/core/agent/turnPorts'
import { tokensOf } from '../../src/main/core/context/messageTokens'
import type { CancelSignal } from '../../src/main/core/ports/cancelSignal'
import type { PathFacts, WorkspaceFs } from '../../src/main/core/ports/workspaceFs'
import { levelOfTurn } from '../../src/main/core/policy/askingLevel'
import { isTainted, taintMarks } from '../../src/main/core/policy/taint'
import { makeWithoutKnown } from '../../src/main/core/policy/redactionKnown'
import type { Tool } from '../../src/main/core/tools/defineTool'
import { skillsOf } from '../../src/main/core/skills/loadedSkills'
import { outputNamed } from '../../src/main/core/tools/namedOutput'
import { readLogAfter } from '../../src/main/core/tools/readLog'
import { makeRegistry } from '../../src/main/core/tools/registry'

/** One reply of the scripted model: its parts, or a function of the request. */
export type Reply = readonly StreamPart[] | ((request: ModelRequest) => readonly StreamPart[])

/** A turn's whole world in memory: what the loop did can be read off it. */
export interface TurnWorld {
  readonly turn: Turn
  readonly ports: TurnPorts
  readonly events: readonly AgentEvent[]
  readonly changes: readonly CallChange[]
  readonly audit: readonly AuditDraft[]
  readonly parts: readonly LivePart['body'][]
  readonly requests: readonly ModelRequest[]
  readonly asked: readonly ApprovalRequest[]
  /** Journal states and events in the order they were committed, as short words. */
  readonly order: readonly string[]
}

export interface WorldOptions {
  readonly tools: readonly Tool[]
  readonly replies: readonly Reply[]
  readonly level?: Turn['level']
  readonly maxSteps?: number
  readonly answer?: (request: ApprovalRequest) => ApprovalAnswer | null
  readonly judgePath?: (facts: PathFacts) => Verdict
  readonly judgeCommand?: TurnPorts['judge']['judgeCommand']
  readonly isReader?: TurnPorts['judge']['isReader']
  readonly onPart?: (part: StreamPart) => void
  readonly redact?: (text: string) => string
  readonly permissions?: TurnPorts['permissions']
  readonly trials?: TurnPorts['trials']
  readonly spending?: TurnPorts['spending']
  readonly deliver?: TurnPorts['record']['deliver']
  readonly stepSignal?: TurnPorts['stepSignal']
}

/** Text, then calls, then a proper stop. */
export function reply(text: string, ...calls: readonly { readonly name: string; readonly args: unknown; readonly id?: string }[]): readonly StreamPart[] {
  return [
    ...(text === '' ? [] : [{ kind: 'text-delta' as const, text }]),
    ...calls.map((call, index) => ({ kind: 'call-piece' as const, index, id: call.id ?? `p${index}`, name: call.name, argumentsText: typeof call.args === 'string' ? call.args : JSON.stringify(call.args) })),
    { kind: 'usage', usage: { inputTokens: 10, outputTokens: 5, estimated: false } },
    { kind: 'stopped', reason: calls.length > 0 ? 'tool-calls' : 'stop' },
  ]
}

const allowed: Verdict = { kind: 'allowable', reason: said('guard.nothing-against') }

/** A request that needed no room. */
export function readyRequest(messages: readonly ModelMessage[]): NextRequest {
  return { kind: 'ready', messages, expectedTokens: tokensOf(messages), spent: { input: 0, output: 0 } }
}

/** Makes the world. */
export function makeTurnWorld(options: WorldOptions): TurnWorld {
  const events: AgentEvent[] = []
  const changes: CallChange[] = []
  const audit: AuditDraft[] = []
  const parts: LivePart['body'][] = []
  const requests: ModelRequest[] = []
  const asked: ApprovalRequest[] = []
  const order: string[] = []
  let ids = 0
  let now = 1000
  const sessionId = asId<SessionId>('s1')
  const turn: Turn = { sessionId, turnId: asId<TurnId>('t1'), choice: { provider: 'fake', model: 'fake' }, level: options.level ?? 'writes', maxSteps: options.maxSteps ?? 50, step: 0 }

  const append = (drafts: readonly EventDraft[], transitions: readonly CallChange[] = []): Promise<readonly AgentEvent[]> => {
    const stored = drafts.map((draft) => ({ ...draft, v: 1, sessionId, seq: events.length + 1, atMs: now++ }))
    for (const event of stored) events.push(event)
    changes.push(...transitions)
    order.push(...transitions.map((change) => change.to), ...drafts.map((draft) => draft.type))
    return Promise.resolve(stored)
  }

  const ports: TurnPorts = {
    model: {
      async *stream(request: ModelRequest, signal: CancelSignal) {
        requests.push(request)
        const scripted = options.replies[requests.length - 1]
        for (const part of typeof scripted === 'function' ? scripted(request) : (scripted ?? reply('no more replies'))) {
          await Promise.resolve()
          if (signal.aborted) return
          options.onPart?.(part)
          yield part
        }
      },
    },
    tools: makeRegistry(options.tools),
    record: { append, show: (_turn, _step, body) => void parts.push(body), history: () => Promise.resolve(readyRequest(historyOf(events))), deliver: options.deliver ?? (() => Promise.resolve(0)), output: (ref) => outputNamed(events, ref), skills: (of) => skillsOf(events, of.turnId), askedBefore: () => null, origins: () => [], level: (of) => levelOfTurn(events, of), choice: (of) => modelOfTurn(events, of), isTainted: (of) => isTainted(events, of.turnId), taint: (of, text) => taintMarks(events, of.turnId, text) },
    desk: {
      ask: (request, signal) => {
        asked.push(request)
        order.push('desk')
        if (signal.aborted) return Promise.resolve(null)
        return Promise.resolve(options.answer ? options.answer(request) : { kind: 'allow' })
      },
    },
    audit: { append: (draft) => (audit.push(draft), Promise.resolve({ entries: audit.length, chain: 'c' })), head: () => ({ entries: audit.length, chain: 'c' }), verify: () => Promise.resolve({ ok: true, entries: 0 }), exportTo: () => Promise.resolve(0), hasRollback: () => Promise.resolve(false) },
    snapshots: {
      enter: () => {
        order.push('before-snapshot')
        return Promise.resolve(succeed({ before: asId<SnapshotId>('before'), leave: () => (order.push('after-snapshot'), Promise.resolve(asId<SnapshotId>('after'))) }))
      },
      endOf: () => Promise.resolve(asId<SnapshotId>('end')),
      commitOf: (id) => Promise.resolve(`commit-${id}`),
      coverageOf: () => Promise.resolve({ kind: 'full', skipped: [] }),
    },
    judge: {
      fs: memoryFs(),
      judgePath: options.judgePath ?? (() => allowed),
      judgeCommand: options.judgeCommand ?? (() => ({ ...allowed, parts: [] })),
      judgeReads: (command) => Promise.resolve(command),
      isReader: options.isReader ?? (() => false),
    },
    commands: { start: () => Promise.reject(new Error('no commands here')), leftRunning: () => [], endProgram: () => Promise.resolve(), closeAll: () => Promise.resolve() },
    search: { text: () => Promise.reject(new Error('no search here')), files: () => Promise.reject(new Error('no search here')) },
    blobs: { put: () => Promise.resolve('ref'), get: () => Promise.resolve(null) },
    readLog: readLogAfter([]),
    clock: { nowMs: () => now++ },
    ids: { next: () => `id${++ids}`, nonce: () => `nonce${++ids}` },
    hasher: { ofText: sha256, ofBytes: (bytes) => createHash('sha256').update(bytes).digest('hex') },
    spending: options.spending ?? { costOf: () => Promise.resolve(null), pass: () => Promise.resolve(null) },
    root: '/project',
    sandbox: () => 'none',
    sandboxTested: () => Promise.resolve(),
    permissions: options.permissions ?? { live: () => [], remember: () => Promise.resolve(succeed(null)), hold: () => true, holds: () => true, letGo: () => undefined, used: () => Promise.resolve(true) },
    trials: options.trials ?? { canTry: () => false, run: () => Promise.reject(new Error('no trials here')) },
    hintLog: new Map(),
    redact: options.redact ?? ((text) => text),
    withoutKnown: makeWithoutKnown(() => ['sk-registered']),
    running: () => undefined,
    stepSignal: options.stepSignal ?? ((ofTurn) => ofTurn),
  }
  return { turn, ports, events, changes, audit, parts, requests, asked, order }
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

/** Just enough history for the loop: the real fold has tests of its own. */
function historyOf(events: readonly AgentEvent[]): readonly ModelMessage[] {
  return events.flatMap((event): ModelMessage[] => {
    if (event.type === 'assistant-message-added') return [{ role: 'assistant', text: event.text, calls: event.calls }]
    if (event.type === 'tool-finished') return [{ role: 'tool', providerCallId: event.callId, name: '', text: event.text }]
    if (event.type === 'note-added') return [{ role: 'user', text: event.say.code }]
    return []
  })
}

function memoryFs(): WorkspaceFs {
  const never = (): Promise<never> => Promise.reject(new Error('no files here'))
  return {
    locate: (given) => Promise.resolve({ given, realPath: `/project/${given}`, relative: given, problem: null, kind: 'file', isThroughLink: false, linkCount: 1, identity: null, parent: null }),
    read: never,
    list: never,
    write: never,
    makeFolder: never,
    remove: never,
    move: never,
  }
}
