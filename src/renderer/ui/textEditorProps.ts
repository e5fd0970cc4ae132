export interface TextEditorProps {
  readonly text: string
  /** Chooses the language. */
  readonly path: string
  readonly name: string
  /** The line to show and mark, from 1; one that is not there is passed over. */
  readonly line?: number | null
  readonly column?: number | null
  /** Whether it takes the keyboard when it is there. */
  readonly takesFocus?: boolean
}
