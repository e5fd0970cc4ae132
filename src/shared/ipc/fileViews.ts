import type { Said } from '../domain/result'

/** How a text of the viewer was read. GB18030 is a guess; Latin-1 stands for bytes of no known encoding. */
export type FileEncoding = 'UTF-8' | 'UTF-8 BOM' | 'UTF-16LE' | 'UTF-16BE' | 'GB18030' | 'Latin-1'

/** What the viewer gets of a file as it is on disk now. `path` is relative to the opened folder. */
export type FileView =
  | { readonly kind: 'text'; readonly path: string; readonly text: string; readonly encoding: FileEncoding; readonly lineEnds: 'LF' | 'CRLF' | 'mixed' | 'none'; readonly sizeBytes: number }
  | { readonly kind: 'binary'; readonly path: string; readonly sizeBytes: number }
  | { readonly kind: 'too-large'; readonly path: string; readonly limitBytes: number }
  /** A protected place, a file of secrets for one: read only when the person says so. */
  | { readonly kind: 'asks'; readonly path: string; readonly reason: Said }

/** Files by name, best first. `total` counts all that fit, `isCut`: the folder holds more than were looked at. */
export interface FoundFiles {
  readonly paths: readonly string[]
  readonly total: number
  readonly isCut: boolean
}
