import fc from 'fast-check'
import { expect, test } from 'vitest'
import { composeLines } from '../../../../src/main/core/snapshot/composeLines'
import { decideRows, textsToDecide, type RowDecisions } from '../../../../src/main/core/snapshot/decideRows'
import { exactLines, lineChanges } from '../../../../src/shared/domain/lineChanges'
import type { Result } from '../../../../src/shared/domain/result'
import type { PlanRow } from '../../../../src/shared/domain/rollback'
import { atOnce, entryOf, inputFor, itself, wholePlan, type Disk } from '../../../support/rollbackPlans'

const nothing: RowDecisions = { unticked: [], leftChanges: {}, resolved: {} }
const decide = (rows: readonly PlanRow[], more: Partial<RowDecisions>): Result<readonly PlanRow[]> => atOnce(decideRows(rows, { ...nothing, ...more }, itself))
const short = (result: Result<readonly PlanRow[]>): unknown => (result.ok ? result.value.map(({ path, action, merged, reason }) => [path, action, merged, reason.code]) : result.fault)

/** The agent changed `now` since it was `then`. */
const rowsOf = (then: Disk, now: Disk): readonly PlanRow[] => wholePlan(inputFor(then, [{ author: 'agent', disk: now }])).rows
/** The person typed over the agent's line. */
const fought = wholePlan(inputFor({ f: 'one\ntwo\n' }, [{ author: 'agent', disk: { f: 'ONE\ntwo\n' } }, { author: 'you', disk: { f: 'mine\ntwo\n' } }])).rows

test('R76 one change of a file is taken back, the others stay', () => {
  const rows = rowsOf({ f: 'a\nb\nc\nd\ne\n' }, { f: 'A\nb\nC\nd\nE\n' })
  expect(textsToDecide(rows, { ...nothing, leftChanges: { f: [0] } })).toEqual(['A\nb\nC\nd\nE\n', 'a\nb\nc\nd\ne\n'])
  expect(short(decide(rows, { leftChanges: { f: [0, 2] } }))).toEqual([['f', 'merge', 'A\nb\nc\nd\nE\n', 'rollback.chosen']])
  expect(short(decide(rows, { leftChanges: { f: [0, 1, 2, 1] } }))).toEqual([['f', 'leave', undefined, 'rollback.unticked']])
  expect(short(decide(rows, { leftChanges: { f: [] } }))).toEqual([['f', 'revert', undefined, 'rollback.reverted']])
})

test('R76 changes inside a merge and inside a conflict that was resolved can be left too', () => {
  const merged = wholePlan(inputFor({ f: '1\n2\n3\n4\n5\n' }, [{ author: 'agent', disk: { f: 'X\n2\n3\n4\nY\n' } }, { author: 'you', disk: { f: 'X\n2\nmine\n4\nY\n' } }])).rows
  expect(short(decide(merged, { leftChanges: { f: [1] } }))).toEqual([['f', 'merge', '1\n2\nmine\n4\nY\n', 'rollback.chosen']])
  expect(short(decide(fought, { resolved: { f: 'both\ntwo\nmore\n' }, leftChanges: { f: [1] } }))).toEqual([['f', 'merge', 'both\ntwo\n', 'rollback.chosen']])
})

test.each([
  ['a file that was made', rowsOf({}, { f: 'a\n' }), 'f', 'rollback.change-whole'],
  ['a file that was deleted', rowsOf({ f: 'a\n' }, {}), 'f', 'rollback.change-whole'],
  ['a conflict that nobody resolved', fought, 'f', 'rollback.change-whole'],
  ['a path that is not in the plan', fought, 'g', 'rollback.change-whole'],
  ['a number no change has', rowsOf({ f: 'a\n' }, { f: 'b\n' }), 'f', 'rollback.change-unknown'],
])('R76 refused: a change of %s', (_, rows, path, code) => {
  const result = decide(rows, { leftChanges: { [path]: [7] } })
  expect(result).toMatchObject({ ok: false, fault: { code, values: { path } } })
})

test('R76 what is no text, or a link on one side, goes back whole or not at all; unticked, nobody asks', () => {
  const [row] = rowsOf({ f: 'a\n' }, { f: 'b\n' })
  if (!row) throw new Error('no row')
  const refused = { ok: false, fault: { code: 'rollback.change-whole', values: { path: 'f' } } }
  expect(atOnce(decideRows([row], { ...nothing, leftChanges: { f: [0] } }, () => null))).toMatchObject(refused)
  expect(decide([{ ...row, to: { oid: 'target', mode: '120000' } }], { leftChanges: { f: [0] } })).toMatchObject(refused)
  expect(short(decide([row], { unticked: ['f'], leftChanges: { f: [99] } }))).toEqual([['f', 'leave', undefined, 'rollback.unticked']])
})

test('R77 a conflict takes what the person typed, or what was there, or nothing', () => {
  expect(short(decide(fought, { resolved: { f: 'typed\n' } }))).toEqual([['f', 'merge', 'typed\n', 'rollback.resolved']])
  expect(short(decide(fought, { takeEarlier: ['f'] }))).toEqual([['f', 'revert', undefined, 'rollback.taken-earlier']])
  const made = wholePlan(inputFor({}, [{ author: 'agent', disk: { f: 'x\n' } }, { author: 'you', disk: { f: 'x\nmine\n' } }])).rows
  expect(short(decide(made, { takeEarlier: ['f'] }))).toEqual([['f', 'delete', undefined, 'rollback.taken-earlier']])
  expect(short(decide(fought, { takeEarlier: ['f'], unticked: ['f'] }))).toEqual([['f', 'leave', undefined, 'rollback.unticked']])
  expect(short(decide(rowsOf({ f: 'a\n' }, {}), { takeEarlier: ['f'] }))).toEqual([['f', 'recreate', undefined, 'rollback.deleted-since']])
})

test('R77 a conflict settled with what is on disk is left, and one settled with what it was goes back', () => {
  expect(textsToDecide(fought, { ...nothing, resolved: { f: 'x' } })).toEqual(['mine\ntwo\n', 'one\ntwo\n'])
  expect(short(decide(fought, { resolved: { f: 'mine\ntwo\n' } }))).toEqual([['f', 'leave', undefined, 'rollback.unticked']])
  expect(short(decide(fought, { resolved: { f: 'one\ntwo\n' } }))).toEqual([['f', 'revert', undefined, 'rollback.taken-earlier']])
  const [row] = fought
  if (!row) throw new Error('no row')
  // The same text with other permissions is something to write.
  expect(short(decide([{ ...row, to: { ...entryOf('one\ntwo\n'), mode: '100755' } }], { resolved: { f: 'mine\ntwo\n' } }))).toEqual([['f', 'merge', 'mine\ntwo\n', 'rollback.resolved']])
})

test('R78 what the person typed never becomes where a link leads', () => {
  const [row] = fought
  if (!row) throw new Error('no row')
  const result = decide([{ ...row, to: { oid: 'target', mode: '120000' }, from: entryOf('b\n') }], { resolved: { f: '/etc/passwd' } })
  expect(result.ok && result.value.map(({ action, to }) => [action, to?.mode])).toEqual([['merge', '100644']])
  const bare = decide([{ ...row, to: { oid: 'target', mode: '120000' }, from: { oid: 'there', mode: '40000' } }], { resolved: { f: '/etc/passwd' } })
  expect(bare.ok && bare.value.map(({ to }) => to)).toEqual([{ oid: '', mode: '100644' }])
})

const text = fc.tuple(fc.array(fc.constantFrom('a', 'b', 'c', '}', '', '好'), { maxLength: 14 }), fc.constantFrom('\n', '\r\n'), fc.boolean(), fc.boolean()).map(([lines, end, isOpen, hasBom]) => (hasBom ? '\ufeff' : '') + lines.join(end) + (isOpen ? '' : end))

test('R76 property: with some changes left, the disk has exactly the others; with none left it is the plan’s, with all left its own', () => {
  fc.assert(
    fc.property(text, text, fc.func(fc.boolean()), (disk, planned, isLeft) => {
      const [before, after] = [exactLines(disk), exactLines(planned)]
      const changes = lineChanges(before, after)
      const left = changes.map((_, at) => at).filter((at) => isLeft(at))
      // Line numbers of the disk stay true when the last change is made first.
      const expected = [...before]
      for (const [at, change] of [...changes.entries()].reverse()) {
        if (!left.includes(at)) expected.splice(change.before.from, change.before.to - change.before.from, ...after.slice(change.after.from, change.after.to))
      }
      const composed = composeLines(disk, planned, left)
      expect(composed.kind === 'text' ? composed.text : disk).toBe(expected.join(''))
      expect(composed.kind).toBe(left.length === changes.length ? 'none' : 'text')
      if (changes.length > 0) expect(composeLines(disk, planned, [])).toEqual({ kind: 'text', text: planned })
      expect(composeLines(disk, planned, [changes.length])).toEqual({ kind: 'unknown', number: changes.length })
    }),
  )
})
