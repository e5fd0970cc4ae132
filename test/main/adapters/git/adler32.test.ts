import { deflateSync, inflateSync } from 'node:zlib'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { adler32 } from '../../../../src/main/adapters/git/pack/adler32'
import { writeEntry } from '../../../../src/main/adapters/git/pack/storedEntry'

/** zlib writes it at the end of its streams. */
const known = (bytes: Uint8Array): number => deflateSync(bytes, { level: 0 }).readUInt32BE(deflateSync(bytes, { level: 0 }).length - 4)

test('S3 the check sum is zlib’s, wherever in memory the bytes begin and however they are cut', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 3000 }), fc.nat(7), fc.nat(), (body, shift, cut) => {
      const bytes = Buffer.concat([Buffer.alloc(shift), body]).subarray(shift)
      const at = cut % (bytes.length + 1)
      const parts = adler32(bytes.subarray(at), adler32(bytes.subarray(0, at), 1))
      expect([adler32(bytes, 1), parts]).toEqual([known(bytes), known(bytes)])
    }),
  )
})

test.each([0, 1, 79, 80, 81, 1279, 1280, 1281, 65_535, 65_536, 131_070, 1_000_003])('S3 the largest bytes do not outgrow it: %i of them', (length) => {
  for (const shift of [0, 1, 2, 3]) {
    const bytes = Buffer.alloc(length + shift, 255).subarray(shift)
    expect(adler32(bytes, 1)).toBe(known(bytes))
  }
})

test.each([0, 1, 15, 16, 2047, 2048, 65_534, 65_535, 65_536, 131_070, 131_071])('S3 a stored entry of %i bytes is what zlib reads', (length) => {
  const body = Buffer.from(Array.from({ length }, (_, i) => i % 251))
  const parts: Buffer[] = []
  writeEntry('blob', body, (bytes) => parts.push(Buffer.from(bytes)))
  const entry = Buffer.concat(parts)
  const head = entry.findIndex((byte) => byte < 128) + 1
  expect(inflateSync(entry.subarray(head)).equals(body)).toBe(true)
})
