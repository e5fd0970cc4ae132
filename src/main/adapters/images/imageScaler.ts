import { fail, said, succeed, type Result, type Said } from '../../../shared/domain/result'
import type { CancelSignal } from '../../core/ports/cancelSignal'
import { pictureLimits, type ImageScaler, type ScaledPicture } from '../../core/ports/imageScaler'
import { makeImageThread, type ImageThread } from './imageThread'
import type { PictureFormat, PictureHeader } from './headerBytes'
import { pictureHeader } from './pictureHeader'

const mimeTypes: Readonly<Record<PictureFormat, string>> = { png: 'image/png', jpeg: 'image/jpeg', gif: 'image/gif', webp: 'image/webp', bmp: 'image/bmp', tiff: 'image/tiff', heic: 'image/heic', avif: 'image/avif', svg: 'image/svg+xml' }
/** The largest that is read at all takes a few seconds on a busy machine. */
const usualMs = 60_000

/** A scaler over the built worker: one thread, one picture at a time, in the order they were asked for. */
export function makeImageScaler(workerFile: string, limitMs: number = usualMs): ImageScaler {
  const thread = makeImageThread(workerFile)
  let before: Promise<unknown> = Promise.resolve()
  const scaler: ImageScaler = {
    scale(bytes, signal) {
      const header = readable(bytes)
      if (!header.ok) return Promise.resolve(header)
      const scaled = before.then(() => scale(bytes, header.value, { thread, limitMs, signal }))
      before = scaled.catch(() => undefined)
      return scaled
    },
    reads: (bytes) => readable(bytes).ok,
    async fit(bytes, signal) {
      const header = readable(bytes)
      if (!header.ok) return null
      const { format, width, height } = header.value
      if (sendable.has(format) && bytes.length <= pictureLimits.bytes && Math.max(width, height) <= pictureLimits.fitSide) return { bytes, mimeType: mimeTypes[format] }
      const scaled = await scaler.scale(bytes, signal)
      return scaled.ok ? scaled.value : null
    },
  }
  return scaler
}

/** What every provider with eyes takes. */
const sendable: ReadonlySet<PictureFormat> = new Set(['png', 'jpeg', 'gif', 'webp'])

type Readable = PictureHeader & { readonly format: Exclude<PictureFormat, 'svg'> }

/** What may be decoded; everything else is refused by its first bytes. */
function readable(bytes: Uint8Array): Result<Readable> {
  if (bytes.length > pictureLimits.inputBytes) return fail('attach.picture-bytes', { sizeBytes: bytes.length, limitBytes: pictureLimits.inputBytes })
  const header = pictureHeader(bytes)
  if (header === null) return fail('attach.no-picture')
  const { format, width, height } = header
  if (format === 'svg') return fail('attach.picture-svg')
  if (header.isCut || width === 0 || height === 0) return fail('attach.picture-broken', { format: format.toUpperCase() })
  if (width > pictureLimits.inputSide || height > pictureLimits.inputSide || width * height > pictureLimits.pixels) return fail('attach.picture-pixels', { width, height, limitPixels: pictureLimits.pixels })
  return succeed({ ...header, format })
}

interface Scaling {
  readonly thread: ImageThread
  readonly limitMs: number
  readonly signal: CancelSignal
}

async function scale(bytes: Uint8Array, header: Readable, { thread, limitMs, signal }: Scaling): Promise<Result<ScaledPicture>> {
  const { side, bytes: mostBytes, pixels } = pictureLimits
  const reply = await thread.ask({ bytes, format: header.format, longSide: Math.max(header.width, header.height), side, mostBytes, mostPixels: pixels }, limitMs, signal)
  if (signal.aborted || reply.kind === 'cancelled') return fail('tool.cancelled')
  if (reply.kind === 'late') return fail('attach.picture-late', { seconds: Math.ceil(limitMs / 1000) })
  if (reply.kind !== 'scaled') return fail('attach.picture-broken', { format: header.format.toUpperCase() })
  const { isFlattened, ...picture } = reply.picture
  const notes: readonly Said[] = [...(header.isAnimated ? [said('attach.first-frame')] : []), ...(isFlattened ? [said('attach.flattened')] : [])]
  const [width, height] = header.orientation >= 5 ? [header.height, header.width] : [header.width, header.height]
  return succeed({ ...picture, from: { mimeType: mimeTypes[header.format], width, height, sizeBytes: bytes.length }, notes })
}
