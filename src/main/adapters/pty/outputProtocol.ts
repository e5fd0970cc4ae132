import type { KeptOutput } from './outputSink'

/** How large a block of output is that goes to and fro: new ones would lie about until they are collected (O1). */
export const blockBytes = 64 * 1024

/** What the output thread is asked. `id` names one command's output for as long as the thread lives. */
export type OutputRequest =
  | {
      readonly kind: 'begin'
      readonly id: number
      /** The outputs store's folder, and the name under which it grows there. */
      readonly folder: string
      readonly name: string
      /** Values of stored secrets, masked in every form of them. */
      readonly known: readonly string[]
    }
  | { readonly kind: 'bytes'; readonly id: number; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly kind: 'mute' | 'end'; readonly id: number }
  | { readonly kind: 'close' }

/** What the thread says. */
export type OutputMessage =
  | { readonly kind: 'shown'; readonly id: number; readonly text: string }
  /** So many bytes of it were taken in all. Not said while too much waits for the disk, of which `waitingBytes` tells. Blocks that were read come back, to be filled anew. */
  | { readonly kind: 'taken'; readonly id: number; readonly totalBytes: number; readonly waitingBytes: number; readonly blocks: readonly Uint8Array<ArrayBuffer>[] }
  | { readonly kind: 'kept'; readonly id: number; readonly output: KeptOutput }
  | { readonly kind: 'closed' }
