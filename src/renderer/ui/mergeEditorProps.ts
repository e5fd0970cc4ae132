import type { Lines, ReviewEdit } from './reviewEditorProps'

export const mergeSides = ['earlier', 'result', 'disk'] as const
export type MergeSide = (typeof mergeSides)[number]

/** A stretch in which the three are not the same. Outside of all blocks they have the same lines. */
export interface MergeBlock extends Readonly<Record<MergeSide, Lines>> {
  /** `merged`: they differ, and nothing is to decide. */
  readonly look: 'merged' | 'open' | 'settled'
  /** What stands above it in the result; null for nothing. */
  readonly label: string | null
}

export interface MergeEditorProps {
  /** All with LF only. The result is typed in. */
  readonly texts: Readonly<Record<MergeSide, string>>
  readonly blocks: readonly MergeBlock[]
  /** Chooses the language. */
  readonly path: string
  readonly name: string
  /** Each side's name, for people who hear the page. */
  readonly names: Readonly<Record<MergeSide, string>>
  readonly isReadOnly: boolean
  /** The result as it is now, and what was typed to get there. */
  readonly onType: (value: string, edits: readonly ReviewEdit[]) => void
  /** The line of the result that the caret is in, from 0. */
  readonly onCaret: (line: number) => void
  /** A new ticket brings this block into view and puts the caret in it. */
  readonly shown: { readonly block: number; readonly ticket: number }
}
