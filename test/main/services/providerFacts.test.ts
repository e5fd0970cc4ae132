import { expect, test } from 'vitest'
import type { ListedModel, ProviderEndpoint } from '../../../src/main/core/ports/providerProbe'
import { makeFacts } from '../../../src/main/services/providerFacts'
import type { CatalogueModel, CatalogueProvider } from '../../../src/shared/domain/catalogue'
import { unknownFacts } from '../../../src/shared/domain/model'
import { fail, succeed } from '../../../src/shared/domain/result'

// R86, R87, R90: each fact of a model from who knows it best.

const prices = { currency: 'USD', input: 1, cachedInput: null, cacheWrite: null, output: 2 }
const known: CatalogueModel = { id: 'm', windowTokens: 100, maxOutputTokens: 10, seesImages: false, callsTools: true, thinks: true, prices }
const provider: CatalogueProvider = { id: 'vendor', name: 'Vendor', protocol: 'openai', baseUrl: 'https://vendor.example/v1', keyVariables: [], keyPage: null, docs: null, defaultModel: null, quirks: {}, models: [known], sources: [] }

function factsOf(listed: readonly ListedModel[] | null, at: Partial<ProviderEndpoint> | null) {
  const endpoint = at && { baseUrl: 'https://vendor.example/v1', key: null, preset: 'vendor', ...at }
  return makeFacts({ probe: { models: () => Promise.resolve(listed ? succeed(listed) : fail('model.no-list')) }, clock: { nowMs: () => 0 }, catalogue: [provider] }, () => Promise.resolve(endpoint))
}
const choice = { provider: 'mine', model: 'm' }

test('the catalogue knows what nobody else says, also without a list', async () => {
  const { id: _id, ...facts } = known
  expect(await factsOf(null, {})(choice)).toEqual(facts)
})

test('R86 what the provider lists is newer than the catalogue', async () => {
  expect(await factsOf([{ id: 'm', windowTokens: 200, seesImages: true }], {})(choice)).toEqual({ windowTokens: 200, maxOutputTokens: 10, seesImages: true, callsTools: true, thinks: true, prices })
  expect(await factsOf([{ id: 'm', windowTokens: null, seesImages: null }], {})(choice)).toMatchObject({ windowTokens: 100, seesImages: false })
})

test('R86 what the person said goes before both', async () => {
  const own: CatalogueModel = { id: 'm', windowTokens: 50, maxOutputTokens: null, seesImages: false, callsTools: null, thinks: false, prices: { ...prices, currency: 'CNY' } }
  expect(await factsOf([{ id: 'm', windowTokens: 200, seesImages: true }], { models: [own] })(choice)).toEqual({ windowTokens: 50, maxOutputTokens: 10, seesImages: false, callsTools: true, thinks: false, prices: { ...prices, currency: 'CNY' } })
})

test('a model that nobody knows, a provider that is gone, and one that speaks another protocol than the catalogue says', async () => {
  expect(await factsOf([], {})({ ...choice, model: 'new' })).toEqual(unknownFacts)
  expect(await factsOf([], null)(choice)).toEqual(unknownFacts)
  expect(await factsOf([], { protocol: 'anthropic' })(choice)).toEqual(unknownFacts)
})
