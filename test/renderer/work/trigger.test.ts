import fc from 'fast-check'
import { expect, test } from 'vitest'
import { triggerAt, withoutTrigger } from '../../../src/renderer/features/work/trigger'

const asked = (text: string, caret = text.length) => {
  const trigger = triggerAt(text, caret)
  return trigger && `${trigger.kind}:${trigger.query}`
}

test.each([
  ['@', 'resource:'], ['see @hand', 'resource:hand'], ['看一下@规则', 'resource:规则'], ['(@x', 'resource:x'], ['a\n@b', 'resource:b'],
  ['/', 'command:'], ['/github:tri', 'command:github:tri'],
])('R50, R51: %j asks for %s', (text, expected) => {
  expect(asked(text)).toBe(expected)
})

test.each(['@ ', 'see @ hand', 'ada@example.org', 'José@ex', 'first.last@', 'a+b@c', 'https://x.org/@ada', '@@', 'over @hand，', ' /x', 'a/b', '/x y', '/\n', 'plain', ''])('typing %j is left alone', (text) => {
  expect(asked(text)).toBeNull()
})

test('only the word that the caret ends asks', () => {
  expect(asked('@hand and more', 5)).toBe('resource:hand')
  expect(asked('@hand and more')).toBeNull()
  expect(asked('/x', 0)).toBeNull()
})

test('the word is taken out only where it still stands', () => {
  const trigger = triggerAt('see @ha now', 7)
  expect(trigger && withoutTrigger('see @ha now', trigger)).toBe('see  now')
  expect(trigger && withoutTrigger('see it now', trigger)).toBeNull()
})

test('whatever is typed, a word lies before the caret and begins with its sign', () => {
  fc.assert(fc.property(fc.string({ unit: fc.constantFrom('@', '/', ' ', 'a', '.', '字', '\n') }), fc.nat(12), (text, place) => {
    const caret = Math.min(place, text.length)
    const trigger = triggerAt(text, caret)
    if (trigger) expect([text.slice(trigger.from + 1, trigger.to), trigger.to, '@/'.includes(text[trigger.from] ?? ' ')]).toEqual([trigger.query, caret, true])
  }))
})
