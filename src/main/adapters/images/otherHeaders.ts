import { asText, u16be, u16le, u32be, u32le, type PictureHeader } from './headerBytes'

const standing = { orientation: 1, isAnimated: false, isCut: false } as const

/** TIFF 6.0: width and height are tags 256 and 257 of the first directory. */
export function headerOfTiff(bytes: Uint8Array): PictureHeader | null {
  const order = asText(bytes, 0, 2)
  const isLittle = order === 'II'
  if (!isLittle && order !== 'MM') return null
  const u16 = isLittle ? u16le : u16be
  const u32 = isLittle ? u32le : u32be
  if (u16(bytes, 2) !== 42) return null
  const start = u32(bytes, 4)
  let width = 0
  let height = 0
  const count = Math.min(u16(bytes, start), 1000)
  for (let n = 0; n < count; n += 1) {
    const entry = start + 2 + n * 12
    const value = u16(bytes, entry + 2) === 3 ? u16(bytes, entry + 8) : u32(bytes, entry + 8)
    if (u16(bytes, entry) === 256) width = value
    if (u16(bytes, entry) === 257) height = value
  }
  return { format: 'tiff', width, height, ...standing, isCut: start + 2 > bytes.length }
}

/** So far from the beginning lie the sizes of a HEIF file, and longer ones are refused for having none. */
const metaBytes = 1_000_000

/** ISO/IEC 23008-12: the brand says what it is, each `ispe` the size of a part; the largest is the whole. */
export function headerOfHeif(bytes: Uint8Array): PictureHeader | null {
  if (asText(bytes, 4, 4) !== 'ftyp') return null
  const brands = asText(bytes, 8, Math.min(Math.max(u32be(bytes, 0), 16), 256) - 8)
  const isAvif = /avi[fs]/.test(brands)
  if (!isAvif && !/hei[cxms]|hev[cxms]|mif1|msf1/.test(brands)) return null
  let width = 0
  let height = 0
  const last = Math.min(bytes.length - 16, metaBytes)
  for (let at = 8; at < last; at += 1) {
    if (bytes[at] !== 0x69 || asText(bytes, at, 4) !== 'ispe') continue
    width = Math.max(width, u32be(bytes, at + 8))
    height = Math.max(height, u32be(bytes, at + 12))
  }
  return { format: isAvif ? 'avif' : 'heic', width, height, ...standing }
}

/** A drawing in text: known, to be able to say what to do with it. */
export function headerOfSvg(bytes: Uint8Array): PictureHeader | null {
  const start = asText(bytes, 0, 1000)
  return /^(?:\xef\xbb\xbf)?\s*</.test(start) && /<svg[\s>]/i.test(start) ? { format: 'svg', width: 0, height: 0, ...standing } : null
}
