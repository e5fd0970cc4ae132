import { expect, test } from 'vitest'
import type { McpServerConfig } from '../../../src/main/core/ports/mcpConfig'
import { endpointOf, type EndpointPorts } from '../../../src/main/services/mcpEndpoint'
import { commandLimitMs, makeProgramDoor } from '../../../src/main/services/programs'

test('D02 a command that names no limit gets that of the settings; where nobody looks there always is one', () => {
  const limits = [{ commandSeconds: null }, { commandSeconds: 30 }].flatMap((settings) => [commandLimitMs(settings, { followsQueue: true }), commandLimitMs(settings, {})])
  expect(limits).toEqual([null, 600_000, 30_000, 30_000])
})

test('R113 only a listed port that answers HTTP is opened, and only on this machine', async () => {
  const opened: string[] = []
  const watch = { programs: () => Promise.resolve([{ callId: 'c', pid: 7, command: 'x', ports: [{ port: 3000, isHttp: true }, { port: 9229, isHttp: false }] }]) }
  const door = makeProgramDoor(watch, (url) => (opened.push(url), Promise.resolve()))
  expect([await door(3000), await door(9229), await door(22), await makeProgramDoor(watch, null)(3000)]).toEqual([true, false, false, false])
  expect(opened).toEqual(['http://localhost:3000/'])
})

test("D01 a server is given the PATH of the user's terminal, unless its own variables name one", async () => {
  const server = (env: McpServerConfig['env']): McpServerConfig => ({ name: 's', transport: 'stdio', command: 'npx', args: [], cwd: '', env, url: '', headers: {}, isDisabled: false, timeoutMs: null }) as unknown as McpServerConfig
  const ports = { secrets: { get: () => Promise.resolve(null) }, env: { PATH: '/usr/bin', HOME: '/h' }, home: '/h', folder: '/p' } as unknown as EndpointPorts
  const pathOf = async (env: McpServerConfig['env'], searchPath?: EndpointPorts['searchPath']): Promise<unknown> => {
    const found = await endpointOf(server(env), { ...ports, searchPath })
    return found.ok && found.value.kind === 'stdio' ? found.value.env['PATH'] : found
  }
  const told = () => Promise.resolve(['/tools', '/usr/bin'])
  expect([await pathOf({}), await pathOf({}, told), await pathOf({ PATH: '/mine' }, told)]).toEqual(['/usr/bin', '/tools:/usr/bin', '/mine'])
})
