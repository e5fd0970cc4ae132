import { randomInt } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { makeMcpConnections } from '../../../../src/main/adapters/mcp/mcpConnections'
import type { McpConnection } from '../../../../src/main/core/ports/mcpConnections'
import { probeIsolation } from '../../../../src/main/native/processTreeIsolation'
import { childOf } from '../../../support/childProcess'
import { casesF, fakeServer, listenTo, never, nodeServer, startOf } from '../../../support/mcpServers'
import { processesWith } from '../../../support/processes'

const start = childOf('mcpChild')
const connections = makeMcpConnections({ version: '1' })
const folders: string[] = []
afterAll(async () => {
  await connections.closeAll()
  for (const folder of folders) await rm(folder, { recursive: true, force: true })
})

/** Ignores the end of its input and every polite signal, and starts another that does. */
const stubborn = (number: string, isDetached: boolean) => fakeServer(`
  import { spawn } from 'node:child_process'
  for (const signal of ['SIGTERM', 'SIGHUP', 'SIGINT']) process.on(signal, () => {})
  setInterval(() => {}, 1000) // ${number}
  spawn('/bin/sh', ['-c', 'trap "" TERM HUP INT; while :; do sleep ${number}; done'], { detached: ${isDetached}, stdio: 'ignore' })`)

describe('an app killed with no time to tidy up (R46)', () => {
  test('takes its servers along, with what they started in sessions of their own', async ({ skip }) => {
    if ((await probeIsolation('/bin/bash', ['/usr/bin', '/bin'])).kind !== 'namespace') return skip()
    const number = String(randomInt(10 ** 8, 10 ** 9))
    const child = start({ endpoints: [stubborn(number, true), stubborn(number, false), nodeServer([path.join(casesF, 'f12.mjs'), number])], isolation: null })
    await child.line('ready')
    const isOwn = (): number => processesWith(number).filter(({ pid }) => pid !== child.process.pid).length
    await vi.waitFor(() => expect(isOwn()).toBeGreaterThan(6), 5000)
    child.process.kill('SIGKILL')
    await child.ended
    await vi.waitFor(() => expect(processesWith(number)).toEqual([]), 5000)
  })

  test('without namespaces too, where they stayed in their group; what did not is ended by the next start', async () => {
    const number = String(randomInt(10 ** 8, 10 ** 9))
    const child = start({ endpoints: [stubborn(number, true)], isolation: { kind: 'mark' } })
    await child.line('ready')
    await vi.waitFor(() => expect(processesWith(`sleep ${number}`).filter(({ line }) => line.startsWith('sleep'))).toHaveLength(1), 5000)
    child.process.kill('SIGKILL')
    await child.ended
    await vi.waitFor(() => expect(processesWith(number).filter(({ line }) => line.includes('input-type'))).toEqual([]), 5000)
    const next = start({ endpoints: [nodeServer([path.join(casesF, 'f12.mjs')])], isolation: { kind: 'mark' } })
    await next.line('ready')
    await vi.waitFor(() => expect(processesWith(number)).toEqual([]), 5000)
  })
})

const quiet = { signal: never, onProgress: (): void => {} }

test('a call of five time limits that reports progress finishes, a silent one is given up, a stopped one is told; beside them one server never starts and one is dead (F09, F10, R46, R49)', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'countersign-mcp-'))
  folders.push(folder)
  const began = performance.now()
  const slow = connections.connect(startOf(nodeServer([path.join(casesF, 'f09.mjs')], casesF, { CASE_FASTER: '6' }), { handshakeMs: 10_000 }), listenTo(), never)
  const dead = connections.connect(startOf(nodeServer(['-e', 'console.error("no key"); process.exit(3)'])), listenTo(), never)
  const events = listenTo()
  const made = await connections.connect(startOf(nodeServer([path.join(casesF, 'f10.mjs')], folder, { CASE_FASTER: '6' }), { callMs: 2_500, ceilingMs: 60_000 }), events, never)
  if (!made.ok) throw new Error(made.end.say.code)
  const good: McpConnection = made.value
  const tools = await good.listTools()
  const neededMs = performance.now() - began
  expect([tools.ok && tools.value.map(({ name }) => name), neededMs < 7_500]).toEqual([['long', 'silent'], true])

  const seen: number[] = []
  const stop = new AbortController()
  const [long, silent, stopped] = await Promise.all([
    good.call('long', {}, { signal: never, onProgress: ({ done }) => seen.push(done) }),
    good.call('silent', {}, quiet),
    good.call('long', {}, { signal: stop.signal, onProgress: () => stop.abort() }),
  ])
  expect([long.ok && long.value.parts, seen.at(0), seen.length >= 14]).toEqual([[{ kind: 'text', text: 'done' }], 1, true])
  expect([silent, stopped].map((one) => (one.ok ? null : one.fault.code))).toEqual(['mcp.silent', 'mcp.cancelled'])
  expect((await readFile(path.join(folder, 'cancelled.txt'), 'utf8')).trim().split('\n')).toHaveLength(2)
  const [late, ended] = await Promise.all([slow, dead])
  expect([late.ok && late.value.server.name, ended.ok ? null : ended.end.exitCode]).toEqual(['slow', 3])
  expect(events.ends).toEqual([])
})
