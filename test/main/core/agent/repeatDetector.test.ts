import fc from 'fast-check'
import { expect, test } from 'vitest'
import { canonicalJson, makeTextRepeatDetector } from '../../../../src/main/core/agent/repeatDetector'

const long = 'a line that is surely longer than forty characters'

test('R3 text repeats are found however the stream is cut, and short or alternating lines are none', () => {
  const text = `${long}\n`.repeat(10)
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1 }), (cuts) => {
      const detector = makeTextRepeatDetector()
      let at = 0
      let found = false
      for (let turn = 0; at < text.length; turn++) {
        const size = cuts[turn % cuts.length] ?? 1
        found = detector.add(text.slice(at, at + size)) || found
        at += size
      }
      expect(found).toBe(true)
    }),
  )
  const quiet = makeTextRepeatDetector()
  expect([quiet.add('short\n'.repeat(50)), quiet.add(`${long}\n${long} 2\n`.repeat(30)), quiet.add(`${long}\n`.repeat(9))]).toEqual([false, false, false])
})

test('R3 a paragraph of several lines that comes ten times is found', () => {
  expect(makeTextRepeatDetector().add(`first line of the paragraph\nsecond line of it, somewhat longer\n\n`.repeat(10))).toBe(true)
})

test('R3 arguments with other key order are the same arguments', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (args) => {
      expect(canonicalJson(Object.fromEntries(Object.entries(args).reverse()))).toBe(canonicalJson(args))
    }),
  )
})
