/** Kinds of pictures that are known by their bytes. */
export type PictureFormat = 'png' | 'jpeg' | 'gif' | 'webp' | 'bmp' | 'tiff' | 'heic' | 'avif' | 'svg'

/** What the first bytes of a picture say. */
export interface PictureHeader {
  readonly format: PictureFormat
  /** As stored; `orientation` of 5 and more swaps the sides. */
  readonly width: number
  readonly height: number
  /** As Exif counts it, from 1: as it stands. */
  readonly orientation: number
  readonly isAnimated: boolean
  /** Its end is missing. */
  readonly isCut: boolean
}

/** Numbers of a file; what lies behind its end is nothing. */
export function u16be(bytes: Uint8Array, at: number): number {
  return ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0)
}

export function u16le(bytes: Uint8Array, at: number): number {
  return (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8)
}

export function u24le(bytes: Uint8Array, at: number): number {
  return u16le(bytes, at) | ((bytes[at + 2] ?? 0) << 16)
}

export function u32be(bytes: Uint8Array, at: number): number {
  return u16be(bytes, at) * 0x10000 + u16be(bytes, at + 2)
}

export function u32le(bytes: Uint8Array, at: number): number {
  return u16le(bytes, at) + u16le(bytes, at + 2) * 0x10000
}

/** So many bytes as Latin letters. */
export function asText(bytes: Uint8Array, at: number, length: number): string {
  return String.fromCharCode(...bytes.subarray(at, at + length))
}
