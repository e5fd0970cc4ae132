import path from 'node:path'
import { expect, test } from 'vitest'
import { openIn, rawOpen, scratchFolder } from '../../../support/scratchDatabase'
import { asId, type WorkspaceId } from '../../../../src/shared/domain/ids'
import { fail, said, succeed } from '../../../../src/shared/domain/result'
import type { PlanAction, PlanRow, RollbackRecord } from '../../../../src/shared/domain/rollback'
import type { Snapshot } from '../../../../src/shared/domain/snapshot'
import type { SayCode } from '../../../../src/shared/words/codes'

function snapshotOf(workspaceId: WorkspaceId, id: string, parent: string | null): Snapshot {
  return {
    id: asId(id), workspaceId, tree: 'a'.repeat(40), side: 'b'.repeat(40), commit: 'c'.repeat(40), parent: parent === null ? null : asId(parent), kind: 'after-call', author: 'command',
    others: [{ path: 'b\udc80', author: 'you' }], sessionId: asId('s'), callId: asId('call-1'), atMs: 5, files: 2, skipped: [{ path: 'node_modules', reason: 'ignored' }],
  }
}

function rollbackOf(workspaceId: WorkspaceId): RollbackRecord {
  const entry = { oid: 'c'.repeat(40), mode: '100644', bits: 0o600 }
  return {
    id: asId('r1'), workspaceId, scope: 'both', sessionId: asId('s'), turnId: asId('t1'), state: 'planned', done: [], failed: [], beforeSnapshot: null, afterSnapshot: null, undoOf: null, atMs: 6,
    plan: { target: { to: asId('snap-1'), keepUserEdits: true }, head: 'h', notCovered: ['x'], rows: [{ path: 'a', action: 'revert', authors: ['agent'], reason: said('turn.done'), from: entry, to: null }] },
  }
}

test('a workspace is known by its real path, also over restarts and when two ask at once', async () => {
  const dataDir = scratchFolder()
  const database = await openIn(dataDir)
  const [first, second] = await Promise.all([database.timeline.workspace('/w/项目', 'project'), database.timeline.workspace('/w/项目', 'other name')])
  expect(second).toEqual(first)
  expect((await database.timeline.workspace('/w/other', 'other')).id).not.toBe(first.id)
  await database.close()
  expect(await (await openIn(dataDir)).timeline.workspace('/w/项目', 'project')).toEqual(first)
})

test('R75: snapshots come back whole, in the order they were added, or those after one', async () => {
  const database = await openIn(scratchFolder())
  const { id } = await database.timeline.workspace('/w', 'w')
  const other = await database.timeline.workspace('/v', 'v')
  const added = [snapshotOf(id, 'z-first', null), snapshotOf(id, 'a-second', 'z-first'), snapshotOf(id, 'm-third', 'a-second')]
  for (const one of added) await database.timeline.addSnapshot(one)
  await database.timeline.addSnapshot(snapshotOf(other.id, 'elsewhere', null))
  expect(await database.timeline.snapshots(id)).toEqual(added)
  expect(await database.timeline.snapshots(id, asId('z-first'))).toEqual(added.slice(1))
  expect(await database.timeline.snapshots(id, asId('m-third'))).toEqual([])
})

test('R78: a rollback is stored before its first write, and each path as it becomes durable', async () => {
  const dataDir = scratchFolder()
  const database = await openIn(dataDir)
  const { id } = await database.timeline.workspace('/w', 'w')
  const record = rollbackOf(id)
  await database.timeline.addRollback(record)
  expect(await database.timeline.rollbacks(id)).toEqual([record])
  await database.timeline.markRollbackPaths(record.id, ['z', 'bytes \udc80\udcff'].map((path) => ({ path, outcome: succeed(null) })))
  await database.timeline.markRollbackPaths(record.id, [{ path: 'b', outcome: fail('tool.failed', { problem: 'x' }) }])
  const failed = [{ path: 'b', reason: said('tool.failed', { problem: 'x' }) }]
  expect(await database.timeline.rollbacks(id)).toEqual([{ ...record, done: ['z', 'bytes \udc80\udcff'], failed }])

  const changed: RollbackRecord = { ...record, state: 'partly', done: ['a'], failed, beforeSnapshot: asId('x'), afterSnapshot: asId('y') }
  await database.timeline.updateRollback(changed)
  await database.close()
  const again = await openIn(dataDir)
  expect([await again.timeline.rollbacks(id), await again.timeline.rollback(record.id), await again.timeline.rollback(asId('nobody'))]).toEqual([[changed], changed, null])
  await expect(again.timeline.updateRollback({ ...changed, id: asId('nobody') })).rejects.toThrow('no rollback nobody')
})

test('what belongs to no known workspace or rollback is a bug', async () => {
  const database = await openIn(scratchFolder())
  await expect(database.timeline.addSnapshot(snapshotOf(asId('nowhere'), 's', null))).rejects.toThrow('FOREIGN KEY')
  await expect(database.timeline.markRollbackPaths(asId('nobody'), [{ path: 'a', outcome: succeed(null) }])).rejects.toThrow('FOREIGN KEY')
})

test('R79: points are read in pages without their lists, and a long list is stored once', async () => {
  const dataDir = scratchFolder()
  const database = await openIn(dataDir)
  const { id } = await database.timeline.workspace('/w', 'w')
  const skipped = Array.from({ length: 40 }, (_, at) => ({ path: `build/${at}\udc80`, reason: 'too-large' as const }))
  const added = ['p1', 'p2', 'p3', 'p4', 'p5'].map((one, at) => ({ ...snapshotOf(id, one, at === 0 ? null : `p${at}`), ...(at === 4 ? {} : { skipped }) }))
  for (const one of added) await database.timeline.addSnapshot(one)
  const rows = added.map(({ skipped: _, ...row }) => row)
  expect(await database.timeline.points(id, null, 2)).toEqual({ rows: rows.slice(0, 2), forgotten: null })
  expect(await database.timeline.points(id, asId('p2'), 2)).toEqual({ rows: rows.slice(2, 4), forgotten: null })
  expect(await database.timeline.points(id, asId('p4'), 2)).toEqual({ rows: rows.slice(4), forgotten: null })
  expect(await database.timeline.points(id, asId('nobody'), 9)).toEqual({ rows, forgotten: null })
  expect(await database.timeline.snapshots(id)).toEqual(added)
  expect([await database.timeline.skippedOf(asId('p3')), await database.timeline.skippedOf(asId('p5'))]).toEqual([skipped, added[4]?.skipped])
  await expect(database.timeline.skippedOf(asId('nobody'))).rejects.toMatchObject({ fault: { code: 'snapshot.unknown' } })
  await database.close()
  const raw = rawOpen(path.join(dataDir, 'countersign.db'))
  expect(raw.prepare('SELECT count(*) AS lists FROM skip_list').get()).toEqual({ lists: 1 })
  raw.exec('DELETE FROM skip_list')
  raw.close()
  const damaged = await openIn(dataDir)
  // Nothing at all skipped would be a lie that a rollback acts on.
  await expect(damaged.timeline.skippedOf(asId('p3'))).rejects.toMatchObject({ fault: { code: 'snapshot.list-lost' } })
  expect((await damaged.timeline.points(id, null, 9)).rows).toEqual(rows)
})

test('R80: points that are let go leave nothing but how many they were and when the newest was taken', async () => {
  const dataDir = scratchFolder()
  const database = await openIn(dataDir)
  const { id } = await database.timeline.workspace('/w', 'w')
  const skipped = Array.from({ length: 40 }, (_, at) => ({ path: `${at}/long`, reason: 'ignored' as const }))
  const summary = { changed: [{ path: 'a\udcff', change: 'added' as const }], changes: 1, lines: null, unheld: 0 }
  for (const [at, one] of ['p1', 'p2', 'p3', 'p4'].entries()) await database.timeline.addSnapshot({ ...snapshotOf(id, one, at === 0 ? null : `p${at}`), atMs: 10 + at, ...(at < 2 ? { skipped } : {}) })
  const ids = ['p1', 'p2', 'p3', 'p4', 'nobody'].map((one) => asId<Snapshot['id']>(one))
  await database.timeline.keepSummaries(ids.map((one) => ({ id: one, summary })))
  expect(await database.timeline.summaries(ids)).toEqual([summary, summary, summary, summary, null])
  await database.timeline.forgetSnapshots(id, ids.slice(0, 1))
  await database.timeline.forgetSnapshots(id, ids.slice(0, 2))
  const { rows, forgotten } = await database.timeline.points(id, asId('p2'), 9)
  expect({ rows: rows.map((row) => [row.id, row.parent]), forgotten, kept: await database.timeline.summaries(ids) }).toEqual({
    rows: [['p3', null], ['p4', 'p3']],
    forgotten: { points: 2, untilMs: 11 },
    kept: [null, null, summary, summary, null],
  })
  await database.timeline.forgetSnapshots(id, [])
  await database.timeline.forgetSnapshots(asId('nowhere'), ids)
  expect((await database.timeline.points(id, null, 9)).rows).toEqual(rows)
  await database.close()
  const raw = rawOpen(path.join(dataDir, 'countersign.db'), true)
  expect(raw.prepare('SELECT count(*) AS lists FROM skip_list').get()).toEqual({ lists: 0 })
  raw.close()
})

test('R79: rollbacks are listed without their plans, with how many paths are done and failed', async () => {
  const database = await openIn(scratchFolder())
  const { id } = await database.timeline.workspace('/w', 'w')
  const record = rollbackOf(id)
  await database.timeline.addRollback(record)
  await database.timeline.markRollbackPaths(record.id, [{ path: 'z', outcome: succeed(null) }])
  await database.timeline.markRollbackPaths(record.id, [{ path: 'y', outcome: succeed(null) }])
  await database.timeline.markRollbackPaths(record.id, [{ path: 'b', outcome: fail('tool.failed', { problem: 'x' }) }])
  const { plan, workspaceId: _, ...facts } = record
  expect(await database.timeline.rollbackRows(id)).toEqual([{ ...facts, target: plan.target, done: 2, failed: 1, left: ['b'], partly: [], kept: [] }])
})

test('R76 R79: a rollback says which paths did not go back with it, and of which only a part; what was as wanted already did', async () => {
  const database = await openIn(scratchFolder())
  const { id } = await database.timeline.workspace('/w', 'w')
  const record = rollbackOf(id)
  const row = (path: string, action: PlanAction, code: SayCode): PlanRow => ({ path, action, authors: [], reason: said(code), from: null, to: null })
  const rows = [row('went', 'revert', 'rollback.reverted'), row('unticked', 'leave', 'rollback.unticked'), row('same', 'leave', 'rollback.nothing-left'), row('mine', 'leave', 'rollback.yours'), row('open', 'conflict', 'rollback.conflict-lines'), row('\udcff', 'cannot', 'rollback.cannot-lost'), row('merged', 'merge', 'rollback.merged'), row('some', 'merge', 'rollback.chosen'), row('typed', 'merge', 'rollback.resolved')]
  await database.timeline.addRollback({ ...record, plan: { ...record.plan, rows } })
  const [told] = await database.timeline.rollbackRows(id)
  expect([[...told?.left ?? []].sort(), [...told?.partly ?? []].sort(), told?.kept]).toEqual([['mine', 'open', 'unticked', '\udcff'], ['some', 'typed'], ['mine']])
})
