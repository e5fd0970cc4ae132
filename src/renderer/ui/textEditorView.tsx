import { useEffect, useRef } from 'react'
import { readOptions } from './diffEditorView'
import { applyTokens, languageOf, monaco } from './monacoSetup'
import type { TextEditorProps } from './textEditorProps'

/** A text in Monaco, to read. */
export function TextEditorView({ text, path, name, line = null, column = null, takesFocus = false }: TextEditorProps) {
  const box = useRef<HTMLDivElement>(null)
  const shown = useRef<monaco.editor.IStandaloneCodeEditor>(null)
  useEffect(() => {
    const element = box.current
    if (!element) return
    applyTokens()
    const model = monaco.editor.createModel(text, languageOf(path))
    const editor = monaco.editor.create(element, { ...readOptions, model, folding: false, overviewRulerLanes: 0, overviewRulerBorder: false, hideCursorInOverviewRuler: true, renderFinalNewline: 'off', ariaLabel: name })
    shown.current = editor
    if (takesFocus) editor.focus()
    const themed = new MutationObserver(applyTokens)
    themed.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] })
    return () => {
      themed.disconnect()
      shown.current = null
      editor.dispose()
      model.dispose()
    }
  }, [text, path, name, takesFocus])
  // After the editor was opened: also for another text.
  useEffect(() => {
    const editor = shown.current
    if (!editor || line === null || line > (editor.getModel()?.getLineCount() ?? 0)) return undefined
    const marks = editor.createDecorationsCollection([{ range: new monaco.Range(line, 1, line, 1), options: { isWholeLine: true, className: 'fileline' } }])
    editor.setPosition({ lineNumber: line, column: column ?? 1 })
    editor.revealLineInCenter(line)
    return () => marks.clear()
  }, [text, path, name, line, column])
  return <div ref={box} role="group" aria-label={name} style={{ height: '100%' }} />
}
