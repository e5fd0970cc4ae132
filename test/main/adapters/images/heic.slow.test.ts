import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { ImageMagick, initializeImageMagick } from '@imagemagick/magick-wasm'
import { beforeAll, expect, test } from 'vitest'
import { makeImageScaler } from '../../../../src/main/adapters/images/imageScaler'

// Pictures of 64 × 40, red on the left, blue on the right, made by libheif's encoder: as it is, turned by a quarter as phones
// write it (`irot`), and with an Exif part that names a place and claims another turn, which does not count in HEIC.

const scaler = makeImageScaler(path.resolve('out/main/imageWorker.js'))
const never = new AbortController().signal
const fixture = (name: string): Uint8Array => readFileSync(path.join(import.meta.dirname, '../../../support/pictures', name))

beforeAll(async () => {
  await initializeImageMagick(readFileSync(createRequire(import.meta.url).resolve('@imagemagick/magick-wasm/magick.wasm')))
})

function isRed(bytes: Uint8Array, x: number, y: number): boolean {
  const [red = 0, , blue = 255] = ImageMagick.read(bytes, (image) => image.getPixels((pixels) => [...pixels.getPixel(x, y)]))
  return red > 200 && blue < 60
}

test.each([
  ['halves.heic', [64, 40], [true, false, true]],
  ['halvesTurned.heic', [40, 64], [false, false, true]],
  ['halvesPlace.heic', [64, 40], [true, false, true]],
] as const)('R90: %s of a phone is read, upright, and says nothing of where it was taken', async (name, size, reds) => {
  const result = await scaler.scale(fixture(name), never)
  if (!result.ok) throw new Error(JSON.stringify(result.fault))
  const { bytes, mimeType, width, height, from } = result.value
  const [right, bottom] = [width - 5, height - 5]
  expect([mimeType, from.mimeType, [width, height], [isRed(bytes, 5, 5), isRed(bytes, right, 5), isRed(bytes, 5, bottom)]]).toEqual(['image/jpeg', 'image/heic', size, reds])
  expect(Buffer.from(bytes).includes('SecretPlace')).toBe(false)
})

test('R90: a HEIC that lost its end is called damaged, with what to do', async () => {
  const bytes = fixture('halves.heic')
  expect(await scaler.scale(bytes.subarray(0, bytes.length - 60), never)).toEqual({ ok: false, fault: { code: 'attach.picture-broken', values: { format: 'HEIC' } } })
})
