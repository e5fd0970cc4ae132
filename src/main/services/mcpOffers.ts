import type { AgentEvent } from '../../shared/domain/event'
import type { CallId } from '../../shared/domain/ids'
import type { McpOrigin, McpToolDefinition } from '../../shared/domain/mcp'
import type { ModelChoice } from '../../shared/domain/model'
import { fail, succeed } from '../../shared/domain/result'
import type { SchemaLimits } from '../../shared/domain/schemaLimits'
import { isDeferred, searchTools, type SearchableTool } from '../core/mcp/deferral'
import { makeResourceTools, type ResourceSource } from '../core/mcp/readResource'
import { startText } from '../core/mcp/definitions'
import { makeSearchTool, type ToolSearchSource } from '../core/mcp/searchTool'
import { makeStartTool, type StartSource } from '../core/mcp/startTool'
import type { Tool } from '../core/tools/defineTool'
import type { Offer, ToolSource } from '../core/tools/registry'
import { sessionFlow, type SessionFlow } from './mcpFlow'
import type { McpServersPorts } from './mcpPorts'
import type { CallPlace, McpQuestions } from './mcpQuestions'
import type { McpResources } from './mcpResources'
import type { McpRoster } from './mcpRoster'
import { atMost } from './mcpTiming'
import { flowNotes, flowRefusal, makeSessionTools, resultPorts, type KnownTool, type McpCatalogue } from './mcpTools'
import type { OpenSession } from './sessions'

/** The tools of servers as sessions are offered them. */
export interface McpOffers {
  toolsFor(session: OpenSession): Promise<ToolSource>
}

interface OfferParts {
  readonly ports: McpServersPorts
  readonly roster: McpRoster
  readonly catalogue: McpCatalogue
  readonly questions: McpQuestions
  readonly resources: Pick<McpResources, 'of' | 'listed' | 'read'>
}

/** What belongs to one session as long as it is loaded. */
interface Kept {
  readonly flow: SessionFlow
  readonly tool: (known: KnownTool, limits: SchemaLimits) => Tool
  /** Registered names of tools that a search found. */
  readonly found: Set<string>
  /** Tools of ours over the servers: the search, and what reaches resources. */
  readonly search: Tool
  readonly resources: readonly Tool[]
  /** Those of the model that was offered tools last; null before the first. */
  limits: SchemaLimits | null
}

/** Fewer tokens than this are no tenth of any window. */
const alwaysSent = 400

/** Makes it. */
export function makeMcpOffers({ ports, roster, catalogue, questions, resources }: OfferParts): McpOffers {
  const sessions = new WeakMap<OpenSession, Kept>()
  const keptFor = (session: OpenSession): Kept => {
    const known = sessions.get(session)
    if (known) return known
    const flow = sessionFlow(session)
    const tool = makeSessionTools({ ports, roster, catalogue, questions, flow, placeOf: ({ callId }) => placeOf(session, callId) })
    const found = new Set(foundBefore(session.events))
    const made: Kept = { flow, tool, found, search: makeSearchTool(searchSource(found)), resources: makeResourceTools(resourceSource(flow)), limits: null }
    sessions.set(session, made)
    return made
  }
  const waiting = (): readonly string[] => roster.servers().flatMap(({ name }) => (roster.waitsForPerson(name) ? [name] : []))
  const startSource: StartSource = {
    servers: waiting,
    startText(server) {
      const config = roster.waitsForPerson(server) ? roster.config(server) : undefined
      return config === undefined ? null : startText(config)
    },
    async start(server) {
      const [config, life] = [roster.config(server), roster.life(server)]
      if (!config || !life || !roster.waitsForPerson(server)) return fail('trust.server-unknown', { server, servers: waiting() })
      await roster.register.acceptStart(config)
      const started = await life.tryNow()
      if (!started.ok) return started
      await atMost(life.filled(), ports.times.firstSightMs)
      return succeed({ tools: catalogue.toolsOf(server).map(({ origin }) => catalogue.registered(origin)) })
    },
  }
  const starter = makeStartTool(startSource)
  const usableServers = (): readonly string[] => roster.servers().flatMap(({ name }) => (roster.mayRun(name) ? [name] : []))
  const searchSource = (found: Set<string>): ToolSearchSource => ({
    count: () => catalogue.usable().length,
    servers: usableServers,
    search: (query, limit) => searchTools(query, catalogue.usable().map(searchable), limit).map(({ of, server, description }) => ({ name: catalogue.registered(of), server, description })),
    found: (names) => names.forEach((name) => found.add(name)),
  })
  const resourceSource = (flow: SessionFlow): ResourceSource => ({
    servers: usableServers,
    known: resources.of,
    listed: resources.listed,
    read: resources.read,
    notes: (server, uri) => flowNotes(flow, { uri }, server),
    refuses: (server, uri) => flowRefusal(flow, { uri }, server, roster),
    results: resultPorts(ports),
  })
  /** One that was not started yet may have some: the tools that reach them start it. */
  const mayHaveResources = (): boolean => usableServers().some((name) => resources.of(name).length > 0 || (roster.life(name)?.state().kind === 'idle' && roster.life(name)?.lists() === null))

  /** One that hangs costs the first step its wait, and no other. */
  const waitedFor = new Set<string>()
  /**
   * Who was never seen is started and waited for, and a list that is being read again. Who is known by what was accepted is
   * started by its first call (R46).
   */
  const awake = async (): Promise<void> => {
    const waits: Promise<unknown>[] = []
    for (const { name } of roster.servers()) {
      const life = roster.mayRun(name) ? roster.life(name) : undefined
      if (!life) continue
      const isSeen = roster.register.tools(name).size > 0
      if (!isSeen || life.state().kind !== 'idle') life.want()
      if (!isSeen && !waitedFor.has(name) && life.state().kind === 'starting') waits.push(atMost(life.filled(), ports.times.firstSightMs))
      waitedFor.add(name)
      if (life.state().kind === 'ready') waits.push(atMost(life.quiet(), ports.times.relistMs))
    }
    await Promise.all(waits)
  }
  const isTooMuch = async (tools: readonly KnownTool[], limits: SchemaLimits, choice: ModelChoice): Promise<boolean> => {
    const tokens = tools.reduce((sum, tool) => sum + catalogue.tokensOf(tool, limits), 0)
    return tokens > alwaysSent && isDeferred(tokens, (await ports.facts(choice)).windowTokens)
  }

  return {
    async toolsFor(session) {
      await roster.load()
      const [own, usual] = [keptFor(session), await ports.schemaLimits(null)]
      const offered = async ({ level, choice, isNow }: Offer): Promise<readonly Tool[]> => {
        if (level === 'read-only') return []
        if (!isNow) await awake()
        const limits = await ports.schemaLimits(choice)
        own.limits = limits
        await catalogue.prepare(limits)
        const usable = catalogue.usable()
        const isDeferring = await isTooMuch(usable, limits, choice)
        const sent = isDeferring ? usable.filter(({ origin }) => own.found.has(catalogue.registered(origin))) : usable
        return [...(waiting().length > 0 ? [namingServers(starter, waiting())] : []), ...(isDeferring ? [own.search] : []), ...(mayHaveResources() ? own.resources : []), ...sent.map((known) => own.tool(known, limits))]
      }
      return {
        offered,
        get(name) {
          const ours = [starter, own.search, ...own.resources].find((tool) => tool.name === name)
          if (ours) return ours
          const known = catalogue.usable().find(({ origin }) => catalogue.registered(origin) === name)
          return known && own.tool(known, own.limits ?? usual)
        },
      }
    },
  }
}

/** The tool with the names it may be given; the same object as long as those are the same. */
function namingServers(tool: Tool, servers: readonly string[]): Tool {
  const key = JSON.stringify(servers)
  const before = named.get(tool)
  if (before?.key === key) return before.made
  const made: Tool = { ...tool, schema: { type: 'object', properties: { server: { type: 'string', enum: [...servers], description: 'Name of the server.' } }, required: ['server'] } }
  named.set(tool, { key, made })
  return made
}

const named = new WeakMap<Tool, { readonly key: string; readonly made: Tool }>()

/** Where in the session a call was made, and the model that its turn uses. */
function placeOf(session: OpenSession, callId: CallId): CallPlace {
  const called = session.events.findLast((event) => event.type === 'tool-called' && event.callId === callId)
  const turn = session.events.findLast((event): event is Extract<AgentEvent, { type: 'turn-started' }> => event.type === 'turn-started')
  if (called?.type !== 'tool-called' || !turn) throw new Error(`a call that was never recorded: ${callId}`)
  return { sessionId: session.id, turnId: called.turnId, step: called.step, choice: turn.choice }
}

/** What searches found before this process: their results name the tools. */
function foundBefore(events: readonly AgentEvent[]): readonly string[] {
  const searches = new Set(events.flatMap((event) => (event.type === 'tool-called' && event.tool === 'search_tools' ? [event.callId] : [])))
  return events.flatMap((event) => (event.type === 'tool-finished' && searches.has(event.callId) ? [...event.text.matchAll(/^(mcp__[\w-]+) \(/gmu)].flatMap((match) => match[1] ?? []) : []))
}

/** The same object for the same definition: the search keeps what it made of it. */
function searchable({ origin, accepted }: KnownTool): SearchableTool & { readonly of: McpOrigin } {
  const known = searched.get(accepted)
  if (known?.of.server === origin.server) return known
  const made = { of: origin, server: origin.server, name: origin.tool, title: accepted.title ?? '', description: accepted.description }
  searched.set(accepted, made)
  return made
}

const searched = new WeakMap<McpToolDefinition, SearchableTool & { readonly of: McpOrigin }>()
