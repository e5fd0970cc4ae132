import { expect, test } from 'vitest'
import { corpusOf, fuzz } from '../../../fuzz/run'
import { guardTarget } from '../../../fuzz/guardTarget'

test('R66: inputs that once broke a promise of the guard keep it now', () => {
  const kept = corpusOf('guard')
  expect(kept.length).toBeGreaterThan(0)
  expect(kept.map((input) => guardTarget.check(input)).filter((sentence) => sentence !== null)).toEqual([])
})

test('R66: changed commands break no promise of the guard', () => {
  expect(fuzz(guardTarget, { runs: 100, seed: 66 })).toEqual({ runs: 100, fault: null })
})
