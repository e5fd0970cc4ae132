import { z } from 'zod'
import type { CallArgs } from '../../shared/domain/call'
import type { McpChange, McpOrigin, McpToolDefinition } from '../../shared/domain/mcp'
import { fail, said, type Result, type Said } from '../../shared/domain/result'
import type { SchemaLimits } from '../../shared/domain/schemaLimits'
import type { ToolOutput } from '../../shared/domain/tool'
import { estimateTokens } from '../core/context/estimate'
import { argumentsOf } from '../core/mcp/argumentSchema'
import { cleanTool, type CleanTool } from '../core/mcp/cleanTool'
import { makeMcpTool, type McpToolSource } from '../core/mcp/mcpTool'
import { outputOfCall, type ResultPorts } from '../core/mcp/results'
import { warningsOfTool } from '../core/mcp/scanText'
import { originKey, registeredNames } from '../core/mcp/toolNames'
import { redactLong } from '../core/policy/redactionStream'
import { neverCancelled, type CancelSignal } from '../core/ports/cancelSignal'
import type { McpConnection } from '../core/ports/mcpConnections'
import type { Tool, ToolContext } from '../core/tools/defineTool'
import type { SessionFlow } from './mcpFlow'
import type { McpServersPorts } from './mcpPorts'
import type { CallPlace, McpQuestions } from './mcpQuestions'
import type { McpRoster } from './mcpRoster'
import { whyFailed } from './mcpServer'
import { atMost } from './mcpTiming'

/** A tool that is known of a server: as it was accepted, and as the server lists it now (null: it was not asked yet). */
export interface KnownTool {
  readonly origin: McpOrigin
  readonly accepted: McpToolDefinition
  readonly now: McpToolDefinition | null
}

/** The tools of all servers, independent of sessions. */
export interface McpCatalogue {
  /** Tools that a server has: those it lists, or while it was never asked those that were accepted. By name. */
  toolsOf(server: string): readonly KnownTool[]
  /** All tools that may be used now, by server and name. */
  usable(): readonly KnownTool[]
  registered(origin: McpOrigin): string
  changeOf(tool: KnownTool): McpChange | null
  warningsOf(tool: KnownTool): readonly Said[]
  clean(tool: KnownTool, limits: SchemaLimits): CleanTool
  /** Tokens of the tool as the model is sent it. */
  tokensOf(tool: KnownTool, limits: SchemaLimits): number
  /** Makes what is costly for all usable tools, and the warnings of one server's, with room for others in between. */
  prepare(limits: SchemaLimits, shown?: string): Promise<void>
}

/** Work in one go, milliseconds. */
const goMs = 10

/** Makes the catalogue over a roster. What is costly is made once for each definition. `changed` hears of each that is not as accepted, once. */
export function makeMcpCatalogue(roster: McpRoster, changed: (tool: string) => void = () => undefined): McpCatalogue {
  const cleaned = new WeakMap<McpToolDefinition, Map<SchemaLimits, CleanTool>>()
  const changes = new WeakMap<McpToolDefinition, { readonly accepted: McpToolDefinition; readonly change: McpChange | null }>()
  const warned = new WeakMap<McpToolDefinition, readonly Said[]>()
  const tokens = new WeakMap<CleanTool, number>()
  let names: ReadonlyMap<string, string> = new Map()

  const toolsOf = (server: string): readonly KnownTool[] => {
    const pins = roster.register.tools(server)
    const listed = roster.life(server)?.lists()?.tools
    const now = new Map((listed ?? []).map((one) => [one.name, one]))
    return [...pins.values()]
      .filter((pin) => listed === undefined || now.has(pin.tool))
      .map((pin) => ({ origin: { server, tool: pin.tool }, accepted: pin.definition, now: now.get(pin.tool) ?? null }))
      .sort((left, right) => order(left.origin.tool, right.origin.tool))
  }
  const all = (): readonly KnownTool[] => roster.servers().map((config) => config.name).sort(order).flatMap(toolsOf)
  /** Kept until others get a turn: it is asked for with every tool of a list. */
  const neighbours = new Map<string, { readonly own: readonly string[]; readonly others: readonly McpOrigin[] }>()
  const neighboursOf = (server: string): { readonly own: readonly string[]; readonly others: readonly McpOrigin[] } => {
    if (neighbours.size === 0) queueMicrotask(() => neighbours.clear())
    const known = neighbours.get(server) ?? { own: toolsOf(server).map((one) => one.origin.tool), others: all().flatMap(({ origin }) => (origin.server === server ? [] : [origin])) }
    neighbours.set(server, known)
    return known
  }
  const clean = ({ accepted }: KnownTool, limits: SchemaLimits): CleanTool => {
    const byLimits = cleaned.get(accepted) ?? new Map<SchemaLimits, CleanTool>()
    cleaned.set(accepted, byLimits)
    const made = byLimits.get(limits) ?? cleanTool(accepted, limits)
    byLimits.set(limits, made)
    return made
  }

  const usable = (): readonly KnownTool[] => all().filter(({ origin }) => roster.mayRun(origin.server) && roster.register.isOn(origin.server, 'tool', origin.tool))

  const catalogue: McpCatalogue = {
    toolsOf,
    usable,
    registered(origin) {
      const known = names.get(originKey(origin))
      if (known !== undefined) return known
      // Every origin that is known, also what is off: a name must not depend on switches.
      const origins = roster.servers().flatMap(({ name }) => [...roster.register.tools(name).keys()].map((tool) => ({ server: name, tool })))
      names = registeredNames([...origins, origin])
      return names.get(originKey(origin)) ?? originKey(origin)
    },
    changeOf({ origin, accepted, now }) {
      if (now === null || now === accepted) return null
      const known = changes.get(now)
      if (known?.accepted === accepted) return known.change
      const { others, own } = neighboursOf(origin.server)
      const change = roster.register.toolChange(origin.server, now, others, own)
      changes.set(now, { accepted, change })
      if (change !== null) changed(catalogue.registered(origin))
      return change
    },
    warningsOf({ origin, accepted, now }) {
      const shown = now ?? accepted
      const known = warned.get(shown)
      if (known) return known
      const { others, own } = neighboursOf(origin.server)
      const made = warningsOfTool(shown, others, own)
      warned.set(shown, made)
      return made
    },
    clean,
    tokensOf(tool, limits) {
      const made = clean(tool, limits)
      const known = tokens.get(made) ?? estimateTokens(JSON.stringify({ description: made.description, parameters: made.schema })) + estimateTokens(tool.origin.tool)
      tokens.set(made, known)
      return known
    },
    async prepare(limits, shown) {
      let sinceMs = performance.now()
      for (const tool of [...usable(), ...(shown === undefined ? [] : toolsOf(shown))]) {
        catalogue.tokensOf(tool, limits)
        catalogue.changeOf(tool)
        if (tool.origin.server === shown) catalogue.warningsOf(tool)
        if (performance.now() - sinceMs < goMs) continue
        await new Promise((resolve) => setImmediate(resolve))
        sinceMs = performance.now()
      }
    },
  }
  return catalogue
}

function isObject(value: unknown): value is CallArgs {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function order(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0
}

/** What the tools of one session need. */
export interface SessionToolParts {
  readonly ports: McpServersPorts
  readonly roster: McpRoster
  readonly catalogue: McpCatalogue
  readonly questions: McpQuestions
  readonly flow: SessionFlow
  /** Where in the session a call was made. */
  placeOf(context: Pick<ToolContext, 'callId'>): CallPlace
}

/** The tools of one session as the gate knows them; the same object for the same definition, limits and effect. */
export function makeSessionTools(parts: SessionToolParts): (known: KnownTool, limits: SchemaLimits) => Tool {
  const made = new Map<string, { readonly accepted: McpToolDefinition; readonly limits: SchemaLimits; readonly effect: string; readonly tool: Tool }>()
  return (known, limits) => {
    const key = originKey(known.origin)
    const effect = parts.roster.register.isOn(known.origin.server, 'network', known.origin.tool) ? 'network' : 'execute'
    const before = made.get(key)
    if (before?.accepted === known.accepted && before.limits === limits && before.effect === effect) return before.tool
    const tool = makeMcpTool(sourceOf(known, limits, effect, parts))
    made.set(key, { accepted: known.accepted, limits, effect, tool })
    return tool
  }
}

function sourceOf({ origin, accepted }: KnownTool, limits: SchemaLimits, effect: 'execute' | 'network', parts: SessionToolParts): McpToolSource {
  const { catalogue, roster, flow } = parts
  const cleaned = catalogue.clean({ origin, accepted, now: null }, limits)
  const known = (): KnownTool | undefined => catalogue.toolsOf(origin.server).find((one) => one.origin.tool === origin.tool)
  const source: McpToolSource = {
    origin,
    name: catalogue.registered(origin),
    description: cleaned.description,
    schema: cleaned.schema,
    params: z.preprocess((given) => (isObject(given) ? cleaned.restore(given) : given), argumentsOf(accepted.inputSchema)),
    effect,
    now() {
      const tool = known()
      const isOn = tool !== undefined && roster.mayRun(origin.server) && roster.register.isOn(origin.server, 'tool', origin.tool)
      return { description: (tool?.now ?? accepted).description, change: tool ? catalogue.changeOf(tool) : null, isOn }
    },
    async ready(signal) {
      const open = await connect(origin.server, signal, parts)
      return open.ok ? null : open.fault
    },
    notes(args) {
      const tool = known()
      return [...(tool ? catalogue.warningsOf(tool) : []), ...flowNotes(flow, args, origin.server)]
    },
    refuses: (args) => flowRefusal(flow, args, origin.server, roster),
    call: (args, context) => callTool(origin, args, context, source, parts),
    async accept(hash) {
      const tool = known()
      if (tool?.now && catalogue.changeOf(tool)?.hash === hash) await roster.register.acceptTool(origin.server, tool.now)
    },
  }
  return source
}

/** Text of the project's files in the arguments, where the server may not be given that; null otherwise. */
export function flowRefusal(flow: SessionFlow, args: CallArgs, server: string, roster: Pick<McpRoster, 'register'>): Said | null {
  if (roster.register.isOn(server, 'project-text')) return null
  const found = flow.find(args, server).find(({ source }) => source.kind === 'project-file' || source.kind === 'secret-file')
  return found ? said('mcp.no-project-text', { server, sample: found.sample }) : null
}

/** What comes from another server, a page or a secrets file is named on the card; text of the project is what servers are for. */
export function flowNotes(flow: SessionFlow, args: CallArgs, server: string): readonly Said[] {
  return flow.find(args, server).flatMap(({ source, sample }) => {
    if (source.kind === 'server') return [said('mcp.flow-server', { from: source.server, to: server, sample })]
    if (source.kind === 'web') return [said('mcp.flow-web', { from: source.host, to: server, sample })]
    return source.kind === 'secret-file' ? [said('mcp.flow-secret', { path: source.path, to: server, sample })] : []
  })
}

async function callTool(origin: McpOrigin, args: CallArgs, context: ToolContext, source: McpToolSource, parts: SessionToolParts): Promise<ToolOutput> {
  const { ports, questions } = parts
  const connection = await connect(origin.server, context.signal, parts)
  if (context.signal.aborted) return { status: 'cancelled', say: said('tool.cancelled') }
  if (!connection.ok) return { status: 'failed', say: connection.fault }
  // It may have been started anew since the call was allowed, and list another definition now (R54).
  const now = source.now()
  if (now.change !== null || !now.isOn) return { status: 'failed', say: said('mcp.changed-meanwhile', { ...origin }) }

  const leave = questions.entered(origin.server, parts.placeOf(context), context.signal)
  try {
    const result = await connection.value.call(origin.tool, args, { signal: context.signal, onProgress: (progress) => context.emit(ports.redact(progressLine(progress))) })
    if (context.signal.aborted) return { status: 'cancelled', say: said('tool.cancelled') }
    if (!result.ok && result.fault.code === 'mcp.gone') return await endedInCall(origin.server, connection.value, parts)
    // What the call changed in the server's lists is told right behind its answer: the next request is to have it.
    await new Promise((resolve) => setTimeout(resolve, ports.times.noticeMs))
    return result.ok ? await outputOfCall(result.value, origin, resultPorts(ports)) : { status: 'failed', say: result.fault }
  } finally {
    leave()
  }
}

/** The server of a call, started when it does not run, with its tools known. */
async function connect(server: string, signal: CancelSignal, { roster, ports }: SessionToolParts): Promise<Result<McpConnection>> {
  const life = roster.life(server)
  if (!life) return fail('mcp.gone', { server })
  const open = await life.connected(signal)
  if (open.ok) await atMost(life.settled(), ports.times.relistMs)
  return open
}

/** The server ended while it worked: nobody knows whether the call took effect, and the model is told so. */
async function endedInCall(server: string, connection: McpConnection, { roster }: SessionToolParts): Promise<ToolOutput> {
  const life = roster.life(server)
  await life?.noticed(connection)
  const state = life?.state()
  return { status: 'failed', say: said('mcp.ended-in-call', { server, reason: state?.kind === 'failed' ? whyFailed(state) : said('mcp.gone', { server }) }) }
}

/** Where large parts of results go; text is redacted, also in what is stored, and a long one lets others work meanwhile. */
export function resultPorts(ports: Pick<McpServersPorts, 'blobs' | 'redact' | 'makeFilter' | 'scaler'>): ResultPorts {
  const { scaler } = ports
  const rest = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
  return {
    keep: (bytes) => ports.blobs.put(bytes),
    ...(scaler === undefined ? {} : { fit: (bytes: Uint8Array) => scaler.fit(bytes, neverCancelled) }),
    keepText: async (text) => ports.blobs.put(new TextEncoder().encode(await redactLong(text, ports.makeFilter(), rest))),
    redact: (text) => ports.redact(text),
    rest,
  }
}

function progressLine({ done, total, message }: { readonly done: number; readonly total: number | null; readonly message: string }): string {
  return `${total === null ? done : `${done}/${total}`}${message === '' ? '' : ` ${message}`}\n`
}
