import type { LineBar, LineBars } from './lineBars'

export interface DiffEditorProps {
  /** Null for a new file. */
  readonly before: string | null
  /** Null for a deletion. */
  readonly after: string | null
  /** Chooses the language. */
  readonly path: string
  readonly name: string
  /** Each side's name, for people who hear the page. */
  readonly sideNames: { readonly before: string; readonly after: string }
  /** Who made the changed lines; null or absent: not known. */
  readonly bars?: LineBars | null
  /** Lines with these bars stand back. */
  readonly dimmed?: ReadonlySet<LineBar>
}
