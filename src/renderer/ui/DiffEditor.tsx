import { diffLines } from './diffLines'
import { lazyPart } from './lazyPart'
import { LineDiff } from './LineDiff'

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
  /** Present: the right side can be typed in, and every change of its text comes here. */
  readonly onEdit?: (text: string) => void
  /** A new number puts the caret in the right side. */
  readonly focusTicket?: number
}

function load() {
  return import('./diffEditorView').then((module) => module.DiffEditorView)
}

/** Loads the editor's code before it is needed. */
export function warmDiffEditor(): void {
  load().catch(() => undefined) // shown and retried where the editor is drawn
}

function PlainDiff({ before, after, name }: DiffEditorProps) {
  const lines = diffLines(before ?? '', after ?? '')
  return <div style={{ overflow: 'auto', height: '100%' }}>{lines ? <LineDiff lines={lines} name={name} /> : <pre className="code">{after ?? before}</pre>}</div>
}

/** A change, side by side, in the editor; plain lines until it is loaded. */
export const DiffEditor = lazyPart<DiffEditorProps>(load, (props) => <PlainDiff {...props} />)
