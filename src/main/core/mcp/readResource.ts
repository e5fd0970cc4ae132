import { z } from 'zod'
import type { McpResource } from '../../../shared/domain/mcp'
import { said, succeed, type Result, type Said } from '../../../shared/domain/result'
import type { TaintSource, ToolOutput } from '../../../shared/domain/tool'
import type { Verdict } from '../../../shared/domain/verdict'
import type { CancelSignal } from '../ports/cancelSignal'
import type { McpPart } from '../ports/mcpConnections'
import { defineTool, type Tool } from '../tools/defineTool'
import { framed } from './frame'
import { oneLine } from './hiddenText'
import { textOfParts, type ResultPorts } from './results'

/** The resources of the servers as a session's tools reach them. */
export interface ResourceSource {
  /** Servers that may be used now, in a stable order. */
  servers(): readonly string[]
  /** What a server is known to offer; templates too. Asks nobody. */
  known(server: string): readonly McpResource[]
  /** What a server offers; one that does not run is started and waited for, a little. */
  listed(server: string): Promise<readonly McpResource[]>
  read(server: string, uri: string, signal: CancelSignal): Promise<Result<readonly McpPart[]>>
  /** What the person should know of a request: text of another server or of a secrets file in the address. */
  notes(server: string, uri: string): readonly Said[]
  /** Why a rule of the server forbids it; null when none does. Nobody can approve it. */
  refuses(server: string, uri: string): Said | null
  readonly results: ResultPorts
}

/** The tools that reach resources; offered while any server has some, or may have. */
export function makeResourceTools(source: ResourceSource): readonly Tool[] {
  return [makeReadResource(source), makeListResources(source)]
}

/**
 * Reads one resource by its address (R50, R102). The address is sent to the server, and text may travel in it: so it is a
 * call over the network, asked for like a call of that server, also where the server runs here.
 */
export function makeReadResource(source: ResourceSource): Tool {
  return defineTool({
    name: 'read_resource',
    description: 'Read one resource of an MCP server by its address. list_resources tells which there are; of a template, fill in the names in braces first. Long ones are cut in the middle.',
    params: z.object({
      server: z.string().min(1).max(200).describe('Name of the server.'),
      uri: z.string().min(1).max(8192).describe('Address of the resource.'),
    }),
    effect: 'network',
    paths: () => [],
    verdict: ({ server, uri }) => verdictOf(source, server, uri),
    forecast: (args) => {
      const unlisted = source.known(args.server).some((one) => one.uri === args.uri) ? [] : [said('mcp.resource-unlisted', { server: args.server })]
      return Promise.resolve(succeed({ preview: { kind: 'arguments', text: JSON.stringify(args, null, 2), notes: [...unlisted, ...source.notes(args.server, args.uri)] }, writes: [], base: {} }))
    },
    async run({ server, uri }, { signal }) {
      const parts = await source.read(server, uri, signal)
      if (signal.aborted) return { status: 'cancelled', say: said('tool.cancelled') }
      // A fault may repeat what the server said.
      return parts.ok ? outputOf(parts.value, server, uri, source.results) : { status: 'failed', say: parts.fault, taint: taintOf(server) }
    },
  })
}

function verdictOf(source: ResourceSource, server: string, uri: string): Verdict {
  if (!source.servers().includes(server)) return { kind: 'deny', reason: said('mcp.no-such-server', { server: oneLine(server, 80), servers: source.servers() }) }
  const refusal = source.refuses(server, uri)
  return refusal === null ? { kind: 'allowable', reason: said('guard.nothing-against') } : { kind: 'deny', reason: refusal }
}

async function outputOf(parts: readonly McpPart[], server: string, uri: string, results: ResultPorts): Promise<ToolOutput> {
  const { body, content, outputRef, isEmpty } = await textOfParts(parts, server, results)
  return {
    status: 'ok',
    say: said(isEmpty ? 'mcp.resource-empty' : 'mcp.resource-read', { server, uri: oneLine(uri, 2048) }),
    ...(isEmpty ? {} : { body }),
    ...(outputRef === null ? {} : { outputRef }),
    ...(content.length === 0 ? {} : { content }),
    taint: taintOf(server),
  }
}

/** Most resources that one answer lists. */
const mostListed = 100

/**
 * Lists the resources of one server that hold a text. Without a server it names the servers that have any: their names
 * are the user's own words, while a list is text from that one server, framed and marked as such.
 */
export function makeListResources(source: ResourceSource): Tool {
  return defineTool({
    name: 'list_resources',
    description: `List what resources an MCP server offers, at most ${mostListed} at once, with their addresses for read_resource. Without a server: which servers have resources.`,
    params: z.object({
      server: z.string().min(1).max(200).exactOptional().describe('Name of the server. Not needed when only one has resources.'),
      query: z.string().max(500).exactOptional().describe('Text that name, title, description or address must hold.'),
    }),
    effect: 'read',
    paths: () => [],
    forecast: (args) => Promise.resolve(succeed({ preview: { kind: 'arguments', text: JSON.stringify(args, null, 2), notes: [] }, writes: [], base: {} })),
    run: (args) => listOf(source, args),
  })
}

async function listOf(source: ResourceSource, args: { readonly server?: string; readonly query?: string }): Promise<ToolOutput> {
  if (args.server === undefined) await Promise.all(source.servers().map((name) => source.listed(name)))
  const having = source.servers().filter((server) => source.known(server).length > 0)
  const server = args.server ?? (having.length === 1 ? having[0] : undefined)
  if (server === undefined) {
    return having.length === 0 ? { status: 'ok', say: said('mcp.resources-none') } : { status: 'ok', say: said('mcp.resources-where', { servers: having.map((name) => `${name} (${source.known(name).length})`) }) }
  }
  if (!source.servers().includes(server)) return { status: 'failed', say: said('mcp.no-such-server', { server: oneLine(server, 80), servers: source.servers() }) }
  const fitting = (await source.listed(server)).filter((one) => fits(one, args.query ?? ''))
  if (fitting.length === 0) return { status: 'ok', say: said('mcp.resources-no-match', { server, total: source.known(server).length }) }
  const listed = fitting.slice(0, mostListed)
  const say = said(listed.length < fitting.length ? 'mcp.resources-part' : 'mcp.resources-listed', { server, count: fitting.length, shown: listed.length })
  return { status: 'ok', say, body: framed(listed.map(lineOf).join('\n'), server), taint: taintOf(server) }
}

function fits({ uri, name, title, description }: McpResource, query: string): boolean {
  const wanted = query.trim().toLowerCase()
  return [uri, name, title, description].some((text) => text.toLowerCase().includes(wanted))
}

function lineOf(one: McpResource): string {
  const name = oneLine(one.title || one.name, 120)
  const facts = [one.isTemplate ? 'template' : '', oneLine(one.mimeType ?? '', 80)].filter((text) => text !== '')
  const about = oneLine(one.description, 200)
  return `${oneLine(one.uri, 2048)}${name === '' ? '' : `  ${name}`}${facts.length > 0 ? ` (${facts.join(', ')})` : ''}${about === '' ? '' : ` – ${about}`}`
}

function taintOf(server: string): TaintSource {
  return { kind: 'mcp', server }
}
