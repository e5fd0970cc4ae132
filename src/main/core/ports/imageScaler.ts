import type { Result, Said } from '../../../shared/domain/result'
import { takenBytes } from '../../../shared/ipc/attachViews'
import type { CancelSignal } from './cancelSignal'

/** A picture as every model with eyes takes it. */
export interface ScaledPicture {
  readonly bytes: Uint8Array
  readonly mimeType: 'image/png' | 'image/jpeg'
  readonly width: number
  readonly height: number
  /** What it was made from: upright, as its header says. */
  readonly from: { readonly mimeType: string; readonly width: number; readonly height: number; readonly sizeBytes: number }
  /** What the person is to know: only the first frame is sent, transparent parts became white. */
  readonly notes: readonly Said[]
}

/**
 * Makes any picture one that can be sent (R90): at most `pictureLimits.side` pixels long and `pictureLimits.bytes` large,
 * upright, without what a camera wrote beside it. What it is, is read from the bytes, never from a name. Too large ones,
 * broken ones and what is no picture are refused in words before anything is decoded; decoding is on no thread of the host,
 * one at a time, and ends with its time. Needs no window.
 */
export interface ImageScaler {
  scale(bytes: Uint8Array, signal: CancelSignal): Promise<Result<ScaledPicture>>
  /** Whether the header is of a picture that `scale` would decode; nothing is decoded. */
  reads(bytes: Uint8Array): boolean
  /** The same bytes where every model takes them as they are, by their header; scaled ones where not; null for what cannot be read. */
  fit(bytes: Uint8Array, signal: CancelSignal): Promise<{ readonly bytes: Uint8Array; readonly mimeType: string } | null>
}

/**
 * What providers take without scaling it themselves: 1,568 pixels on the long side (Anthropic's vision page), 5 MB of base64,
 * of which 4.5 MB are used, that is 3.4 MB of bytes. `pixels` and `inputBytes` are what is read at all; a side
 * longer than `fitSide` is refused where a request holds many pictures.
 */
export const pictureLimits = { side: 1568, bytes: 3_375_000, pixels: 80_000_000, inputSide: 30_000, inputBytes: takenBytes, fitSide: 2000 } as const
