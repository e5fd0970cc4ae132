import { expect, test } from 'vitest'
import { makeProviders } from '../../../src/main/services/providers'
import type { SecretStore } from '../../../src/main/core/ports/secretStore'
import { succeed } from '../../../src/shared/domain/result'
import { defaultSettings, type ProviderSettings, type Settings } from '../../../src/shared/domain/settings'

// R92: settings from before headers with keys were refused. Such a key is moved to where keys are kept, or not sent; it never reaches the window.

const mine: ProviderSettings = { id: 'mine', name: 'Mine', baseUrl: 'https://models.example/v1', protocol: 'openai', model: 'big' }
const known = { id: 'vendor', name: 'Vendor', protocol: 'openai' as const, baseUrl: 'https://models.example/v1', keyVariables: ['VENDOR_KEY'], keyPage: null, docs: null, defaultModel: null, quirks: {}, models: [], sources: [] }

function world(headers: Readonly<Record<string, string>>, { place = 'keychain', key, environment = {}, canWrite = true }: { readonly place?: 'keychain' | 'session' | 'none'; readonly key?: string; readonly environment?: Readonly<Record<string, string>>; readonly canWrite?: boolean } = {}) {
  let settings: Settings = { ...defaultSettings, providers: [{ ...mine, quirks: { headers: { 'x-team': 'harbor', ...headers } } }] }
  const keys = new Map<string, string>(key === undefined ? [] : [['mine', key]])
  const sets: string[] = []
  const secrets: SecretStore = {
    get: (name) => Promise.resolve(keys.get(name) ?? null), status: (name) => Promise.resolve(keys.has(name) ? { place: place === 'keychain' ? 'keychain' : 'session', lastFour: '' } : null),
    set: (name, value) => (sets.push(value), keys.set(name, value), Promise.resolve(succeed(place === 'keychain' ? 'keychain' as const : 'session' as const))), remove: (name) => (keys.delete(name), Promise.resolve()), unseal: () => Promise.resolve(succeed(null)), hasKeychain: place !== 'none', isSealed: false, isLocked: () => false, known: () => [],
  }
  const providers = makeProviders({
    settings: { read: () => Promise.resolve({ settings, faults: [] }), change: (fields) => Promise.resolve(canWrite ? succeed((settings = { ...settings, ...fields })) : { ok: false, fault: { code: 'settings.busy', values: {} } }) },
    secrets, probe: { models: () => Promise.resolve(succeed([])), test: () => Promise.resolve({ steps: [] }), findOllama: () => Promise.resolve(null) }, clock: { nowMs: () => 0 }, lists: { read: () => Promise.resolve({}), keep: () => Promise.resolve() },
    catalogue: [known], quirks: {}, given: null, isGivenForRun: false, environment, network: { proxies: [], exempt: null, authority: null }, chosen: null, practiceUrl: 'http://practice.invalid/v1', practiceModel: 'tutor',
  })
  return { providers, keys, sets, own: () => settings.providers[0], row: async () => (await providers.list()).find((one) => one.id === 'mine'), sent: () => providers.endpoint('mine') }
}

test.each([
  [{ Authorization: 'Bearer sk-old-4711' }, 'sk-old-4711', 'bearer'],
  [{ authorization: 'Basic dXNlcjpwdw==' }, 'Basic dXNlcjpwdw==', 'authorization'],
  [{ 'X-Api-Key': ' sk-old-4711 ' }, 'sk-old-4711', 'x-api-key'],
])('R92 the only key among the headers moves into the keychain, is bound to its address, and is sent as before', async (headers, key, keyHeader) => {
  const { own, row, sent, keys } = world(headers)
  expect(await sent()).toMatchObject({ key, quirks: { keyHeader, headers: { 'x-team': 'harbor' } } })
  expect([own(), keys.get('mine')]).toEqual([{ ...mine, quirks: { keyHeader, headers: { 'x-team': 'harbor' } }, keyOrigin: 'https://models.example' }, key])
  expect((await row())?.keyHeaders).toBeUndefined()
})

test.each([
  ['without a keychain', { 'x-api-key': 'sk-old-4711' }, { place: 'none' as const }, 0],
  ['where the keychain does not take it', { 'x-api-key': 'sk-old-4711' }, { place: 'session' as const }, 1],
  ['beside another key', { 'x-api-key': 'sk-old-4711' }, { key: 'sk-other' }, 0],
  ['beside a key of the environment', { 'x-api-key': 'sk-old-4711' }, { environment: { VENDOR_KEY: 'sk-environment' } }, 0],
  ['beside a second one', { 'x-api-key': 'sk-old-4711', cookie: 'sk-old-4711' }, {}, 0],
])('R92 %s it stays in the file, is not sent, is not shown, and the page is told', async (_where, headers, given, asked) => {
  const { own, row, sent, sets, keys } = world(headers, given)
  const at = await sent()
  expect([at?.quirks, JSON.stringify(await row()).includes('sk-old-4711'), (await row())?.keyHeaders]).toEqual([{ headers: { 'x-team': 'harbor' } }, false, Object.keys(headers)])
  expect([own()?.quirks?.headers, sets.length, keys.get('mine')]).toEqual([{ 'x-team': 'harbor', ...headers }, asked, 'key' in given ? given.key : undefined])
})

test('R92 a key that was moved before the settings could be written is taken out of them later, and asked to be kept once', async () => {
  const once = world({ 'x-api-key': 'sk-old-4711' }, { canWrite: false })
  expect([(await once.sent())?.key, (await once.sent())?.key, once.sets]).toEqual(['sk-old-4711', 'sk-old-4711', ['sk-old-4711']])
  const later = world({ 'x-api-key': 'sk-old-4711' }, { key: 'sk-old-4711' })
  await later.sent()
  expect([later.own()?.quirks, later.sets]).toEqual([{ keyHeader: 'x-api-key', headers: { 'x-team': 'harbor' } }, []])
})

test('R92 a model of the person loses its header with a key as well', async () => {
  const { providers } = world({})
  const models = [{ id: 'm', windowTokens: null, maxOutputTokens: null, seesImages: null, callsTools: null, thinks: null, prices: null, quirks: { headers: { cookie: 'a=b', 'x-team': 'b' } } }]
  await providers.save({ ...mine, models })
  expect([(await providers.endpoint('mine'))?.models?.[0]?.quirks, (await providers.list()).find((one) => one.id === 'mine')?.keyHeaders]).toEqual([{ headers: { 'x-team': 'b' } }, ['cookie']])
})
