import { useEffect, useRef } from 'react'
import { readOptions } from './diffEditorView'
import { applyTokens, languageOf, monaco } from './monacoSetup'
import type { TextEditorProps } from './textEditorProps'

/** A text in Monaco, to read. */
export function TextEditorView({ text, path, name }: TextEditorProps) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = box.current
    if (!element) return
    applyTokens()
    const model = monaco.editor.createModel(text, languageOf(path))
    const editor = monaco.editor.create(element, { ...readOptions, model, folding: false, overviewRulerLanes: 0, overviewRulerBorder: false, hideCursorInOverviewRuler: true, renderFinalNewline: 'off', ariaLabel: name })
    const themed = new MutationObserver(applyTokens)
    themed.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] })
    return () => {
      themed.disconnect()
      editor.dispose()
      model.dispose()
    }
  }, [text, path, name])
  return <div ref={box} role="group" aria-label={name} style={{ height: '100%' }} />
}
