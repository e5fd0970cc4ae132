import { readFileSync, readdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { knownModel, schemaLimits, schemaLimitsOf } from '../../../../src/main/adapters/model/catalogue'
import { makeWays } from '../../../../src/main/adapters/model/way'
import { providerSchema } from '../../../../src/shared/domain/settings'
import { catalogue, wayOf } from './world'

// R86, R87: what is known of providers and models is data.

const root = resolve(import.meta.dirname, '../../../..')

test('R87 the providers that are built in', () => {
  expect(catalogue.providers.map((one) => one.id)).toEqual(['openai', 'anthropic', 'deepseek', 'moonshot', 'zhipu', 'qwen', 'stepfun', 'minimax', 'nvidia', 'openrouter', 'agnes', 'ollama', 'lmstudio', 'compatible'])
})

test('R87 each has what it takes to set it up, and every window and price says where it stands written', () => {
  for (const provider of catalogue.providers) {
    const isLocal = provider.baseUrl.startsWith('http://127.0.0.1')
    expect([provider.id, isLocal || provider.id === 'compatible' || (provider.baseUrl.startsWith('https://') && provider.keyPage !== null && provider.keyVariables.length > 0)]).toEqual([provider.id, true])
    expect(new Set(provider.models.map((one) => one.id)).size).toBe(provider.models.length)
    if (Object.keys(provider.quirks).length > 0) expect(provider.sources).not.toEqual([])
    for (const model of provider.models) if (model.prices || model.windowTokens || model.maxOutputTokens) expect([model.id, (model.sources ?? []).length > 0]).toEqual([model.id, true])
    const first = provider.defaultModel
    if (first !== null) expect([provider.id, provider.models.some((one) => one.id === first)]).toEqual([provider.id, true])
  }
})

test('R86 no name of a model, and no address of a provider of the network, stands in the code', () => {
  const names = catalogue.providers.flatMap((one) => [...one.models.map((model) => model.id), ...(one.baseUrl.startsWith('https') ? [new URL(one.baseUrl).host] : [])])
  const code = ['src/main', 'src/shared'].flatMap((folder) => readdirSync(resolve(root, folder), { recursive: true, encoding: 'utf8' }).flatMap((file) => (file.endsWith('.ts') ? [[file, readFileSync(resolve(root, folder, file), 'utf8')] as const] : [])))
  expect(code.flatMap(([file, text]) => names.filter((name) => text.includes(`'${name}`)).map((name) => `${file}: ${name}`))).toEqual([])
})

test('R86 a way is the protocol, changed by the provider, its model, what the person said of both, and what the server refused', () => {
  const base = wayOf('openai').quirks
  expect(base).toEqual(catalogue.protocols.openai.quirks)
  const deepseek = wayOf('openai', 'm', { preset: 'deepseek' }).quirks
  expect(deepseek).toEqual({ ...base, reasoningFields: ['reasoning_content'], reasoningReturn: 'always', reasoningFiller: ' ', schemaLimits: 'deepseek' })
  expect(wayOf('openai', 'm', { preset: 'deepseek', quirks: { reasoningFiller: null } }).quirks.reasoningFiller).toBeNull()
  const described = { id: 'm', windowTokens: null, maxOutputTokens: null, seesImages: null, callsTools: null, thinks: null, prices: null, quirks: { systemRole: 'developer' as const } }
  expect([wayOf('openai', 'm', { models: [described] }).quirks.systemRole, wayOf('openai', 'n', { models: [described] }).quirks.systemRole]).toEqual(['developer', 'system'])
  expect(wayOf('anthropic', 'claude-opus-5-5', { preset: 'anthropic' }).quirks.body).toEqual(knownModel(catalogue, 'anthropic', 'claude-opus-5-5')?.quirks?.body)
})

test('R52 R86 what a tool may ask for is a field like any other: of the protocol, the provider, its model, and the person', () => {
  const set = (...[protocol, model, at]: Parameters<typeof wayOf>) => wayOf(protocol, model, at).quirks.schemaLimits
  expect([set('openai'), set('ollama'), set('openai', 'm', { preset: 'openai' }), set('anthropic', 'm', { preset: 'anthropic' }), set('anthropic', 'm', { preset: 'openai' }), set('openai', 'm', { preset: 'openai', quirks: { schemaLimits: 'gemini' } })]).toEqual(['default', 'ollama', 'openai', 'anthropic', 'default', 'gemini'])
  const named = [...Object.values(catalogue.protocols).map((one) => one.quirks.schemaLimits), ...catalogue.providers.flatMap((one) => one.quirks.schemaLimits ?? [])].filter((one) => one !== 'default')
  expect(named.filter((one) => !Object.hasOwn(catalogue.schemaLimits.sets, one))).toEqual([])
  expect([schemaLimits(catalogue, 'gemini').enumsAreStrings, schemaLimits(catalogue, 'gemini') === schemaLimits(catalogue, 'gemini'), schemaLimits(catalogue, 'toString'), schemaLimitsOf(catalogue, 'anthropic') === schemaLimits(catalogue, 'anthropic'), schemaLimitsOf(catalogue, 'stepfun')]).toEqual([true, true, catalogue.schemaLimits.default, true, catalogue.schemaLimits.default])
})

test('R86 a provider of the catalogue at its address of another protocol has the ways of that protocol alone', () => {
  expect(wayOf('anthropic', 'deepseek-v4-pro', { preset: 'deepseek' }).quirks).toEqual(catalogue.protocols.anthropic.quirks)
})

test('R22 the same way as long as nothing of it changes, and what a server refuses is remembered for its address alone', () => {
  const ways = makeWays(catalogue)
  const at = (baseUrl: string) => ({ baseUrl, key: null })
  expect(ways.of(at('http://a'), 'm')).toBe(ways.of(at('http://a'), 'm'))
  ways.learn(at('http://a'), { asksForUsage: false })
  expect([ways.of(at('http://a'), 'm').quirks.asksForUsage, ways.of(at('http://b'), 'm').quirks.asksForUsage]).toEqual([false, true])
})

test('R86 a person adds providers and models with the same fields as the catalogue; a form of ids that is none is refused', () => {
  const own = { id: 'mine', name: 'Mine', baseUrl: 'https://models.example', protocol: 'anthropic', model: 'm', preset: 'anthropic', quirks: { headers: { 'x-team': 'a' } }, models: [{ id: 'm', windowTokens: 1000, maxOutputTokens: null, seesImages: true, callsTools: null, thinks: null, prices: { currency: 'CNY', input: 1, cachedInput: null, cacheWrite: null, output: 2 } }] }
  expect(providerSchema.parse(own)).toEqual(own)
  expect(providerSchema.safeParse({ ...own, quirks: { callIds: '[' } }).success).toBe(false)
  expect(providerSchema.safeParse({ ...own, quirks: { nonsense: 1 } }).success).toBe(false)
})
