export interface TextEditorProps {
  readonly text: string
  /** Chooses the language. */
  readonly path: string
  readonly name: string
}
