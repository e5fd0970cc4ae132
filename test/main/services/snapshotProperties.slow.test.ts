import { chmodSync, existsSync, mkdirSync, rmSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { RollbackId, SnapshotId } from '../../../src/shared/domain/ids'
import type { RollbackRecord } from '../../../src/shared/domain/rollback'
import { makeScratch, picture, valueOf } from '../../support/sideRepository'
import { openWorld, type SnapshotWorld } from '../../support/snapshotWorld'

const file = fc.constantFrom('a', 'b', 'd/x', 'd/y', '中文')
const edit = fc.oneof(
  fc.record({ kind: fc.constant('write' as const), file, text: fc.constantFrom('1\n2\n3\n', '1\n2\nX\n', 'Y\n2\n3\n', 'other\n') }),
  fc.record({ kind: fc.constant('delete' as const), file }),
  fc.record({ kind: fc.constant('mode' as const), file, bits: fc.constantFrom(0o644, 0o755, 0o600) }),
)
const event = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('call' as const), author: fc.constantFrom('agent' as const, 'command' as const), edits: fc.array(edit, { maxLength: 3 }) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('person' as const), edits: fc.array(edit, { minLength: 1, maxLength: 2 }) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('roll back' as const), to: fc.nat(), keepUserEdits: fc.boolean(), isUndone: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('restart' as const) }) },
)
type Edit = typeof edit extends fc.Arbitrary<infer T> ? T : never
type Event = typeof event extends fc.Arbitrary<infer T> ? T : never

function doEdits(world: SnapshotWorld, edits: readonly Edit[]): void {
  for (const one of edits) {
    if (one.kind === 'write') {
      mkdirSync(world.at('d'), { recursive: true })
      world.write(one.file, one.text)
    } else if (one.kind === 'delete') rmSync(world.at(one.file), { force: true })
    else if (existsSync(world.at(one.file))) chmodSync(world.at(one.file), one.bits)
  }
}

/** Rolls back and holds what invariant 5 of the data model promises against the disk. */
async function rollBack(world: SnapshotWorld, pictures: ReadonlyMap<SnapshotId, object>, one: Extract<Event, { kind: 'roll back' }>): Promise<void> {
  const rows = await world.snapshots.rows()
  const to = rows[one.to % rows.length]
  if (!to) return
  const before = picture(world.scratch.project)
  const target = { to: to.id, keepUserEdits: one.keepUserEdits }
  const plan = valueOf(await world.snapshots.plans.plan(target))
  expect(picture(world.scratch.project)).toEqual(before)
  const record: RollbackRecord = valueOf(await world.snapshots.apply({ target, scope: 'files', sessionId: null, turnId: null, head: plan.head, leftChanges: {}, unticked: [], resolved: {} }))
  expect(record.failed).toEqual([])
  const written = new Set(record.done)
  const after = picture(world.scratch.project)
  // No path that the plan does not write moved, folders apart, which come and go with what is in them.
  for (const [path, is] of Object.entries(before)) if (is.startsWith('file') && !written.has(Buffer.from(path, 'latin1').toString('utf8'))) expect(after[path]).toBe(is)
  const known = pictures.get(to.id)
  if (!one.keepUserEdits && known) expect(after).toEqual(known)
  if (!one.isUndone || record.done.length === 0) return
  expect(valueOf(await world.snapshots.undo(asRollback(record))).failed).toEqual([])
  expect(picture(world.scratch.project)).toEqual(before)
}

function asRollback({ id }: RollbackRecord): RollbackId {
  return id
}

test('DATA 3 and 5, property: through calls, the person’s work, rollbacks, undos and restarts, trees chain, restored paths equal the target, and undo gives the bytes back', { timeout: 180_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(event, { minLength: 3, maxLength: 9 }), async (events) => {
      const scratch = makeScratch()
      let world = await openWorld({ scratch })
      const pictures = new Map<SnapshotId, object>()
      try {
        for (const one of events) {
          if (one.kind === 'person') doEdits(world, one.edits)
          else if (one.kind === 'roll back') await rollBack(world, pictures, one)
          else if (one.kind === 'call') {
            let atStart: object = {}
            const { before, after } = await world.call(one.author, () => {
              atStart = picture(scratch.project)
              doEdits(world, one.edits)
            })
            pictures.set(before, atStart)
            pictures.set(after, picture(scratch.project))
          } else {
            await world.close()
            world = await openWorld({ scratch })
          }
        }
        const rows = await world.snapshots.rows()
        rows.forEach((row, index) => {
          const next = rows[index + 1]
          expect(row.parent).toBe(rows[index - 1]?.id ?? null)
          if (next && ['before-call', 'before-rollback', 'opened'].includes(next.kind)) expect([next.tree, next.side, next.commit]).toEqual([row.tree, row.side, row.commit])
        })
      } finally {
        await world.close()
        scratch.remove()
      }
    }),
    { numRuns: 8 },
  )
})
