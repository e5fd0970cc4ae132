import { barRuns, type LineBar, type LineBars } from './lineBars'
import { monaco } from './monacoSetup'

type Decorations = monaco.editor.IEditorDecorationsCollection

const nobody: ReadonlySet<LineBar> = new Set()

/** The bar stands at the left edge of the margin; a line that stands back loses its colour too. */
function decorationsOf(bars: readonly (LineBar | null)[], dimmed: ReadonlySet<LineBar>, model: monaco.editor.ITextModel): monaco.editor.IModelDeltaDecoration[] {
  const lines = model.getLineCount()
  return barRuns(bars).filter((run) => run.from <= lines).flatMap(({ from, to, bar }) => {
    const last = Math.min(to, lines)
    const isDim = dimmed.has(bar)
    const range = new monaco.Range(from, 1, last, model.getLineMaxColumn(last))
    return [
      { range, options: { isWholeLine: true, marginClassName: `abar ${bar}${isDim ? ' dimbar' : ''}`, ...(isDim ? { className: 'dimline' } : {}) } },
      ...(isDim ? [{ range, options: { inlineClassName: 'dimtext' } }] : []),
    ]
  })
}

/** Draws bars in editors, and takes them away when others come. */
export class DiffBars {
  readonly #sides: readonly { readonly editor: monaco.editor.ICodeEditor; readonly drawn: Decorations; readonly side: keyof LineBars }[]
  readonly #diff: monaco.editor.IStandaloneDiffEditor | null
  #bars: LineBars | null = null
  #dimmed = nobody

  constructor(sides: Partial<Readonly<Record<keyof LineBars, monaco.editor.ICodeEditor>>>, diff: monaco.editor.IStandaloneDiffEditor | null) {
    this.#sides = (['before', 'after'] as const).flatMap((side) => {
      const editor = sides[side]
      return editor ? [{ editor, side, drawn: editor.createDecorationsCollection() }] : []
    })
    this.#diff = diff
    // In one column the lines that are gone are drawn anew with every comparison and every change of room.
    diff?.onDidUpdateDiff(() => this.#drawGone())
    diff?.getModifiedEditor().onDidLayoutChange(() => this.#drawGone())
  }

  show(bars: LineBars | null, dimmed: ReadonlySet<LineBar> = nobody): void {
    this.#bars = bars
    this.#dimmed = dimmed
    for (const { editor, side, drawn } of this.#sides) {
      const model = editor.getModel()
      if (model) drawn.set(bars ? decorationsOf(bars[side], dimmed, model) : [])
    }
    this.#drawGone()
  }

  /** Lines that are gone stand between the others where both are one column: no decoration reaches their text there. */
  #drawGone(): void {
    const diff = this.#diff
    if (!diff) return
    requestAnimationFrame(() => {
      const zones = [...diff.getModifiedEditor().getContainerDomNode().querySelectorAll<HTMLElement>('.view-zones > .line-delete')]
      const gone = (diff.getLineChanges() ?? []).filter((change) => change.originalEndLineNumber >= change.originalStartLineNumber && change.originalEndLineNumber > 0)
      if (zones.length !== gone.length) return
      gone.forEach(({ originalStartLineNumber: from, originalEndLineNumber: to }, index) => {
        const bars = this.#bars?.before.slice(from - 1, to) ?? []
        zones[index]?.classList.toggle('dimgone', bars.length > 0 && bars.every((bar) => bar !== null && this.#dimmed.has(bar)))
      })
    })
  }
}
