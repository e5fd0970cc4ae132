import { mergeSides, type MergeBlock, type MergeEditorProps, type MergeSide } from './mergeEditorProps'
import { applyTokens, languageOf, monaco } from './monacoSetup'
import { wordMarksOf } from './reviewRows'
import { exactOptions, heightOf, rewrite } from './reviewStage'

type Editor = monaco.editor.IStandaloneCodeEditor
type Drawn = Pick<MergeEditorProps, 'texts' | 'blocks' | 'isReadOnly'>
type Heights = Readonly<Record<MergeSide, number>>

interface Pane {
  readonly editor: Editor
  readonly marks: monaco.editor.IEditorDecorationsCollection
  zones: readonly string[]
  drawn: string
}

const labelPx = 20

/** Three editors whose lines stand level. It compares nothing: it is told where they differ, and what is to decide. */
export class MergeStage {
  readonly #panes: Readonly<Record<MergeSide, Pane>>
  readonly #ends: (() => void)[] = []
  #drawn: Drawn | null = null
  #isOwnWriting = false
  #columns = 0

  constructor(places: Readonly<Record<MergeSide, HTMLElement>>, path: string, names: Readonly<Record<MergeSide, string>>, { onType, onCaret }: Pick<MergeEditorProps, 'onType' | 'onCaret'>) {
    applyTokens()
    const open = (side: MergeSide): Pane => {
      const model = monaco.editor.createModel('', languageOf(path))
      model.setEOL(monaco.editor.EndOfLineSequence.LF)
      const isRead = side !== 'result'
      const editor = monaco.editor.create(places[side], { ...exactOptions, model, automaticLayout: true, readOnly: isRead, domReadOnly: isRead, ariaLabel: names[side], lineNumbersMinChars: 3, lineDecorationsWidth: 12 })
      // Tab moves on unless the person wants it in the text.
      editor.addCommand(monaco.KeyMod.CtrlCmd | monaco.KeyCode.KeyM, () => editor.updateOptions({ tabFocusMode: !editor.getOption(monaco.editor.EditorOption.tabFocusMode) }))
      this.#ends.push(() => { editor.dispose(); model.dispose() })
      return { editor, marks: editor.createDecorationsCollection(), zones: [], drawn: '' }
    }
    this.#panes = { earlier: open('earlier'), result: open('result'), disk: open('disk') }
    const result = this.#panes.result.editor
    result.onDidChangeModelContent(({ changes }) => {
      if (this.#isOwnWriting) return
      onType(result.getValue(), changes.map((change) => ({ from: change.rangeOffset, length: change.rangeLength, text: change.text })))
    })
    result.onDidChangeCursorPosition(({ position }) => { if (!this.#isOwnWriting) onCaret(position.lineNumber - 1) })
    this.#watch()
  }

  #watch(): void {
    const editors = mergeSides.map((side) => this.#panes[side].editor)
    for (const editor of editors) {
      editor.onDidScrollChange((event) => { if (event.scrollTopChanged) editors.forEach((other) => { if (other !== editor) other.setScrollTop(event.scrollTop) }) })
      editor.onDidLayoutChange(() => this.#level())
    }
    const themed = new MutationObserver(applyTokens)
    themed.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme', 'data-diff'] })
    this.#ends.push(() => themed.disconnect())
    // Lines wrap elsewhere in another font.
    void document.fonts?.ready.then(() => this.#level())
  }

  /** Draws all three anew. What the person typed stands there already; anything else is written into the result. */
  draw(drawn: Drawn): void {
    const isFirst = this.#drawn === null
    this.#drawn = drawn
    this.#isOwnWriting = true
    const result = this.#panes.result.editor
    result.updateOptions({ readOnly: false })
    for (const side of mergeSides) rewrite(this.#panes[side].editor, drawn.texts[side])
    result.updateOptions({ readOnly: drawn.isReadOnly, domReadOnly: drawn.isReadOnly })
    this.#isOwnWriting = false
    this.#colour(drawn)
    this.#level()
    const first = drawn.blocks.findIndex((block) => block.look === 'open')
    if (isFirst && first >= 0) this.#scrollTo(first)
  }

  #colour({ blocks, texts }: Drawn): void {
    const lines = { left: texts.earlier.split('\n'), right: texts.disk.split('\n') }
    // Beside texts that were written anew, words that happen to be the same say nothing.
    const isAlike = ({ earlier, disk }: MergeBlock): boolean => earlier.to - earlier.from === disk.to - disk.from
    const marks = blocks.flatMap((block) => (block.look === 'merged' || !isAlike(block) ? [] : wordMarksOf({ left: block.earlier, right: block.disk, look: 'changed', bar: null }, lines.left, lines.right)))
    for (const side of mergeSides) {
      const own = side === 'result' ? [] : marks.filter((mark) => (mark.side === 'left') === (side === 'earlier'))
      this.#panes[side].marks.set([
        ...blocks.flatMap((block) => lineLooks(block, side)),
        ...own.map((mark) => ({ range: new monaco.Range(mark.line + 1, mark.from + 1, mark.line + 1, mark.to + 1), options: { inlineClassName: 'mg-word' } })),
      ])
    }
  }

  /** Fills the shorter sides of each block, with a line for what is said above it. */
  #level(): void {
    const drawn = this.#drawn
    if (!drawn) return
    this.#wrapAlike()
    const heights = drawn.blocks.map((block): Heights => ({ earlier: this.#height('earlier', block), result: this.#height('result', block), disk: this.#height('disk', block) }))
    for (const side of mergeSides) this.#room(side, drawn.blocks, heights)
    // Where there was no room to scroll before, the others stayed behind.
    const top = this.#panes.result.editor.getScrollTop()
    for (const side of mergeSides) this.#panes[side].editor.setScrollTop(top)
  }

  /** The same line is as high in all three, however wide they are. */
  #wrapAlike(): void {
    const editors = mergeSides.map((side) => this.#panes[side].editor)
    const columns = Math.max(20, Math.min(...editors.map((editor) => editor.getLayoutInfo().viewportColumn)))
    if (columns === this.#columns) return
    this.#columns = columns
    for (const editor of editors) editor.updateOptions({ wordWrap: 'wordWrapColumn', wordWrapColumn: columns })
  }

  #height(side: MergeSide, block: MergeBlock): number {
    return heightOf(this.#panes[side].editor, block[side])
  }

  #room(side: MergeSide, blocks: readonly MergeBlock[], heights: readonly Heights[]): void {
    const pane = this.#panes[side]
    const zones = blocks.flatMap((block, at) => {
      const all = heights[at] ?? { earlier: 0, result: 0, disk: 0 }
      const missing = Math.max(all.earlier, all.result, all.disk) - all[side]
      return [
        ...(block.label === null ? [] : [{ after: block[side].from, height: labelPx, text: side === 'result' ? block.label : '', look: side === 'result' ? `mg-label ${block.look}` : '', edge: side === 'result' ? `mg-label-edge ${block.look}` : '' }]),
        ...(missing > 0 ? [{ after: block[side].to, height: missing, text: '', look: 'rv-fill', edge: '' }] : []),
      ]
    })
    const drawn = JSON.stringify(zones)
    if (pane.drawn === drawn) return
    pane.drawn = drawn
    pane.editor.changeViewZones((change) => {
      pane.zones.forEach((id) => change.removeZone(id))
      pane.zones = zones.map((zone, ordinal) => {
        const domNode = document.createElement('div')
        domNode.className = zone.look
        domNode.textContent = zone.text
        const marginDomNode = document.createElement('div')
        marginDomNode.className = zone.edge
        return change.addZone({ afterLineNumber: zone.after, heightInPx: zone.height, domNode, marginDomNode, ordinal, suppressMouseDown: true })
      })
    })
  }

  #scrollTo(block: number): void {
    const found = this.#drawn?.blocks[block]
    const { editor } = this.#panes.result
    if (found) editor.setScrollTop(Math.max(0, editor.getTopForLineNumber(Math.min(found.result.from + 1, editor.getModel()?.getLineCount() ?? 1)) - labelPx - 40))
  }

  /** Brings a block into view and puts the caret in it. */
  reveal(block: number): void {
    const found = this.#drawn?.blocks[block]
    if (!found) return
    const { editor } = this.#panes.result
    const line = Math.min(found.result.from + 1, editor.getModel()?.getLineCount() ?? 1)
    this.#scrollTo(block)
    editor.setPosition({ lineNumber: line, column: 1 })
    editor.focus()
  }

  dispose(): void {
    this.#ends.forEach((end) => end())
  }
}

/** A frame round the whole block in the result; in the others the lines alone. */
function lineLooks(block: MergeBlock, side: MergeSide): monaco.editor.IModelDeltaDecoration[] {
  const { from, to } = block[side]
  if (from === to) return []
  const range = new monaco.Range(from + 1, 1, to, 1)
  if (block.look === 'merged') return [{ range, options: { isWholeLine: true, className: 'mg-merged' } }]
  if (side !== 'result') return [{ range, options: { isWholeLine: true, className: 'mg-conflict', ...(side === 'disk' ? { marginClassName: 'abar you' } : {}) } }]
  const last = new monaco.Range(to, 1, to, 1)
  return [{ range, options: { isWholeLine: true, className: `mg-result ${block.look}`, marginClassName: `mg-result-edge ${block.look}` } }, { range: last, options: { isWholeLine: true, className: `mg-result-last ${block.look}`, marginClassName: `mg-result-last ${block.look}` } }]
}
