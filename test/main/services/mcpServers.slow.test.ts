import { readFileSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { fakeServer } from '../../support/mcpServers'
import { mcpTimes } from '../../../src/main/services/mcpPorts'
import { caseEntry, entryOf, makeMcpWorld } from '../../support/mcpWorld'
import { processesWith } from '../../support/processes'

test('R46 case f09: the slow server stays starting, is ready in the end, and its tool comes without anybody asking again', async () => {
  const world = makeMcpWorld()
  // The case's 45 s, told in seven; the usual times leave room for the whole.
  expect(mcpTimes.handshakeMs).toBeGreaterThan(45_000)
  world.configure({ slow: caseEntry('f09.mjs', { CASE_FASTER: '6' }), good: entryOf(fakeServer(`on('tools/list', (m) => ok(m.id, { tools: [tool('hello')] }))`)) })
  expect((await world.offered()).map((tool) => tool.name)).toEqual(['mcp__good__hello'])
  expect((await world.row('slow')).state.kind).toBe('starting')
  await world.until(({ servers }) => servers.some((row) => row.name === 'slow' && row.state.kind === 'ready'))
  expect((await world.offered()).map((tool) => tool.name)).toEqual(['mcp__good__hello', 'mcp__slow__late'])
})

test('R46 case f09: a handshake that is too late fails the start with another try in sight, and copies never pile up', async () => {
  const world = makeMcpWorld({ times: { handshakeMs: 400, firstSightMs: 100, retryMs: [200, 200] } })
  const mark = `late-server-of-${process.pid}`
  world.configure({ late: { command: process.execPath, args: [...(caseEntry('f09.mjs') as { args: string[] }).args, mark] } })
  await world.offered()
  await world.until(({ servers }) => servers.some(({ state }) => state.kind === 'failed' && state.nextTryAtMs !== null))
  await world.until(({ servers }) => servers.some(({ state }) => state.kind === 'failed' && state.nextTryAtMs === null))
  expect(processesWith(mark).map((one) => one.line)).toEqual([])
  void world.mcp.start('late')
  void world.mcp.start('late')
  await world.until(({ servers }) => servers.some(({ state }) => state.kind === 'starting'))
  expect(processesWith(mark).filter((one) => one.line.startsWith(process.execPath)).length).toBeLessThanOrEqual(1)
  await world.mcp.close()
  expect(processesWith(mark).map((one) => one.line)).toEqual([])
})

test('issue 3, 7: fifty servers with a thousand tools are offered by what was accepted, whether they answer or not', async () => {
  const world = makeMcpWorld({ windowTokens: 8_000 })
  const server = (hangs: boolean): object =>
    entryOf(fakeServer(`${hangs ? "on('initialize', () => {})" : ''}
on('tools/list', (m) => ok(m.id, { tools: Array.from({ length: 20 }, (_, n) => tool('tool_' + n, { description: 'Does thing number ' + n })) }))`))
  const all = (hangs: boolean): Readonly<Record<string, object>> => Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`server-${n}`, server(hangs)]))
  world.configure(all(false))
  await world.offered()
  const page = await world.until(({ servers }) => servers.every(({ state }) => state.kind === 'ready'))
  expect({ tools: page.servers.reduce((sum, row) => sum + row.tools, 0), isDeferred: page.isDeferred }).toEqual({ tools: 1000, isDeferred: true })
  await world.mcp.close()

  // The person accepts the other start; nothing answers, and yet everything is found at once.
  const later = world.again()
  later.configure(all(true))
  for (const { name } of (await later.mcp.page()).servers) {
    const detail = await later.mcp.detail(name)
    if (detail.ok && detail.value.changes[0]) await later.mcp.review(name, 'start', '', detail.value.changes[0].hash, true)
  }
  const [search] = await later.offered()
  if (!search) throw new Error('no search')
  expect((await later.call(search, { query: 'thing number 7' })).body).toContain('tool_7')
  expect((await later.mcp.page()).servers.every(({ state }) => state.kind !== 'ready')).toBe(true)
})

test('R46 the log of a server that floods is bounded, and its tools work on', async () => {
  const world = makeMcpWorld()
  world.configure({ loud: entryOf(fakeServer(`on('tools/list', (m) => ok(m.id, { tools: [tool('hello')] }))
on('tools/call', (m) => { for (let n = 0; n < 20000; n++) process.stderr.write('noise ' + n + '\\n'); ok(m.id, text('done')) })`)) })
  const [hello] = await world.offered()
  if (!hello) throw new Error('hello is missing')
  expect((await world.call(hello, {})).body).toContain('done')
  const log = world.mcp.log('loud')
  expect(log.length).toBeLessThanOrEqual(2_000)
  expect(log.some((line) => line.from === 'stderr')).toBe(true)
})

test('R44 comments and keys that nobody here knows survive what the form writes', async () => {
  const world = makeMcpWorld()
  world.configure({})
  writeFileSync(world.file, '{\n  // mine\n  "mcpServers": {\n    "one": { "command": "node", "args": ["a.mjs"], "futureKey": [1, 2] } // kept\n  }\n}\n')
  const detail = await world.mcp.detail('one')
  if (!detail.ok) throw new Error(detail.fault.code)
  expect(await world.mcp.save({ ...detail.value.form, args: ['b.mjs'] }, 'one')).toEqual({ ok: true, value: null })
  expect(readFileSync(world.file, 'utf8')).toBe('{\n  // mine\n  "mcpServers": {\n    "one": { "command": "node", "args": ["b.mjs"], "futureKey": [1, 2] } // kept\n  }\n}\n')
})
