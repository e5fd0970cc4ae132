import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { parentPort } from 'node:worker_threads'
import { initializeImageMagick, ImageMagick, MagickFormat, MagickGeometry, MagickReadSettings, ResourceLimits } from '@imagemagick/magick-wasm'
import { encoded, type Encoded } from './encoded'
import type { ScaleReply, ScaleStart } from './imageThread'

/** The thread in which pictures are made to be sent, one after the other. It is ended from outside when one takes too long. */
const port = parentPort
if (!port) throw new Error('images/worker runs only as a worker thread')

/** What is used of it: the types of Node leave it out. */
declare const WebAssembly: { readonly Module: new (bytes: Uint8Array) => object }

/** One decoder a kind: a file can ask for no other, nor name a file or an address. */
const decoders = { png: MagickFormat.Png, jpeg: MagickFormat.Jpeg, gif: MagickFormat.Gif, webp: MagickFormat.WebP, bmp: MagickFormat.Bmp, tiff: MagickFormat.Tiff, heic: MagickFormat.Heic, avif: MagickFormat.Avif } as const

/**
 * The module is read here: its own way would look for it where the page lies. It is compiled at once and not in the background:
 * in a thread of Electron nothing wakes the thread when that is done, so that every second picture waited until its time was up.
 */
async function initialized(): Promise<void> {
  const wasm = await readFile(createRequire(import.meta.url).resolve('@imagemagick/magick-wasm/magick.wasm'))
  await initializeImageMagick(new WebAssembly.Module(wasm))
}

let ready: Promise<void> | null = null

async function scale({ bytes, format, longSide, side, mostBytes, mostPixels }: ScaleStart): Promise<Encoded> {
  await (ready ??= initialized())
  // What a header hid must not be decoded either: an area beyond fails instead of being put on a disk.
  ResourceLimits.area = BigInt(mostPixels)
  ResourceLimits.disk = 0n
  const settings = new MagickReadSettings({ format: decoders[format], frameIndex: 0, frameCount: 1 })
  // A JPEG can be read at a half, a quarter or an eighth of its size, which is faster by as much; a small one would be made larger.
  if (longSide > side) settings.setDefine(MagickFormat.Jpeg, 'size', `${side}x${side}`)
  return ImageMagick.read(bytes, settings, (image) => {
    image.autoOrient()
    // Place, time and camera of a photo are nobody's business (R90).
    image.strip()
    if (Math.max(image.width, image.height) > side) image.resize(new MagickGeometry(side, side))
    return encoded(image, { isLossless: format !== 'jpeg' && format !== 'heic' && format !== 'avif', mostBytes })
  })
}

port.on('message', (start: ScaleStart) => {
  scale(start).then(
    (picture) => port.postMessage({ kind: 'scaled', picture } satisfies ScaleReply),
    // The decoder's own words: what a file made of it is not worth a stack, and any of its errors may come from the file.
    (error: unknown) => port.postMessage({ kind: 'failed', problem: error instanceof Error ? error.message : String(error) } satisfies ScaleReply),
  )
})
