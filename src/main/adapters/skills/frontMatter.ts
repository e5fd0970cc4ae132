import { isMap, isScalar, parseDocument, visit, type Document, type YAMLError, type YAMLMap } from 'yaml'
import { said, type Said } from '../../../shared/domain/result'
import type { Note } from './place'

/** What stands between the two rules, as a map with the places of its parts. `from` is where it begins in the file. */
export interface FrontMatter {
  readonly map: YAMLMap
  /** The same as plain values. */
  readonly values: Readonly<Record<string, unknown>>
  readonly from: number
  readonly body: string
}

const rule = /^---[ \t]*$/
const endRule = /^(?:---|\.\.\.)[ \t]*$/
/** What a skill says of itself is short; YAML of a size like this is an attack or an accident. */
const maxCharacters = 64 * 1024
/** Aliases multiply what a small file says. */
const maxAliases = 20
const maxRepairs = 8

/** Reads the frontmatter of a text with line feeds. Null when it cannot be read; the note says why and where. */
export function readFrontMatter(text: string, note: Note): FrontMatter | null {
  const parts = split(text, note)
  if (parts === null) return null
  const document = parse(parts.yaml, parts.from, note)
  if (document === null) return null
  const { contents } = document
  if (!isMap(contents)) {
    note(parts.from + (contents?.range?.[0] ?? 0), said('skill.not-a-map'), true)
    return null
  }
  const values = valuesOf(document)
  if (values !== null) return { map: contents, values, from: parts.from, body: parts.body }
  note(parts.from, said('skill.aliases'), true)
  return null
}

function split(text: string, note: Note): { readonly yaml: string; readonly from: number; readonly body: string } | null {
  const lines = text.split('\n')
  const first = lines.findIndex((line) => line.trim() !== '')
  if (first === -1) return refuse(null, said('skill.empty'))
  const before = offsetOf(lines, first)
  if (!rule.test(lines[first] ?? '')) return refuse(before, said('skill.no-frontmatter'))
  const end = lines.findIndex((line, at) => at > first && endRule.test(line))
  if (end === -1) return refuse(before, said('skill.frontmatter-open'))
  const yaml = lines.slice(first + 1, end).join('\n') + '\n'
  if (yaml.length > maxCharacters) return refuse(before, said('skill.frontmatter-long', { kilobytes: maxCharacters / 1024 }))
  return { yaml, from: offsetOf(lines, first + 1), body: lines.slice(end + 1).join('\n') }

  function refuse(offset: number | null, say: Said): null {
    note(offset, say, true)
    return null
  }
}

function offsetOf(lines: readonly string[], line: number): number {
  return lines.slice(0, line).reduce((sum, one) => sum + one.length + 1, 0)
}

/** A text with a colon in it, written without quotes, is so common that it is read as it was meant, and said. */
function parse(given: string, from: number, note: Note): Document | null {
  let yaml = given
  for (let repairs = 0; ; repairs += 1) {
    const document = parseDocument(yaml, { prettyErrors: false, logLevel: 'silent', uniqueKeys: true })
    const [error] = document.errors
    if (error === undefined) return document
    const quoted = repairs < maxRepairs ? withQuotes(yaml, error) : null
    if (quoted === null) {
      const { at, say } = explain(document, error, yaml)
      note(from + at, say, true)
      return null
    }
    note(from + quoted.at, said('skill.colon-read'))
    yaml = quoted.yaml
  }
}

/** The text with the value of the error's line in quotes, when that line is a key of the top with a plain text that holds a colon. */
function withQuotes(yaml: string, { code, pos: [at] }: YAMLError): { readonly yaml: string; readonly at: number } | null {
  if (code !== 'BLOCK_AS_IMPLICIT_KEY') return null
  const start = yaml.lastIndexOf('\n', at - 1) + 1
  const end = yaml.indexOf('\n', at)
  const [, key, value] = /^([A-Za-z][\w-]*:[ \t]+)([^\s"'[\]{}|>&*!%@`#].*:(?:[ \t].*)?)$/.exec(yaml.slice(start, end).trimEnd()) ?? []
  if (key === undefined || value === undefined) return null
  return { yaml: yaml.slice(0, start) + key + JSON.stringify(value) + yaml.slice(end), at: start + key.length }
}

function explain(document: Document, error: YAMLError, yaml: string): { readonly at: number; readonly say: Said } {
  const { code, pos: [at], message } = error
  const quote = openQuote(document, error, yaml)
  if (quote !== null) return { at: quote, say: said('skill.quote-open') }
  switch (code) {
    case 'TAB_AS_INDENT':
      return { at, say: said('skill.tab') }
    case 'DUPLICATE_KEY':
      return { at, say: said('skill.key-twice', { key: /^[^:\n]*/.exec(yaml.slice(at))?.[0].trim() ?? '' }) }
    case 'BLOCK_AS_IMPLICIT_KEY':
    case 'MULTILINE_IMPLICIT_KEY':
      return { at, say: said('skill.colon') }
    case 'BAD_SCALAR_START':
      return { at, say: said('skill.scalar-start', { character: yaml.charAt(at) }) }
    case 'RESOURCE_EXHAUSTION':
      return { at: 0, say: said('skill.nested') }
    default:
      return { at, say: said('skill.yaml', { problem: message }) }
  }
}

/** Where a quote begins that is closed nowhere, or only by accident on the line where the reading failed. */
function openQuote(document: Document, { code, pos: [at], message }: YAMLError, yaml: string): number | null {
  const isMissing = code === 'MISSING_CHAR' && message.includes('quote')
  let found: number | null = null
  visit(document, {
    Scalar(_, node) {
      if (node.range === undefined || node.range === null || (node.type !== 'QUOTE_DOUBLE' && node.type !== 'QUOTE_SINGLE')) return
      const [from, to] = node.range
      const isOverLines = yaml.slice(from, to).includes('\n')
      if (from < at && at <= to + 1 && (isMissing || isOverLines)) found = from
    },
  })
  return found
}

/** Null when aliases would make too much of it, or name nothing. */
function valuesOf(document: Document): Readonly<Record<string, unknown>> | null {
  try {
    return document.toJS({ maxAliasCount: maxAliases }) as Readonly<Record<string, unknown>>
  } catch (error) {
    if (error instanceof ReferenceError || error instanceof RangeError) return null
    throw error
  }
}

/** One field of a map: its value as it is, as a text, and where it stands. */
export interface Field {
  readonly at: number
  readonly value: unknown
  /** The text of a scalar, as it was written; null: it is none, or empty. */
  readonly text: string | null
  readonly map: Block | null
  readonly list: readonly Field[] | null
}

/** The fields of a map, by name. */
export type Block = ReadonlyMap<string, Field>

/** The fields of a map whose plain values are `values`; `from` is added to every place. */
export function blockOf(map: YAMLMap, values: unknown, from: number): Block {
  const plain = typeof values === 'object' && values !== null ? (values as Readonly<Record<string, unknown>>) : {}
  return new Map(map.items.flatMap(({ key, value }): [string, Field][] => {
    if (!isScalar(key)) return []
    const name = String(key.value)
    return [[name, fieldOf(value, Object.hasOwn(plain, name) ? plain[name] : undefined, from, from + (key.range?.[0] ?? 0))]]
  }))
}

function fieldOf(node: unknown, value: unknown, from: number, keyAt: number): Field {
  const range = (node as { readonly range?: readonly number[] | null } | null)?.range
  const at = range ? from + (range[0] ?? 0) : keyAt
  const items = (node as { readonly items?: readonly unknown[] } | null)?.items
  return {
    at,
    value,
    text: textOf(node, value),
    map: isMap(node) ? blockOf(node, value, from) : null,
    list: Array.isArray(value) && items !== undefined ? value.map((one, index) => fieldOf(items[index], one, from, at)) : null,
  }
}

function textOf(node: unknown, value: unknown): string | null {
  // 1.10 is a version, not a number.
  const text = typeof value === 'string' ? value : isScalar(node) && value !== null && typeof node.source === 'string' ? node.source : null
  return text === null || text.trim() === '' ? null : text.trim()
}
