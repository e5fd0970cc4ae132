import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { makeOutputDecoder } from '../../../../src/main/adapters/pty/outputDecoder'

/** Bytes of GBK that iconv gives for these words. */
const gbk = {
  错误: 'b4 ed ce f3', 中文: 'd6 d0 ce c4', 镕: 'e9 46', 隆: 'c2 a1', 联通: 'c1 aa cd a8', '，': 'a3 ac',
} as const
const raw = (hex: string): Buffer => Buffer.from(hex.replaceAll(' ', ''), 'hex')

function decode(bytes: Buffer, cuts: readonly number[] = []): string {
  const decoder = makeOutputDecoder()
  let text = ''
  let from = 0
  for (const length of [...cuts, bytes.length]) {
    text += decoder.push(bytes.subarray(from, from + length))
    from += length
  }
  return text + decoder.end()
}

describe('output in UTF-8, GBK or both', () => {
  test.each<[string, Buffer, string]>([
    ['UTF-8', Buffer.from('副署 🖋 Привет né\r\n'), '副署 🖋 Привет né\r\n'],
    ['a byte order mark', Buffer.from('\ufeffa'), '\ufeffa'],
    ['GBK', Buffer.concat([Buffer.from('cl : '), raw(gbk.错误), raw(gbk['，']), raw(gbk.中文), Buffer.from(' C2059\r\n')]), 'cl : 错误，中文 C2059\r\n'],
    ['GBK whose later byte is a letter', Buffer.concat([raw(gbk.中文), raw(gbk.镕), Buffer.from('x\n')]), '中文镕x\n'],
    ['GB18030 in four bytes', Buffer.concat([raw(gbk.中文), raw('95 32 82 36'), Buffer.from('\n')]), '中文𠀀\n'],
    ['the two in one line', Buffer.concat([Buffer.from('副署 '), raw(gbk.错误), Buffer.from(' 副署\n')]), '副署 错误 副署\n'],
    ['what is both, alone', raw(gbk.隆), '¡'],
    ['what is both, after GBK', Buffer.concat([raw(gbk.错误), Buffer.from('\n'), raw(gbk.隆)]), '错误\n隆'],
    ['what is both, after GBK and then UTF-8', Buffer.concat([raw(gbk.错误), Buffer.from('\n副署 '), raw(gbk.隆)]), '错误\n副署 ¡'],
    ['a name that editors are known to get wrong', raw(gbk.联通), '联通'],
    ['Latin letters of an older encoding are not taken for Chinese', Buffer.from('caf\xe9 \xe9t\xe9\n', 'latin1'), 'caf\ufffd \ufffdt\ufffd\n'],
    ['bytes that are nothing', raw('61 ff 80 62'), 'a\ufffd\ufffdb'],
  ])('%s', (_, bytes, text) => {
    expect(decode(bytes)).toBe(text)
  })

  const words = fc.oneof(fc.constantFrom(...Object.values(gbk)).map(raw), fc.constantFrom('a ', '\n', '副署', 'é', '🖋', '\r\n', ' 错误 ').map((text) => Buffer.from(text)), fc.uint8Array({ maxLength: 3 }).map((bytes) => Buffer.from(bytes)))

  test('O4 the text is the same however the bytes are cut', () => {
    fc.assert(
      fc.property(fc.array(words, { maxLength: 60 }), fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 80 }), (parts, cuts) => {
        const bytes = Buffer.concat(parts)
        expect(decode(bytes, cuts)).toBe(decode(bytes))
        expect(decode(bytes, Array.from(bytes, () => 1))).toBe(decode(bytes))
      }),
      { numRuns: 1000 },
    )
  })

  test('what is valid UTF-8 from the start stays what it is', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), fc.array(fc.integer({ min: 0, max: 9 })), (text, cuts) => {
      expect(decode(Buffer.from(text), cuts)).toBe(text)
    }))
  })

  test('a question that ends in Chinese is not held back for want of an end', () => {
    const decoder = makeOutputDecoder()
    expect(decoder.push(Buffer.from('密码')) + decoder.idle()).toBe('密码')
    expect(decoder.push(Buffer.from('密码').subarray(0, 5)) + decoder.idle()).not.toContain('\ufffd')
  })
})
