/** The element that stands for a text of an answer that may name files; no Markdown makes one. */
export const placesTag = 'file-text'

/** As much of a hast node as is read here. */
interface Node {
  type: string
  tagName?: string
  value?: string
  properties?: Record<string, string>
  children?: Node[]
}

/** What every place of a file has: a slash or an ending, or a line. */
const mayName = /[/\\]|\.\w+[:(#]|[:(]\d|line \d|行/u

/** A rehype plugin: hands texts of an answer that may name files to an element of ours. Links and code are left as they are. */
export function rehypePlaces(): (tree: Node) => void {
  return visit
}

function visit(node: Node): void {
  if (!node.children || node.tagName === 'code' || node.tagName === 'a') return
  node.children = node.children.map((child) => {
    if (child.type === 'text' && child.value !== undefined && mayName.test(child.value)) return { type: 'element', tagName: placesTag, properties: { text: child.value }, children: [] }
    visit(child)
    return child
  })
}
