import { expect, test } from 'vitest'
import type { KeptList, ModelLists } from '../../../src/main/core/ports/modelLists'
import type { ListedModel, ProviderEndpoint } from '../../../src/main/core/ports/providerProbe'
import { makeFacts } from '../../../src/main/services/providerFacts'
import type { CatalogueModel, CatalogueProvider } from '../../../src/shared/domain/catalogue'
import { unknownFacts } from '../../../src/shared/domain/model'
import { fail, succeed } from '../../../src/shared/domain/result'

// R86, R87, R90: each fact of a model from who knows it best.

const prices = { currency: 'USD', input: 1, cachedInput: null, cacheWrite: null, output: 2 }
const known: CatalogueModel = { id: 'm', windowTokens: 100, maxOutputTokens: 10, seesImages: false, callsTools: true, thinks: true, prices }
const provider: CatalogueProvider = { id: 'vendor', name: 'Vendor', protocol: 'openai', baseUrl: 'https://vendor.example/v1', keyVariables: [], keyPage: null, docs: null, defaultModel: null, quirks: {}, models: [known], sources: [] }

function factsOf(listed: readonly ListedModel[] | null, at: Partial<ProviderEndpoint> | null, lists: ModelLists = { read: () => Promise.resolve({}), keep: () => Promise.resolve() }, nowMs = 0) {
  const endpoint = at && { baseUrl: 'https://vendor.example/v1', key: null, preset: 'vendor', ...at }
  return makeFacts({ probe: { models: () => Promise.resolve(listed ? succeed(listed) : fail('model.no-list')) }, lists, clock: { nowMs: () => nowMs }, catalogue: [provider] }, () => Promise.resolve(endpoint))
}
const choice = { provider: 'mine', model: 'm' }

test('the catalogue knows what nobody else says, also without a list', async () => {
  const { id: _id, ...facts } = known
  expect(await factsOf(null, {}).of(choice)).toEqual(facts)
})

test('R86 what the provider lists is newer than the catalogue', async () => {
  expect(await factsOf([{ id: 'm', windowTokens: 200, seesImages: true }], {}).of(choice)).toEqual({ windowTokens: 200, maxOutputTokens: 10, seesImages: true, callsTools: true, thinks: true, prices })
  expect(await factsOf([{ id: 'm', windowTokens: null, seesImages: null }], {}).of(choice)).toMatchObject({ windowTokens: 100, seesImages: false })
})

test('R86 what the person said goes before both', async () => {
  const own: CatalogueModel = { id: 'm', windowTokens: 50, maxOutputTokens: null, seesImages: false, callsTools: null, thinks: false, prices: { ...prices, currency: 'CNY' } }
  expect(await factsOf([{ id: 'm', windowTokens: 200, seesImages: true }], { models: [own] }).of(choice)).toEqual({ windowTokens: 50, maxOutputTokens: 10, seesImages: false, callsTools: true, thinks: false, prices: { ...prices, currency: 'CNY' } })
})

test('a model that nobody knows, a provider that is gone, and one that speaks another protocol than the catalogue says', async () => {
  expect(await factsOf([], {}).of({ ...choice, model: 'new' })).toEqual(unknownFacts)
  expect(await factsOf([], null).of(choice)).toEqual(unknownFacts)
  expect(await factsOf([], { protocol: 'anthropic' }).of(choice)).toEqual(unknownFacts)
})

test('R86 a list that is asked for adds to what the catalogue knows, says what is new, and what nobody says stays unknown', async () => {
  const at: ProviderEndpoint = { baseUrl: provider.baseUrl, key: null, preset: 'vendor' }
  const facts = factsOf([{ id: 'm', windowTokens: 200, seesImages: null }, { id: 'newer', windowTokens: null, seesImages: true }], {})
  const { id: _id, ...knownFacts } = known
  expect(await facts.rows(at)).toEqual([{ id: 'm', name: null, facts: knownFacts, pricesFrom: 'catalogue', sources: [] }])
  const models = [{ id: 'm', name: null, facts: { ...knownFacts, windowTokens: 200 }, pricesFrom: 'catalogue', sources: [] }, { id: 'newer', name: null, facts: { ...unknownFacts, seesImages: true }, pricesFrom: null, sources: [] }]
  expect(await facts.refresh(at)).toEqual(succeed({ models, fresh: ['newer'], listedAtMs: 0 }))
  expect([await facts.rows(at), await facts.refresh(at)]).toEqual([models, succeed({ models, fresh: [], listedAtMs: 0 })])
})

test('R86 the first list of a provider that nothing was known of is no news, and a list that does not come changes nothing', async () => {
  const at: ProviderEndpoint = { baseUrl: 'https://other.example/v1', key: null }
  expect(await factsOf([{ id: 'a', windowTokens: null, seesImages: null }], at).refresh(at)).toEqual(succeed({ models: [{ id: 'a', name: null, facts: unknownFacts, pricesFrom: null, sources: [] }], fresh: [], listedAtMs: 0 }))
  const facts = factsOf(null, at)
  expect([await facts.refresh(at), await facts.rows(at)]).toEqual([fail('model.no-list'), []])
})

test('R86 prices that the person gave are said to be theirs', async () => {
  const at: ProviderEndpoint = { baseUrl: provider.baseUrl, key: null, preset: 'vendor', models: [{ ...known, prices: { ...prices, input: 9 } }] }
  expect((await factsOf(null, at).rows(at)).map((row) => [row.facts.prices?.input, row.pricesFrom])).toEqual([[9, 'you']])
})

test('R86 a list that came before this start is known, with when it came, and serves while the provider gives none', async () => {
  const kept: Record<string, KeptList> = {}
  const lists: ModelLists = { read: () => Promise.resolve({ ...kept }), keep: (baseUrl, list) => ((kept[baseUrl] = list), Promise.resolve()) }
  const at: ProviderEndpoint = { baseUrl: 'https://other.example/v1', key: null }
  await factsOf([{ id: 'a', windowTokens: 4096, seesImages: true }], at, lists, 7).refresh(at)
  const later = factsOf(null, at, lists, 9)
  expect([(await later.rows(at)).map((row) => row.id), await later.listedAtMs(at), (await later.of({ ...choice, model: 'a' })).windowTokens, await later.listedAtMs({ ...at, baseUrl: 'https://third.example' })]).toEqual([['a'], 7, 4096, null])
})

test('R93 what runs on this computer costs nothing, unless the person or the catalogue says a price', async () => {
  const here: ProviderEndpoint = { baseUrl: 'http://localhost:11434', key: null }
  const free = { currency: 'USD', input: 0, cachedInput: null, cacheWrite: null, output: 0 }
  const told = async (at: ProviderEndpoint) => [(await factsOf(null, at).of(choice)).prices, (await factsOf([{ id: 'm', windowTokens: null, seesImages: null }], at).refresh(at))]
  expect(await told({ ...here, preset: 'none' })).toMatchObject([free, { value: { models: [{ pricesFrom: 'here', facts: { prices: free } }] } }])
  expect((await factsOf(null, { ...here, preset: 'vendor' }).of(choice)).prices).toEqual(prices)
  expect((await factsOf(null, { ...here, preset: 'none', models: [{ ...known, prices: { ...prices, input: 9 } }] }).of(choice)).prices?.input).toBe(9)
  expect((await factsOf(null, { baseUrl: 'http://192.168.1.2:11434', preset: 'none' }).of(choice)).prices).toBeNull()
})
