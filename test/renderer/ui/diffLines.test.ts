import fc from 'fast-check'
import { expect, test } from 'vitest'
import { countLines, diffLines, hunksOf, shownRows } from '../../../src/renderer/ui/diffLines'

const marks = { same: ' ', added: '+', removed: '-' } as const
const drawn = (before: string, after: string): string | undefined => diffLines(before, after)?.map((line) => marks[line.kind] + line.text).join('\n')

test('a changed line is its removal and its addition', () => {
  expect(drawn('a\nb\nc\n', 'a\nx\nc\n')).toBe(' a\n-b\n+x\n c')
})

test('a new file is all added, a deleted one all removed', () => {
  expect([drawn('', 'a\nb\n'), drawn('a\nb\n', '')]).toEqual(['+a\n+b', '-a\n-b'])
})

const text = fc.array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 12 }).map((lines) => lines.map((line) => `${line}\n`).join(''))

test('both sides can be read back from a comparison', () => {
  fc.assert(fc.property(text, text, (before, after) => {
    const lines = diffLines(before, after) ?? []
    const side = (gone: 'added' | 'removed'): string => lines.filter((line) => line.kind !== gone).map((line) => `${line.text}\n`).join('')
    expect([side('added'), side('removed')]).toEqual([before, after])
    expect(countLines(lines).added - countLines(lines).removed).toBe(after.split('\n').length - before.split('\n').length)
  }))
})

test('unchanged stretches are folded and counted, none is lost', () => {
  const before = Array.from({ length: 40 }, (_, at) => `${at}\n`).join('')
  const lines = diffLines(before, before.replace('20\n', 'twenty\n')) ?? []
  const { hunks, skippedAtEnd } = hunksOf(lines)
  expect(hunks.map((hunk) => [hunk.skipped, hunk.lines.length])).toEqual([[17, 8]])
  expect([skippedAtEnd, shownRows(lines, 80)]).toEqual([16, 10])
})

test('a middle too large to compare here is left to the editor', () => {
  const many = (mark: string): string => Array.from({ length: 3000 }, (_, at) => `${mark}${at}`).join('\n')
  expect(diffLines(many('a'), many('b'))).toBeNull()
})
