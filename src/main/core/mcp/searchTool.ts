import { z } from 'zod'
import { said, succeed } from '../../../shared/domain/result'
import { defineTool, type Tool } from '../tools/defineTool'
import { oneLine } from './hiddenText'

/** A tool that a search found: its registered name, and its accepted description. */
export interface FoundTool {
  readonly name: string
  readonly server: string
  readonly description: string
}

/** The tools of servers that are too many to be sent whole. */
export interface ToolSearchSource {
  /** How many there are. */
  count(): number
  servers(): readonly string[]
  /** Best first, at most `limit` (`searchTools`). */
  search(query: string, limit: number): readonly FoundTool[]
  /** These are offered from the next step on. */
  found(names: readonly string[]): void
}

const mostFound = 10

/**
 * Makes `search_tools`: finds tools of servers by words and has them offered from the next step on. It changes nothing but
 * what is offered; a found tool goes through the gate like every other. The descriptions are those that were accepted (R54).
 * The same source gives the same tool object only when the caller keeps it.
 */
export function makeSearchTool(source: ToolSearchSource): Tool {
  return defineTool({
    name: 'search_tools',
    description:
      `Find tools of the connected MCP servers by what they do. There are too many to be listed here: search for what you need, in a few words; ` +
      `the ${mostFound} best are named and can be called from the next step on.`,
    params: z.object({ query: z.string().trim().min(1).max(500).describe('What the tool should do, or its name.') }),
    effect: 'read',
    paths: () => [],
    forecast: (args) => Promise.resolve(succeed({ preview: { kind: 'arguments', text: args.query, notes: [] }, writes: [], base: {} })),
    run: ({ query }) => {
      const tools = source.search(query, mostFound)
      if (tools.length === 0) return Promise.resolve({ status: 'ok', say: said('mcp.search-none', { total: source.count(), servers: source.servers() }) })
      source.found(tools.map((tool) => tool.name))
      const lines = tools.map(({ name, server, description }) => `${name} (${oneLine(server, 80)}): ${oneLine(description, 200)}`)
      return Promise.resolve({ status: 'ok', say: said('mcp.search-found', { count: tools.length, total: source.count() }), body: lines.join('\n') })
    },
  })
}
