import { foldsOf, wordMarksOf, type Fold, type WordMark } from './reviewRows'
import type { Lines, ReviewBlock, ReviewEdit } from './reviewEditorProps'
import { applyTokens, languageOf, monaco } from './monacoSetup'

type Editor = monaco.editor.IStandaloneCodeEditor

/** Hidden characters are drawn as boxes by Monaco too, and no line is cut: all of it is signed. */
export const exactOptions: monaco.editor.IStandaloneEditorConstructionOptions = {
  automaticLayout: false, fontFamily: 'var(--font-mono)', fontSize: 12.5, lineHeight: 19, fontLigatures: false, minimap: { enabled: false }, scrollBeyondLastLine: false, stopRenderingLineAfter: -1,
  renderControlCharacters: true, unicodeHighlight: { ambiguousCharacters: true, invisibleCharacters: true, nonBasicASCII: false, includeComments: true, includeStrings: true }, unusualLineTerminators: 'off',
  contextmenu: false, lineNumbersMinChars: 4, tabFocusMode: true, wordWrap: 'on', links: false, occurrencesHighlight: 'off', selectionHighlight: false, stickyScroll: { enabled: false }, folding: false, lineDecorationsWidth: 24, glyphMargin: false,
  overviewRulerLanes: 0, overviewRulerBorder: false, hideCursorInOverviewRuler: true, renderFinalNewline: 'dimmed', renderLineHighlight: 'none', dragAndDrop: false, guides: { indentation: false }, matchBrackets: 'never',
  scrollbar: { vertical: 'visible', horizontal: 'hidden', verticalScrollbarSize: 10, alwaysConsumeMouseWheel: false },
}

/** What is drawn; see `ReviewEditorProps`. */
export interface Drawn {
  readonly left: string
  readonly right: string
  readonly blocks: readonly ReviewBlock[]
  readonly ownLines: readonly number[]
  readonly isInline: boolean
  readonly opened: ReadonlySet<number>
}

interface Zone {
  readonly after: number
  readonly height: number
  /** What floats over it, by the name of its element. */
  readonly floats: string | null
  readonly look: string
  /** Rises from block to block: first what is folded before it, then its bar, then what fills it up. */
  readonly order: number
}

/** Not among Monaco's public words; without it everything is shown. */
interface CanHide {
  setHiddenAreas?(ranges: readonly monaco.IRange[]): void
}

/**
 * Two editors side by side whose lines stand level, with room for what floats above each change. It compares nothing: it is
 * told what differs, so that what is coloured is what is decided about.
 */
export class ReviewStage {
  readonly #left: Editor
  readonly #right: Editor
  readonly #marks: { readonly left: monaco.editor.IEditorDecorationsCollection; readonly right: monaco.editor.IEditorDecorationsCollection }
  readonly #zones: { left: { ids: readonly string[]; drawn: string }; right: { ids: readonly string[]; drawn: string } } = { left: { ids: [], drawn: '' }, right: { ids: [], drawn: '' } }
  readonly #ends: (() => void)[] = []
  readonly #places: { readonly left: HTMLElement; readonly right: HTMLElement; readonly layer: HTMLElement }
  #words: Map<string, readonly WordMark[]> = new Map()
  #drawn: Drawn | null = null
  #isOwnWriting = false

  constructor(places: { readonly left: HTMLElement; readonly right: HTMLElement; readonly layer: HTMLElement }, path: string, names: { readonly before: string; readonly after: string }, onType: (value: string, edits: readonly ReviewEdit[]) => void) {
    applyTokens()
    this.#places = places
    const open = (element: HTMLElement, readOnly: boolean, ariaLabel: string): Editor => {
      const model = monaco.editor.createModel('', languageOf(path))
      model.setEOL(monaco.editor.EndOfLineSequence.LF)
      const editor = monaco.editor.create(element, { ...exactOptions, model, readOnly, domReadOnly: readOnly, ariaLabel })
      // Tab moves on unless the person wants it in the text.
      editor.addCommand(monaco.KeyMod.CtrlCmd | monaco.KeyCode.KeyM, () => editor.updateOptions({ tabFocusMode: !editor.getOption(monaco.editor.EditorOption.tabFocusMode) }))
      this.#ends.push(() => { editor.dispose(); model.dispose() })
      return editor
    }
    this.#left = open(places.left, true, names.before)
    this.#right = open(places.right, false, names.after)
    this.#marks = { left: this.#left.createDecorationsCollection(), right: this.#right.createDecorationsCollection() }
    this.#right.onDidChangeModelContent(({ changes }) => {
      if (this.#isOwnWriting) return
      onType(this.#right.getValue(), changes.map((change) => ({ from: change.rangeOffset, length: change.rangeLength, text: change.text })))
    })
    this.#watch(places)
  }

  #watch({ left, right, layer }: { readonly left: HTMLElement; readonly right: HTMLElement; readonly layer: HTMLElement }): void {
    const [one, other] = [this.#left, this.#right]
    one.onDidScrollChange((event) => { if (event.scrollTopChanged) other.setScrollTop(event.scrollTop) })
    other.onDidScrollChange((event) => { if (event.scrollTopChanged) one.setScrollTop(event.scrollTop) })
    const onWheel = (event: WheelEvent): void => other.setScrollTop(other.getScrollTop() + event.deltaY)
    layer.addEventListener('wheel', onWheel, { passive: true })
    const sized = new ResizeObserver(() => this.#fit())
    for (const element of [left, right, layer]) sized.observe(element)
    const themed = new MutationObserver(applyTokens)
    themed.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme', 'data-diff'] })
    this.#ends.push(() => { layer.removeEventListener('wheel', onWheel); sized.disconnect(); themed.disconnect() })
    // Lines wrap elsewhere in another font.
    void document.fonts?.ready.then(() => { if (this.#drawn) this.#fit() })
  }

  /** Both sides equally wide, or equal lines would wrap differently. */
  #fit(): void {
    const isInline = this.#drawn?.isInline === true
    const whole = this.#places.layer.clientWidth
    const height = this.#places.layer.clientHeight
    const width = isInline ? whole : Math.floor(whole / 2)
    this.#right.layout({ width, height })
    this.#left.layout({ width: isInline ? 0 : width, height })
    this.#level()
  }

  /** Draws both sides anew. What the person typed stands there already; anything else is written into the right side. */
  draw(drawn: Drawn): void {
    const last = this.#drawn
    this.#drawn = drawn
    this.#isOwnWriting = true
    rewrite(this.#left, drawn.left)
    rewrite(this.#right, drawn.right)
    this.#isOwnWriting = false
    if (last?.isInline !== drawn.isInline) this.#fit()
    this.#colour(drawn)
    this.#level()
  }

  #colour({ blocks, ownLines, left, right }: Drawn): void {
    const lines = { left: left.split('\n'), right: right.split('\n') }
    const known = this.#words
    this.#words = new Map()
    const marks = blocks.flatMap((block) => this.#wordsOf(block, lines, known))
    for (const side of ['left', 'right'] as const) {
      this.#marks[side].set([
        ...blocks.filter((block) => block[side].to > block[side].from).map((block) => ({ range: new monaco.Range(block[side].from + 1, 1, block[side].to, 1), options: block.look === 'rejected' ? rejectedLook : looks[side] })),
        ...marks.filter((mark) => mark.side === side).map((mark) => ({ range: new monaco.Range(mark.line + 1, mark.from + 1, mark.line + 1, mark.to + 1), options: { inlineClassName: side === 'left' ? 'rv-gone' : 'rv-new' } })),
        ...(side === 'right' ? ownLines.map((line) => ({ range: new monaco.Range(line + 1, 1, line + 1, 1), options: { isWholeLine: true, linesDecorationsClassName: 'bar-you' } })) : []),
      ])
    }
  }

  /** The differing words of a block; those of texts that stayed are not worked out again at every key. */
  #wordsOf({ left, right, look }: ReviewBlock, lines: { readonly left: readonly string[]; readonly right: readonly string[] }, known: ReadonlyMap<string, readonly WordMark[]>): readonly WordMark[] {
    if (look === 'rejected') return []
    const [old, now] = [lines.left.slice(left.from, left.to), lines.right.slice(right.from, right.to)]
    const key = `${old.length}\n${old.join('\n')}\n${now.join('\n')}`
    const found = known.get(key) ?? wordMarksOf({ left: { from: 0, to: old.length }, right: { from: 0, to: now.length }, look, bar: null }, old, now)
    this.#words.set(key, found)
    return found.map((mark) => ({ ...mark, line: mark.line + (mark.side === 'left' ? left : right).from }))
  }

  /** Hides what is folded, makes room for what floats, and fills the shorter side of each block. */
  #level(): void {
    const drawn = this.#drawn
    if (!drawn) return
    const folds = foldsOf(drawn.blocks, { left: this.#left.getModel()?.getLineCount() ?? 0, right: this.#right.getModel()?.getLineCount() ?? 0 }, drawn.opened)
    for (const side of ['left', 'right'] as const) {
      const editor = side === 'left' ? this.#left : this.#right
      ;(editor as CanHide).setHiddenAreas?.(folds.map((fold) => new monaco.Range(fold[side].from + 1, 1, fold[side].to, 1)))
    }
    const heights = drawn.blocks.map((block) => ({ left: drawn.isInline ? 0 : heightOf(this.#left, block.left), right: heightOf(this.#right, block.right) }))
    for (const side of ['left', 'right'] as const) this.#room(side, this.#zonesOf(side, drawn, folds, heights))
  }

  #zonesOf(side: 'left' | 'right', { blocks, isInline }: Drawn, folds: readonly Fold[], heights: readonly { readonly left: number; readonly right: number }[]): readonly Zone[] {
    const orderOf = (fold: Fold): number => {
      const next = blocks.findIndex((block) => block.left.from >= fold.left.to)
      return 3 * (next === -1 ? blocks.length : next)
    }
    const zones: Zone[] = folds.map((fold) => ({ after: fold[side].from, height: this.#heightOf(foldName(fold)), floats: foldName(fold), look: '', order: orderOf(fold) }))
    blocks.forEach((block, at) => {
      const height = heights[at] ?? { left: 0, right: 0 }
      if (block.bar !== null) zones.push({ after: block[side].from, height: this.#heightOf(barName(block.bar)), floats: barName(block.bar), look: '', order: 3 * at + 1 })
      const missing = Math.max(height.left, height.right) - height[side]
      if (missing > 0 && !isInline) zones.push({ after: block[side].to, height: missing, floats: null, look: 'rv-fill', order: 3 * at + 2 })
    })
    return zones.sort((a, b) => a.order - b.order)
  }

  #heightOf(name: string): number {
    return this.#floating(name)?.offsetHeight ?? 0
  }

  #floating(name: string): HTMLElement | null {
    return this.#places.layer.querySelector(`[data-floats="${name}"]`)
  }

  #room(side: 'left' | 'right', zones: readonly Zone[]): void {
    const drawn = JSON.stringify(zones)
    const state = this.#zones[side]
    if (state.drawn === drawn) return
    const editor = side === 'left' ? this.#left : this.#right
    editor.changeViewZones((change) => {
      state.ids.forEach((id) => change.removeZone(id))
      const ids = zones.map((zone, ordinal) => {
        const domNode = document.createElement('div')
        domNode.className = zone.look
        const { floats } = zone
        return change.addZone({ afterLineNumber: zone.after, heightInPx: zone.height, domNode, ordinal, showInHiddenAreas: true, suppressMouseDown: true, ...(side === 'right' && floats !== null ? { onDomNodeTop: (top) => this.#float(floats, top) } : {}) })
      })
      this.#zones[side] = { ids, drawn }
    })
  }

  #float(name: string, top: number): void {
    const element = this.#floating(name)
    if (element) element.style.transform = `translateY(${Math.max(top, -100_000)}px)`
  }

  /** Brings a bar to the upper part of what is seen; one that is seen stays where it is. */
  reveal(bar: number): void {
    const block = this.#drawn?.blocks.find((one) => one.bar === bar)
    const place = this.#floating(barName(bar))?.getBoundingClientRect()
    const frame = this.#places.layer.getBoundingClientRect()
    if (!block || (place && place.top >= frame.top && place.bottom + 40 <= frame.bottom)) return
    const line = Math.min(block.right.from + 1, this.#right.getModel()?.getLineCount() ?? 1)
    this.#right.setScrollTop(Math.max(0, this.#right.getTopForLineNumber(line) - this.#heightOf(barName(bar)) - 60))
  }

  setReadOnly(isReadOnly: boolean): void {
    this.#right.updateOptions({ readOnly: isReadOnly, domReadOnly: isReadOnly })
  }

  focus(): void {
    this.#right.focus()
  }

  dispose(): void {
    this.#ends.forEach((end) => end())
  }
}

/** The names by which the stage finds what floats over the lines. */
export function barName(bar: number): string {
  return `bar${bar}`
}
export function foldName({ left }: Fold): string {
  return `fold${left.from}`
}

const looks = {
  left: { isWholeLine: true, className: 'line-delete', marginClassName: 'gutter-delete', linesDecorationsClassName: 'delete-sign codicon codicon-diff-remove' },
  right: { isWholeLine: true, className: 'line-insert', marginClassName: 'gutter-insert', linesDecorationsClassName: 'insert-sign codicon codicon-diff-insert' },
} as const
const rejectedLook = { isWholeLine: true, className: 'rv-hatch', marginClassName: 'rv-hatch' }

/** How high some lines are as they wrap now. */
export function heightOf(editor: Editor, { from, to }: Lines): number {
  let height = 0
  for (let line = from + 1; line <= to; line += 1) height += editor.getBottomForLineNumber(line) - editor.getTopForLineNumber(line)
  return height
}

/** Writes a text into an editor where it is another one, keeping caret and undo. */
export function rewrite(editor: Editor, text: string): void {
  const model = editor.getModel()
  const now = model?.getValue()
  if (!model || now === undefined || now === text) return
  if (now === '') return model.setValue(text)
  const limit = Math.min(now.length, text.length)
  let head = 0
  while (head < limit && now[head] === text[head]) head += 1
  let tail = 0
  while (tail < limit - head && now[now.length - 1 - tail] === text[text.length - 1 - tail]) tail += 1
  const range = monaco.Range.fromPositions(model.getPositionAt(head), model.getPositionAt(now.length - tail))
  model.pushStackElement()
  model.pushEditOperations(editor.getSelections(), [{ range, text: text.slice(head, text.length - tail) }], () => null)
  model.pushStackElement()
}
