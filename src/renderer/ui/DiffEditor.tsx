import { diffLines } from './diffLines'
import type { DiffEditorProps } from './diffEditorProps'
import { lazyPart } from './lazyPart'
import { LineDiff } from './LineDiff'

function load() {
  return import('./diffEditorView').then((module) => module.DiffEditorView)
}

/** Loads the editor's code before it is needed. */
export function warmDiffEditor(): void {
  load().catch(() => undefined) // shown and retried where the editor is drawn
}

function PlainDiff({ before, after, name, bars, dimmed }: DiffEditorProps) {
  const lines = diffLines(before ?? '', after ?? '')
  return <div style={{ overflow: 'auto', height: '100%' }}>{lines ? <LineDiff lines={lines} name={name} bars={bars ?? null} {...(dimmed ? { dimmed } : {})} /> : <pre className="code">{after ?? before}</pre>}</div>
}

/** A change, side by side, in the editor; plain lines until it is loaded. */
export const DiffEditor = lazyPart<DiffEditorProps>(load, (props) => <PlainDiff {...props} />)
