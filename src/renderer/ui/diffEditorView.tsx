import { useEffect, useRef } from 'react'
import type { DiffEditorProps } from './diffEditorProps'
import { diffLines } from './diffLines'
import { isComposing } from './keys'
import { applyTokens, languageOf, monaco } from './monacoSetup'

/** Hidden characters are drawn as boxes by Monaco too, in every text, whatever its language. */
const options: monaco.editor.IDiffEditorConstructionOptions = {
  automaticLayout: true, fontFamily: 'var(--font-mono)', fontSize: 12.5, lineHeight: 19, fontLigatures: false, minimap: { enabled: false }, scrollBeyondLastLine: false, renderOverviewRuler: false,
  renderControlCharacters: true, unicodeHighlight: { ambiguousCharacters: true, invisibleCharacters: true, nonBasicASCII: false, includeComments: true, includeStrings: true },
  hideUnchangedRegions: { enabled: true, contextLineCount: 3 }, useInlineViewWhenSpaceIsLimited: true, renderSideBySideInlineBreakpoint: 620, renderMarginRevertIcon: false, renderGutterMenu: false,
  contextmenu: false, lineNumbersMinChars: 4, tabFocusMode: true, wordWrap: 'on', diffWordWrap: 'on', links: false, occurrencesHighlight: 'off', stickyScroll: { enabled: false },
}

/** The double bar beside every line that the person made different from the proposal. */
function ownLines(proposed: string, text: string): monaco.editor.IModelDeltaDecoration[] {
  return (diffLines(proposed, text) ?? []).flatMap((line) => (line.kind !== 'added' || line.after === null ? [] : [{ range: new monaco.Range(line.after, 1, line.after, 1), options: { isWholeLine: true, linesDecorationsClassName: 'bar-you' } }]))
}

/** Monaco's diff of two texts. Its models live as long as the texts they were made from. */
export function DiffEditorView({ before, after, path, name, sideNames, onEdit, focusTicket = 0 }: DiffEditorProps) {
  const box = useRef<HTMLDivElement>(null)
  const shown = useRef<monaco.editor.IStandaloneDiffEditor | null>(null)
  const tell = useRef(onEdit)
  useEffect(() => { tell.current = onEdit })
  const canEdit = onEdit !== undefined
  useEffect(() => {
    const element = box.current
    if (!element) return
    applyTokens()
    const language = languageOf(path)
    const original = monaco.editor.createModel(before ?? '', language)
    const modified = monaco.editor.createModel(after ?? '', language)
    const editor = monaco.editor.createDiffEditor(element, { ...options, readOnly: !canEdit, originalEditable: false, renderSideBySide: before !== null && after !== null, originalAriaLabel: sideNames.before, modifiedAriaLabel: sideNames.after })
    editor.getOriginalEditor().updateOptions({ ariaLabel: sideNames.before })
    editor.getModifiedEditor().updateOptions({ ariaLabel: sideNames.after })
    editor.setModel({ original, modified })
    shown.current = editor
    const own = editor.getModifiedEditor().createDecorationsCollection()
    const heard = modified.onDidChangeContent(() => {
      const text = modified.getValue()
      own.set(ownLines(after ?? '', text))
      tell.current?.(text)
    })
    const onKey = (event: KeyboardEvent): void => {
      if (event.key !== 'F7' || isComposing(event)) return
      event.preventDefault()
      editor.goToDiff(event.shiftKey ? 'previous' : 'next')
    }
    window.addEventListener('keydown', onKey)
    const themed = new MutationObserver(applyTokens)
    themed.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] })
    return () => {
      themed.disconnect()
      window.removeEventListener('keydown', onKey)
      heard.dispose()
      shown.current = null
      editor.dispose()
      original.dispose()
      modified.dispose()
    }
  }, [before, after, path, canEdit, sideNames.before, sideNames.after])
  useEffect(() => { if (focusTicket > 0) shown.current?.getModifiedEditor().focus() }, [focusTicket])
  return <div ref={box} role="group" aria-label={name} style={{ height: '100%' }} />
}
