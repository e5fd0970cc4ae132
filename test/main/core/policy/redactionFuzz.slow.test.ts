import { expect, test } from 'vitest'
import { redactorTarget } from '../../../fuzz/redactorTarget'
import { fuzz } from '../../../fuzz/run'

test('R68: the redactor keeps its promises for changed cases, in whole and in pieces', { timeout: 120_000 }, () => {
  expect(fuzz(redactorTarget, { runs: 500, seed: 68 })).toEqual({ runs: 500, fault: null })
})
