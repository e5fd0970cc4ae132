import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { watchSockets } from '../../../../src/main/adapters/model/lostSockets'
import { openNetwork } from '../../../../src/main/adapters/model/network'
import type { StreamPart } from '../../../../src/shared/domain/model'
import { reply, startFakeModelServer, type FakeModelOptions, type FakeModelServer } from '../../../support/fakeModelServer'
import { clientOf, partsOf, request, told } from './world'

/** R112: streams over a sleep of the system and a change of its network, with real sockets. */

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

async function serve(steps: FakeModelOptions['steps']): Promise<FakeModelServer> {
  const server = await startFakeModelServer({ ...(steps ? { steps } : {}) })
  closing.push(() => server.close())
  return server
}

function power() {
  const listeners = new Set<() => void>()
  return {
    listeners,
    onWake: (listener: () => void) => (listeners.add(listener), () => void listeners.delete(listener)),
    wake: () => listeners.forEach((listener) => listener()),
  }
}

const half = { ...reply({ text: 'half of an answer that stalls' }), stallAfter: 600 }

test('R112 R20 a stream that is silent after the system slept is not waited for; what was shown stays', async () => {
  const server = await serve([half])
  const { onWake, wake, listeners } = power()
  const { client, close } = clientOf(server.baseUrl, { onWake, wakePatienceMs: 50, stall: 600_000 })
  closing.push(close)
  const parts: StreamPart[] = []
  for await (const part of client.stream(request, new AbortController().signal)) {
    parts.push(part)
    if (parts.length === 1) setTimeout(wake, 200)
  }
  expect(told(parts).at(-1)).toMatch(/^failed stalled true/)
  expect(told(parts)[0]).toMatch(/^text half/)
  expect([await server.requests[0]?.closed, listeners.size]).toEqual([true, 0])
})

test('R112 a request without any answer is sent again after a sleep, over a connection of its own', async () => {
  const server = await serve([{ ...reply({ text: 'never' }), delayMs: 60_000 }, reply({ text: 'ok' })])
  const { onWake, wake } = power()
  const network = openNetwork({})
  const { client } = clientOf(server.baseUrl, { onWake, wakePatienceMs: 50, stall: 600_000, network })
  closing.push(() => network.close())
  const parts = partsOf(client)
  await expect.poll(() => server.requests.length).toBe(1)
  network.renew()
  wake()
  expect(told(await parts)).toEqual(['retrying 1 stalled', 'text ok', 'stopped stop'])
})

test('R112 R20 a stream that goes on after the sleep may think as long as before', async () => {
  const body = reply({ text: 'one two' })
  const server = await serve([{ ...body, cuts: [20, 300], pieceDelayMs: 300 }])
  const { onWake, wake } = power()
  const { client, close } = clientOf(server.baseUrl, { onWake, wakePatienceMs: 2000, stall: 20_000 })
  closing.push(close)
  const parts = partsOf(client)
  await expect.poll(() => server.requests.length).toBe(1)
  wake()
  expect(told(await parts).at(-1)).toBe('stopped stop')
})

test('R112 connections of before a sleep are not used for what is sent after it, and what is under way keeps its own', async () => {
  const server = await serve([reply({ text: 'one' }), { ...reply({ text: 'two' }), delayMs: 200 }, reply({ text: 'three' })])
  const network = openNetwork({})
  const { client } = clientOf(server.baseUrl, { network })
  closing.push(() => network.close())
  await partsOf(client)
  await delay(100)
  const under = partsOf(client)
  await expect.poll(() => server.requests.length).toBe(2)
  network.renew()
  const next = await partsOf(client)
  expect([told(await under)[0], told(next)[0]]).toEqual(['text two', 'text three'])
})

test('R112 a stream over an address that this machine no longer has is torn off and can be asked for again; others are left alone', async () => {
  const server = await serve([half, reply({ text: 'ok' })])
  let addresses: ReadonlySet<string> = new Set(['127.0.0.1', '10.0.0.9'])
  closing.push(watchSockets({ addresses: () => addresses, everyMs: 20 }))
  const { client, close } = clientOf(server.baseUrl, { stall: 600_000 })
  closing.push(close)
  const parts = partsOf(client)
  await expect.poll(() => server.requests.length).toBe(1)
  addresses = new Set(['127.0.0.1'])
  await delay(150)
  expect(server.openSockets()).toBe(1)
  addresses = new Set(['10.0.0.9'])
  expect(told(await parts).at(-1)).toMatch(/^failed stalled true: .*reach/)
  addresses = new Set(['127.0.0.1'])
  expect(told(await partsOf(client))).toEqual(['text ok', 'stopped stop'])
})
