import { unknownFacts } from '../../../src/shared/domain/model'
import { expect, test } from 'vitest'
import type { SecretStore } from '../../../src/main/core/ports/secretStore'
import type { SettingsStore } from '../../../src/main/core/ports/settingsStore'
import { StorageFault } from '../../../src/main/core/ports/storageFault'
import type { ProvidersPorts } from '../../../src/main/services/providerPorts'
import { makeProviders } from '../../../src/main/services/providers'
import { fail, said, succeed } from '../../../src/shared/domain/result'
import { defaultSettings, type Settings } from '../../../src/shared/domain/settings'

function world(change: Partial<ProvidersPorts> = {}, start: Partial<Settings> = {}, locked: readonly string[] = []) {
  let settings: Settings = { ...defaultSettings, ...start }
  const keys = new Map<string, string>([['mine', 'sk-mine']])
  const store: SettingsStore = { read: () => Promise.resolve({ settings, faults: [] }), change: (fields) => Promise.resolve(succeed((settings = { ...settings, ...fields }))) }
  const secrets: SecretStore = {
    get: (name) => Promise.resolve(keys.get(name) ?? null), status: (name) => Promise.resolve(keys.has(name) ? { place: 'session', lastFour: (keys.get(name) ?? '').slice(-4) } : null),
    set: (name, value) => (keys.set(name, value), Promise.resolve(succeed('session' as const))), remove: (name) => (keys.delete(name), Promise.resolve()), unseal: () => Promise.resolve(succeed(null)), hasKeychain: false, isSealed: locked.length > 0, isLocked: (name) => locked.includes(name), known: () => [...keys.values()],
  }
  const asked: string[] = []
  const probe: ProvidersPorts['probe'] = { models: ({ baseUrl }) => (asked.push(baseUrl), Promise.resolve(succeed(['first', 'second'].map((id) => ({ id, windowTokens: null, seesImages: null }))))), test: () => Promise.resolve({ steps: [] }), findOllama: () => Promise.resolve({ baseUrl: 'http://127.0.0.1:11434/v1', models: ['llama'] }) }
  return { keys, asked, settings: () => settings, secrets, providers: makeProviders({ settings: store, secrets, probe, clock: { nowMs: () => 0 }, lists: { read: () => Promise.resolve({}), keep: () => Promise.resolve() }, catalogue: [], quirks: {}, given: null, isGivenForRun: false, environment: {}, network: { proxies: [], exempt: null, authority: null }, chosen: null, practiceUrl: 'http://practice.invalid/v1', practiceModel: 'scripted-tutor', ...change }) }
}

const mine = { id: 'mine', name: 'Mine', baseUrl: 'https://models.example/v1', protocol: 'openai' as const, model: 'big' }

test('R108 without anything set up the scripted tutor serves, and says that there is nothing to test', async () => {
  const { providers } = world()
  expect(await providers.choice()).toEqual(succeed({ provider: 'practice', model: 'scripted-tutor' }))
  expect(await providers.test('practice')).toEqual({ steps: [{ step: 'model', ok: true, say: said('model.practice-ready') }] })
})

test('what the command line or the environment gives goes first, what the person made active next, and a first model is asked for where none is named', async () => {
  const active = world({}, { providers: [mine], activeProvider: 'mine' })
  expect(await active.providers.choice()).toEqual(succeed({ provider: 'mine', model: 'big' }))
  const given = world({ given: { baseUrl: 'http://127.0.0.1:1/v1', model: null } }, { providers: [mine], activeProvider: 'mine' })
  expect([await given.providers.choice(), given.asked]).toEqual([succeed({ provider: 'compatible', model: 'first' }), ['http://127.0.0.1:1/v1']])
  const chosen = world({ chosen: 'mine/vendor/model' }, { providers: [mine] })
  expect(await chosen.providers.choice()).toEqual(succeed({ provider: 'mine', model: 'vendor/model' }))
  expect((await world({ chosen: 'gone/model' }).providers.choice()).ok).toBe(false)
})

test('R92 the list shows where a key lies and its last four characters, never the key; a local Ollama is offered', async () => {
  const { providers } = world({}, { providers: [mine] })
  const rows = await providers.list()
  expect(rows.map(({ id, origin, key }) => ({ id, origin, key }))).toEqual([
    { id: 'mine', origin: 'settings', key: { place: 'session', lastFour: 'mine' } },
    { id: 'ollama', origin: 'found', key: null },
    { id: 'practice', origin: 'practice', key: null },
  ])
  expect(JSON.stringify(rows)).not.toContain('sk-mine')
})

test('a name that the app uses itself, and an address that is none, are refused and nothing is saved', async () => {
  const { providers } = world()
  const refused = [await providers.save({ ...mine, id: 'practice' }), await providers.save({ ...mine, baseUrl: 'file:///etc/passwd' }), await providers.save({ ...mine, baseUrl: 'https://user@models.example' })]
  expect({ refused: refused.map((one) => one.ok), saved: (await providers.list()).some((row) => row.id === 'mine') }).toEqual({ refused: [false, false, false], saved: false })
})

test('R86 what the list tells of a model is asked once in a while for an address, and not knowing is no fault', async () => {
  let nowMs = 0
  let patience: number | undefined
  let listed = fail('model.no-list') as Awaited<ReturnType<ProvidersPorts['probe']['models']>>
  const asked: string[] = []
  const probe: ProvidersPorts['probe'] = { models: ({ baseUrl }, patienceMs) => (asked.push(baseUrl), (patience = patienceMs), Promise.resolve(listed)), test: () => Promise.resolve({ steps: [] }), findOllama: () => Promise.resolve(null) }
  const { providers } = world({ probe, clock: { nowMs: () => nowMs } }, { providers: [mine] })
  const facts = (model: string) => providers.facts({ provider: 'mine', model })

  expect(await facts('big')).toEqual(unknownFacts)
  listed = succeed([{ id: 'big', windowTokens: 32_000, seesImages: true }])
  expect(await facts('big')).toEqual(unknownFacts)
  nowMs = 60_000
  await facts('big')
  expect(await Promise.all([facts('big'), facts('big'), facts('other')])).toEqual([{ ...unknownFacts, windowTokens: 32_000, seesImages: true }, { ...unknownFacts, windowTokens: 32_000, seesImages: true }, unknownFacts])
  expect([asked.length, patience]).toEqual([2, 4000])
  nowMs += 10 * 60_000
  await facts('big')
  expect(asked).toHaveLength(3)
  expect(await providers.facts({ provider: 'gone', model: 'big' })).toEqual(unknownFacts)
})

test('R91 R92 a provider goes with its key, and the tutor answers next where it was in use', async () => {
  const { providers, keys, settings } = world({}, { providers: [mine, { ...mine, id: 'other' }], activeProvider: 'mine' })
  expect(await providers.remove('mine')).toEqual(succeed(null))
  expect({ keys: [...keys], left: settings().providers.map((one) => one.id), active: settings().activeProvider, choice: await providers.choice(), endpoint: await providers.endpoint('mine') }).toEqual({ keys: [], left: ['other'], active: null, choice: succeed({ provider: 'practice', model: 'scripted-tutor' }), endpoint: null })
})

test('R92 a key goes alone; what is not of the settings cannot be removed', async () => {
  const { providers, keys, settings } = world({ given: { baseUrl: 'http://127.0.0.1:1/v1', model: 'm' } }, { providers: [mine], activeProvider: 'mine' })
  keys.set('compatible', 'sk-given').set('practice', 'x').set('ollama', 'y')
  const refused = [await providers.remove('compatible'), await providers.removeKey('practice'), await providers.remove('ollama'), await providers.removeKey('nobody')]
  expect({ refused: refused.map((one) => !one.ok && one.fault.code), keys: keys.size }).toEqual({ refused: Array(4).fill('model.no-provider'), keys: 4 })
  expect(await providers.removeKey('mine')).toEqual(succeed(null))
  expect({ kept: keys.has('mine'), providers: settings().providers, active: settings().activeProvider, endpoint: await providers.endpoint('mine') }).toEqual({ kept: false, providers: [mine], active: 'mine', endpoint: { baseUrl: mine.baseUrl, key: null } })
})

test('R92 a key that cannot be taken off the disk keeps its provider, and says so', async () => {
  const { secrets } = world()
  const { providers, settings } = world({ secrets: { ...secrets, remove: () => Promise.reject(new StorageFault(said('app.disk-full', { file: 'f' }))) } }, { providers: [mine] })
  expect([await providers.remove('mine'), settings().providers]).toEqual([fail('app.disk-full', { file: 'f' }), [mine]])
})

test('R92 a sealed key is told before anything is sent, by its provider alone', async () => {
  const { providers } = world({}, { providers: [{ ...mine, id: 'shut', name: 'Shut' }, mine], activeProvider: 'shut' }, ['shut', 'mcp/tracker/env/TOKEN'])
  const fault = fail('model.key-sealed', { provider: 'Shut' })
  expect({ choice: await providers.choice(), test: await providers.test('shut'), endpoint: await providers.endpoint('shut'), other: await providers.endpoint('mine'), rows: (await providers.list()).map((row) => [row.id, row.isSealed, row.isKeySealed]) }).toEqual({
    choice: fault, test: { steps: [{ step: 'key', ok: false, say: fault.fault }] }, endpoint: { baseUrl: mine.baseUrl, key: null, isKeySealed: true }, other: { baseUrl: mine.baseUrl, key: 'sk-mine' },
    rows: [['shut', true, true], ['mine', true, false], ['ollama', true, false], ['practice', true, false]],
  })
  expect(await world({ chosen: 'shut/m' }, { providers: [{ ...mine, id: 'shut', name: 'Shut' }] }, ['shut']).providers.choice()).toEqual(fault)
})

test.each(['mcp/tracker/env/TOKEN', 'audit-log'])('R92 the secret %s of the shared store is no provider\'s key: neither sent, replaced nor removed', async (id) => {
  const { providers, keys } = world({}, { providers: [{ ...mine, id }] })
  keys.set(id, 'a-secret-of-another')
  const refused = [await providers.save({ ...mine, id }), await providers.saveKey(id, 'new')]
  expect({ refused: refused.map((one) => one.ok), endpoint: await providers.endpoint(id), key: (await providers.list())[0]?.key }).toEqual({ refused: [false, false], endpoint: { baseUrl: mine.baseUrl, key: null }, key: null })
  expect([await providers.remove(id), keys.get(id)]).toEqual([succeed(null), 'a-secret-of-another'])
})

test('R92 a provider cannot take the name of another secret, and so is never given it', async () => {
  for (const id of ['endpoint:embedding', 'endpoint:web-search', 'mcp/server/TOKEN', 'audit-log']) {
    const { keys, providers } = world({}, { providers: [{ ...mine, id }] })
    keys.set(id, 'sk-other')
    expect(await providers.save({ ...mine, id }), id).toMatchObject({ ok: false, fault: { code: 'model.reserved-name' } })
    expect(await providers.endpoint(id), id).toEqual({ baseUrl: mine.baseUrl, key: null })
    expect([await providers.removeKey(id), keys.get(id)], id).toEqual([succeed(null), 'sk-other'])
  }
})

test('R86 R87 a provider is one of the catalogue by what the person said, by its id or by its address, and never by the look of a name', async () => {
  const vendor = { id: 'vendor', name: 'Vendor', protocol: 'anthropic' as const, baseUrl: 'https://vendor.example', keyVariables: [], keyPage: null, docs: null, defaultModel: null, quirks: {}, models: [], sources: [] }
  const at = async (provider: Partial<Settings['providers'][number]>) => (await world({ catalogue: [vendor] }, { providers: [{ ...mine, ...provider }] }).providers.endpoint(provider.id ?? 'mine'))?.preset
  expect([await at({}), await at({ preset: 'vendor' }), await at({ id: 'vendor' }), await at({ baseUrl: 'https://vendor.example/' }), await at({ id: 'vendor-2' }), await at({ baseUrl: 'https://vendor.example.evil' })]).toEqual([undefined, 'vendor', 'vendor', 'vendor', undefined, undefined])
})

test('R86 what a person added to a provider by hand reaches its requests, and outlives a form that does not show it', async () => {
  const extras = { protocol: 'anthropic' as const, quirks: { headers: { 'x-team': 'a' } }, models: [{ id: 'big', windowTokens: 9, maxOutputTokens: null, seesImages: null, callsTools: null, thinks: null, prices: null }] }
  const { providers, settings } = world({}, { providers: [{ ...mine, ...extras }] })
  expect(await providers.save({ ...mine, protocol: 'anthropic', model: 'other' })).toEqual(succeed(null))
  expect(settings().providers).toEqual([{ ...mine, ...extras, model: 'other', keyOrigin: 'https://models.example' }])
  expect(await providers.endpoint('mine')).toEqual({ baseUrl: mine.baseUrl, key: 'sk-mine', ...extras })
  expect((await providers.facts({ provider: 'mine', model: 'big' })).windowTokens).toBe(9)
})

const vendor = { id: 'vendor', name: 'Vendor', protocol: 'anthropic' as const, baseUrl: 'https://vendor.example', keyVariables: ['VENDOR_KEY', 'VENDOR_TOKEN'], keyPage: 'https://vendor.example/keys', docs: null, defaultModel: 'v-1', quirks: {}, models: [], sources: [] }

test('R87 the built-in providers are there before anything is set up, and one that is set up stands there once', async () => {
  const { providers } = world({ catalogue: [vendor] })
  expect((await providers.list()).find((row) => row.id === 'vendor')).toEqual({ id: 'vendor', name: 'Vendor', baseUrl: 'https://vendor.example', protocol: 'anthropic', model: 'v-1', origin: 'catalogue', isActive: false, key: null, hasKeychain: false, isSealed: false, isKeySealed: false, preset: 'vendor' })
  const ready = { id: 'vendor', name: 'Vendor', baseUrl: 'https://vendor.example', protocol: 'anthropic' as const, model: 'v-2' }
  expect((await providers.save(ready)).ok).toBe(true)
  expect((await providers.list()).filter((row) => row.id === 'vendor').map((row) => [row.origin, row.model])).toEqual([['settings', 'v-2']])
  expect((await providers.catalogue()).offered).toEqual([{ id: 'vendor', name: 'Vendor', protocol: 'anthropic', baseUrl: 'https://vendor.example', keyPage: 'https://vendor.example/keys', docs: null, defaultModel: 'v-1', keyVariables: ['VENDOR_KEY', 'VENDOR_TOKEN'], quirks: {}, needsKey: true }])
})

test('R92 a key that the environment holds under the provider\'s own name is used before a saved one, and its variable is named', async () => {
  const { providers, keys } = world({ catalogue: [vendor], environment: { VENDOR_TOKEN: 'sk-environment-4711' } })
  const status = async () => (await providers.list()).find((row) => row.id === 'vendor')?.key
  expect([await status(), (await providers.endpoint('vendor'))?.key]).toEqual([{ place: 'environment', lastFour: '4711', variable: 'VENDOR_TOKEN' }, 'sk-environment-4711'])
  await providers.save({ id: 'vendor', name: 'Vendor', baseUrl: 'https://vendor.example/', protocol: 'anthropic', model: 'v-1' })
  keys.set('vendor', 'sk-saved')
  expect((await providers.endpoint('vendor'))?.key).toBe('sk-environment-4711')
})

test.each(['https://vendor.example.evil', 'https://evil.example', 'http://vendor.example', 'https://vendor.example:8443', 'https://vendor.example@evil.example', 'https://vendor.example\t.evil.example'])('R92 a key of the environment is not sent to another address than its provider\'s: %s', async (baseUrl) => {
  const { providers } = world({ catalogue: [vendor], environment: { VENDOR_KEY: 'sk-environment-4711' } }, { providers: [{ id: 'vendor', name: 'Vendor', baseUrl, protocol: 'anthropic', model: 'v-1', preset: 'vendor' }] })
  expect([(await providers.endpoint('vendor'))?.key, (await providers.list()).find((row) => row.id === 'vendor')?.key]).toEqual([null, null])
})

test('R91 what was picked for a session goes before what is active, and behind the command line; a provider that is gone is told, never replaced', async () => {
  const picked = { provider: 'mine', model: 'small' }
  expect(await world({}, { providers: [mine, { ...mine, id: 'other' }], activeProvider: 'other' }).providers.choice(picked)).toEqual(succeed(picked))
  const given = { baseUrl: 'http://127.0.0.1:1/v1', model: 'g' }
  expect(await world({ given }, { providers: [mine] }).providers.choice(picked)).toEqual(succeed(picked))
  expect(await world({ given, isGivenForRun: true }, { providers: [mine] }).providers.choice(picked)).toEqual(succeed({ provider: 'compatible', model: 'g' }))
  expect(await world({ chosen: 'mine/big' }, { providers: [mine] }).providers.choice(picked)).toEqual(succeed({ provider: 'mine', model: 'big' }))
  const { providers } = world()
  expect([await providers.choice(picked), await providers.knows(picked)]).toEqual([fail('model.no-provider', { provider: 'mine' }), false])
})

test('R89 the steps of a test are heard one by one, also where it ends before it begins', async () => {
  const heard: string[] = []
  const probe: ProvidersPorts['probe'] = { models: () => Promise.resolve(succeed([])), test: (_at, _model, onStep) => { onStep?.({ step: 'address', ok: true, say: said('model.test-key-ok') }); return Promise.resolve({ steps: [] }) }, findOllama: () => Promise.resolve(null) }
  const { providers } = world({ probe }, { providers: [mine] })
  for (const id of ['mine', 'practice', 'gone']) await providers.test(id, ({ step }) => heard.push(`${id} ${step}`))
  expect(heard).toEqual(['mine address', 'practice model', 'gone address'])
})

test.each(['https://models.example:8443/v1', 'http://models.example/v1', 'https://evil.example/v1', 'https://models.example.evil/v1', 'https://models.example:443.evil.example/v1'])('R92 a saved key stays with the address it was saved for: at %s it is not sent, is asked for again, and is used once it was given again', async (baseUrl) => {
  const { providers, settings } = world({}, { providers: [mine] })
  const state = async () => [(await providers.endpoint('mine'))?.key, ...(await providers.list()).flatMap(({ id, key, keyOf }) => (id === 'mine' ? [key?.lastFour, keyOf] : []))]
  expect(await state()).toEqual(['sk-mine', 'mine', undefined])
  expect(await providers.save({ ...mine, baseUrl, keyOrigin: baseUrl.replace('/v1', '') })).toEqual(succeed(null))
  expect(await state()).toEqual([null, undefined, 'models.example'])
  expect((await providers.saveKey('mine', 'sk-newer')).ok).toBe(true)
  expect([await state(), settings().providers[0]?.keyOrigin]).toEqual([['sk-newer', 'ewer', undefined], baseUrl.replace('/v1', '')])
})

test('R92 another path, the port of the scheme, or the way back are the same address to a key', async () => {
  const { providers } = world({}, { providers: [mine] })
  const at = async (baseUrl: string) => (await providers.save({ ...mine, baseUrl }), (await providers.endpoint('mine'))?.key)
  expect([await at('https://models.example/v2'), await at('HTTPS://Models.example:443/v1'), await at('https://other.example/v1'), await at('https://models.example/v1')]).toEqual(['sk-mine', 'sk-mine', null, 'sk-mine'])
})

test('R92 a key from before keys were bound belongs to the address it has at the first look, also where settings.json is changed by hand after it, or the key lies sealed', async () => {
  const first = world({}, { providers: [mine] })
  await first.providers.list()
  expect(first.settings().providers).toEqual([{ ...mine, keyOrigin: 'https://models.example' }])
  const byHand = world({}, { providers: [{ ...mine, keyOrigin: 'https://models.example', baseUrl: 'https://evil.example/v1' }], activeProvider: 'mine' }, ['mine'])
  expect([await byHand.providers.endpoint('mine'), (await byHand.providers.list())[0]]).toEqual([{ baseUrl: 'https://evil.example/v1', key: null }, expect.objectContaining({ key: null, isKeySealed: false, keyOf: 'models.example' })])
})

test('R92 a removed key leaves no address behind, and its provider stays', async () => {
  const { providers, settings } = world({}, { providers: [{ ...mine, keyOrigin: 'https://old.example' }, { ...mine, id: 'other', keyOrigin: 'https://b.example' }] })
  expect(await providers.removeKey('mine')).toEqual(succeed(null))
  expect([settings().providers, (await providers.list())[0]?.keyOf]).toEqual([[mine, { ...mine, id: 'other', keyOrigin: 'https://b.example' }], undefined])
})

test('R92 changes of providers at once lose none of them', async () => {
  const { providers, settings } = world({}, { providers: [mine] })
  await Promise.all([providers.list(), providers.save({ ...mine, baseUrl: 'https://new.example/v1' }), providers.save({ ...mine, id: 'second' }), providers.endpoint('mine'), providers.saveKey('second', 'sk-second')])
  expect(settings().providers).toEqual([{ ...mine, baseUrl: 'https://new.example/v1', keyOrigin: 'https://models.example' }, { ...mine, id: 'second', keyOrigin: 'https://models.example' }])
})

test('R92 a variable is named as unused only where it is set, and its key belongs elsewhere', async () => {
  const of = async (environment: Readonly<Record<string, string>>, baseUrl: string) => (await world({ catalogue: [vendor], environment }, { providers: [{ ...mine, id: 'vendor', baseUrl }] }).providers.list()).find((row) => row.id === 'vendor')?.unusedVariables
  expect([await of({}, 'https://proxy.example'), await of({ VENDOR_TOKEN: 'sk-environment-4711' }, 'https://proxy.example'), await of({ VENDOR_TOKEN: 'sk-environment-4711' }, 'https://vendor.example')]).toEqual([undefined, ['VENDOR_TOKEN'], undefined])
})

test('R86 R92 headers that hold keys, or break the line, are refused by main too', async () => {
  const { providers, settings } = world()
  const refused = await Promise.all([{ Authorization: 'Bearer x' }, { 'x-team': 'a\r\nx-evil: 1' }].map((headers) => providers.save({ ...mine, quirks: { headers } })))
  expect([refused.map((one) => !one.ok && one.fault.code), settings().providers]).toEqual([['provider.header-is-key', 'provider.header-bad-value'], []])
})

test('R91 what the command line names goes before what the environment gives', async () => {
  const { providers } = world({ given: { baseUrl: 'http://127.0.0.1:1/v1', model: 'm' }, chosen: 'mine/big' }, { providers: [mine] })
  expect(await providers.choice()).toEqual(succeed({ provider: 'mine', model: 'big' }))
})
