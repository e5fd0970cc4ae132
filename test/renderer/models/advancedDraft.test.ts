import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ownDraft, ownFaults, quirkKinds, quirkNames, quirkText, readOwn, readQuirk, readQuirks, type OwnModelDraft } from '../../../src/renderer/features/models/advancedDraft'
import { catalogueModelSchema, quirksSchema, type CatalogueModel, type Prices } from '../../../src/shared/domain/catalogue'

const unknown = { windowTokens: null, maxOutputTokens: null, seesImages: null, callsTools: null, thinks: null, prices: null }
const draft = (change: Partial<OwnModelDraft>): OwnModelDraft => ({ ...ownDraft(1, { id: 'm', ...unknown }), ...change })
const codes = (change: Partial<OwnModelDraft>, others: readonly OwnModelDraft[] = []): Readonly<Record<string, string>> => Object.fromEntries(Object.entries(ownFaults(draft(change), [draft(change), ...others])).map(([field, fault]) => [field, fault.code]))

test('R86 every difference of the catalogue can be written, and its example is a value of it', () => {
  expect([...quirkNames].sort()).toEqual(Object.keys(quirksSchema.shape).sort())
  expect(quirkNames.filter((name) => !readQuirk({ name, text: quirkKinds[name].example }).ok)).toEqual([])
})

test('R86 a value that does not fit its field is told with an example, and nothing is read of the whole', () => {
  const read = (name: (typeof quirkNames)[number], text: string) => { const one = readQuirk({ name, text }); return one.ok ? one.value : one.fault.code }
  expect([read('headers', '{'), read('headers', '[1]'), read('body', '{"a":[1]}'), read('callIds', '('), read('windowLimit', 'null'), read('windowLimit', '0'), read('parallelCalls', 'null'), read('systemRole', 'king'), read('reasoningFiller', '""')]).toEqual(['provider.quirk-bad-json', 'provider.quirk-bad-value', { a: [1] }, 'provider.quirk-bad-value', null, 'provider.quirk-bad-value', null, 'provider.quirk-bad-json', ''])
  expect([readQuirks([{ name: 'marksCache', text: 'true', isSet: true }, { name: 'headers', text: '{', isSet: true }]), readQuirks([{ name: 'marksCache', text: 'false', isSet: true }, { name: 'chatPath', text: 'v1/x', isSet: true }])]).toEqual([null, { marksCache: false, chatPath: 'v1/x' }])
})

test('R86 a field that only shows what holds without the person is not read', () => {
  expect(readQuirks([{ name: 'chatPath', text: 'api/chat', isSet: false }, { name: 'headers', text: '{', isSet: false }, { name: 'marksCache', text: 'true', isSet: true }])).toEqual({ marksCache: true })
})

test('R86 R92 a header that holds a key or breaks the line is told at its field', () => {
  const read = (text: string) => { const one = readQuirk({ name: 'headers', text }); return one.ok ? one.value : one.fault.code }
  expect([read('{"x-api-key":"sk-1"}'), read('{"x-team":"a\\nb"}'), read('{"x team":"a"}'), read('{"x-team":"a"}')]).toEqual(['provider.header-is-key', 'provider.header-bad-value', 'provider.header-bad-name', { 'x-team': 'a' }])
})

test('R86 a value comes back as it was written', () => {
  const values = { headers: { a: 'b' }, reasoningFields: ['x'], reasoningFiller: ' ', windowLimit: null, strictTools: null, images: 'none', chatPath: 'a/b' } as const
  for (const name of Object.keys(values) as (keyof typeof values)[]) expect(readQuirk({ name, text: quirkText(name, values[name]) })).toEqual({ ok: true, value: values[name] })
})

test('R86 R93 what is wrong with a model is told by its field; an empty field is unknown and never zero', () => {
  expect(codes({ id: ' ' })).toEqual({ id: 'provider.own.bad-id' })
  expect(codes({}, [draft({ key: 2 })])).toEqual({ id: 'provider.own.twice' })
  expect(codes({ windowTokens: '0', maxOutputTokens: '1.5' })).toEqual({ windowTokens: 'provider.own.bad-tokens', maxOutputTokens: 'provider.own.bad-tokens' })
  expect(codes({ input: '-1', output: 'x', currency: 'usd' })).toEqual({ input: 'provider.own.bad-price', output: 'provider.own.bad-price' })
  expect(codes({ input: '1' })).toEqual({ currency: 'provider.own.bad-currency', output: 'provider.own.half-price' })
  expect(codes({ cachedInput: '1', currency: 'USD' })).toEqual({ input: 'provider.own.half-price', output: 'provider.own.half-price' })
  expect(readOwn([draft({ id: ' n ', windowTokens: ' 8192 ', thinks: 'no', currency: 'cny', input: '0', output: '2.5' })])).toEqual([{ id: 'n', ...unknown, windowTokens: 8192, thinks: false, prices: { currency: 'CNY', input: 0, cachedInput: null, cacheWrite: null, output: 2.5 } }])
  expect(readOwn([draft({ windowTokens: '-' })])).toBeNull()
})

test('R86 any model of the settings survives the form, with what the form does not show', () => {
  const tokens = fc.option(fc.integer({ min: 1, max: 9_999_999 }), { nil: null })
  const price = fc.integer({ min: 0, max: 10_000 }).map((cents) => cents / 100)
  const flag = fc.option(fc.boolean(), { nil: null })
  const models = fc.record({ id: fc.stringMatching(/^[a-z][a-z0-9.:/-]{0,20}$/), windowTokens: tokens, maxOutputTokens: tokens, seesImages: flag, callsTools: flag, thinks: flag, prices: fc.option(fc.record({ currency: fc.constantFrom('USD', 'CNY'), input: price, cachedInput: fc.option(price, { nil: null }), cacheWrite: fc.option(price, { nil: null }), output: price, tiers: fc.constant<NonNullable<Prices['tiers']>>([{ above: 1000, input: 1, cachedInput: null, cacheWrite: null, output: 2 }]) }), { nil: null }), quirks: fc.constant({ marksCache: true }), sources: fc.constant<string[]>(['https://a.example']) })
  fc.assert(fc.property(models, (model: CatalogueModel) => { expect(readOwn([ownDraft(0, model)])).toEqual([catalogueModelSchema.parse(model)]) }), { numRuns: 200 })
})
