import { readablePieces } from './hiddenText'

/** The element that stands for one hidden character in a drawn answer; no Markdown makes one. */
export const hiddenTag = 'hidden-character'

/** As much of a hast node as is read here. */
interface Node {
  type: string
  tagName?: string
  value?: string
  properties?: Record<string, string>
  children?: Node[]
}

/**
 * A rehype plugin: cuts each text of an answer at its hidden characters, so that they can be drawn as boxes. Texts that have
 * none are left as they are, and code draws its own.
 */
export function rehypeHidden(): (tree: Node) => void {
  return visit
}

function visit(node: Node): void {
  if (!node.children || node.tagName === 'code') return
  const { children } = node
  for (let at = children.length - 1; at >= 0; at -= 1) {
    const child = children[at]
    if (!child) continue
    const cut = cutOf(child)
    if (cut) children.splice(at, 1, ...cut)
    else visit(child)
  }
}

/** Raw HTML is shown as text, so it is cut like text. Null where nothing is hidden. */
function cutOf({ type, value }: Node): Node[] | null {
  if ((type !== 'text' && type !== 'raw') || value === undefined) return null
  const pieces = readablePieces(value, 'prose')
  if (!pieces.some((piece) => piece.kind === 'hidden')) return null
  return pieces.map((piece) => (piece.kind === 'text' ? { type: 'text', value: piece.text } : { type: 'element', tagName: hiddenTag, properties: { code: piece.code, name: piece.name }, children: [] }))
}
