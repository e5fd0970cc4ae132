import type { Chunk } from '../../../shared/domain/retrieval'
import type { SyntaxTree, SyntaxUnit } from '../ports/syntaxTree'
import { isProse } from './languages'
import { chunkProse } from './prose'
import { cutAtLines, linesOf, mergedCharacters, sizeOf, trimmed, wholeCharacters, type LineRange } from './sourceLines'
import { windowsOf } from './windows'

/** Joins the names around a place, outermost first. */
export const symbolJoint = ' › '

/** A part that has as little as this says nothing alone: the head or the closing brackets of what was cut. */
const crumbCharacters = 80
/** How far a crumb may take its neighbour over the limit. */
const crumbLimit = wholeCharacters + 200
/** More names of merged neighbours than this are not told. */
const mostNames = 6

/** A range that becomes a chunk. `names` is its path of names; `rest` the names of what was merged into it. */
interface Part extends LineRange {
  readonly names: readonly string[]
  readonly size: number
}

/**
 * Cuts a file into chunks (R98): code by units of syntax, prose by headings and paragraphs, everything else by windows.
 *
 * In the order of the text; every line that is not blank is in one, and in two only where windows overlap or a sentence ends
 * within a line. Lines count by `\n`. Units up to 2,000 characters stay whole, small neighbours are merged up to 1,500.
 */
export function chunkFile(language: string, text: string, syntax: SyntaxTree): readonly Chunk[] {
  const lines = linesOf(text)
  const all: LineRange = { from: 0, to: lines.length - 1 }
  if (isProse(language)) return chunkProse(language, lines)
  const units = syntax.knows(language) ? syntax.units(language, text) : null
  if (units === null) return windowsOf(lines, all, '')
  return chunksOf(lines, partsOf(lines, units, all, []))
}

/** The parts of a range: its units, what lies between them, small neighbours merged. */
function partsOf(lines: readonly string[], units: readonly SyntaxUnit[], range: LineRange, names: readonly string[]): readonly Part[] {
  const groups: (readonly Part[])[] = []
  let next = range.from
  const between = (to: number): void => {
    const gap = trimmed(lines, { from: next, to })
    if (gap) groups.push(cutAtLines(lines, gap, mergedCharacters).map((one) => part(lines, one, names)))
  }
  for (const unit of units) {
    const own: LineRange = { from: Math.max(unit.startLine - 1, next), to: Math.min(unit.endLine - 1, range.to) }
    if (own.to < own.from) continue
    between(own.from - 1)
    groups.push(unitParts(lines, unit, own, names))
    next = own.to + 1
  }
  between(range.to)
  return merged(groups)
}

function unitParts(lines: readonly string[], unit: SyntaxUnit, own: LineRange, above: readonly string[]): readonly Part[] {
  const names = unit.name === '' ? above : [...above, ...unit.name.split(symbolJoint)]
  const size = sizeOf(lines, own)
  if (size <= wholeCharacters) return [{ ...own, names, size }]
  if (unit.units.length > 0) return partsOf(lines, unit.units, own, names)
  return cutAtLines(lines, own, mergedCharacters).map((one) => part(lines, one, names))
}

/** Merges neighbours; what came out of the cutting of one unit is not merged with what lies around it, crumbs excepted. */
function merged(groups: readonly (readonly Part[])[]): readonly Part[] {
  const all: Part[] = []
  let isOpen = false
  for (const group of groups) {
    for (const [at, one] of group.entries()) {
      const last = all[all.length - 1]
      const joins = last !== undefined && (isCrumb(one) || isCrumb(last) ? last.size + one.size <= crumbLimit : isOpen && at === 0 && group.length === 1 && last.size + one.size <= mergedCharacters)
      if (joins) all[all.length - 1] = joined(last, one)
      else all.push(one)
    }
    isOpen = group.length === 1
  }
  return all
}

function isCrumb({ size }: Part): boolean {
  return size <= crumbCharacters
}

function part(lines: readonly string[], range: LineRange, names: readonly string[]): Part {
  return { ...range, names, size: sizeOf(lines, range) }
}

/** Both as one; of the names what both lie in, then what each is called there. */
function joined(a: Part, b: Part): Part {
  return { from: a.from, to: b.to, names: commonNames(a.names, b.names), size: a.size + b.size }
}

function commonNames(a: readonly string[], b: readonly string[]): readonly string[] {
  if (b.length === 0) return a
  if (a.length === 0) return b
  let same = 0
  while (same < a.length && same < b.length && a[same] === b[same]) same++
  const own = [a[same], b[same]].flatMap((name) => name?.split(', ') ?? [])
  const told = [...new Set(own)].slice(0, mostNames)
  return told.length === 0 ? a.slice(0, same) : [...a.slice(0, same), told.join(', ')]
}

function chunksOf(lines: readonly string[], parts: readonly Part[]): readonly Chunk[] {
  return parts.flatMap((one): readonly Chunk[] => {
    const range = trimmed(lines, one)
    if (range === null) return []
    const symbol = one.names.join(symbolJoint)
    // Lines that are too long to be read as lines.
    if (one.size > crumbLimit) return windowsOf(lines, range, symbol)
    return [{ kind: 'syntax', startLine: range.from + 1, endLine: range.to + 1, symbol, text: lines.slice(range.from, range.to + 1).join('\n') }]
  })
}
