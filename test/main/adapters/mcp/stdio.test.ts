import { cp, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { makeMcpConnections } from '../../../../src/main/adapters/mcp/mcpConnections'
import type { McpConnection, McpConnections, McpEndpoint, McpStart } from '../../../../src/main/core/ports/mcpConnections'
import { casesF, everythingServer, fakeServer, filesystemServer, listenTo, never, nodeServer, startOf, type ToldEvents } from '../../../support/mcpServers'
import { processesWith } from '../../../support/processes'

let folder = ''
let connections: McpConnections
beforeAll(async () => {
  folder = await realpath(await mkdtemp(path.join(tmpdir(), 'countersign-mcp-')))
  connections = makeMcpConnections({ version: '1.2.3' })
})
afterAll(async () => {
  await connections.closeAll()
  await rm(folder, { recursive: true, force: true })
})
const open: McpConnection[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.close()))
})

async function connected(endpoint: McpEndpoint, rest: Partial<McpStart> = {}, events: ToldEvents = listenTo()): Promise<McpConnection> {
  const made = await connections.connect(startOf(endpoint, rest), events, never)
  if (!made.ok) throw new Error(JSON.stringify({ end: made.end, lines: events.lines }))
  open.push(made.value)
  return made.value
}

const quiet = { signal: never, onProgress: (): void => {} }
async function textOf(connection: McpConnection, tool: string, args: Record<string, unknown> = {}): Promise<string> {
  const given = await connection.call(tool, args, quiet)
  if (!given.ok) throw new Error(JSON.stringify(given.fault))
  return given.value.parts.map((part) => (part.kind === 'text' ? part.text : `<${part.kind}>`)).join('')
}

describe('how a program is started (R41, R45)', () => {
  test('arguments reach it item by item, and from a folder with blanks and letters of other languages (F02, R41)', async () => {
    const odd = path.join(folder, 'my server (1)', 'ünï')
    await mkdir(odd, { recursive: true })
    await cp(path.join(casesF, 'f02.mjs'), path.join(odd, 'f02.mjs'))
    const args = ['--dir', '/a b/c', '"q"', '', "a'b", '$HOME', '*', '\n', '-n', '你好']
    const connection = await connected(nodeServer([path.join(odd, 'f02.mjs'), ...args], odd))
    expect(JSON.parse(await textOf(connection, 'argv'))).toEqual(args)
  })
})
