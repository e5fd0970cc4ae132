import { makeHistory } from '../../src/main/core/context/history'
import type { TurnPorts } from '../../src/main/core/agent/turnPorts'
import type { CallJournal, EventStore } from '../../src/main/core/ports/eventStore'
import { nextCall } from '../../src/main/adapters/sqlite/nextCall'
import { makeRuns, type Runs, type RunsPorts } from '../../src/main/services/runs'
import { makeSessions, type OpenSession, type Sessions } from '../../src/main/services/sessions'
import type { Call } from '../../src/shared/domain/call'
import type { AgentEvent, EventDraft } from '../../src/shared/domain/event'
import { asId, type CallId, type SessionId, type WorkspaceId } from '../../src/shared/domain/ids'
import { succeed } from '../../src/shared/domain/result'
import { readyRequest, type TurnWorld } from './turnWorld'

/** What runs ask for besides, in tests that are about something else. */
export function quietRuns({ redact, withoutKnown }: Pick<TurnPorts, 'redact' | 'withoutKnown'>): Pick<RunsPorts, 'followsQueue' | 'redact' | 'withoutKnown' | 'lastOutput'> {
  return { followsQueue: false, redact, withoutKnown, lastOutput: () => Promise.resolve(null) }
}

/** What a killed process leaves: its events and its journal. */
export interface Left {
  readonly events: AgentEvent[]
  readonly calls: Map<CallId, Call>
}

/** Runs over a record in memory, which a second one can be started on as after a kill. */
export interface RunsWorld extends Left {
  readonly runs: Runs
  readonly sessions: Sessions
  readonly session: OpenSession
  /** What the model was sent, request by request, without the system prompt. */
  readonly types: () => readonly string[]
}

export const runsSession = asId<SessionId>('s1')

/** An event store and a journal over what was left. */
export function memoryRecord(left: Left): EventStore & Pick<CallJournal, 'get' | 'list'> {
  return {
    append(sessionId, drafts, changes = []) {
      const next = new Map<CallId, Call>()
      for (const change of changes) {
        const callId = change.to === 'intent' ? change.call.callId : change.callId
        next.set(callId, nextCall(next.get(callId) ?? left.calls.get(callId) ?? null, change))
      }
      for (const [id, call] of next) left.calls.set(id, call)
      const stored = drafts.map((draft: EventDraft, at): AgentEvent => ({ ...draft, v: 1, sessionId, seq: left.events.length + at + 1, atMs: 1000 + left.events.length + at }))
      left.events.push(...stored)
      return Promise.resolve(stored)
    },
    read: (_id, from = 1, to = Infinity) => Promise.resolve(left.events.slice(from - 1, to)),
    sessions: () => Promise.resolve([]),
    unfinished: () => Promise.resolve([runsSession]),
    get: (callId) => Promise.resolve(left.calls.get(callId) ?? null),
    list: () => Promise.resolve([...left.calls.values()]),
  }
}

/** Makes it; `left` is what a killed one left. */
export async function makeRunsWorld(world: Pick<TurnWorld, 'ports'>, more: Partial<RunsPorts> = {}, left: Left = { events: [], calls: new Map() }): Promise<RunsWorld> {
  const store = memoryRecord(left)
  const workspaceId = asId<WorkspaceId>('w1')
  if (left.events.length === 0) await store.append(runsSession, [{ type: 'session-opened', workspaceId, title: 'T', level: 'writes' }])
  const { ports } = world
  const sessions = makeSessions({ events: store, clock: ports.clock, ids: ports.ids })
  const session = await sessions.open(runsSession)
  const history = makeHistory()
  let taken = 0
  const runs = makeRuns({
    giveWay: () => () => undefined,
    sessions, journal: store, turnPorts: () => Promise.resolve(succeed(ports)), hashesNow: () => () => Promise.resolve({}), recoverOutput: () => Promise.resolve(null),
    history: () => {
      for (const event of session.events.slice(taken)) history.add(event)
      taken = session.events.length
      return Promise.resolve({ next: readyRequest(history.messages('')), repairs: history.takeRepairs(), memoryFault: null })
    },
    inject: () => Promise.resolve([]), leftOpen: () => store.unfinished(), choice: () => Promise.resolve(succeed({ provider: 'p', model: 'm' })), maxSteps: () => Promise.resolve(20), ids: ports.ids,
    ...quietRuns(ports), followsQueue: true, ...more,
  })
  return { ...left, runs, sessions, session, types: () => session.events.map(({ type }) => type) }
}
