import fc from 'fast-check'
import { expect, test } from 'vitest'
import { LineHistory, type TextStep } from '../../src/shared/domain/lineAuthors'
import { exactLines, lineChanges } from '../../src/shared/domain/lineChanges'
import type { Author } from '../../src/shared/domain/snapshot'

function ownersOf(first: string, steps: readonly (readonly [string, Author, 'rollback'?])[]) {
  const history = new LineHistory(first)
  for (const [text, author, how] of steps) history.add({ text, author, isRollback: how === 'rollback' })
  return history.owners()
}

test('R79 each line of a difference is whose step made it', () => {
  expect(ownersOf('a\nb\nc\n', [['A\nb\nc\n', 'agent'], ['A\nb\nc\nmine\n', 'you'], ['A\nb\nmine\n', 'command']])).toEqual({ before: ['agent', null, 'command'], after: ['agent', null, 'you'] })
})

test('R79 a line that a rollback took out and another put back is whose it was', () => {
  const [was, added] = ['a\nb\n', 'a\nagent\nb\n']
  expect(ownersOf(was, [[added, 'agent'], [was, 'you', 'rollback'], [added, 'you', 'rollback']])).toEqual({ before: [null, null], after: [null, 'agent', null] })
  expect(ownersOf(was, [['b\n', 'agent'], [was, 'you', 'rollback'], ['a\nB\n', 'command']])).toEqual({ before: [null, 'command'], after: [null, 'command'] })
})

test('R79 the same line put in again by hand is the hand’s', () => {
  expect(ownersOf('a\n', [['a\nx\n', 'agent'], ['a\n', 'you'], ['a\nx\n', 'you']])).toEqual({ before: [null], after: [null, 'you'] })
})

test('R79 a file that comes, goes and comes again', () => {
  expect(ownersOf('', [['one\ntwo', 'agent']])).toEqual({ before: [], after: ['agent', 'agent'] })
  expect(ownersOf('one\ntwo', [['', 'command']])).toEqual({ before: ['command', 'command'], after: [] })
  expect(ownersOf('one\n', [['', 'command'], ['one\n', 'you', 'rollback']])).toEqual({ before: [null], after: [null] })
})

const author = fc.constantFrom<Author>('agent', 'you', 'command', 'both', 'unknown')
const line = fc.constantFrom('', 'a', 'b', '}', '  c', 'a\r')
const text = fc.array(line, { maxLength: 12 }).map((lines) => lines.join('\n'))
const step: fc.Arbitrary<TextStep> = fc.record({ text, author, isRollback: fc.boolean() })

test('R79, property: as many owners as lines, nobody’s outside of what differs and somebody’s inside, only of those who took part', () => {
  fc.assert(
    fc.property(text, fc.array(step, { maxLength: 6 }), (first, steps) => {
      const history = new LineHistory(first)
      for (const one of steps) history.add(one)
      const { before, after } = history.owners()
      const [a, b] = [exactLines(first), exactLines(steps.at(-1)?.text ?? first)]
      expect([before.length, after.length]).toEqual([a.length, b.length])
      const changes = lineChanges(a, b)
      before.forEach((owner, at) => expect(owner === null).toBe(!changes.some((one) => at >= one.before.from && at < one.before.to)))
      after.forEach((owner, at) => expect(owner === null).toBe(!changes.some((one) => at >= one.after.from && at < one.after.to)))
      for (const owner of [...before, ...after]) expect([null, ...steps.map((one) => one.author)]).toContain(owner)
    }),
    { numRuns: 80 },
  )
})

test('R79, property: of one author alone, all that differs is theirs', () => {
  fc.assert(
    fc.property(text, author, fc.array(fc.tuple(text, fc.boolean()), { minLength: 1, maxLength: 5 }), (first, one, steps) => {
      const history = new LineHistory(first)
      for (const [next, isRollback] of steps) history.add({ text: next, author: one, isRollback })
      const { before, after } = history.owners()
      expect([...before, ...after].every((owner) => owner === null || owner === one)).toBe(true)
    }),
    { numRuns: 60 },
  )
})

test('R79, property: edits of many authors in places apart are owned exactly', () => {
  const edit = fc.record({ author, puts: fc.nat({ max: 3 }), takes: fc.boolean() })
  fc.assert(
    fc.property(fc.array(edit, { minLength: 1, maxLength: 8 }), fc.nat(), (edits, seed) => {
      // Each edit has a line of its own between two that nobody touches.
      const block = (at: number, isDone: boolean): readonly (readonly [string, Author | null, Author | null])[] => {
        const one = edits[at]
        if (!one) return []
        const own = isDone && one.takes ? [] : [[`own ${at}\n`, null, null] as const]
        const put = Array.from({ length: isDone ? one.puts : 0 }, (_, n) => [`put ${at} ${n}\n`, one.author, null] as const)
        return [[`left ${at}\n`, null, null] as const, ...own, ...put, [`right ${at}\n`, null, null] as const]
      }
      const order = edits.map((_, at) => at).sort((a, b) => ((a * 7919 + seed) % 101) - ((b * 7919 + seed) % 101))
      const done = new Set<number>()
      const now = () => edits.flatMap((_, at) => block(at, done.has(at)))
      const history = new LineHistory(now().map(([line]) => line).join(''))
      for (const at of order) {
        done.add(at)
        history.add({ text: now().map(([line]) => line).join(''), author: edits[at]?.author ?? 'unknown', isRollback: false })
      }
      expect(history.owners()).toEqual({
        before: edits.flatMap((one) => [null, one.takes ? one.author : null, null]),
        after: now().map(([, owner]) => owner),
      })
    }),
    { numRuns: 60 },
  )
})
