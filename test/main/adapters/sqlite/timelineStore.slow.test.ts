import { expect, test } from 'vitest'
import { openIn, scratchFolder } from '../../../support/scratchDatabase'
import { asId, type WorkspaceId } from '../../../../src/shared/domain/ids'
import { fail, said, succeed } from '../../../../src/shared/domain/result'
import type { RollbackRecord } from '../../../../src/shared/domain/rollback'
import type { Snapshot } from '../../../../src/shared/domain/snapshot'

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
  await database.timeline.markRollbackPath(record.id, 'z', succeed(null))
  await database.timeline.markRollbackPath(record.id, 'bytes \udc80\udcff', succeed(null))
  await database.timeline.markRollbackPath(record.id, 'b', fail('tool.failed', { problem: 'x' }))
  const failed = [{ path: 'b', reason: said('tool.failed', { problem: 'x' }) }]
  expect(await database.timeline.rollbacks(id)).toEqual([{ ...record, done: ['z', 'bytes \udc80\udcff'], failed }])

  const changed: RollbackRecord = { ...record, state: 'partly', done: ['a'], failed, beforeSnapshot: asId('x'), afterSnapshot: asId('y') }
  await database.timeline.updateRollback(changed)
  await database.close()
  const again = await openIn(dataDir)
  expect(await again.timeline.rollbacks(id)).toEqual([changed])
  await expect(again.timeline.updateRollback({ ...changed, id: asId('nobody') })).rejects.toThrow('no rollback nobody')
})

test('what belongs to no known workspace or rollback is a bug', async () => {
  const database = await openIn(scratchFolder())
  await expect(database.timeline.addSnapshot(snapshotOf(asId('nowhere'), 's', null))).rejects.toThrow('FOREIGN KEY')
  await expect(database.timeline.markRollbackPath(asId('nobody'), 'a', succeed(null))).rejects.toThrow('FOREIGN KEY')
})
