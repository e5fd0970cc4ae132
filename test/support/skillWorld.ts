import { makeHistory } from '../../src/main/core/context/history'
import { fail, succeed, type Result } from '../../src/shared/domain/result'
import type { LoadedSkill, SkillInputs } from '../../src/shared/domain/skill'
import type { AgentEvent, EventDraft } from '../../src/shared/domain/event'
import { asId, type RollbackId, type SessionId, type TurnId, type WorkspaceId } from '../../src/shared/domain/ids'
import { makeLoadSkill } from '../../src/main/core/tools/builtins/loadSkill'
import type { Tool } from '../../src/main/core/tools/defineTool'
import { makeRegistry } from '../../src/main/core/tools/registry'
import { makeRuns, type PromptOptions } from '../../src/main/services/runs'
import type { OpenSession, Sessions } from '../../src/main/services/sessions'
import { clientOf } from '../main/adapters/model/world'
import { startFakeModelServer, type FakeModelServer, type FakeStep } from './fakeModelServer'
import { quietRuns } from './runsWorld'
import { makeTurnWorld, type WorldOptions, readyRequest } from './turnWorld'

/** A skill that is ready; its text says its name and inputs. */
export function skillOf(name: string, more: Partial<LoadedSkill> = {}): LoadedSkill {
  const inputs = more.inputs ?? {}
  return { skill: { origin: 'user', path: `${name}/SKILL.md`, name, version: '1.0' }, inputs, text: `<<${name} ${JSON.stringify(inputs)}>>`, tools: null, outputSchema: null, ...more }
}

export interface SkillWorld {
  readonly server: FakeModelServer
  readonly events: readonly AgentEvent[]
  /** Says something and waits for the end of the turn. */
  readonly say: (text: string, options?: PromptOptions) => Promise<TurnId>
  /** Hides the conversation from a turn on, as a rollback does; gives the name to undo it by. */
  readonly rollBack: (turnId: TurnId) => RollbackId
  readonly undo: (id: RollbackId) => void
  /** The messages of a request as the provider got them: role and text. */
  readonly sent: (at: number) => readonly string[]
  /** Names of the tools that a request offers. */
  readonly offered: (at: number) => readonly string[]
  readonly close: () => Promise<void>
}

interface SkillWorldOptions {
  readonly skills?: readonly LoadedSkill[]
  readonly tools?: readonly Tool[]
  readonly steps: readonly FakeStep[]
  readonly judgeCommand?: NonNullable<WorldOptions['judgeCommand']>
  readonly maxSteps?: number
}

/** The real loop, history, runs and model client over HTTP; the session lies in memory and every question is allowed. */
export async function makeSkillWorld({ skills = [], tools = [], steps, judgeCommand, maxSteps = 20 }: SkillWorldOptions): Promise<SkillWorld> {
  const server = await startFakeModelServer({ steps })
  const { client, close } = clientOf(server.baseUrl)
  const load = (name: string, inputs: SkillInputs): Promise<Result<LoadedSkill>> => {
    const found = skills.find((one) => one.skill.name === name)
    return Promise.resolve(found ? succeed(Object.keys(inputs).length === 0 ? found : skillOf(name, { ...found, inputs, text: `<<${name} ${JSON.stringify(inputs)}>>` })) : fail('tool.unknown', { tool: name }))
  }
  const world = makeTurnWorld({ tools: [], replies: [], ...(judgeCommand ? { judgeCommand } : {}) })
  const ports = { ...world.ports, model: client, tools: makeRegistry([...tools, makeLoadSkill({ load })]) }
  const events: AgentEvent[] = []
  const session: OpenSession = { id: asId<SessionId>('s'), workspaceId: asId<WorkspaceId>('w'), level: 'writes', title: 'x', events }
  const append = (drafts: readonly EventDraft[]): readonly AgentEvent[] => {
    const stored = drafts.map((draft, at) => ({ ...draft, v: 1, sessionId: session.id, seq: events.length + 1 + at, atMs: 0 }))
    events.push(...stored)
    return stored
  }
  const never = (): never => { throw new Error('not asked here') }
  const sessions: Sessions = {
    create: never, list: never, show: () => undefined, onEvents: never, onParts: never,
    open: () => Promise.resolve(session), refresh: () => Promise.resolve(), append: (_id, drafts) => Promise.resolve(append(drafts)),
  }
  const history = makeHistory()
  let taken = 0
  const runs = makeRuns({
    giveWay: () => () => undefined,
    sessions, journal: { get: never, list: () => Promise.resolve([]) }, turnPorts: () => Promise.resolve(succeed(ports)), hashesNow: () => never, recoverOutput: never,
    history: () => {
      for (const event of events.slice(taken)) history.add(event)
      taken = events.length
      return Promise.resolve({ next: readyRequest(history.messages('You are.')), repairs: history.takeRepairs(), memoryFault: null })
    },
    inject: () => Promise.resolve([]),
    leftOpen: () => Promise.resolve([]), choice: () => Promise.resolve(succeed({ provider: 'p', model: 'fake-model' })), maxSteps: () => Promise.resolve(maxSteps), ids: world.ports.ids, ...quietRuns(world.ports),
  })
  return {
    server,
    events,
    async say(text, options) {
      const started = await runs.prompt(session.id, text, options)
      if (!started.ok) throw new Error(started.fault.code)
      await started.value.ended
      return started.value.turnId
    },
    rollBack(turnId) {
      const rollbackId = asId<RollbackId>(`r${events.length}`)
      const first = events.find((event) => 'turnId' in event && event.turnId === turnId)
      append([{ type: 'rolled-back', rollbackId, scope: 'conversation', hidden: { fromSeq: first?.seq ?? 0, toSeq: events.length }, paths: [], failed: [] }])
      return rollbackId
    },
    undo: (id) => void append([{ type: 'rollback-undone', rollbackId: asId<RollbackId>(`u${events.length}`), undoneId: id }]),
    sent: (at) => (server.requests[at]?.messages ?? []).map(({ role, content }) => `${String(role)}: ${typeof content === 'string' ? content : JSON.stringify(content ?? null)}`),
    offered: (at) => ((server.requests[at]?.body['tools'] ?? []) as readonly { readonly function: { readonly name: string } }[]).map((tool) => tool.function.name),
    async close() {
      await close()
      await server.close()
    },
  }
}
