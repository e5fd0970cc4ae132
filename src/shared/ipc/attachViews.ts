import type { Said } from '../domain/result'

/** What may be kept for a message before it is sent. */
export const keptTypes = ['image/png', 'image/jpeg', 'text/plain'] as const
export type KeptType = (typeof keptTypes)[number]

/** Most bytes of a file from elsewhere that are taken at all. */
export const takenBytes = 40_000_000

/** A place in the project, relative to its folder, with `/`. */
export interface FoundPath {
  readonly path: string
  readonly isFolder: boolean
}

/** A picture or text from elsewhere, kept in the outputs store until its message is sent. */
export interface TakenFile {
  readonly ref: string
  readonly name: string
  readonly mimeType: KeptType
  readonly sizeBytes: number
  /** Of a picture, as it will be sent. */
  readonly pixels: { readonly width: number; readonly height: number } | null
  /** What the person is to know of it. */
  readonly notes: readonly Said[]
}
