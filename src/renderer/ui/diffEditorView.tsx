import { useEffect, useRef } from 'react'
import { DiffBars } from './diffBars'
import type { DiffEditorProps } from './diffEditorProps'
import { isComposing } from './keys'
import { applyTokens, languageOf, monaco } from './monacoSetup'

/** How a text is shown here. Hidden characters are drawn as boxes by Monaco too, in every text, whatever its language. */
export const readOptions: monaco.editor.IEditorOptions = {
  automaticLayout: true, fontFamily: 'var(--font-mono)', fontSize: 12.5, lineHeight: 19, fontLigatures: false, minimap: { enabled: false }, scrollBeyondLastLine: false, readOnly: true, stopRenderingLineAfter: -1, unusualLineTerminators: 'off',
  renderControlCharacters: true, unicodeHighlight: { ambiguousCharacters: true, invisibleCharacters: true, nonBasicASCII: false, includeComments: true, includeStrings: true },
  contextmenu: false, lineNumbersMinChars: 4, tabFocusMode: true, wordWrap: 'on', links: false, occurrencesHighlight: 'off', stickyScroll: { enabled: false },
}
const diffOptions: monaco.editor.IDiffEditorConstructionOptions = {
  ...readOptions, diffWordWrap: 'on', renderOverviewRuler: false, originalEditable: false, hideUnchangedRegions: { enabled: true, contextLineCount: 3 }, useInlineViewWhenSpaceIsLimited: true, renderSideBySideInlineBreakpoint: 620,
  renderMarginRevertIcon: false, renderGutterMenu: false,
}

/** An editor as this view needs it, whether it compares or has one side alone. */
interface Shown {
  readonly bars: DiffBars
  readonly step: (where: 'next' | 'previous') => void
  readonly dispose: () => void
}

type Sides = Pick<DiffEditorProps, 'before' | 'after' | 'path' | 'sideNames'>

function openBoth(element: HTMLElement, { before, after, path, sideNames }: Sides): Shown {
  const language = languageOf(path)
  const original = monaco.editor.createModel(before ?? '', language)
  const modified = monaco.editor.createModel(after ?? '', language)
  const editor = monaco.editor.createDiffEditor(element, { ...diffOptions, originalAriaLabel: sideNames.before, modifiedAriaLabel: sideNames.after })
  editor.getOriginalEditor().updateOptions({ ariaLabel: sideNames.before })
  editor.getModifiedEditor().updateOptions({ ariaLabel: sideNames.after })
  editor.setModel({ original, modified })
  return { bars: new DiffBars({ before: editor.getOriginalEditor(), after: editor.getModifiedEditor() }, editor), step: (where) => editor.goToDiff(where), dispose: () => { editor.dispose(); original.dispose(); modified.dispose() } }
}

const lineLooks = {
  added: { className: 'line-insert', marginClassName: 'gutter-insert', linesDecorationsClassName: 'insert-sign codicon codicon-diff-insert' },
  removed: { className: 'line-delete', marginClassName: 'gutter-delete', linesDecorationsClassName: 'delete-sign codicon codicon-diff-remove' },
} as const

/** A new or deleted file. Compared with an empty text it would show one empty line taken out or put in, which is in no file. */
function openOne(element: HTMLElement, { before, after, path, sideNames }: Sides): Shown {
  const model = monaco.editor.createModel(after ?? before ?? '', languageOf(path))
  const editor = monaco.editor.create(element, { ...readOptions, model, folding: false, lineDecorationsWidth: 24, overviewRulerLanes: 0, overviewRulerBorder: false, hideCursorInOverviewRuler: true, renderFinalNewline: 'off', ariaLabel: after === null ? sideNames.before : sideNames.after })
  const marks = editor.createDecorationsCollection()
  const lines = model.getLineCount()
  // Behind the last line end stands no line, although Monaco counts one.
  const last = model.getLineLength(lines) === 0 ? lines - 1 : lines
  marks.set(last === 0 ? [] : [{ range: new monaco.Range(1, 1, last, 1), options: { isWholeLine: true, ...lineLooks[after === null ? 'removed' : 'added'] } }])
  return { bars: new DiffBars(after === null ? { before: editor } : { after: editor }, null), step: () => undefined, dispose: () => { editor.dispose(); model.dispose() } }
}

/** Monaco's diff of two texts, or the one there is. Its models live as long as the texts they were made from. */
export function DiffEditorView({ before, after, path, name, sideNames, bars = null, dimmed }: DiffEditorProps) {
  const box = useRef<HTMLDivElement>(null)
  const shown = useRef<Shown>(null)
  const { before: beforeName, after: afterName } = sideNames
  useEffect(() => {
    const element = box.current
    if (!element) return
    applyTokens()
    const opened = (before === null || after === null ? openOne : openBoth)(element, { before, after, path, sideNames: { before: beforeName, after: afterName } })
    shown.current = opened
    const onKey = (event: KeyboardEvent): void => {
      if (event.key !== 'F7' || isComposing(event)) return
      event.preventDefault()
      opened.step(event.shiftKey ? 'previous' : 'next')
    }
    window.addEventListener('keydown', onKey)
    const themed = new MutationObserver(applyTokens)
    themed.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] })
    return () => {
      themed.disconnect()
      window.removeEventListener('keydown', onKey)
      shown.current = null
      opened.dispose()
    }
  }, [before, after, path, beforeName, afterName])
  // After the editor was opened: also for another text.
  useEffect(() => shown.current?.bars.show(bars, dimmed), [before, after, path, beforeName, afterName, bars, dimmed])
  return <div ref={box} role="group" aria-label={name} style={{ height: '100%' }} />
}
