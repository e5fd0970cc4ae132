import fc from 'fast-check'
import { expect, test } from 'vitest'
import { pairsOf } from '../../../../src/main/core/policy/redactionPairs'
import { commandSecrets } from '../../../../src/main/core/policy/redactionCommands'
import { headerSecrets } from '../../../../src/main/core/policy/redactionNames'
import { secretPatterns } from '../../../../src/main/core/policy/redactionPatterns'

const hints = [...new Set([...secretPatterns, ...headerSecrets, ...commandSecrets].map(({ hint }) => hint))]

test('R68 no hint of a secret that stands in a text is ever overlooked, whatever its case and its neighbours', () => {
  const neighbours = fc.string({ unit: 'binary', minLength: 600, maxLength: 700 })
  fc.assert(
    fc.property(neighbours, neighbours, fc.constantFrom(...hints), fc.boolean(), (before, after, hint, isUpper) => {
      const text = before + (isUpper ? hint.toUpperCase() : hint) + after
      expect(pairsOf(text.toLowerCase()).mayHold(hint)).toBe(true)
    }),
  )
})

test('hints are ASCII, since others may have small letters of another length', () => {
  expect(hints.filter((hint) => !/^[\x20-\x7e]*$/.test(hint))).toEqual([])
})

test('most hints are known not to stand in a usual output', () => {
  const pairs = pairsOf('[ 45%] building cxx object src/foo/cmakefiles/foo.dir/bar_baz.cpp.o -o2 -wall\r\n'.repeat(200))
  expect(hints.filter((hint) => pairs.mayHold(hint)).length).toBeLessThan(hints.length / 5)
})
