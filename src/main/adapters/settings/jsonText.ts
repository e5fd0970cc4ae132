import { createScanner, parseTree, type Node, type ParseError, type SyntaxKind } from 'jsonc-parser'

/** The numbers of jsonc-parser's tokens; its own names vanish when it is compiled. */
const tokens = { comma: 5 as SyntaxKind.CommaToken, lineComment: 12 as SyntaxKind.LineCommentTrivia, blockComment: 13 as SyntaxKind.BlockCommentTrivia, lineBreak: 14 as SyntaxKind.LineBreakTrivia, blank: 15 as SyntaxKind.Trivia, end: 17 as SyntaxKind.EOF }

/** An edit of a text that touches nothing else. */
interface Cut {
  readonly from: number
  readonly to: number
  readonly text: string
}

/** A parsed text, or the first thing in it that makes no sense. `code` is a ParseErrorCode of jsonc-parser; 0: nested too deep. */
export type JsonTree = { readonly ok: true; readonly root: Node } | { readonly ok: false; readonly code: number; readonly offset: number }

/** Parses JSON with comments and trailing commas. */
export function parseJson(text: string): JsonTree {
  const errors: ParseError[] = []
  let root: Node | undefined
  try {
    root = parseTree(text, errors, { allowTrailingComma: true })
  } catch (error) {
    // The parser calls itself for every level.
    if (error instanceof RangeError) return { ok: false, code: 0, offset: 0 }
    throw error
  }
  const [first] = errors
  if (first !== undefined) return { ok: false, code: first.error, offset: first.offset }
  return root === undefined ? { ok: false, code: 4, offset: 0 } : { ok: true, root }
}

/** Line and column of an offset, from 1. */
export function placeOf(text: string, offset: number): { readonly line: number; readonly column: number } {
  const before = text.slice(0, offset).split(/\r\n|\r|\n/)
  return { line: before.length, column: (before.at(-1) ?? '').length + 1 }
}

/** The plain value; of a name that is there twice the last counts, as everywhere. */
export function valueOf(node: Node): unknown {
  if (node.type === 'array') return (node.children ?? []).map(valueOf)
  if (node.type !== 'object') return node.value
  return Object.fromEntries(propertiesOf(node).map(({ key, value }) => [key, valueOf(value)]))
}

/** One name and value of an object. */
export interface Property {
  readonly key: string
  readonly keyNode: Node
  readonly value: Node
}

/** The properties of an object, as they stand. */
export function propertiesOf(node: Node): readonly Property[] {
  return (node.children ?? []).flatMap(({ children }) => {
    const [keyNode, value] = children ?? []
    return keyNode === undefined || value === undefined ? [] : [{ key: String(keyNode.value), keyNode, value }]
  })
}

/** The property that counts. */
export function propertyOf(node: Node | undefined, key: string): Property | undefined {
  return node?.type === 'object' ? propertiesOf(node).findLast((property) => property.key === key) : undefined
}

/** Puts a value in another's place. */
export function replaced(text: string, node: Node, value: unknown): string {
  return applied(text, [{ from: node.offset, to: node.offset + node.length, text: written(text, value, indentAt(text, node.offset)) }])
}

/** Adds a property (`key` given) or an element behind the last one, in the manner of what is there. */
export function appended(text: string, parent: Node, key: string | null, value: unknown): string {
  const named = (indent: string | null) => `${key === null ? '' : `${JSON.stringify(key)}: `}${written(text, value, indent)}`
  const end = parent.offset + parent.length - 1
  const last = parent.children?.at(-1)
  const inner = text.slice(parent.offset, end)
  const isOneLine = last !== undefined && !/[\r\n]/.test(inner)
  const gap = gapAfter(text, last === undefined ? parent.offset + 1 : last.offset + last.length, end)
  if (isOneLine) {
    return behind(text, last, gap, ` ${named(null)}`)
  }
  const indent = last === undefined ? indentAt(text, parent.offset) + unitOf(text) : indentAt(text, last.offset)
  const line = `${eolOf(text)}${indent}${named(indent)}`
  if (last !== undefined) return behind(text, last, gap, line)
  const rest = text.slice(gap.lastComment, end)
  if (/[\r\n]/.test(rest)) return applied(text, [{ from: gap.lastComment, to: gap.lastComment, text: line }])
  return applied(text, [{ from: gap.lastComment, to: end, text: `${line}${eolOf(text)}${indentAt(text, parent.offset)}` }])
}

/** Behind the last child and the comments on its line. A comma after the last one is kept up where it is the custom. */
function behind(text: string, last: Node, { comma, at }: Gap, addition: string): string {
  const end = last.offset + last.length
  if (comma !== null) return applied(text, [{ from: at, to: at, text: `${addition},` }])
  return applied(text, [{ from: at, to: at, text: addition }, { from: end, to: end, text: ',' }])
}

/** Takes a child (property or element) out with its comma. Comments around it stay. */
export function without(text: string, parent: Node, index: number): string {
  const children = parent.children ?? []
  const child = children[index]
  if (child === undefined) return text
  const childEnd = child.offset + child.length
  const next = children[index + 1]
  const comma = gapAfter(text, childEnd, next?.offset ?? parent.offset + parent.length - 1).comma
  const before = children[index - 1]
  const cuts: Cut[] = []
  const isNear = comma !== null && text.slice(childEnd, comma).trim() === ''
  if (comma !== null && !isNear) cuts.push({ from: comma, to: comma + 1, text: '' })
  if (comma === null && before !== undefined) {
    const beforeComma = gapAfter(text, before.offset + before.length, child.offset).comma
    if (beforeComma !== null) cuts.push({ from: beforeComma, to: beforeComma + 1, text: '' })
  }
  const own = { from: child.offset, to: isNear ? comma + 1 : childEnd }
  return applied(text, [...cuts, { ...widened(text, own, next === undefined), text: '' }])
}

/** A line that has nothing else goes whole; else the blanks that parted it from its neighbour go along. */
function widened(text: string, { from, to }: Omit<Cut, 'text'>, isLast: boolean): Omit<Cut, 'text'> {
  let lead = 0
  while (/[ \t]/.test(text[from - lead - 1] ?? '')) lead += 1
  const trail = /^[ \t]*/.exec(text.slice(to))?.[0].length ?? 0
  const lineStart = from - lead
  const startsLine = lineStart === 0 || /[\r\n]/.test(text[lineStart - 1] ?? '')
  const eol = /^(?:\r\n|\r|\n)/.exec(text.slice(to + trail))?.[0].length ?? 0
  if (startsLine && eol > 0) return { from: lineStart, to: to + trail + eol }
  // Behind a line comment nothing may come up.
  return isLast && !startsLine ? { from: lineStart, to } : { from, to: to + trail }
}

interface Gap {
  /** Where the comma stands, or null. */
  readonly comma: number | null
  /** The end of the comma and of the comments that stand on the same line. */
  readonly at: number
  /** The end of the last comment at all, or the start. */
  readonly lastComment: number
}

/** What stands between a value's end and the next thing that counts. */
function gapAfter(text: string, from: number, to: number): Gap {
  const scanner = createScanner(text, false)
  scanner.setPosition(from)
  let comma: number | null = null
  let at = from
  let lastComment = from
  let isSameLine = true
  for (let token = scanner.scan(); token !== tokens.end && scanner.getTokenOffset() < to; token = scanner.scan()) {
    const end = scanner.getTokenOffset() + scanner.getTokenLength()
    if (token === tokens.comma) {
      comma = scanner.getTokenOffset()
      at = Math.max(at, end)
      isSameLine = true
    } else if (token === tokens.lineComment || token === tokens.blockComment) {
      lastComment = end
      if (isSameLine) at = end
    } else if (token === tokens.lineBreak) isSameLine = false
    else if (token !== tokens.blank) break
  }
  return { comma, at, lastComment }
}

/** From behind, so that the places of the others stay right; of two at one place the later in the list comes first in the text. */
function applied(text: string, cuts: readonly Cut[]): string {
  return [...cuts].sort((a, b) => b.from - a.from || b.to - a.to).reduce((now, cut) => now.slice(0, cut.from) + cut.text + now.slice(cut.to), text)
}

/** A value as text, its later lines under `indent`; null: on one line. */
function written(text: string, value: unknown, indent: string | null): string {
  if (indent === null) return JSON.stringify(value)
  return JSON.stringify(value, null, unitOf(text)).replaceAll('\n', `${eolOf(text)}${indent}`)
}

function eolOf(text: string): string {
  return /\r\n|\r|\n/.exec(text)?.[0] ?? '\n'
}

/** What the first indented line is indented with. */
function unitOf(text: string): string {
  return /^([ \t]+)["{[]/m.exec(text)?.[1] ?? '  '
}

function indentAt(text: string, offset: number): string {
  const lineStart = Math.max(text.lastIndexOf('\n', offset - 1), text.lastIndexOf('\r', offset - 1)) + 1
  return /^[ \t]*/.exec(text.slice(lineStart, offset))?.[0] ?? ''
}
