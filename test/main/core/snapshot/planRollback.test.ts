import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findWays, textsNeeded, type PlanInput } from '../../../../src/main/core/snapshot/planRollback'
import type { PlanRow } from '../../../../src/shared/domain/rollback'
import { asId, type SessionId, type SnapshotId } from '../../../../src/shared/domain/ids'
import type { Author } from '../../../../src/shared/domain/snapshot'
import { applied as apply, atOnce, diffDisks as diff, inputFor, wholePlan, type Disk, type Moment, type PlanWish } from '../../../support/rollbackPlans'

function planOf(then: Disk, moments: readonly Moment[], more?: PlanWish): readonly PlanRow[] {
  return wholePlan(inputFor(then, moments, more)).rows
}

const short = (rows: readonly PlanRow[]): unknown => rows.map(({ path, action, authors, reason }) => [path, action, authors.join('+'), reason.code])

test('R77 the agent alone: changed goes back, made goes, deleted comes', () => {
  const rows = planOf({ a: '1', b: '1' }, [{ author: 'agent', disk: { a: '2', c: '1' } }])
  expect(short(rows)).toEqual([
    ['a', 'revert', 'agent', 'rollback.reverted'],
    ['b', 'recreate', 'agent', 'rollback.deleted-since'],
    ['c', 'delete', 'agent', 'rollback.made-since'],
  ])
})

test('R77 what only the person changed is left, and said', () => {
  const rows = planOf({ a: '1', mine: '1' }, [
    { author: 'agent', disk: { a: '2', mine: '1' } },
    { author: 'you', disk: { a: '2', mine: '2', todo: '3' } },
  ])
  expect(short(rows)).toEqual([
    ['a', 'revert', 'agent', 'rollback.reverted'],
    ['mine', 'leave', 'you', 'rollback.yours'],
    ['todo', 'leave', 'you', 'rollback.yours'],
  ])
})

test('R76 c09 only what one session did is taken back: what calls of another changed stays, and is said', () => {
  const [one, two] = [asId<SessionId>('one'), asId<SessionId>('two')]
  const shared = (...changed: readonly number[]): string => Array.from({ length: 9 }, (_, at) => `line ${at + 1}${changed.includes(at + 1) ? ' new' : ''}\n`).join('')
  const then = { shared: shared(), both: 'x\n' }
  const rows = planOf(then, [
    { author: 'agent', session: one, disk: { ...then, a: '1', shared: shared(1), both: 'one\n' } },
    { author: 'command', session: two, disk: { a: '1', b: '1', shared: shared(1, 9), both: 'two\n' } },
    { author: 'you', disk: { a: '1', b: '1', mine: '1', shared: shared(1, 9), both: 'two\n' } },
  ], { ofSession: one })
  expect(short(rows)).toEqual([
    ['both', 'conflict', 'agent+command', 'rollback.conflict-session'],
    ['shared', 'merge', 'agent+command', 'rollback.merged'],
    ['a', 'delete', 'agent', 'rollback.made-since'],
    ['b', 'leave', 'command', 'rollback.other-session'],
    ['mine', 'leave', 'you', 'rollback.yours'],
  ])
  expect(rows.find(({ path }) => path === 'shared')?.merged).toBe(shared(9))
})

test('R77 what a rollback wrote is nobody’s change, and what it settled is no question again', () => {
  const rows = planOf({ a: '1', b: '1' }, [
    { author: 'agent', disk: { a: '2', b: '2' } },
    { author: 'you', disk: { a: 'mine', b: '2' } },
    { author: 'you', kind: 'after-rollback', disk: { a: '1', b: '3' } },
  ])
  expect(short(rows)).toEqual([['b', 'revert', 'agent', 'rollback.reverted']])
})

test('R76 without the person’s edits, the work of another session still stays', () => {
  const [one, two] = [asId<SessionId>('one'), asId<SessionId>('two')]
  const rows = planOf({}, [
    { author: 'agent', session: one, disk: { a: '1' } },
    { author: 'agent', session: two, disk: { a: '1', b: '1' } },
    { author: 'you', disk: { a: '1', b: '1', mine: '1' } },
  ], { ofSession: one, keepUserEdits: false })
  expect(short(rows)).toEqual([['a', 'delete', 'agent', 'rollback.made-since'], ['mine', 'delete', 'you', 'rollback.yours-set-aside'], ['b', 'leave', 'agent', 'rollback.other-session']])
})

test('R77 without keeping the person’s edits all goes back to the target, and says so', () => {
  const rows = planOf({ a: '1', mine: '1' }, [{ author: 'you', disk: { a: '1', mine: '2', todo: '3' } }], { keepUserEdits: false })
  expect(short(rows)).toEqual([
    ['mine', 'revert', 'you', 'rollback.yours-set-aside'],
    ['todo', 'delete', 'you', 'rollback.yours-set-aside'],
  ])
})

test('R77 edits of other lines are merged: base is what the agent left, ours the disk, theirs the target', () => {
  const rows = planOf({ f: 'one\ntwo\nthree\n' }, [
    { author: 'agent', disk: { f: 'ONE\ntwo\nthree\n' } },
    { author: 'you', disk: { f: 'ONE\ntwo\nthree, mine\n' } },
  ])
  expect(rows.map(({ action, merged, authors }) => ({ action, merged, authors }))).toEqual([{ action: 'merge', merged: 'one\ntwo\nthree, mine\n', authors: ['agent', 'you'] }])
})

test('R77 an edit of the person between two of the agent’s is kept too', () => {
  const rows = planOf({ f: 'one\ntwo\nthree\n' }, [
    { author: 'you', disk: { f: 'one\ntwo, mine\nthree\n' } },
    { author: 'agent', disk: { f: 'ONE\ntwo, mine\nthree\n' } },
    { author: 'you', disk: { f: 'ONE\ntwo, mine\nthree\nfour, mine\n' } },
    { author: 'command', disk: { f: 'ONE\ntwo, mine\nTHREE\nfour, mine\n' } },
  ])
  expect(apply({}, rows)).toEqual({ f: 'one\ntwo, mine\nthree\nfour, mine\n' })
})

test('R77 the same lines, content that is no text, and files made or deleted on both sides are conflicts', () => {
  const then = { lines: 'a\n', gone: 'a\n', stays: 'x' }
  const rows = planOf(then, [
    { author: 'agent', disk: { lines: 'b\n', made: 'b\n', stays: 'x' } },
    { author: 'you', disk: { lines: 'c\n', made: 'b\nmine\n', gone: 'again\n', stays: 'x' } },
  ])
  expect(short(rows)).toEqual([
    ['gone', 'conflict', 'agent+you', 'rollback.conflict-remade'],
    ['lines', 'conflict', 'agent+you', 'rollback.conflict-lines'],
    ['made', 'conflict', 'agent+you', 'rollback.conflict-made'],
  ])
  const binary = wholePlan(inputFor({ b: '1' }, [{ author: 'agent', disk: { b: '2' } }, { author: 'you', disk: { b: '3' } }]), () => null)
  expect(short(binary.rows)).toEqual([['b', 'conflict', 'agent+you', 'rollback.conflict-binary']])
})

test('R77 what the agent undid of the person’s comes again, though the file is as it was then', () => {
  const rows = planOf({ f: 'a\nb\n' }, [
    { author: 'you', disk: { f: 'a\nmine\n', todo: 'mine\n' } },
    { author: 'command', disk: { f: 'a\nb\n' } },
  ])
  expect(short(rows)).toEqual([
    ['f', 'revert', 'you+command', 'rollback.reverted'],
    ['todo', 'recreate', 'you+command', 'rollback.deleted-since'],
  ])
  expect(apply({ f: 'a\nb\n' }, rows)).toEqual({ f: 'a\nmine\n', todo: 'mine\n' })
  const made = [{ author: 'agent', disk: { f: 'x\n' } }, { author: 'you', disk: { f: 'mine\n' } }, { author: 'agent', disk: {} }] as const
  expect(short(planOf({}, made))).toEqual([['f', 'conflict', 'agent+you', 'rollback.conflict-made']])
  expect(planOf({ f: 'a\n' }, [{ author: 'agent', disk: { f: 'b\n' } }, { author: 'you', disk: { f: 'a\n' } }])).toEqual([])
})

test('R77 a file the person deleted stays deleted', () => {
  expect(short(planOf({ f: '1' }, [{ author: 'agent', disk: { f: '2' } }, { author: 'you', disk: {} }]))).toEqual([['f', 'leave', 'agent+you', 'rollback.you-deleted']])
})

test('R77 a file the person saved while the agent changed it cannot be told apart', () => {
  expect(short(planOf({ f: '1' }, [{ author: 'both', disk: { f: '2' } }]))).toEqual([['f', 'conflict', 'both', 'rollback.conflict-both']])
})

test('R77 a change by somebody unknown is kept as the person’s', () => {
  expect(short(planOf({ f: '1' }, [{ author: 'unknown', disk: { f: '2' } }]))).toEqual([['f', 'leave', 'unknown', 'rollback.yours']])
})

test('R78 what an earlier rollback wrote is no edit of the person', () => {
  const rows = planOf({ f: '0' }, [
    { author: 'agent', disk: { f: '1' } },
    { author: 'agent', disk: { f: '2' } },
    { author: 'you', kind: 'after-rollback', disk: { f: '1' } },
  ])
  expect(short(rows)).toEqual([['f', 'revert', 'agent', 'rollback.reverted']])
})

test('R76 one call alone: its own changes go, later ones stay', () => {
  const [before, after, now] = [{ f: 'a\nb\nc\nd\ne\n', g: '1' }, { f: 'A\nb\nc\nd\ne\n', h: '1' }, { f: 'A\nb\nc\nd\nE\n', h: '1', later: '1' }]
  const input: PlanInput = {
    target: { to: asId<SnapshotId>('s'), only: { from: asId<SnapshotId>('s'), until: asId<SnapshotId>('t') }, keepUserEdits: true },
    head: 'head',
    changes: diff(before, after),
    since: diff(after, now),
    steps: [
      { kind: 'after-call', author: 'agent', others: [], sessionId: null, changes: diff(before, after) },
      { kind: 'after-call', author: 'agent', others: [], sessionId: null, changes: diff(after, now) },
    ],
    skippedThen: [],
    skippedNow: [],
    lost: new Set(),
  }
  const { rows } = wholePlan(input)
  expect(apply(now, rows)).toEqual({ f: 'a\nb\nc\nd\nE\n', g: '1', later: '1' })
})

test('R76 one file, or one folder', () => {
  const moments: Moment[] = [{ author: 'agent', disk: { 'a/x': '2', 'ab/x': '2', b: '2' } }]
  expect(planOf({ 'a/x': '1', 'ab/x': '1', b: '1' }, moments, { paths: ['a', 'b'] }).map(({ path }) => path)).toEqual(['a/x', 'b'])
})

test('R80 what no snapshot holds is neither overwritten nor deleted, and listed', () => {
  const plan = wholePlan(
    inputFor({ big: '1', kept: '1' }, [{ author: 'agent', disk: { kept: '2', 'logs/a.log': '1', 'data/1.csv': '1', 'data/deep/2.csv': '1' } }], {
      skippedNow: [{ path: 'big', reason: 'too-large' }],
      skippedThen: [
        { path: 'logs', reason: 'ignored' },
        { path: 'data/*', reason: 'ignored' },
      ],
    }),
  )
  expect(short(plan.rows)).toEqual([
    ['big', 'cannot', 'agent', 'rollback.cannot-not-held'],
    ['kept', 'revert', 'agent', 'rollback.reverted'],
    ['data/deep/2.csv', 'delete', 'agent', 'rollback.made-since'],
    ['data/1.csv', 'leave', 'agent', 'rollback.leave-not-held'],
    ['logs/a.log', 'leave', 'agent', 'rollback.leave-not-held'],
  ])
  expect(plan.notCovered).toEqual(['big', 'data/*', 'logs'])
})

test('R77 a file whose place keeps something of the person’s cannot come back', () => {
  const rows = planOf({ a: '1' }, [{ author: 'agent', disk: { 'a/b': '2' } }, { author: 'you', disk: { 'a/b': '2', 'a/mine': '3' } }])
  expect(short(rows)).toEqual([
    ['a', 'cannot', 'agent', 'rollback.cannot-blocked'],
    ['a/b', 'delete', 'agent', 'rollback.made-since'],
    ['a/mine', 'leave', 'you', 'rollback.yours'],
  ])
})

test('R77 only texts that a merge will look at are asked for', () => {
  const input = inputFor({ a: '1', b: '1\n2\n3\n' }, [{ author: 'agent', disk: { a: '2', b: 'X\n2\n3\n' } }, { author: 'you', disk: { a: '2', b: 'X\n2\nY\n' } }])
  expect([...textsNeeded(atOnce(findWays(input)))].sort()).toEqual(['1\n2\n3\n', 'X\n2\n3\n', 'X\n2\nY\n'])
})

const names = ['a', 'b', 'd/x', 'd/y', 'e']
const lines = fc.array(fc.constantFrom('one\n', 'two\n', 'three\n', 'four\n'), { maxLength: 6 }).map((all) => all.join(''))
const disks = fc.dictionary(fc.constantFrom(...names), lines, { maxKeys: 5, noNullPrototype: true })
const stories = fc.record({ then: disks, moments: fc.array(fc.record({ author: fc.constantFrom<Author>('agent', 'command', 'you', 'unknown'), disk: disks }), { minLength: 1, maxLength: 6 }) })

test('R77 property: without keeping edits, the disk becomes the target exactly', () => {
  fc.assert(
    fc.property(stories, ({ then, moments }) => {
      const now = moments.at(-1)?.disk ?? then
      expect(apply(now, planOf(then, moments, { keepUserEdits: false }))).toEqual(then)
    }),
  )
})

test('R77 property: paths nobody but the agent touched become the target, paths only the person touched stay, others are not in the plan', () => {
  fc.assert(
    fc.property(stories, ({ then, moments }) => {
      const now = moments.at(-1)?.disk ?? then
      const rows = planOf(then, moments)
      const after = apply(now, rows)
      const touched = new Map<string, Set<boolean>>()
      moments.forEach(({ author, disk }, index) => {
        for (const { path } of diff(moments[index - 1]?.disk ?? then, disk)) touched.set(path, (touched.get(path) ?? new Set()).add(author === 'you' || author === 'unknown'))
      })
      for (const path of names) {
        const by = touched.get(path)
        if (!by?.has(true)) expect(after[path]).toBe(then[path])
        else if (!by.has(false)) expect(after[path]).toBe(now[path])
      }
      const different = diff(then, now).map(({ path }) => path)
      const named = rows.map(({ path }) => path)
      expect(named).toEqual(expect.arrayContaining(different))
      // What is as it was is named only where something of the person's went in between.
      for (const path of named) if (!different.includes(path)) expect(touched.get(path)?.size).toBe(2)
    }),
  )
})

test('R77 property: a line only the person added survives every rollback that is no conflict', () => {
  const position = fc.integer({ min: 0, max: 5 })
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.boolean(), position), { minLength: 1, maxLength: 6 }), (moves) => {
      let text = ['0', '1', '2', '3', '4', '5']
      const mine: string[] = []
      const moments = moves.map(([isMine, at], index): Moment => {
        const line = `${isMine ? 'mine' : 'agent'} ${index}`
        if (isMine) mine.push(line)
        text = [...text.slice(0, at), line, ...text.slice(at)]
        return { author: isMine ? 'you' : 'agent', disk: { f: `${text.join('\n')}\n` } }
      })
      const now = moments.at(-1)?.disk ?? {}
      const rows = planOf({ f: '0\n1\n2\n3\n4\n5\n' }, moments)
      const after = apply(now, rows)['f'] ?? ''
      for (const line of mine) expect(after).toContain(`${line}\n`)
      if (rows.every(({ action }) => action !== 'conflict')) expect(after).not.toContain('agent')
    }),
  )
})
