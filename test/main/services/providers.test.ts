import { expect, test } from 'vitest'
import type { SecretStore } from '../../../src/main/core/ports/secretStore'
import type { SettingsStore } from '../../../src/main/core/ports/settingsStore'
import { makeProviders, type ProvidersPorts } from '../../../src/main/services/providers'
import { fail, said, succeed } from '../../../src/shared/domain/result'
import { defaultSettings, type Settings } from '../../../src/shared/domain/settings'

function world(change: Partial<ProvidersPorts> = {}, start: Partial<Settings> = {}) {
  let settings: Settings = { ...defaultSettings, ...start }
  const keys = new Map<string, string>([['mine', 'sk-mine']])
  const store: SettingsStore = { read: () => Promise.resolve({ settings, faults: [] }), change: (fields) => Promise.resolve(succeed((settings = { ...settings, ...fields }))) }
  const secrets: SecretStore = {
    get: (name) => Promise.resolve(keys.get(name) ?? null), status: (name) => Promise.resolve(keys.has(name) ? { place: 'session', lastFour: (keys.get(name) ?? '').slice(-4) } : null),
    set: (name, value) => (keys.set(name, value), Promise.resolve(succeed('session' as const))), remove: () => Promise.resolve(), unseal: () => Promise.resolve(succeed(null)), hasKeychain: false, isSealed: false, known: () => [...keys.values()],
  }
  const asked: string[] = []
  const probe: ProvidersPorts['probe'] = { models: ({ baseUrl }) => (asked.push(baseUrl), Promise.resolve(succeed(['first', 'second'].map((id) => ({ id, windowTokens: null, seesImages: null }))))), test: () => Promise.resolve({ steps: [] }), findOllama: () => Promise.resolve({ baseUrl: 'http://127.0.0.1:11434/v1', models: ['llama'] }) }
  return { keys, asked, providers: makeProviders({ settings: store, secrets, probe, clock: { nowMs: () => 0 }, given: null, chosen: null, practiceUrl: 'http://practice.invalid/v1', practiceModel: 'scripted-tutor', ...change }) }
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

  expect(await facts('big')).toEqual({ windowTokens: null, seesImages: null })
  listed = succeed([{ id: 'big', windowTokens: 32_000, seesImages: true }])
  expect(await facts('big')).toEqual({ windowTokens: null, seesImages: null })
  nowMs = 60_000
  await facts('big')
  expect(await Promise.all([facts('big'), facts('big'), facts('other')])).toEqual([{ windowTokens: 32_000, seesImages: true }, { windowTokens: 32_000, seesImages: true }, { windowTokens: null, seesImages: null }])
  expect([asked.length, patience]).toEqual([2, 4000])
  nowMs += 10 * 60_000
  await facts('big')
  expect(asked).toHaveLength(3)
  expect(await providers.facts({ provider: 'gone', model: 'big' })).toEqual({ windowTokens: null, seesImages: null })
})
