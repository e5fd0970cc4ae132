import { asText, u16be, u16le, u32be, u32le, type PictureHeader } from './headerBytes'

/** ITU T.81: segments up to the first scan; the size stands in a start of frame, how the camera was held in Exif. */
export function headerOfJpeg(bytes: Uint8Array): PictureHeader {
  let size = { width: 0, height: 0 }
  let orientation = 1
  let at = 2
  while (at + 4 <= bytes.length && bytes[at] === 0xff) {
    const marker = bytes[at + 1] ?? 0
    // A segment may be padded with any number of these.
    if (marker === 0xff) {
      at += 1
      continue
    }
    if (marker === 0xda) break
    if (isFrame(marker)) size = { height: u16be(bytes, at + 5), width: u16be(bytes, at + 7) }
    if (marker === 0xe1 && asText(bytes, at + 4, 6) === 'Exif\0\0') orientation = exifOrientation(bytes.subarray(at + 10, at + 2 + u16be(bytes, at + 2)))
    at += 2 + Math.max(2, u16be(bytes, at + 2))
  }
  return { format: 'jpeg', ...size, orientation, isAnimated: false, isCut: !hasEnd(bytes, at) }
}

/** Starts of frame are C0 to CF without the tables and the extension that lie between them. */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
}

/** Cameras write more behind the end: it is looked for from the back. */
function hasEnd(bytes: Uint8Array, scan: number): boolean {
  for (let at = bytes.length - 2; at >= scan; at -= 1) if (bytes[at] === 0xff && bytes[at + 1] === 0xd9) return true
  return false
}

/** Tag 0x0112 of the first directory (Exif 2.32, 4.6.4); 1 where it is not there. */
function exifOrientation(tiff: Uint8Array): number {
  const isLittle = asText(tiff, 0, 2) === 'II'
  const u16 = isLittle ? u16le : u16be
  const start = (isLittle ? u32le : u32be)(tiff, 4)
  const count = Math.min(u16(tiff, start), 1000)
  for (let n = 0; n < count; n += 1) {
    const entry = start + 2 + n * 12
    const value = u16(tiff, entry + 8)
    if (u16(tiff, entry) === 0x0112) return value >= 1 && value <= 8 ? value : 1
  }
  return 1
}
