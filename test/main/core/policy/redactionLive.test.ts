import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { makeWithoutKnown, withoutKnown } from '../../../../src/main/core/policy/redactionKnown'
import { cut } from '../../../support/redactionCases'

const known = ['sesame-9f8e7d6c', 'sesame-9f8e7d6c-longer', 'open "it" & go']
const liveOf = (secrets: readonly string[]) => {
  const live = makeWithoutKnown(() => secrets).live?.()
  if (live === undefined) throw new Error('a live mask is missing')
  return live
}
const words = fc.constantFrom('plain words ', ...known, 'sesame-', 'sesame-9f8e7d6', encodeURIComponent('open "it" & go'), 'c2VzYW1lLTlmOGU3ZDZj', '密码 🖋', '\n', 's', 'ses')

describe('R68: what is shown while it comes', () => {
  test('is what the record will hold, however it comes, and never a part of a secret', () => {
    fc.assert(
      fc.property(fc.array(words, { maxLength: 20 }), fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 6 }), (parts, sizes) => {
        const whole = parts.join('')
        const live = liveOf(known)
        const shown = cut(whole, sizes).map((piece) => live.push(piece))
        expect(shown.join('') + live.end()).toBe(withoutKnown(whole, known))
      }),
    )
  })

  test('holds back no more than could be the beginning of a secret', () => {
    const live = liveOf(known)
    expect([live.push('go sesa'), live.push('me street, ses'), live.push('ame'), live.end()]).toEqual(['go ', 'sesame street, ', '', 'sesame'])
  })

  test('secrets that begin within themselves are masked as in the record', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('a', 'b'), { maxLength: 60 }), fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1, maxLength: 4 }), (letters, sizes) => {
        const whole = letters.join('')
        const live = liveOf(['abaab'])
        const shown = cut(whole, sizes).map((piece) => live.push(piece))
        const text = shown.join('') + live.end()
        expect(text).toBe(withoutKnown(whole, ['abaab']))
        expect(text).not.toContain('abaab')
      }),
      // A mask stands between the two ends: taken out, they would make the secret again.
      { examples: [[[...'aabaabbaab'], [1]], [[...'abaabaabaab'], [3]]] },
    )
  })

  test('of a secret that another begins with no end is left, in whatever order they are registered', () => {
    for (const secrets of [known, [...known].reverse()]) {
      expect(withoutKnown('a sesame-9f8e7d6c-longer b sesame-9f8e7d6c', secrets)).toBe('a [redacted:known] b [redacted:known]')
      const live = liveOf(secrets)
      expect(live.push('a sesame-9f8e7d6c-lon') + live.push('ger b sesame-9f8e7d6c') + live.end()).toBe('a [redacted:known] b [redacted:known]')
    }
  })

  test('a window on growing arguments shows no end and no beginning of one', () => {
    const secret = 'q7Kd93mQx1Zp0Rt8VbWc5Yh2'
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 1, max: 80 }), (from, length) => {
        const whole = `{"path": "x", "text": "${secret}", "more": 1}`
        const shown = liveOf([secret]).part(whole.slice(from, from + length), from > 0)
        const left = shown.replaceAll('[redacted:known]', '·')
        for (let at = 0; at + 4 <= secret.length; at++) expect(left).not.toContain(secret.slice(at, at + 4))
      }),
    )
    expect(liveOf([secret]).part('{"p', false)).toBe('{"p')
  })
})
