import { memoryScopes, type MemoryScope } from '../../../shared/domain/memory'
import { said, type Said } from '../../../shared/domain/result'
import type { TaintSource } from '../../../shared/domain/tool'
import { elementsOf } from './jsonElements'
import { scopeHeadings } from './exportText'
import { readOutside, readOutsideMark } from './outsideMark'

/** An entry that was read, and the line it begins in, from 1. `scope` and `atMs` are null where the file does not say, `outside` where it marks nothing as from there. */
export interface ReadMemory {
  readonly line: number
  readonly text: string
  readonly scope: MemoryScope | null
  readonly isPinned: boolean
  readonly atMs: number | null
  readonly outside: TaintSource | null
}

/** What an export holds, in its order; `faults` name the line of what could not be read. */
export interface ReadExport {
  readonly entries: readonly ReadMemory[]
  readonly faults: readonly Said[]
}

/**
 * Reads an export of either form; which, its first character tells. A fault takes no other entry with it. JSON may also be a
 * bare array, and an entry a bare text; in Markdown every list item is an entry, under a heading of its scope or under none.
 */
export function importText(text: string): ReadExport {
  const plain = text.replace(/^\ufeff/, '').replace(/\r\n?/g, '\n')
  return /^\s*[[{]/.test(plain) ? readJson(plain) : readMarkdown(plain)
}

function readJson(text: string): ReadExport {
  const elements = elementsOf(text, 'memories')
  if (elements === null) return { entries: [], faults: [said('memory.import-no-list')] }
  const entries: ReadMemory[] = []
  const faults: Said[] = []
  for (const { line, text: piece } of elements) {
    const entry = readElement(piece, line)
    if (entry === null) faults.push(said('memory.import-bad-entry', { line }))
    else entries.push(entry)
  }
  return { entries, faults }
}

function readElement(piece: string, line: number): ReadMemory | null {
  const value = parsed(piece)
  if (typeof value === 'string') return { line, text: value, scope: null, isPinned: false, atMs: null, outside: null }
  if (typeof value !== 'object' || value === null) return null
  const { text, scope, isPinned, at, outside } = value as Readonly<Record<string, unknown>>
  const known = memoryScopes.find((one) => one === scope) ?? null
  if (typeof text !== 'string' || (scope !== undefined && known === null) || !isOptional(isPinned, 'boolean') || !isOptional(at, 'string')) return null
  const atMs = typeof at === 'string' ? timeOf(at) : null
  const source = readOutside(outside)
  // A mark that cannot be read must not make the entry the person's own.
  if (Number.isNaN(atMs) || (outside !== undefined && outside !== null && source === null)) return null
  return { line, text, scope: known, isPinned: isPinned === true, atMs, outside: source }
}

function isOptional(value: unknown, type: 'boolean' | 'string'): boolean {
  return value === undefined || typeof value === type
}

function parsed(piece: string): unknown {
  try {
    return JSON.parse(piece)
  } catch {
    return undefined
  }
}

function timeOf(text: string): number {
  return new Date(text).getTime()
}

const item = /^(?:[-*+]|\d{1,9}[.)])(?:[ \t]+|$)(.*)$/
const comment = /^<!-- (\d{4}-\d\d-\d\dT[\d:.]+Z)( pinned)?(?: outside=([\w.!~*'()%:]+))? -->(?: |$)/
const indent = /^(?: {2}|\t)/
const heading = /^#{1,6}\s+(.*?)\s*#*$/

function readMarkdown(text: string): ReadExport {
  const entries: ReadMemory[] = []
  const faults: Said[] = []
  let scope: MemoryScope | null = null
  let open: { readonly line: number; readonly lines: string[] } | null = null
  const close = (): void => {
    const entry = open && entryOf(open.line, open.lines, scope)
    if (entry) entries.push(entry)
    else if (open) faults.push(said('memory.import-bad-entry', { line: open.line }))
    open = null
  }
  text.split('\n').forEach((line, at) => {
    const first = item.exec(line)?.[1]
    if (first === undefined && open && (indent.test(line) || line.trim() === '')) return void open.lines.push(line.replace(indent, ''))
    close()
    if (first !== undefined) open = { line: at + 1, lines: [first] }
    else if (heading.test(line)) scope = scopeOf(heading.exec(line)?.[1] ?? '')
    else if (line.trim() !== '' && !line.startsWith('<!--')) faults.push(said('memory.import-no-entry', { line: at + 1 }))
  })
  close()
  return { entries, faults }
}

function scopeOf(title: string): MemoryScope | null {
  return memoryScopes.find((scope) => scopeHeadings[scope].toLowerCase() === title.toLowerCase()) ?? null
}

function entryOf(line: number, lines: readonly string[], scope: MemoryScope | null): ReadMemory | null {
  const whole = lines.join('\n')
  const [matched = '', at, pinned, mark] = comment.exec(whole) ?? []
  const atMs = at === undefined ? null : timeOf(at)
  const outside = mark === undefined ? null : readOutsideMark(mark)
  if (mark !== undefined && outside === null) return null
  return { line, text: whole.slice(matched.length).trimEnd(), scope, isPinned: pinned !== undefined, atMs: Number.isNaN(atMs) ? null : atMs, outside }
}
