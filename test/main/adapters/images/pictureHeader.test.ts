import fc from 'fast-check'
import { expect, test } from 'vitest'
import { makeImageScaler } from '../../../../src/main/adapters/images/imageScaler'
import { pictureHeader } from '../../../../src/main/adapters/images/pictureHeader'

const never = new AbortController().signal
/** No thread is begun for what is refused: this file is not there. */
const refusing = makeImageScaler('/no/such/worker.js')

const png = (width: number, height: number, ends = true): Uint8Array => {
  const head = Buffer.from('89504e470d0a1a0a0000000d49484452000000000000000008060000000000000000000000', 'hex').subarray(0, 33)
  head.writeUInt32BE(width, 16)
  head.writeUInt32BE(height, 20)
  return ends ? Buffer.concat([head, Buffer.from('0000000049454e44ae426082', 'hex')]) : head
}

const ascii = (text: string): Uint8Array => Buffer.from(text, 'latin1')

test.each([
  ['too many pixels', png(20_000, 20_000), 'attach.picture-pixels'],
  ['too long a side', png(100_000, 1), 'attach.picture-pixels'],
  ['no pixels', png(0, 5), 'attach.picture-broken'],
  ['no end', png(10, 10, false), 'attach.picture-broken'],
  ['a drawing in text', ascii('<?xml version="1.0"?>\n<svg xmlns="x"></svg>'), 'attach.picture-svg'],
  ['text of a wrong name', ascii('not a picture at all'), 'attach.no-picture'],
  ['a program', ascii('\x7fELF\x02\x01'), 'attach.no-picture'],
  ['nothing', new Uint8Array(), 'attach.no-picture'],
  ['too many bytes', new Uint8Array(40_000_001), 'attach.picture-bytes'],
  ['a scan without its end', ascii('\xff\xd8\xff\xc0\x00\x11\x08\x00\x10\x00\x10\x03\xff\xda\x00\x08abc'), 'attach.picture-broken'],
])('R90: %s is refused by its first bytes', async (_name, bytes, code) => {
  expect(await refusing.scale(bytes, never)).toMatchObject({ ok: false, fault: { code } })
})

test.each([
  ['BMP', Buffer.concat([ascii('BM'), Buffer.from('36000000000000003600000028000000' + '40010000' + '10ffffff' + '0100180000000000', 'hex'), new Uint8Array(40)]), { format: 'bmp', width: 320, height: 240, isCut: false }],
  ['HEIC', Buffer.concat([Buffer.from('00000018', 'hex'), ascii('ftypheic'), Buffer.from('00000000', 'hex'), ascii('mif1heic'), Buffer.from('00000014', 'hex'), ascii('ispe'), Buffer.from('0000000000000fc000000bd0', 'hex'), new Uint8Array(32)]), { format: 'heic', width: 4032, height: 3024 }],
  ['TIFF', Buffer.concat([ascii('MM'), Buffer.from('002a00000008' + '0002' + '010000030000000100400000' + '010100040000000100000020' + '00000000', 'hex')]), { format: 'tiff', width: 64, height: 32, isCut: false }],
  ['WebP', Buffer.concat([ascii('RIFF'), Buffer.from('16000000', 'hex'), ascii('WEBPVP8X'), Buffer.from('0a000000' + '02000000' + '8f0100' + '2b0100', 'hex')]), { format: 'webp', width: 400, height: 300, isAnimated: true, isCut: false }],
])('the size of a %s stands in its first bytes', (_name, bytes, header) => {
  expect(pictureHeader(bytes)).toMatchObject(header)
})

test('no bytes make the reading of a header throw, and none of it goes on for ever', () => {
  const starts = ['', '\x89PNG\r\n\x1a\n', '\xff\xd8\xff', 'GIF89a', 'RIFF\0\0\0\0WEBPVP8X', 'BM', 'II*\0', '\0\0\0\x18ftypavif', '<svg '].map(ascii)
  fc.assert(fc.property(fc.constantFrom(...starts), fc.uint8Array({ maxLength: 400 }), (start, rest) => {
    const header = pictureHeader(Buffer.concat([start, rest]))
    expect(header === null || (header.width >= 0 && header.height >= 0)).toBe(true)
  }))
})
