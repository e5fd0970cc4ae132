import fc from 'fast-check'
import { expect, test } from 'vitest'
import { exactLines, lineChanges } from '../../../src/shared/domain/lineChanges'

const lineText = fc.constantFrom('', 'a', 'b', 'c = 1', '}', '  }', 'a\r', '\r')
const text = fc.tuple(fc.array(lineText, { maxLength: 14 }), fc.boolean()).map(([lines, isEnded]) => lines.join('\n') + (isEnded && lines.length > 0 ? '\n' : ''))

test('the lines of a text are the text again, whatever their ends', () => {
  fc.assert(fc.property(fc.string(), (any) => { expect(exactLines(any).join('')).toBe(any) }))
  expect(exactLines('a\r\nb\n\nc')).toEqual(['a\r\n', 'b\n', '\n', 'c'])
})

test('changes lead from one text to the other, in order, and outside of them every line is the same (R63)', () => {
  fc.assert(fc.property(text, text, (before, after) => {
    const [a, b] = [exactLines(before), exactLines(after)]
    let [i, j] = [0, 0]
    const made: string[] = []
    for (const change of lineChanges(a, b)) {
      expect(a.slice(i, change.before.from)).toEqual(b.slice(j, change.after.from))
      expect(change.before.to - change.before.from + change.after.to - change.after.from).toBeGreaterThan(0)
      made.push(...a.slice(i, change.before.from), ...b.slice(change.after.from, change.after.to))
      ;[i, j] = [change.before.to, change.after.to]
    }
    expect([...made, ...a.slice(i)].join('')).toBe(after)
  }))
})

test('changes with only brackets between them are one; a blank line, or one that says something, keeps them apart', () => {
  const spans = (before: string, after: string) => lineChanges(exactLines(before), exactLines(after)).map((change) => [change.before.from, change.before.to])
  expect(spans('one\n}\n})\ntwo\n', 'ONE\n}\n})\nTWO\n')).toEqual([[0, 4]])
  expect(spans('one\n}\n\ntwo\n', 'ONE\n}\n\nTWO\n')).toEqual([[0, 1], [3, 4]])
  expect(spans('one\nmiddle\ntwo\n', 'ONE\nmiddle\nTWO\n')).toEqual([[0, 1], [2, 3]])
})

test('a stretch that is only added or taken away begins with something to read where it can', () => {
  const one = (before: string, after: string) => lineChanges(exactLines(before), exactLines(after))
  expect(one('a\n}\n\nold\n\nz\n', 'b\n}\n\nz\n')).toEqual([{ before: { from: 0, to: 1 }, after: { from: 0, to: 1 } }, { before: { from: 3, to: 5 }, after: { from: 3, to: 3 } }])
})

test('a text too large to compare exactly is cut at lines that stand once in each', () => {
  const many = (name: string) => Array.from({ length: 1500 }, (_, at) => `${name}\n${at % 500 === 250 ? `anchor ${at}\n` : ''}`).join('')
  const changes = lineChanges(exactLines(many('old')), exactLines(many('new')))
  expect(changes.map((change) => change.before.from)).toEqual([0, 252, 753, 1254])
  expect(lineChanges(exactLines('x\n'.repeat(1500)), exactLines('y\n'.repeat(1500)))).toEqual([{ before: { from: 0, to: 1500 }, after: { from: 0, to: 1500 } }])
})
