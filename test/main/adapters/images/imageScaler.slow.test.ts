import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { AlphaAction, ImageMagick, initializeImageMagick, MagickColor, MagickFormat, MagickImage, MagickImageCollection, Orientation, type IMagickImage } from '@imagemagick/magick-wasm'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { makeImageScaler } from '../../../../src/main/adapters/images/imageScaler'
import { pictureLimits, type ScaledPicture } from '../../../../src/main/core/ports/imageScaler'

const worker = path.resolve('out/main/imageWorker.js')
const scaler = makeImageScaler(worker)
const never = new AbortController().signal
const scale = (bytes: Uint8Array) => scaler.scale(bytes, never)

async function scaled(bytes: Uint8Array): Promise<ScaledPicture> {
  const result = await scale(bytes)
  if (!result.ok) throw new Error(JSON.stringify(result.fault))
  return result.value
}

beforeAll(async () => {
  await initializeImageMagick(readFileSync(createRequire(import.meta.url).resolve('@imagemagick/magick-wasm/magick.wasm')))
})

function bytesOf(image: IMagickImage, format: MagickFormat): Uint8Array {
  return image.write(format, (data) => Uint8Array.from(data))
}

/** Red on the left half, blue on the right. */
function halves(width: number, height: number): IMagickImage {
  const image = MagickImage.create(new MagickColor('blue'), width, height)
  const red = MagickImage.create(new MagickColor('red'), Math.floor(width / 2), height)
  image.composite(red)
  red.dispose()
  return image
}

/** What a pixel looks like after it came back. */
function pixel(bytes: Uint8Array, x: number, y: number): readonly number[] {
  return ImageMagick.read(bytes, (image) => image.getPixels((pixels) => [...pixels.getPixel(x, y)]))
}

function isRed(bytes: Uint8Array, x: number, y: number): boolean {
  const [red = 0, , blue = 255] = pixel(bytes, x, y)
  return red > 200 && blue < 60
}

describe('R90: pictures as models take them', () => {
  test.each([MagickFormat.Png, MagickFormat.Jpeg, MagickFormat.WebP, MagickFormat.Gif, MagickFormat.Bmp, MagickFormat.Tiff])('a large %s is scaled to 1,568 pixels', async (format) => {
    const image = halves(2000, 500)
    const bytes = bytesOf(image, format)
    image.dispose()
    const picture = await scaled(bytes)
    expect({ ...picture, bytes: 0, mimeType: 0, from: { ...picture.from, mimeType: 0, sizeBytes: 0 } }).toEqual({ bytes: 0, mimeType: 0, width: 1568, height: 392, from: { mimeType: 0, width: 2000, height: 500, sizeBytes: 0 }, notes: [] })
    expect([isRed(picture.bytes, 100, 200), isRed(picture.bytes, 1400, 200)]).toEqual([true, false])
    expect(picture.mimeType).toBe(format === MagickFormat.Jpeg ? 'image/jpeg' : 'image/png')
  })

  test('a photo in a PNG becomes a JPEG; one that says how it was held is turned, and says nothing else any more', async () => {
    const image = MagickImage.create(new MagickColor('gray'), 900, 600)
    image.addNoise(1)
    const noisy = bytesOf(image, MagickFormat.Png)
    image.orientation = Orientation.RightTop
    const held = withExif(bytesOf(image, MagickFormat.Jpeg), 6)
    image.dispose()
    const photo = await scaled(noisy)
    expect(photo.mimeType).toBe('image/jpeg')
    const upright = await scaled(held)
    expect([upright.width, upright.height, upright.from.width, upright.from.height]).toEqual([600, 900, 600, 900])
    expect(Buffer.from(upright.bytes).includes('Exif')).toBe(false)
    expect(Buffer.from(upright.bytes).includes('SecretPlace')).toBe(false)
  })

  test('what is transparent stays so', async () => {
    const image = MagickImage.create(new MagickColor('red'), 40, 40)
    image.alpha(AlphaAction.Transparent)
    const picture = await scaled(bytesOf(image, MagickFormat.WebP))
    image.dispose()
    expect(picture.mimeType).toBe('image/png')
    expect(pixel(picture.bytes, 5, 5).at(-1)).toBe(0)
  })

  test('of a moving GIF the first frame is sent, and that is said', async () => {
    const frames = MagickImageCollection.create()
    frames.push(halves(60, 40), MagickImage.create(new MagickColor('white'), 60, 40))
    const bytes = frames.write(MagickFormat.Gif, (data) => Uint8Array.from(data))
    frames.dispose()
    const picture = await scaled(bytes)
    expect(isRed(picture.bytes, 5, 5)).toBe(true)
    expect(picture.notes).toEqual([{ code: 'attach.first-frame', values: {} }])
  })

  test('the largest JPEG of noise still fits', async () => {
    const image = MagickImage.create(new MagickColor('gray'), 1568, 1568)
    image.addNoise(1)
    image.quality = 100
    const picture = await scaled(bytesOf(image, MagickFormat.Jpeg))
    image.dispose()
    expect(picture.bytes.length).toBeLessThanOrEqual(pictureLimits.bytes)
  })

  test('what is cut in the middle, lies about its content or never ends is refused in words', async () => {
    const image = halves(300, 200)
    const png = bytesOf(image, MagickFormat.Png)
    const jpeg = bytesOf(image, MagickFormat.Jpeg)
    image.dispose()
    const garbage = Uint8Array.from(png, (byte, at) => (at > 40 && at < png.length - 12 ? 7 : byte))
    const results = await Promise.all([scale(png.subarray(0, png.length / 2)), scale(jpeg.subarray(0, jpeg.length / 2)), scale(garbage)])
    expect(results.map((result) => (result.ok ? 'read' : result.fault.code))).toEqual(['attach.picture-broken', 'attach.picture-broken', 'attach.picture-broken'])
  })

  test('a picture that takes too long is given up, and not called damaged', async () => {
    const image = halves(3000, 3000)
    const result = await makeImageScaler(worker, 5).scale(bytesOf(image, MagickFormat.Png), never)
    image.dispose()
    expect(result).toEqual({ ok: false, fault: { code: 'attach.picture-late', values: { seconds: 1 } } })
  })

  test('ten pictures asked for at once all come out, in order, also where one is damaged and one is cancelled', async () => {
    const pictures = Array.from({ length: 10 }, (_, at) => {
      const image = halves(900 + at, 200)
      const bytes = bytesOf(image, MagickFormat.Png)
      image.dispose()
      return bytes
    })
    const stopped = new AbortController()
    const ended: number[] = []
    const results = await Promise.all(pictures.map(async (bytes, at) => {
      const data = Buffer.from(bytes).indexOf('IDAT') + 4
      const sent = at === 3 ? Uint8Array.from(bytes, (byte, place) => (place > data && place < bytes.length - 16 ? 7 : byte)) : bytes
      const result = await scaler.scale(sent, at === 6 ? stopped.signal : never)
      ended.push(at)
      if (at === 5) stopped.abort()
      return result.ok ? result.value.width : result.fault.code
    }))
    expect(results).toEqual([900, 901, 902, 'attach.picture-broken', 904, 905, 'tool.cancelled', 907, 908, 909])
    expect(ended).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
  })

  test('no bytes break the scaler: what was a picture before is damaged anywhere, and the next one is still read', async () => {
    const image = halves(64, 48)
    const starts = [MagickFormat.Png, MagickFormat.Jpeg, MagickFormat.WebP, MagickFormat.Gif, MagickFormat.Bmp, MagickFormat.Tiff, MagickFormat.Avif].map((format) => bytesOf(image, format))
    const sound = bytesOf(image, MagickFormat.Png)
    image.dispose()
    const damaged = fc.tuple(fc.constantFrom(...starts), fc.array(fc.tuple(fc.nat(2000), fc.nat(255)), { minLength: 1, maxLength: 20 })).map(([bytes, hits]) => {
      const copy = Uint8Array.from(bytes)
      for (const [at, value] of hits) copy[at % copy.length] = value
      return copy
    })
    await fc.assert(fc.asyncProperty(damaged, async (bytes) => {
      const result = await scale(bytes)
      if (result.ok) expect(Math.max(result.value.width, result.value.height)).toBeLessThanOrEqual(pictureLimits.side)
    }), { numRuns: 12 })
    expect((await scaled(sound)).width).toBe(64)
  })
})

/** A JPEG with an Exif segment that says how it was held, and where. */
function withExif(jpeg: Uint8Array, orientation: number): Uint8Array {
  const tiff = Buffer.from('49492a00080000000100120103000100000000000000' + '00000000', 'hex')
  tiff.writeUInt16LE(orientation, 18)
  const body = Buffer.concat([Buffer.from('Exif\0\0'), tiff, Buffer.from('SecretPlace')])
  const head = Buffer.from([0xff, 0xe1, 0, 0])
  head.writeUInt16BE(body.length + 2, 2)
  return Buffer.concat([jpeg.subarray(0, 2), head, body, jpeg.subarray(2)])
}
