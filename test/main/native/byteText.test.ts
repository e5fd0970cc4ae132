import fc from 'fast-check'
import { expect, test } from 'vitest'
import { diskName, toBytes, toText } from '../../../src/main/native/byteText'

test('property: every name of bytes becomes text and the same bytes again; what is UTF-8 reads as it is', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 20 }), (bytes) => {
      const latin = Buffer.from(bytes).toString('latin1')
      expect(toBytes(toText(latin))).toBe(latin)
    }),
  )
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      expect([toText(toBytes(text)), Buffer.from(diskName(text)).toString()]).toEqual([text, text])
    }),
  )
})

test('bytes that are no UTF-8 stand alone, and are exact bytes for the disk', () => {
  const text = toText('a\xff中'.replace('中', '\xe4\xb8\xad'))
  expect(text).toBe('a\udcff中')
  expect(diskName(text)).toEqual(Buffer.from('a\xff\xe4\xb8\xad', 'latin1'))
})
