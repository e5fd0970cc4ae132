import type { SettledPath } from '../../../core/ports/timelineStore'
import type { SentRestore } from '../restore/sentRestore'
/** A look's place and names in one text: cheaper to hand over than a list of them. */
export interface SentLooks {
  /** Numbers of the looks; one with an empty text is given up. */
  readonly slots: Uint32Array
  readonly texts: readonly string[]
  /** The stamps of all of them, one after the other. */
  readonly stamps: BigInt64Array
}

/** Files to be read: absolute paths (byte text) and their stamps as `Look.stamps` has them. */
export interface SentFiles {
  readonly places: readonly string[]
  readonly stamps: BigInt64Array
  /** Whoever changes its one number from 0 to its own reads these files. */
  readonly claim: Int32Array
}

/** What became of files that were read. */
export interface ReadFiles {
  /** Number in `readOutcomes`, one a file. */
  readonly outcomes: Uint8Array
  /** Twenty characters a file; blanks where there is none. */
  readonly ids: string
  readonly readAtMs: Float64Array
}

/** `steady` and `moved` have an id; a moved one changed while it was read. */
export const readOutcomes = ['steady', 'moved', 'gone', 'unreadable', 'time-budget'] as const

/** Who has claimed some files. */
export const claims = { none: 0, first: 1, second: 2 } as const

/** What the second thread can be asked. */
export interface SecondOperations {
  readonly keep: { readonly in: SentLooks; readonly out: null }
  /** Null when it was stopped. */
  readonly look: { readonly in: { readonly flags: Int32Array; readonly seen: Int32Array }; readonly out: Uint8Array | null }
  /** Reading begins: what is stored goes into a store of its own over the same folder. `lendFrom` is the project whose repository may help. */
  readonly begin: { readonly in: { readonly folder: string; readonly tag: string; readonly lendFrom: string | null; readonly untilMs: number; readonly flags: Int32Array; readonly seen: Int32Array }; readonly out: null }
  /** Null when the files are not its to read, or it was stopped. */
  readonly read: { readonly in: SentFiles; readonly out: ReadFiles | null }
  /** Makes durable what it has stored since `begin`. */
  readonly finish: { readonly in: null; readonly out: null }
  /** Its part of a restore; all of it is settled. */
  readonly restore: { readonly in: SentRestore; readonly out: readonly SettledPath[] }
  readonly abandon: { readonly in: null; readonly out: null }
}

export type SecondOperation = keyof SecondOperations

export interface SecondRequest<Name extends SecondOperation = SecondOperation> {
  readonly id: number
  readonly name: Name
  readonly input: SecondOperations[Name]['in']
}

/** A failure keeps what an error of the disk says. */
export type SecondReply =
  | { readonly id: number; readonly kind: 'done'; readonly value: unknown }
  | { readonly id: number; readonly kind: 'failed'; readonly message: string; readonly code: string; readonly path: string | null }
