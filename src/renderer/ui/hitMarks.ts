/** A text of the page put together again from its nodes, with where each begins. A border of blocks is a line end. */
interface Joined {
  readonly text: string
  readonly nodes: readonly { readonly node: Text; readonly from: number }[]
}

const blocks = 'p, li, div, pre, td, th, h3, h4, h5, h6, dd, article'

function join(root: Element): Joined {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
  const nodes: { node: Text; from: number }[] = []
  let text = ''
  let last: Element | null = null
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (!(node instanceof Text) || node.parentElement?.closest('.sr, .sr-only') != null) continue
    const block = node.parentElement?.closest(blocks) ?? null
    if (last !== null && block !== last) text += '\n'
    last = block
    nodes.push({ node, from: text.length })
    text += node.data
  }
  return { text, nodes }
}

function pointAt({ nodes }: Joined, offset: number, isEnd: boolean): { readonly node: Text; readonly offset: number } | null {
  const found = nodes.findLast(({ from }) => (isEnd ? from < offset : from <= offset))
  return found ? { node: found.node, offset: Math.min(offset - found.from, found.node.length) } : null
}

/** Where a pattern occurs in what is drawn, across the elements that colour it. */
export function rangesIn(root: Element, pattern: RegExp): readonly Range[] {
  const joined = join(root)
  const ranges: Range[] = []
  for (const match of joined.text.matchAll(pattern)) {
    if (match[0] === '' || match[0].includes('\n')) continue
    const [start, end] = [pointAt(joined, match.index, false), pointAt(joined, match.index + match[0].length, true)]
    if (!start || !end) continue
    const range = document.createRange()
    range.setStart(start.node, start.offset)
    range.setEnd(end.node, end.offset)
    ranges.push(range)
  }
  return ranges
}

const all = 'find-hit'
const here = 'find-here'

/** Engines without highlights of their own have no marks; the hits are found and shown all the same. */
function canMark(): boolean {
  return typeof CSS !== 'undefined' && 'highlights' in CSS
}

/** Marks ranges without changing the page; the one that is shown stands out. Where the engine cannot, nothing is marked. */
export function mark(ranges: readonly Range[], shown: Range | null): void {
  if (!canMark()) return
  CSS.highlights.set(all, new Highlight(...ranges.filter((range) => range !== shown)))
  if (shown) CSS.highlights.set(here, new Highlight(shown))
  else CSS.highlights.delete(here)
}

/** Takes every mark away. */
export function unmark(): void {
  if (!canMark()) return
  CSS.highlights.delete(all)
  CSS.highlights.delete(here)
}
