import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { costOf } from '../../../../src/main/core/usage/cost'
import { addCosts, amountText, microsOf, nextLimit } from '../../../../src/shared/domain/budget'
import type { Prices } from '../../../../src/shared/domain/catalogue'

const prices: Prices = { currency: 'USD', input: 3, cachedInput: 0.3, cacheWrite: 3.75, output: 15 }
const price = fc.integer({ min: 0, max: 200_000 }).map((thousandths) => thousandths / 1000)
const tokens = fc.integer({ min: 0, max: 2_000_000 })

describe('R93: what a call cost', () => {
  test('cached input is priced as cached, written as written, and all other as input', () => {
    expect(costOf({ inputTokens: 1000, outputTokens: 100, cachedTokens: 600, cacheWriteTokens: 200, estimated: false }, prices)).toEqual({ currency: 'USD', micros: 200 * 3 + 600 * 0.3 + 200 * 3.75 + 100 * 15 })
  })

  test('where the cache has no price of its own, it costs as other input', () => {
    expect(costOf({ inputTokens: 1000, outputTokens: 0, cachedTokens: 600, cacheWriteTokens: 100, estimated: false }, { ...prices, cachedInput: null, cacheWrite: null })).toEqual({ currency: 'USD', micros: 3000 })
  })

  test('a provider that reports more from its cache than it was sent makes nothing negative', () => {
    expect(costOf({ inputTokens: 10, outputTokens: 0, cachedTokens: 50, cacheWriteTokens: 5, estimated: false }, prices)).toEqual({ currency: 'USD', micros: 3 })
  })

  test('a request with more input than a tier begins with is priced by that tier as a whole', () => {
    const tiered: Prices = { ...prices, tiers: [{ above: 1000, input: 6, cachedInput: null, cacheWrite: 7, output: 30 }, { above: 5000, input: 12, cachedInput: 1, cacheWrite: null, output: 60 }] }
    const micros = (inputTokens: number) => costOf({ inputTokens, outputTokens: 10, cachedTokens: 100, cacheWriteTokens: 10, estimated: false }, tiered).micros
    expect([micros(1000), micros(1001), micros(5000), micros(5001)]).toEqual([890 * 3 + 30 + 37.5 + 150 + 0.5, 991 * 6 + 70 + 300, 4990 * 6 + 70 + 300, 4901 * 12 + 100 + 600].map(Math.floor))
  })

  test('it is the exact sum, rounded once to a millionth', () => {
    fc.assert(fc.property(tokens, tokens, price, price, (input, output, inputPrice, outputPrice) => {
      const thousandths = BigInt(input) * BigInt(Math.round(inputPrice * 1000)) + BigInt(output) * BigInt(Math.round(outputPrice * 1000))
      expect(costOf({ inputTokens: input, outputTokens: output, estimated: false }, { currency: 'EUR', input: inputPrice, cachedInput: null, cacheWrite: null, output: outputPrice })).toEqual({ currency: 'EUR', micros: Number((thousandths + 500n) / 1000n) })
    }))
  })

  test('a hundred thousand calls of a third of a cent add up without drift', () => {
    let sum: ReturnType<typeof addCosts> = []
    for (let at = 0; at < 100_000; at += 1) sum = addCosts(sum, [{ currency: 'USD', micros: 3333 }])
    expect(sum).toEqual([{ currency: 'USD', micros: 333_300_000 }])
  })

  test('two currencies are never added', () => {
    expect(addCosts([{ currency: 'USD', micros: 5 }], [{ currency: 'CNY', micros: 7 }, { currency: 'USD', micros: 1 }])).toEqual([{ currency: 'CNY', micros: 7 }, { currency: 'USD', micros: 6 }])
  })
})

describe('R93: amounts as a person reads and sets them', () => {
  test.each([[2_000_000, '2.00'], [0, '0.00'], [17_420_000, '17.42'], [17_424_999, '17.42'], [12_345, '0.0123'], [99, '0.000099'], [10_000, '0.01']])('%i millionths are %s', (micros, text) => {
    expect(amountText(micros)).toBe(text)
  })

  test('what is set as an amount is a whole number of millionths', () => {
    expect([0.1, 0.29, 1.005, 40].map(microsOf)).toEqual([100_000, 290_000, 1_005_000, 40_000_000])
  })

  test('what is offered instead of a ceiling is always above what is spent', () => {
    fc.assert(fc.property(fc.integer({ min: 1, max: 1e9 }), fc.integer({ min: 0, max: 1e9 }), (limit, above) => {
      expect(nextLimit({ limit, spent: limit + above })).toBeGreaterThan(limit + above)
    }))
    expect(nextLimit({ limit: 2_000_000, spent: 2_010_000 })).toBe(4_000_000)
  })
})
