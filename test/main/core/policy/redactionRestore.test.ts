import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { findRedactions, redact } from '../../../../src/main/core/policy/redaction'
import { restoreMarkers } from '../../../../src/main/core/policy/redactionRestore'

const restore = (base: string, text: string) => restoreMarkers(base, findRedactions(base), text)
const restored = (base: string, text: string): string => {
  const result = restore(base, text)
  return result.kind === 'restored' ? result.text : `unknown ${result.marker}`
}

const secret = fc.stringMatching(/^[a-z][A-Z][0-9][A-Za-z0-9]{5,14}$/u)
const key = fc.array(fc.stringMatching(/^[A-Za-z0-9+/]{64}$/u), { minLength: 1, maxLength: 3 }).map((lines) => `-----BEGIN PRIVATE ${'KEY'}-----\n${lines.join('\n')}\n-----END PRIVATE ${'KEY'}-----`)
const plain = fc.constantFrom('port: 80', 'host: db', '# a remark', '', 'name: app', 'retries: 3', '  - item', 'end')
const block = fc.oneof(
  fc.tuple(fc.constantFrom('db', 'mail', 'cache', 'queue'), secret).map(([name, value]) => `${name}:\n  password: ${value}`),
  fc.tuple(fc.constantFrom('API_TOKEN', 'CLIENT_SECRET', 'DB_PASSWORD'), secret).map(([name, value]) => `${name}=${value}`),
  secret.map((value) => `url: https://ann:${value}@h/x`),
  key,
)
const file = fc.array(fc.oneof({ weight: 2, arbitrary: block }, plain), { minLength: 1, maxLength: 12 })

describe('DATA 8: markers that are written back', () => {
  test('what was seen and written back unchanged is the same bytes, whatever the line ends', () => {
    fc.assert(
      fc.property(file, fc.constantFrom('\n', '\r\n'), (parts, end) => {
        const base = parts.join('\n').replaceAll('\n', end)
        expect(restored(base, redact(base))).toBe(base)
      }),
      { numRuns: 60 },
    )
  })

  test('edits elsewhere leave every secret as it was, or the write is refused; no secret comes to stand in another place', () => {
    fc.assert(
      fc.property(file, fc.array(fc.tuple(fc.nat(), fc.constantFrom('delete', 'insert', 'change')), { maxLength: 5 }), (parts, edits) => {
        const expected = [...parts]
        for (const [at, kind] of edits) {
          const index = at % (expected.length + 1)
          const isSecret = expected[index] !== undefined && redact(expected[index]) !== expected[index]
          if (kind === 'insert') expected.splice(index, 0, `added ${index}`)
          else if (kind === 'delete') expected.splice(index, 1)
          else if (!isSecret && index < expected.length) expected[index] = `changed ${index}`
        }
        const base = parts.join('\n')
        const wanted = expected.join('\n')
        const result = restore(base, redact(wanted))
        if (result.kind === 'restored') expect(result.text).toBe(wanted)
      }),
      { numRuns: 120 },
    )
  })

  test.each<readonly [string, string, string, string]>([
    ['the value of a line that stays', 'A=1\nAPI_TOKEN=zX81kQp0Lw\n', 'A=2\nAPI_TOKEN=[redacted:token]\nB=3\n', 'A=2\nAPI_TOKEN=zX81kQp0Lw\nB=3\n'],
    ['a name that was changed', 'OLD_TOKEN=zX81kQp0Lw\n', 'NEW_TOKEN=[redacted:token]\n', 'NEW_TOKEN=zX81kQp0Lw\n'],
    ['lines that changed places', 'A_TOKEN=zX81kQp0Lw\nB_TOKEN=yW92lRq1Mx\n', 'B_TOKEN=[redacted:token]\nA_TOKEN=[redacted:token]\n', 'B_TOKEN=yW92lRq1Mx\nA_TOKEN=zX81kQp0Lw\n'],
    ['equal lines, told by what stands around them', 'a:\n  password: zX81kQp0Lw\nb:\n  password: yW92lRq1Mx\n', 'b:\n  password: [redacted:password]\n', 'b:\n  password: yW92lRq1Mx\n'],
    ['two in one line', 'x --password zX81kQp0Lw --token yW92lRq1Mx\n', 'y --password [redacted:password] --token [redacted:token]\n', 'y --password zX81kQp0Lw --token yW92lRq1Mx\n'],
    ['the same value twice', 'A_TOKEN=zX81kQp0Lw\nB_TOKEN=zX81kQp0Lw\n', 'C_TOKEN=[redacted:token]\n', 'C_TOKEN=zX81kQp0Lw\n'],
    ['a marker that was always there', 'markers look like [redacted:kind]\nAPI_TOKEN=zX81kQp0Lw\n', 'markers LOOK like [redacted:kind]\nAPI_TOKEN=[redacted:token]\n', 'markers LOOK like [redacted:kind]\nAPI_TOKEN=zX81kQp0Lw\n'],
    ['a secret that is gone', 'A=1\nAPI_TOKEN=zX81kQp0Lw\n', 'A=1\n', 'A=1\n'],
    ['one that two could be', 'a:\n  password: zX81kQp0Lw\nb:\n  password: yW92lRq1Mx\n', 'c:\n  password: [redacted:password]\n', 'unknown [redacted:password]'],
    ['equal blocks that changed places', 'a:\n  password: zX81kQp0Lw\nb:\n  password: yW92lRq1Mx\n', 'b:\n  password: [redacted:password]\na:\n  password: [redacted:password]\n', 'unknown [redacted:password]'],
    ['a copy', 'API_TOKEN=zX81kQp0Lw\n', 'API_TOKEN=[redacted:token]\nB_TOKEN=[redacted:token]\n', 'unknown [redacted:token]'],
    ['one that stands for nothing here', 'A=1\n', 'A=[redacted:key]\n', 'unknown [redacted:key]'],
    ['colours inside, which cannot be put together', 'password: zX8\u001b[1m1kQp0Lw\n', 'password: [redacted:password]\n', 'unknown [redacted:password]'],
  ])('%s', (_, base, text, result) => {
    expect(restored(base, text)).toBe(result)
  })
})
