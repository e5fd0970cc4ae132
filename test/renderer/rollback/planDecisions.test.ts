import fc from 'fast-check'
import { expect, test } from 'vitest'
import { composeLines } from '../../../src/main/core/snapshot/composeLines'
import { changePlaces, sidesWithout, textWithout } from '../../../src/renderer/features/rollback/leftOut'
import { beginDraft, take } from '../../../src/renderer/features/rollback/mergeDraft'
import { decisionsOf, fateOf, impossibleRows, keyOf, linesOf, openConflicts, totalLines, writingRows, type Deciding } from '../../../src/renderer/features/rollback/planDecisions'
import type { Drafted, LeftOut } from '../../../src/renderer/features/rollback/planState'
import { flatOf, partsBetween } from '../../../src/shared/domain/changedText'
import { exactLines, lineChanges } from '../../../src/shared/domain/lineChanges'
import { said } from '../../../src/shared/domain/result'
import type { ConflictPart, PlanAction, PlanRow } from '../../../src/shared/domain/rollback'
import { asId } from '../../../src/shared/domain/ids'

const line = fc.constantFrom('', 'import a', 'b = 2', 'c()', '}', 'd', '  e: 1,')
const text = fc.tuple(fc.array(fc.tuple(line, fc.constantFrom('\n', '\r\n')), { maxLength: 12 }), fc.option(line)).map(([all, last]) => all.flat().join('') + (last ?? ''))

test('what is shown with some changes left out is what the service writes, to the byte (R77)', () => {
  fc.assert(fc.property(text, text, fc.array(fc.nat({ max: 6 })), (disk, planned, wanted) => {
    const parts = partsBetween(disk, planned)
    const places = changePlaces(parts)
    expect(places).toHaveLength(lineChanges(exactLines(disk), exactLines(planned)).length)
    const left = [...new Set(wanted)].filter((number) => number < places.length)
    const composed = composeLines(disk, planned, left)
    expect(textWithout(parts, left)).toBe(composed.kind === 'text' ? composed.text : disk)
    const sides = sidesWithout(parts, left)
    expect([sides.left, sides.right, sides.blocks.map(({ look }) => look)]).toEqual([flatOf(disk), flatOf(textWithout(parts, left)), places.map((_, number) => (left.includes(number) ? 'rejected' : 'changed'))])
  }))
})

const entry = (letter: string) => ({ oid: letter.repeat(40), mode: '100644' })
const row = (path: string, action: PlanAction, more: Partial<PlanRow> = {}): PlanRow => ({ path, action, authors: ['agent'], reason: said('rollback.reverted'), from: entry('a'), to: entry('b'), ...more })
const parts: readonly ConflictPart[] = [{ kind: 'conflict', earlier: 'then\n', base: 'agent\n', disk: 'mine\n' }, { kind: 'same', text: 'same\n' }]
const rows = { conflict: row('c', 'conflict'), revert: row('r', 'revert'), merge: row('m', 'merge', { merged: 'x\n' }), gone: row('d', 'delete', { to: null }), leave: row('l', 'leave'), cannot: row('n', 'cannot') }
const plan = (...all: readonly PlanRow[]) => ({ target: { to: asId<never>('p'), keepUserEdits: true }, head: 'h', rows: all, notCovered: [] })
const state = (more: Partial<Deciding> = {}): Deciding => ({ plan: plan(...Object.values(rows)), scope: 'files', unticked: new Set(), left: {}, drafts: {}, ...more })
const keptDisk = (of: PlanRow, disk: string): Drafted => ({ key: keyOf(of), kind: 'text', draft: take(beginDraft(parts, disk), [0], 'disk') })
const settled = (of: PlanRow, isWhole = true): Drafted => ({ key: keyOf(of), kind: 'text', draft: isWhole ? take(beginDraft(parts), [0], 'disk') : beginDraft(parts) })
const left = (of: PlanRow, numbers: readonly number[], total = 2): LeftOut => ({ key: keyOf(of), numbers, total, lines: { added: 1, removed: 0 } })

test('a row is what the plan says until the person says otherwise; each in one way only (R77)', () => {
  const fate = (of: PlanRow, more: Partial<Deciding> = {}) => { const { action, by } = fateOf(of, state(more)); return `${action} ${by}` }
  expect(Object.values(rows).map((one) => fate(one))).toEqual(['conflict plan', 'revert plan', 'merge plan', 'delete plan', 'leave plan', 'cannot plan'])
  expect(fate(rows.conflict, { unticked: new Set(['c']), drafts: { c: settled(rows.conflict) } })).toBe('leave unticked')
  expect([fate(rows.conflict, { drafts: { c: settled(rows.conflict) } }), fate(rows.conflict, { drafts: { c: settled(rows.conflict, false) } })]).toEqual(['merge resolved', 'conflict plan'])
  const whole = (side: 'earlier' | 'disk', of = rows.conflict) => fate(of, { drafts: { c: { key: keyOf(of), kind: 'whole', side } } })
  expect([whole('earlier'), whole('disk'), whole('earlier', row('c', 'conflict', { to: null })), whole('earlier', row('c', 'conflict', { from: null }))]).toEqual(['revert earlier', 'leave disk', 'delete earlier', 'recreate earlier'])
  expect([fate(rows.revert, { left: { r: left(rows.revert, [0]) } }), fate(rows.revert, { left: { r: left(rows.revert, [0, 1]) } }), fate(rows.revert, { left: { r: left(rows.revert, []) } })]).toEqual(['revert some-left', 'leave all-left', 'revert plan'])
})

test('R77 a conflict settled with what is on disk is left and not counted; with other permissions it is written', () => {
  const moded = row('c', 'conflict', { to: { ...entry('b'), mode: '100755' } })
  const fate = (of: PlanRow, disk: string) => { const { action, by } = fateOf(of, state({ drafts: { c: keptDisk(of, disk) } })); return `${action} ${by}` }
  expect([fate(rows.conflict, 'mine\nsame\n'), fate(rows.conflict, 'mine\nagent too\n'), fate(moded, 'mine\nsame\n')]).toEqual(['leave disk', 'merge resolved', 'merge resolved'])
  const kept = state({ plan: plan(rows.conflict), drafts: { c: keptDisk(rows.conflict, 'mine\nsame\n') } })
  expect([writingRows(kept), openConflicts(kept), decisionsOf(kept)]).toEqual([[], [], { unticked: ['c'], leftChanges: {}, resolved: {}, takeEarlier: [] }])
})

test('what was decided holds for the same texts only: a row of another plan begins anew (R77)', () => {
  const other = row('c', 'conflict', { to: entry('e') })
  expect([fateOf(other, state({ drafts: { c: settled(rows.conflict) } })), fateOf(row('r', 'revert', { from: entry('f') }), state({ left: { r: left(rows.revert, [0, 1]) } }))]).toEqual([{ action: 'conflict', by: 'plan' }, { action: 'revert', by: 'plan' }])
})

test('what is sent names rows of the plan only, each once (R77)', () => {
  const whole = row('__proto__', 'conflict')
  const all = [...Object.values(rows), whole, row('w', 'conflict')]
  const sent = decisionsOf(state({
    plan: plan(...all), unticked: new Set(['d', 'of another plan']), left: { r: left(rows.revert, [1]), m: left(rows.merge, [0, 1]) },
    drafts: { c: settled(rows.conflict), w: { key: keyOf(row('w', 'conflict')), kind: 'whole', side: 'earlier' } },
  }))
  expect(sent).toEqual({ unticked: ['m', 'd'], leftChanges: { r: [1] }, resolved: { c: 'mine\nsame\n' }, takeEarlier: ['w'] })
})

test('the button counts what will be written, the foot what is open, and the conversation waits for what cannot be done (R76, R77)', () => {
  const paths = (all: readonly PlanRow[]) => all.map(({ path }) => path)
  const resolved = state({ drafts: { c: settled(rows.conflict) }, unticked: new Set(['n']), left: { m: left(rows.merge, [0, 1]) } })
  expect([paths(writingRows(state())), paths(openConflicts(state())), paths(impossibleRows(state()))]).toEqual([['c', 'r', 'm', 'd'], ['c'], ['n']])
  expect([paths(writingRows(resolved)), paths(openConflicts(resolved)), paths(impossibleRows(resolved))]).toEqual([['c', 'r', 'd'], [], []])
})

test('lines follow what was left out and what was resolved; nothing is counted for what is not written', () => {
  const planned = { added: 5, removed: 4 }
  const lines = (of: PlanRow, more: Partial<Deciding> = {}, disk: string | null = null) => linesOf(of, planned, state(more), disk)
  expect([lines(rows.revert), lines(rows.leave), lines(rows.revert, { unticked: new Set(['r']) }), lines(rows.revert, { left: { r: left(rows.revert, [0]) } })]).toEqual([planned, null, null, { added: 1, removed: 0 }])
  const drafts = { c: settled(rows.conflict) }
  expect([lines(rows.conflict, { drafts }), lines(rows.conflict, { drafts }, 'agent\nmine\nsame\n'), lines(rows.conflict, { drafts })]).toEqual([null, { added: 0, removed: 1 }, { added: 0, removed: 1 }])
  expect(totalLines([planned, null, { added: 1, removed: 1 }])).toEqual({ added: 6, removed: 5 })
})
