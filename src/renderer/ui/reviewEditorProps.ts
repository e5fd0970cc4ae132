import type { ReactNode } from 'react'

/** Lines of one side: from 0, `to` not included. */
export interface Lines {
  readonly from: number
  readonly to: number
}

/** A stretch in which the sides differ, or would if it had not been rejected. Outside of all blocks both have the same lines. */
export interface ReviewBlock {
  readonly left: Lines
  readonly right: Lines
  /** `rejected`: both sides stay neutral, hatched. */
  readonly look: 'changed' | 'rejected'
  /** The bar that stands above it; null where none does. */
  readonly bar: number | null
}

/** A change of the right side: characters from 0 in the text as it was before all edits of the same moment. */
export interface ReviewEdit {
  readonly from: number
  readonly length: number
  readonly text: string
}

export interface ReviewEditorProps {
  /** Both with LF only. */
  readonly left: string
  readonly right: string
  readonly blocks: readonly ReviewBlock[]
  /** Lines of the right side that the person wrote, from 0. */
  readonly ownLines: readonly number[]
  readonly bars: readonly ReactNode[]
  /** One side under the other: the right one, with what goes in between. */
  readonly isInline: boolean
  /** Chooses the language. */
  readonly path: string
  readonly name: string
  /** Each side's name, for people who hear the page. */
  readonly sideNames: { readonly before: string; readonly after: string }
  /** Nothing can be typed. */
  readonly isReadOnly?: boolean
  /** The right side as it is now, and what was typed to get there. */
  readonly onType: (value: string, edits: readonly ReviewEdit[]) => void
  /** A new number puts the caret in the right side. */
  readonly focusTicket: number
  /** A new ticket brings this bar into view. */
  readonly shown: { readonly bar: number; readonly ticket: number }
}
