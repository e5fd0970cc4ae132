import { createRequire } from 'node:module'
import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { argumentsOf } from '../../../../src/main/core/mcp/argumentSchema'
import { cleanTool } from '../../../../src/main/core/mcp/cleanTool'
import { originKey, registeredNames } from '../../../../src/main/core/mcp/toolNames'
import type { McpToolDefinition } from '../../../../src/shared/domain/mcp'
import { providers } from './schemaWorld'
import { refusals } from './strictSchema'

// R52 on real peers: the tools of both reference servers, listed over stdio, as each provider is sent them.

const require = createRequire(import.meta.url)
const servers = ['everything', 'filesystem'] as const
const listed = new Map<string, readonly McpToolDefinition[]>()
let folder = ''

beforeAll(async () => {
  folder = await realpath(await mkdtemp(path.join(tmpdir(), 'reference-servers-')))
  for (const server of servers) listed.set(server, await list(server))
}, 60_000)
afterAll(() => rm(folder, { recursive: true, force: true }))

async function list(server: (typeof servers)[number]): Promise<readonly McpToolDefinition[]> {
  const home = path.dirname(require.resolve(`@modelcontextprotocol/server-${server}/package.json`))
  const transport = new StdioClientTransport({ command: process.execPath, args: [path.join(home, 'dist/index.js'), ...(server === 'filesystem' ? [folder] : [])], stderr: 'ignore' })
  const client = new Client({ name: 'test', version: '0' })
  try {
    await client.connect(transport)
    const { tools } = await client.listTools()
    return tools.map((tool) => ({ ...tool, description: tool.description ?? '' })) as unknown as readonly McpToolDefinition[]
  } finally {
    await client.close()
  }
}

test.each(providers)('R52: every tool of the reference servers fits %s', async (id, limits) => {
  for (const server of servers) {
    const tools = listed.get(server) ?? []
    const names = registeredNames(tools.map((tool) => ({ server, tool: tool.name })))
    const sent = tools.map((tool) => ({ name: names.get(originKey({ server, tool: tool.name })), ...cleanTool(tool, limits) }))
    expect(sent.length).toBeGreaterThan(10)
    for (const tool of sent) expect(refusals(tool.schema, limits)).toEqual([])
    const text = sent.map(({ name, description, schema }) => JSON.stringify({ name, description, parameters: schema }, null, 1)).join(',\n')
    await expect(`[\n${text}\n]\n`).toMatchFileSnapshot(`tools/${server}.${id}.json`)
  }
})

test('R52: the original schema of a reference server takes right arguments and names what is wrong', () => {
  const edit = listed.get('filesystem')?.find((tool) => tool.name === 'edit_file')
  const judge = argumentsOf(edit?.inputSchema)
  expect(judge.safeParse({ path: 'a', edits: [{ oldText: 'x', newText: 'y' }] }).success).toBe(true)
  expect(judge.safeParse({ edits: [{ oldText: 'x' }] }).error?.issues.map((issue) => issue.path.join('.'))).toEqual(['path', 'edits.0.newText'])
})
