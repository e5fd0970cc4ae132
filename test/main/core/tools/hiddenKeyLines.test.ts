import { expect, test } from 'vitest'
import { withoutKeyLines } from '../../../../src/main/core/tools/hiddenKeyLines'
import type { TextHit } from '../../../../src/main/core/ports/textSearch'
import { fail, succeed } from '../../../../src/shared/domain/result'

const base64 = 'a7Kd93mQx1Zp0Rt8VbWc5Yh2a7Kd93mQx1Zp0Rt8VbWc5Yh2a7Kd93mQx1Zp0Rt8'
const hit = (path: string, line: number, text = base64): TextHit => ({ path, line, text })
const marks = [hit('a.yml', 3, '-----BEGIN RSA PRIVATE'), hit('a.yml', 9, '-----END RSA PRIVATE')]

test('R68: a hit inside a private key does not show its line, one that only looks so does', async () => {
  const hits = [hit('a.yml', 2), hit('a.yml', 4), hit('a.yml', 9, 'const a = b'), hit('a.yml', 12), hit('b.yml', 4)]
  expect((await withoutKeyLines(hits, () => Promise.resolve(succeed({ hits: marks })))).map(({ text }) => text)).toEqual([base64, '[redacted:private-key]', 'const a = b', base64, base64])
})

test('R68: where it cannot be found out, such a line is hidden; where none looks so, nothing is asked', async () => {
  expect(await withoutKeyLines([hit('a.yml', 4)], () => Promise.resolve(fail('search.bad-pattern', { problem: 'x' })))).toEqual([hit('a.yml', 4, '[redacted:private-key]')])
  expect(await withoutKeyLines([hit('a.yml', 4, 'plain words')], () => Promise.reject(new Error('asked')))).toEqual([hit('a.yml', 4, 'plain words')])
})
