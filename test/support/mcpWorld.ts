import { unknownFacts } from '../../src/shared/domain/model'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { onTestFinished } from 'vitest'
import { makeBlobStore } from '../../src/main/adapters/blobs/blobStore'
import { makeMcpConnections } from '../../src/main/adapters/mcp/mcpConnections'
import { openMcpConfig } from '../../src/main/adapters/settings/mcpConfig'
import { openSecretStore, type OpenSecretStore } from '../../src/main/adapters/secrets/secretStore'
import { systemClock } from '../../src/main/adapters/system/clock'
import { sha256 } from '../../src/main/adapters/system/hasher'
import { makeIdSource } from '../../src/main/adapters/system/idSource'
import { redact } from '../../src/main/core/policy/redaction'
import { withoutKnown } from '../../src/main/core/policy/redactionKnown'
import { StreamRedactor } from '../../src/main/core/policy/redactionStream'
import type { ModelClient } from '../../src/main/core/ports/modelClient'
import type { McpPins } from '../../src/main/core/ports/mcpPins'
import type { Tool, ToolContext } from '../../src/main/core/tools/defineTool'
import type { ToolSource } from '../../src/main/core/tools/registry'
import { makeDesk, type Desk } from '../../src/main/services/approvalDesk'
import { mcpTimes, type McpServersPorts } from '../../src/main/services/mcpPorts'
import { makeMcpServers, type McpServers } from '../../src/main/services/mcpServers'
import { makeTemporaryPins } from '../../src/main/services/mcpTemporaryPins'
import type { OpenSession } from '../../src/main/services/sessions'
import type { AuditDraft } from '../../src/shared/domain/audit'
import type { AgentEvent, EventDraft } from '../../src/shared/domain/event'
import { asId, type CallId, type SessionId, type TurnId, type WorkspaceId } from '../../src/shared/domain/ids'
import { succeed } from '../../src/shared/domain/result'
import type { ToolOutput } from '../../src/shared/domain/tool'
import type { McpPage, McpServerRow } from '../../src/shared/ipc/views'
import { casesF } from './mcpServers'

/** The service with everything real but the model, over an mcp.json of its own. */
export interface McpWorld {
  readonly mcp: McpServers
  readonly file: string
  readonly folder: string
  readonly desk: Desk
  readonly secrets: OpenSecretStore
  readonly pins: McpPins
  readonly audits: readonly AuditDraft[]
  /** Tools whose permissions ended. */
  readonly lapsed: readonly string[]
  readonly session: OpenSession
  readonly opened: readonly string[]
  /** Writes mcp.json as a person would. */
  configure(servers: Readonly<Record<string, object>>): void
  row(name: string): Promise<McpServerRow>
  /** Resolves when the page says so. */
  until(fits: (page: McpPage) => boolean): Promise<McpPage>
  tools(): Promise<ToolSource>
  offered(): Promise<readonly Tool[]>
  /** Records a call as the loop does, and runs it without the gate; `shown` is what was granted. */
  call(tool: Tool, args: Readonly<Record<string, unknown>>, more?: { readonly signal?: AbortSignal; readonly emit?: (text: string) => void }): Promise<ToolOutput>
  /** Appends events to the session, and tells whoever listens. */
  add(...drafts: readonly EventDraft[]): void
  /** The same folder opened by a new process. */
  again(): McpWorld
}

/** A small server of the cases, as an entry of mcp.json. */
export function caseEntry(name: string, env: Readonly<Record<string, string>> = {}): object {
  return { command: process.execPath, args: [path.join(casesF, name)], env }
}

/** An entry of a program of this node. */
export function entryOf(endpoint: { readonly command: string; readonly args: readonly string[] }): object {
  return { command: endpoint.command, args: endpoint.args }
}

export const worldChoice = { provider: 'compatible', model: 'fake-model' }

/** Makes it; everything is ended and removed after the test. `windowTokens` is that of the model, `known` the registered secrets. */
export function makeMcpWorld(options: { readonly times?: Partial<McpServersPorts['times']>; readonly model?: ModelClient; readonly windowTokens?: number; readonly env?: Readonly<Record<string, string>>; readonly known?: readonly string[]; readonly browse?: (url: string) => Promise<void> } = {}): McpWorld {
  const base = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'countersign-mcp-')))
  const folder = path.join(base, 'project')
  mkdirSync(folder)
  onTestFinished(() => rmSync(base, { recursive: true, force: true }))
  return worldIn({ base, folder, pins: makeTemporaryPins(), options })
}

interface Place {
  readonly base: string
  readonly folder: string
  readonly pins: McpPins
  readonly options: NonNullable<Parameters<typeof makeMcpWorld>[0]>
}

function worldIn(place: Place): McpWorld {
  const { base, folder, pins, options } = place
  const file = path.join(base, 'mcp.json')
  const audits: AuditDraft[] = []
  const lapsed: string[] = []
  const opened: string[] = []
  const desk = makeDesk()
  const ids = makeIdSource(systemClock)
  const events: AgentEvent[] = []
  const listeners = new Set<(events: readonly AgentEvent[]) => void>()
  const session: OpenSession = { id: asId<SessionId>('s'), workspaceId: asId<WorkspaceId>('w'), level: 'writes', title: '', events }
  const add = (...drafts: readonly EventDraft[]): readonly AgentEvent[] => {
    const made = drafts.map((draft, at): AgentEvent => ({ ...draft, v: 1, sessionId: session.id, seq: events.length + 1 + at, atMs: systemClock.nowMs() }))
    events.push(...made)
    listeners.forEach((listener) => listener(made))
    return made
  }
  const secrets = storeIn(base)
  const known = [...(options.known ?? [])]
  const mcp = makeMcpServers({
    connections: makeMcpConnections({ version: '0' }),
    config: openMcpConfig(file, { home: base, env: {}, platform: process.platform }),
    pins,
    secrets: secrets.lazy,
    audit: { append: (draft) => (audits.push(draft), Promise.resolve({ entries: audits.length, chain: '' })) },
    clock: systemClock,
    ids,
    hasher: sha256,
    desk,
    blobs: makeBlobStore(path.join(base, 'outputs')),
    sessions: {
      append: (_id, drafts) => Promise.resolve(add(...drafts)),
      onEvents(listener) {
        listeners.add(listener)
        return () => void listeners.delete(listener)
      },
    },
    model: options.model ?? { async *stream() { yield await Promise.resolve({ kind: 'stopped', reason: 'stop' } as const) } },
    choice: () => Promise.resolve(succeed(worldChoice)),
    facts: () => Promise.resolve({ ...unknownFacts, windowTokens: options.windowTokens ?? 128_000, seesImages: false }),
    schemaLimits: () => Promise.resolve(plainLimits),
    redact: (text) => redact(text, { known }),
    remember: (values) => void known.push(...values),
    makeFilter: () => new StreamRedactor({ known }),
    withoutKnown: (text) => withoutKnown(text, known),
    locale: () => 'en',
    home: base,
    env: { PATH: process.env['PATH'], HOME: base, SECRET_OF_THE_HOST: 'never-passed-on', ...options.env },
    openAddress: (url) => (opened.push(url), options.browse?.(url) ?? Promise.resolve()),
    times: { ...mcpTimes, ...options.times },
    lapsed: (tool) => (lapsed.push(tool), Promise.resolve()),
  })
  onTestFinished(() => mcp.close())
  add({ type: 'session-opened', workspaceId: session.workspaceId, title: '', level: 'writes' }, { type: 'turn-started', turnId: asId<TurnId>('t'), choice: worldChoice, level: 'writes' })
  const offered = async (): Promise<readonly Tool[]> => (await mcp.toolsFor(session)).offered({ level: 'writes', choice: worldChoice })
  const until = (fits: (page: McpPage) => boolean): Promise<McpPage> =>
    new Promise((resolve) => {
      const stop = mcp.onChange((page) => {
        if (!fits(page)) return
        stop()
        resolve(page)
      })
      void mcp.page().then((page) => {
        if (!fits(page)) return
        stop()
        resolve(page)
      })
    })
  return {
    mcp, file, folder, desk, secrets: secrets.store, pins, audits, lapsed, session, opened, offered, until,
    configure: (servers) => writeFileSync(file, JSON.stringify({ mcpServers: servers }, null, 2)),
    async row(name) {
      const row = (await mcp.page()).servers.find((one) => one.name === name)
      if (!row) throw new Error(`no server ${name}`)
      return row
    },
    tools: () => mcp.toolsFor(session),
    call(tool, args, more = {}) {
      const callId = asId<CallId>(ids.next())
      add({ type: 'tool-called', turnId: asId<TurnId>('t'), step: 1, callId, providerCallId: callId, index: 0, tool: tool.name, effect: tool.effect, argumentsText: JSON.stringify(args), args, ...(tool.origin ? { mcp: tool.origin } : {}) })
      return runTool(tool, args, callId, more)
    },
    add: (...drafts) => void add(...drafts),
    again: () => worldIn(place),
  }
}

async function runTool(tool: Tool, args: Readonly<Record<string, unknown>>, callId: CallId, more: { readonly signal?: AbortSignal; readonly emit?: (text: string) => void }): Promise<ToolOutput> {
  const context = { callId, signal: more.signal ?? new AbortController().signal, emit: (text: string) => more.emit?.(text), shown: null } as unknown as ToolContext
  const forecast = await tool.forecast(args, context)
  if (!forecast.ok) throw new Error(forecast.fault.code)
  return tool.run(tool.params.parse(args), { ...context, shown: forecast.value.preview })
}

/** The store is opened at its first use: worlds are made at once. */
function storeIn(base: string): { readonly lazy: McpServersPorts['secrets']; readonly store: OpenSecretStore } {
  const opening = openSecretStore({ dataDir: base, environment: {}, keychain: null })
  const lazy: McpServersPorts['secrets'] = {
    get: async (name) => (await opening).get(name),
    set: async (name, value, passPhrase) => (await opening).set(name, value, passPhrase),
    remove: async (name) => (await opening).remove(name),
    status: async (name) => (await opening).status(name),
  }
  return { lazy, store: { ...lazy, faults: [], hasKeychain: false, isSealed: false, isLocked: () => false, known: () => [], unseal: async (phrase) => (await opening).unseal(phrase) } }
}

const plainLimits = {
  maxDescription: 1024, maxPropertyDescription: 512, maxDepth: 5, maxSchemas: 300, maxSize: 16_000, maxEnum: 100, keywords: ['enum', 'additionalProperties', 'anyOf'], formats: [], takesTypeArrays: false, needsType: true,
  enumsAreStrings: false, takesMapValues: false, propertyName: '[a-zA-Z0-9_.-]{1,64}',
}
