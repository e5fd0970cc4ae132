import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { makeEmbedder } from '../../../src/main/adapters/embed/embedder'
import type { SecretStore } from '../../../src/main/core/ports/secretStore'
import { StorageFault } from '../../../src/main/core/ports/storageFault'
import { endpointSecret, makeEndpoints, type EndpointsPorts } from '../../../src/main/services/endpoints'
import { fail, said, succeed } from '../../../src/shared/domain/result'
import { defaultSettings, type Settings } from '../../../src/shared/domain/settings'

const set: Partial<Settings> = {
  retrieval: { ...defaultSettings.retrieval, embedding: { kind: 'ollama', url: 'http://localhost:11434', model: 'bge-m3' }, rerank: { kind: 'endpoint', url: 'https://rerank.example/v1', model: 'r1' } },
  web: { search: { kind: 'brave', url: 'https://search.example' }, privateHosts: [] },
}

function world(settings: Partial<Settings> = set, locked: readonly string[] = [], more: Partial<EndpointsPorts> = {}, testMs?: number) {
  let now: Settings = { ...defaultSettings, ...settings }
  const keys = new Map<string, string>()
  const asked: unknown[] = []
  const secrets: SecretStore = {
    get: (name) => Promise.resolve(keys.get(name) ?? null), status: (name) => Promise.resolve(keys.has(name) ? { place: 'keychain', lastFour: (keys.get(name) ?? '').slice(-4) } : null),
    set: (name, value) => (keys.set(name, value), Promise.resolve(succeed('keychain' as const))), remove: (name) => (keys.delete(name), Promise.resolve()), unseal: () => Promise.resolve(succeed(null)), hasKeychain: true, isSealed: false, isLocked: (name) => locked.includes(name), known: () => [],
  }
  const ports: EndpointsPorts = {
    settings: { read: () => Promise.resolve({ settings: now, faults: [] }), change: (fields) => Promise.resolve(succeed((now = { ...now, ...fields }))) },
    secrets,
    embedder: { embed: (endpoint, texts) => (asked.push(endpoint), Promise.resolve(succeed(texts.map(() => new Float32Array(4))))) },
    reranker: { rerank: (endpoint) => (asked.push(endpoint), Promise.resolve(succeed([0.91, 0.08]))) },
    search: { search: (endpoint, query, limit) => (asked.push([endpoint, query, limit]), Promise.resolve(fail('web.search-bad-key', { host: 'search.example', status: 401 }))) },
    ...more,
  }
  return { keys, asked, secrets, now: () => now, move: (fields: Partial<Settings>) => { now = { ...now, ...fields } }, endpoints: makeEndpoints(ports, testMs) }
}

test('R92 each endpoint is listed with its address and where its key lies, never the key', async () => {
  const { endpoints, keys } = world()
  expect(await endpoints.saveKey('embedding', ' sk-embedding-1234 ')).toEqual(succeed({ place: 'keychain' }))
  expect([...keys]).toEqual([['endpoint:embedding', 'sk-embedding-1234']])
  const rows = await endpoints.list()
  expect(rows).toEqual([
    { of: 'embedding', url: 'http://localhost:11434', isKeySealed: false, key: { place: 'keychain', lastFour: '1234' } },
    { of: 'rerank', url: 'https://rerank.example/v1', isKeySealed: false, key: null },
    { of: 'web-search', url: 'https://search.example', isKeySealed: false, key: null },
  ])
  expect(JSON.stringify(rows)).not.toContain('sk-embedding')
  expect(await endpoints.removeKey('embedding')).toEqual(succeed(null))
  expect(await endpoints.key('embedding', 'http://localhost:11434')).toBeNull()
  expect((await world({}).endpoints.list()).map((row) => row.url)).toEqual([null, null, null])
})

test('a key that could not be removed is a fault, and a bug is none', async () => {
  const { endpoints, secrets } = world()
  Object.assign(secrets, { remove: () => Promise.reject(new StorageFault(said('settings.keychain-failed', { problem: 'locked' }))) })
  expect(await endpoints.removeKey('rerank')).toMatchObject({ ok: false, fault: { code: 'settings.keychain-failed' } })
  Object.assign(secrets, { remove: () => Promise.reject(new Error('a bug')) })
  await expect(endpoints.removeKey('rerank')).rejects.toThrow('a bug')
})

test('R100 R99 a test asks the endpoint of the settings with its own key and no other', async () => {
  const { endpoints, asked, keys } = world()
  for (const of of ['embedding', 'rerank', 'web-search'] as const) keys.set(endpointSecret(of), `key-${of}`)
  expect(await endpoints.test('embedding')).toEqual(succeed(said('web.endpoint-embeds', { model: 'bge-m3', dimensions: 4 })))
  expect(await endpoints.test('rerank')).toEqual(succeed(said('web.endpoint-reranks', { model: 'r1', best: '0.91', other: '0.08' })))
  expect(await endpoints.test('web-search')).toEqual(fail('web.search-bad-key', { host: 'search.example', status: 401 }))
  expect(asked).toEqual([
    { settings: set.retrieval?.embedding, key: 'key-embedding' },
    { url: 'https://rerank.example/v1', model: 'r1', key: 'key-rerank' },
    [{ kind: 'brave', url: 'https://search.example', key: 'key-web-search' }, 'test', 3],
  ])
})

test('a test asks nobody where nothing is set or the key is sealed', async () => {
  const none = world({})
  for (const of of ['embedding', 'rerank', 'web-search'] as const) expect(await none.endpoints.test(of)).toEqual(fail('web.endpoint-none'))
  const sealed = world(set, ['endpoint:web-search'])
  expect(await sealed.endpoints.test('web-search')).toEqual(fail('web.key-sealed'))
  expect((await sealed.endpoints.list()).map((row) => row.isKeySealed)).toEqual([false, false, true])
  expect([none.asked, sealed.asked]).toEqual([[], []])
})

/** An embedder over a server that never answers. */
async function hanging<Value>(body: (url: string, embedder: EndpointsPorts['embedder']) => Promise<Value>): Promise<Value> {
  const server = createServer(() => undefined)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    return await body(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, makeEmbedder({ env: {} }))
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

test('R100 a test of a server that hangs ends by its own limit, or when it is called off', () =>
  hanging(async (url, embedder) => {
    const settings: Partial<Settings> = { retrieval: { ...defaultSettings.retrieval, embedding: { kind: 'compatible', url, model: 'm' } } }
    expect(await world(settings, [], { embedder }, 50).endpoints.test('embedding')).toEqual(fail('web.too-slow', { host: new URL(url).host, seconds: 0.05 }))
    const { endpoints } = world(settings, [], { embedder })
    const test = endpoints.test('embedding')
    await new Promise(setImmediate)
    endpoints.cancelTest('rerank')
    endpoints.cancelTest('embedding')
    expect(await test).toEqual(fail('tool.cancelled'))
  }))

const movedTo = (url: string): Partial<Settings> => ({ web: { search: { kind: 'brave', url }, privateHosts: [] } })

test('R92 a key of an endpoint goes to the origin that it was saved for, and nowhere else', async () => {
  const { endpoints, move, now, asked, keys } = world()
  await endpoints.saveKey('web-search', 'sk-search-4711')
  expect(now().endpointOrigins).toEqual({ 'web-search': 'https://search.example' })
  const row = async () => { const { key, keyOf, isKeySealed } = (await endpoints.list())[2] ?? {}; return [key?.lastFour, keyOf, isKeySealed] }
  const key = (address: string) => endpoints.key('web-search', address)
  expect([await row(), await key('https://search.example/path'), await key('https://SEARCH.example:443')]).toEqual([['4711', undefined, false], 'sk-search-4711', 'sk-search-4711'])
  expect([await key('http://search.example'), await key('https://search.example:8443'), await key('https://search.example.evil.example'), await key('https://user@search.example'), await key('')]).toEqual([null, null, null, null, null])
  move(movedTo('https://evil.example'))
  await endpoints.test('web-search')
  expect([await row(), asked]).toEqual([[undefined, 'search.example', false], [[{ kind: 'brave', url: 'https://evil.example', key: null }, 'test', 3]]])
  await endpoints.saveKey('web-search', 'sk-newer')
  expect([await row(), await key('https://evil.example'), await key('https://search.example')]).toEqual([['ewer', undefined, false], 'sk-newer', null])
  await endpoints.removeKey('web-search')
  expect([now().endpointOrigins, [...keys]]).toEqual([{}, []])
})

test('R92 a key from before keys were bound belongs to the address that it has now; a sealed one of another address asks for no pass phrase', async () => {
  const { endpoints, keys, move, now } = world()
  keys.set('endpoint:web-search', 'sk-old')
  expect(await endpoints.key('rerank', 'https://rerank.example/v1')).toBeNull()
  expect(now().endpointOrigins).toEqual({ 'web-search': 'https://search.example' })
  move(movedTo('https://evil.example'))
  expect(await endpoints.key('web-search', 'https://evil.example')).toBeNull()
  const sealed = world({ ...set, ...movedTo('https://evil.example'), endpointOrigins: { 'web-search': 'https://search.example' } }, ['endpoint:web-search'])
  expect([await sealed.endpoints.isKeySealed('web-search', 'https://evil.example'), await sealed.endpoints.isKeySealed('web-search', 'https://search.example'), (await sealed.endpoints.list())[2]]).toEqual([false, true, { of: 'web-search', url: 'https://evil.example', isKeySealed: false, key: null, keyOf: 'search.example' }])
})

test('R92 a key of the environment goes to the endpoint that the settings name, and one without an address is not taken', async () => {
  const { endpoints, secrets, now } = world()
  Object.assign(secrets, { status: () => Promise.resolve({ place: 'environment', lastFour: '' }), get: () => Promise.resolve('sk-env') })
  expect([await endpoints.key('web-search', 'https://search.example'), now().endpointOrigins]).toEqual(['sk-env', {}])
  expect(await world({}).endpoints.saveKey('rerank', 'sk')).toEqual(fail('web.endpoint-none'))
})
