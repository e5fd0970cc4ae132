import { AlphaAction, ColorSpace, MagickColors, MagickFormat, type IMagickImage } from '@imagemagick/magick-wasm'

/** A picture as it is sent. */
export interface Encoded {
  readonly bytes: Uint8Array
  readonly mimeType: 'image/png' | 'image/jpeg'
  readonly width: number
  readonly height: number
  /** It had transparent parts, which a JPEG cannot have. */
  readonly isFlattened: boolean
}

interface EncodingLimits {
  /** What it was made from kept every pixel. */
  readonly isLossless: boolean
  readonly mostBytes: number
}

/** Up to here a PNG costs no more than the request around it. */
const smallPng = 300_000
/** Text and drawings take less than this in a PNG, photos more. */
const bytesPerPixel = 0.7

/**
 * PNG where it is small or looks like text, which a JPEG blurs, or is transparent; else JPEG, at a lower quality until it
 * fits, and at last smaller.
 */
export function encoded(image: IMagickImage, { isLossless, mostBytes }: EncodingLimits): Encoded {
  const facts = (): Pick<Encoded, 'width' | 'height'> => ({ width: image.width, height: image.height })
  if (image.colorSpace !== ColorSpace.sRGB && image.colorSpace !== ColorSpace.Gray) image.colorSpace = ColorSpace.sRGB
  const isTransparent = image.hasAlpha && !image.isOpaque
  if (isLossless || isTransparent) {
    const png = written(image, MagickFormat.Png)
    const isFitting = isTransparent || png.length <= Math.max(smallPng, image.width * image.height * bytesPerPixel)
    if (isFitting && png.length <= mostBytes) return { bytes: png, mimeType: 'image/png', ...facts(), isFlattened: false }
  }
  if (image.hasAlpha) {
    image.backgroundColor = MagickColors.White
    image.alpha(AlphaAction.Remove)
  }
  for (const quality of [85, 70, 50]) {
    image.quality = quality
    const jpeg = written(image, MagickFormat.Jpeg)
    if (jpeg.length <= mostBytes) return { bytes: jpeg, mimeType: 'image/jpeg', ...facts(), isFlattened: isTransparent }
  }
  image.resize(Math.ceil(image.width / 2), Math.ceil(image.height / 2))
  return encoded(image, { isLossless: false, mostBytes })
}

/** The library lends its memory: the bytes are copied out of it. */
function written(image: IMagickImage, format: MagickFormat): Uint8Array {
  image.settings.setDefine(MagickFormat.Png, 'compression-level', '4')
  return image.write(format, (data) => Uint8Array.from(data))
}
