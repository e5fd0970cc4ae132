import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { redact } from '../../../../src/main/core/policy/redaction'
import { StreamRedactor } from '../../../../src/main/core/policy/redactionStream'
import { cases, casesOf, cut, filled, letters, put, streamed } from '../../../support/redactionCases'

describe('R68: streams', { timeout: 120_000 }, () => {
  const key = ['-----BEGIN RSA ', 'PRIVATE KEY-----', '\n', `${letters}${letters}\n`.repeat(20), '-----END RSA ', 'PRIVATE KEY-----'].join('')
  const secrets = [put('ghp', '_', letters, letters.slice(0, 12)), 'password=zX81kQp0Lw', `Authorization: Bearer ${letters}`, 'https://a:zX81kQp0Lw@h/x', key, 'my registered secret']

  test('the cases of the files, cut into any pieces, come to the same as their whole texts', () => {
    const lines = [...cases, ...casesOf('more-redaction.jsonl')].filter((each) => each.class !== 'known').map((each) => filled(each.chunks?.join('') ?? each.input ?? '', each.vars))
    fc.assert(
      fc.property(fc.constantFrom(...lines), fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 10 }), (line, sizes) => {
        const whole = `plain words\n${line}\nand more\n`
        expect(streamed(cut(whole, sizes))).toBe(redact(whole))
      }),
      { numRuns: 1000 },
    )
  })

  test('a pause anywhere shows nothing of a secret, and changes nothing else', () => {
    const known = 'my registered secret'
    const words = fc.constantFrom('plain words', 'Continue? [y/N]', 'a = b', 'go on: ', '{"a": 1}')
    const text = fc.tuple(words, fc.constantFrom(...secrets, 'mysql -u root -pzX81kQp0Lw', '密码：zX81kQp0Lw', '"api_key": "zX81kQp0Lw"'), words).map(([before, secret, after]) => `${before}\n${secret}\n${after}`)
    fc.assert(
      fc.property(text, fc.array(fc.tuple(fc.integer({ min: 1, max: 30 }), fc.boolean()), { minLength: 1, maxLength: 8 }), (whole, steps) => {
        const redactor = new StreamRedactor({ known: [known] })
        const shown = cut(whole, steps.map(([size]) => size)).map((piece, at) => redactor.push(piece) + (steps[at % steps.length]?.[1] ? redactor.idle() : ''))
        expect(shown.join('') + redactor.end()).toBe(redact(whole, { known: [known] }))
      }),
      { numRuns: 300 },
    )
  })
})
