import { expect, test } from 'vitest'
import { makeBrowser, startAuthServer, type AuthServer } from '../../support/authServer'
import { makeMcpWorld, type McpWorld } from '../../support/mcpWorld'

async function worldWith(): Promise<{ readonly world: McpWorld; readonly server: AuthServer; readonly signIn: () => Promise<unknown> }> {
  const server = await startAuthServer()
  const world = makeMcpWorld()
  world.configure({ protected: { url: server.url } })
  const browser = makeBrowser()
  return {
    world, server,
    async signIn() {
      const before = world.opened.length
      const signed = world.mcp.signIn('protected')
      await expect.poll(() => world.opened.length).toBe(before + 1)
      await browser.open(world.opened.at(-1) ?? '')
      return signed
    },
  }
}

test('R53 a server that wants a sign-in has its tools after it, and loses them with signing out', async () => {
  const { world, server, signIn } = await worldWith()
  expect(await world.offered()).toEqual([])
  expect(await world.row('protected')).toMatchObject({ state: { kind: 'sign-in' } })
  expect(await signIn()).toEqual({ ok: true, value: null })
  const [tool] = await world.offered()
  expect(tool?.name).toBe('mcp__protected__whoami')
  server.expire()
  expect(tool && (await world.call(tool, {})).status).toBe('ok')
  expect(server.refreshes()).toBe(1)
  expect(await world.mcp.detail('protected')).toMatchObject({ value: { isSignedIn: true } })
  await world.mcp.signOut('protected')
  // The tools stay known; using one starts the server, which asks again, and nobody is asked about the call.
  await expect(tool && world.call(tool, {})).rejects.toThrow('mcp.wants-sign-in')
  expect(await world.row('protected')).toMatchObject({ state: { kind: 'sign-in' } })
  await server.close()
})

test('R53 what was taken back in the middle of a call asks for a new sign-in, and opens nothing by itself', async () => {
  const { world, server, signIn } = await worldWith()
  await world.offered()
  await signIn()
  const [tool] = await world.offered()
  server.expire()
  server.revoke()
  expect(tool && (await world.call(tool, {})).status).toBe('failed')
  const page = await world.until(({ servers }) => servers[0]?.state.kind === 'sign-in')
  expect([page.servers.length, world.opened.length]).toEqual([1, 1])
  await server.close()
})

test('R53 beginning again calls off the sign-in of before', async () => {
  const { world, server, signIn } = await worldWith()
  const first = world.mcp.signIn('protected')
  await expect.poll(() => world.opened.length).toBe(1)
  expect(await signIn()).toEqual({ ok: true, value: null })
  expect(await first).toMatchObject({ ok: false, fault: { code: 'mcp.oauth-cancelled' } })
  await server.close()
})

test('R53 a server with another address is not signed in any more', async () => {
  const { world, server, signIn } = await worldWith()
  await signIn()
  const name = 'mcp/protected/oauth'
  const kept = await world.secrets.get(name)
  const { form } = await formOf(world)
  expect(await world.mcp.save({ ...form, url: `${server.url}?other` }, 'protected')).toEqual({ ok: true, value: null })
  expect([kept === null, await world.secrets.get(name)]).toEqual([false, null])
  await server.close()
})

async function formOf(world: McpWorld): Promise<{ readonly form: Parameters<McpWorld['mcp']['save']>[0] }> {
  const detail = await world.mcp.detail('protected')
  if (!detail.ok) throw new Error(JSON.stringify(detail.fault))
  return detail.value
}
