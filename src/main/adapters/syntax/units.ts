import type { Node } from 'web-tree-sitter'
import type { SyntaxUnit } from '../../core/ports/syntaxTree'

/** Units as small as this are not looked into: they are never cut. */
const wholeCharacters = 1500
/** Deeper than this nobody nests by hand. */
const deepest = 24

/** Lead the unit after them: doc comments, attributes, decorators beside what they decorate. */
const leading = /comment$|^attribute|^inner_attribute|^decorator$|^annotation$/u
/** Declare something that can be called by name. */
const declaring = /declaration|definition|_item$|^method|^singleton_method$|^class|^module$|^interface|^function|constructor|^struct|^enum|^trait|namespace|^property|^public_field|^field|_spec$|^rule_set$|_statement$|^pair$|^assignment$|specifier$|^record/u
/** Wrap the one declaration that has the name. */
const wrapping = /^export_statement$|^decorated_definition$|^template_declaration$|^ambient_declaration$|^expression_statement$|^type_declaration$|^internal_module$|^linkage_specification$/u
/** Part of a declaration that carries the name; the first one speaks for all. */
const declarator = /declarator$|_spec$|^assignment/u
/** Name what lies elsewhere. */
const borrowing = /^(?:import|use_|using|package|preproc|php_)/u
const names = /identifier$|^constant$|^string$|^name$|^word$|^destructor_name$|^operator_name$|^type_spec$|^scoped_type/u

/**
 * The units of a parsed text: the children of the root, each with those inside it. Nothing here knows one grammar: whatever is
 * large is looked into where its children are. Lines are not shared: a unit that begins on the last line of the one before
 * becomes part of it.
 */
export function unitsOf(root: Node, text: string): readonly SyntaxUnit[] {
  const isShell = root.namedChildCount === 1 && nameOf(root.namedChildren[0] ?? root) === ''
  return unitsIn(isShell ? membersOf(root) : root, text.length, 0)
}

interface Draft {
  startLine: number
  endLine: number
  type: string
  name: string
  node: Node
}

function unitsIn(parent: Node, size: number, depth: number): readonly SyntaxUnit[] {
  const drafts: Draft[] = []
  let lead: { startLine: number; endLine: number } | null = null
  const children = parent.namedChildren
  for (const child of children) {
    const startLine = child.startPosition.row + 1
    const endLine = endLineOf(child)
    const last = drafts[drafts.length - 1]
    if (leading.test(child.type)) {
      // A remark at the end of a line belongs to that line.
      if (last !== undefined && lead === null && startLine <= last.endLine) last.endLine = Math.max(last.endLine, endLine)
      else lead = lead !== null && startLine <= lead.endLine + 1 ? { startLine: lead.startLine, endLine: Math.max(lead.endLine, endLine) } : { startLine, endLine }
      continue
    }
    const begins: number = lead !== null && startLine <= lead.endLine + 1 ? lead.startLine : startLine
    lead = null
    if (last !== undefined && begins <= last.endLine) {
      // Both stand on one line; the larger one says what it is.
      if (endLine - startLine > last.endLine - last.startLine) Object.assign(last, { type: child.type, name: nameOf(child), node: child })
      last.endLine = Math.max(last.endLine, endLine)
    } else drafts.push({ startLine: begins, endLine, type: child.type, name: nameOf(child), node: child })
  }
  return drafts.map((draft) => unitOf(draft, size, depth))
}

function unitOf({ startLine, endLine, type, name, node }: Draft, size: number, depth: number): SyntaxUnit {
  const length = node.endIndex - node.startIndex
  const units = length > wholeCharacters && length <= size && depth < deepest ? unitsIn(membersOf(node), length, depth + 1) : []
  // What stands at the edge may share a line with the unit itself.
  return { startLine, endLine, type, name, units: units.filter((unit) => unit.startLine >= startLine && unit.endLine <= endLine) }
}

/** The node whose children are worth being units: down the one child that fills most of it, but not past something with a name. */
function membersOf(node: Node): Node {
  let at = node
  for (let level = 0; level < deepest; level++) {
    const children = at.namedChildren.filter((child) => !leading.test(child.type))
    const length = children.reduce((sum, child) => sum + child.endIndex - child.startIndex, 0)
    const filling = children.find((child) => (child.endIndex - child.startIndex) * 10 > length * 6)
    if (filling === undefined || (level > 0 && nameOf(filling) !== '' && !wrapping.test(at.type))) return at
    if (filling.namedChildCount === 0) return at
    at = filling
  }
  return at
}

/** The last line that holds something of it; grammars let some nodes end with the line's end. */
function endLineOf(node: Node): number {
  const { row, column } = node.endPosition
  return column === 0 && row > node.startPosition.row ? row : row + 1
}

/** What a node declares; empty when it declares nothing. Methods that lie outside of their type carry its name before theirs. */
function nameOf(node: Node): string {
  let at: Node | null = node
  for (let level = 0; at !== null && level < 4; level++) {
    if (borrowing.test(at.type) || !(declaring.test(at.type) || wrapping.test(at.type) || (level > 0 && declarator.test(at.type)))) return ''
    const own = ownName(at)
    if (own !== '') return own
    at = declaredIn(at)
  }
  return ''
}

function ownName(node: Node): string {
  if (node.type === 'impl_item') return textOf(node.childForFieldName('type'))
  if (node.type === 'rule_set') return textOf(node.namedChildren[0] ?? null)
  const named = nameNode(node)
  // A pattern takes things apart; it is no name.
  const name = /pattern$/u.test(named?.type ?? '') ? '' : textOf(named)
  if (name === '') return ''
  const receiver = node.type === 'method_declaration' ? /([\p{L}_][\p{L}\p{N}_]*)(?:\[[^\]]*\])?\s*\)$/u.exec(node.childForFieldName('receiver')?.text.slice(0, 200) ?? '')?.[1] : undefined
  return [receiver, ...name.split('::')].filter((part) => part !== undefined && part !== '').join(' › ')
}

function nameNode(node: Node): Node | null {
  const name = node.childForFieldName('name')
  if (name) return name
  // C and C++: int *f(void) is a pointer of a function of a name.
  let declarator = node.childForFieldName('declarator')
  while (declarator && !names.test(declarator.type)) declarator = declarator.childForFieldName('declarator') ?? declarator.namedChildren.find((child) => names.test(child.type)) ?? null
  if (declarator) return declarator
  if (node.type === 'pair') return node.childForFieldName('key')
  if (node.type === 'assignment') return node.childForFieldName('left')
  const isMade = node.type === 'assignment_expression' && /function|class|lambda/u.test(node.childForFieldName('right')?.type ?? '')
  return isMade ? node.childForFieldName('left') : null
}

/** The declaration inside a wrapper, or the first thing a statement declares. */
function declaredIn(node: Node): Node | null {
  if (wrapping.test(node.type)) {
    const inner = node.childForFieldName('declaration') ?? node.childForFieldName('definition')
    return inner ?? node.namedChildren.find((child) => !leading.test(child.type) && (declaring.test(child.type) || wrapping.test(child.type) || declarator.test(child.type))) ?? null
  }
  if (!/declaration$/u.test(node.type)) return null
  return node.namedChildren.find((child) => declarator.test(child.type)) ?? null
}

function textOf(node: Node | null): string {
  if (node === null) return ''
  return node.text.slice(0, 200).split('\n', 1).join('').replace(/^['"]|['"]$/gu, '').replace(/<.*$/u, '').trim().slice(0, 80)
}
