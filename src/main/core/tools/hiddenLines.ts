import type { Redact } from '../policy/redaction'
import { findKeyBlocks } from '../policy/redactionBlocks'
import { numberLines } from './numberLines'

/** So much around the lines is looked at with them: a name may stand before its value, a key begin before the first line. */
const around = { lines: 100, characters: 16_384 } as const

/**
 * Lines `from` to `to` of a text, from 1, with their numbers and without secrets. A secret of several lines is one marker in
 * the first of them, and the next number tells how many it stands for; so is one that only reaches into the lines.
 */
export function shownLines(lines: readonly string[], from: number, to: number, redact: Redact): string {
  if (redact.places === undefined) return numberLines(lines.slice(from - 1, to), from)
  const first = firstLooked(lines, from - 1)
  const last = reach(lines, to, 1)
  const window = lines.slice(first, last).join('\n')
  const rows: { number: number; text: string; lastLine: number }[] = [{ number: first + 1, text: '', lastLine: first + 1 }]
  const current = (): (typeof rows)[number] => rows.at(-1) ?? { number: 0, text: '', lastLine: 0 }
  const keep = (text: string): void => {
    text.split('\n').forEach((part, at) => {
      if (at > 0) rows.push({ number: current().lastLine + 1, text: '', lastLine: current().lastLine + 1 })
      current().text += part
    })
  }
  let done = 0
  for (const { start, end, shown } of redact.places(window)) {
    keep(window.slice(done, start))
    current().text += shown
    current().lastLine += window.slice(start, end).split('\n').length - 1
    done = end
  }
  keep(window.slice(done))
  return rows.filter((row) => row.lastLine >= from && row.number <= to).map((row) => numberLines([row.text], Math.max(row.number, from))).join('\n')
}

/** The line, from 0, at which looking begins: the first of a key that reaches into the lines, or some before them. */
function firstLooked(lines: readonly string[], from: number): number {
  const near = reach(lines, from, -1)
  if (from === 0) return 0
  const before = lines.slice(0, from).join('\n')
  const block = findKeyBlocks(before).filter(({ end }) => end === before.length).at(-1)
  return block === undefined ? near : Math.min(near, before.slice(0, block.start).split('\n').length - 1)
}

function reach(lines: readonly string[], from: number, step: 1 | -1): number {
  let [at, characters] = [from, 0]
  for (let count = 0; count < around.lines; count++) {
    const next = step === 1 ? at : at - 1
    characters += lines[next]?.length ?? Infinity
    if (characters > around.characters) break
    at += step
  }
  return at
}
