import path from 'node:path'
import { loadCatalogue, schemaLimitsOf } from '../../src/main/adapters/model/catalogue'
import { cleanTool } from '../../src/main/core/mcp/cleanTool'
import { originKey, registeredNames } from '../../src/main/core/mcp/toolNames'
import type { McpToolDefinition } from '../../src/shared/domain/mcp'
import type { LabInput, Print } from './index'

/**
 * `schema --provider P`: MCP tools as JSON on standard input, as a list, as `{tools}` or as `{server, tools}`, also several of
 * these in a list. One line a tool as it is sent to the model, in order: `{name, description, parameters}`.
 */
export async function schemaLab(args: readonly string[], input: Pick<LabInput, 'bytes'>, print: Print): Promise<void> {
  const given = args.filter((arg, at) => arg !== '--data' && args[at - 1] !== '--data')
  const [flag, provider] = given
  if (flag !== '--provider' || provider === undefined || given.length > 2) throw wrong('usage: schema --provider P')
  const limits = schemaLimitsOf(await loadCatalogue(path.resolve('resources')), provider)
  const servers = serversOf(JSON.parse(input.bytes().toString('utf8')))
  const names = registeredNames(servers.flatMap(({ server, tools }) => tools.map((tool) => ({ server, tool: tool.name }))))
  for (const { server, tools } of servers) {
    for (const tool of tools) {
      const { description, schema } = cleanTool(tool, limits)
      print({ name: names.get(originKey({ server, tool: tool.name })), description, parameters: schema })
    }
  }
}

function wrong(message: string): Error {
  return Object.assign(new Error(message), { name: 'LabUsage' })
}

interface Server {
  readonly server: string
  readonly tools: readonly McpToolDefinition[]
}

function serversOf(value: unknown): readonly Server[] {
  const given = value as { readonly server?: string; readonly tools?: readonly McpToolDefinition[] }
  if (Array.isArray(given.tools)) return [{ server: given.server ?? 'server', tools: given.tools }]
  if (!Array.isArray(value)) throw wrong('schema reads a list of tools, {tools} or {server, tools}')
  const list = value as readonly (Server | McpToolDefinition)[]
  const servers = list.filter((each): each is Server => 'tools' in each)
  const tools = list.filter((each): each is McpToolDefinition => !('tools' in each))
  return tools.length > 0 ? [...servers, { server: 'server', tools }] : servers
}
