import { headerOfHeif, headerOfSvg, headerOfTiff } from './otherHeaders'
import { headerOfJpeg } from './jpegHeader'
import { asText, u16be, u16le, u24le, u32be, u32le, type PictureHeader } from './headerBytes'

/**
 * What a picture says of itself, read from its first bytes alone, whatever its name: its kind, its size in pixels, whether it
 * moves, and whether its end is missing. Null for what is no picture that is known here. Nothing is decoded, and no bytes make it throw.
 */
export function pictureHeader(bytes: Uint8Array): PictureHeader | null {
  if (u32be(bytes, 0) === 0x89504e47 && u32be(bytes, 4) === 0x0d0a1a0a) return headerOfPng(bytes)
  if (u16be(bytes, 0) === 0xffd8 && bytes[2] === 0xff) return headerOfJpeg(bytes)
  if (/^GIF8[79]a/.test(asText(bytes, 0, 6))) return headerOfGif(bytes)
  if (asText(bytes, 0, 4) === 'RIFF' && asText(bytes, 8, 4) === 'WEBP') return headerOfWebp(bytes)
  if (asText(bytes, 0, 2) === 'BM' && bytes.length > 26) return headerOfBmp(bytes)
  return headerOfTiff(bytes) ?? headerOfHeif(bytes) ?? headerOfSvg(bytes)
}

/** PNG, third edition: chunks of length, name, data and check; `acTL` tells of frames. */
function headerOfPng(bytes: Uint8Array): PictureHeader {
  let isAnimated = false
  let hasEnd = false
  for (let at = 8; at + 8 <= bytes.length && !hasEnd; at += 12 + u32be(bytes, at)) {
    const name = asText(bytes, at + 4, 4)
    if (name === 'acTL') isAnimated = u32be(bytes, at + 8) > 1
    hasEnd = name === 'IEND'
  }
  return { format: 'png', width: u32be(bytes, 16), height: u32be(bytes, 20), orientation: 1, isAnimated, isCut: !hasEnd }
}

/** GIF89a: the screen, then blocks; a second picture among them makes it move. A frame larger than the screen counts as the size. */
function headerOfGif(bytes: Uint8Array): PictureHeader {
  let width = u16le(bytes, 6)
  let height = u16le(bytes, 8)
  let frames = 0
  let at = 13 + tableBytes(bytes[10] ?? 0)
  while (at < bytes.length && frames < 2) {
    const kind = bytes[at]
    if (kind === 0x21) at = afterBlocks(bytes, at + 2)
    else if (kind === 0x2c) {
      width = Math.max(width, u16le(bytes, at + 5))
      height = Math.max(height, u16le(bytes, at + 7))
      const end = afterBlocks(bytes, at + 11 + tableBytes(bytes[at + 9] ?? 0))
      if (end <= bytes.length) frames += 1
      at = end
    } else break
  }
  return { format: 'gif', width, height, orientation: 1, isAnimated: frames > 1, isCut: frames === 0 }
}

function tableBytes(flags: number): number {
  return (flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1)
}

/** Behind the blocks that begin here; past the end where theirs is missing. */
function afterBlocks(bytes: Uint8Array, from: number): number {
  let at = from
  while (at < bytes.length && bytes[at] !== 0) at += (bytes[at] ?? 0) + 1
  return at + 1
}

/** RFC 9649: a file of one frame, or an extended one with its canvas first. */
function headerOfWebp(bytes: Uint8Array): PictureHeader {
  const isCut = u32le(bytes, 4) + 8 > bytes.length
  const kind = asText(bytes, 12, 4)
  const of = (width: number, height: number, isAnimated = false): PictureHeader => ({ format: 'webp', width, height, orientation: 1, isAnimated, isCut })
  if (kind === 'VP8X') return of(u24le(bytes, 24) + 1, u24le(bytes, 27) + 1, ((bytes[20] ?? 0) & 2) !== 0)
  if (kind === 'VP8 ') return of(u16le(bytes, 26) & 0x3fff, u16le(bytes, 28) & 0x3fff)
  if (kind === 'VP8L') return of((u32le(bytes, 21) & 0x3fff) + 1, ((u32le(bytes, 21) >>> 14) & 0x3fff) + 1)
  return of(0, 0)
}

/** The height is negative where the rows stand from the top down. */
function headerOfBmp(bytes: Uint8Array): PictureHeader {
  const isOld = u32le(bytes, 14) === 12
  const width = isOld ? u16le(bytes, 18) : u32le(bytes, 18)
  const height = isOld ? u16le(bytes, 20) : Math.abs(u32le(bytes, 22) | 0)
  return { format: 'bmp', width, height, orientation: 1, isAnimated: false, isCut: u32le(bytes, 2) > bytes.length }
}
