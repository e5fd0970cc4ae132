import { existsSync, lstatSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { RestoreStep, SnapshotStore } from '../../../../src/main/core/ports/snapshotStore'
import type { HeldFiles } from '../../../../src/shared/domain/snapshot'
import { change, happen, path } from '../../../support/projectChanges'
import { fsck, makeScratch, nativeTree, openStore, picture, scan, type Scratch } from '../../../support/sideRepository'

async function restore(store: SnapshotStore, now: HeldFiles, target: HeldFiles): Promise<readonly string[]> {
  const steps = (await store.diff(target, now)).map(({ path: one, before, after }): RestoreStep => ({ path: one, to: before, from: after }))
  const failed: string[] = []
  await store.restore(steps, target, (one, outcome) => void (outcome.ok || failed.push(`${one}: ${outcome.fault.code}`)))
  return failed
}

async function withStore(run: (scratch: Scratch, store: SnapshotStore) => Promise<void>): Promise<void> {
  const scratch = makeScratch()
  const store = await openStore(scratch)
  try {
    await run(scratch, store)
  } finally {
    await store.close()
    scratch.remove()
  }
}

const story = fc.array(fc.array(change, { minLength: 1, maxLength: 6 }), { minLength: 2, maxLength: 5 })

test('R74 property: every tree id is plain git’s, and plain git finds the store whole', { timeout: 120_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(story, (chapters) =>
      withStore(async (scratch, store) => {
        for (const changes of chapters) {
          for (const one of changes) happen(scratch.project, one)
          const taken = await scan(store)
          expect(taken.tree).toBe(nativeTree(scratch))
          await store.commit(taken, { snapshotId: 's', kind: 'manual', author: null, callId: null, audit: null, atMs: 1 })
        }
        fsck(scratch.store)
      }),
    ),
    { numRuns: 12 },
  )
})

test('R78 property: restoring any moment gives its bytes, modes, links and empty folders; restoring the last gives those back', { timeout: 120_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(story, fc.nat(), (chapters, choice) =>
      withStore(async (scratch, store) => {
        const moments: { readonly held: HeldFiles; readonly picture: object }[] = []
        for (const changes of chapters) {
          for (const one of changes) happen(scratch.project, one)
          moments.push({ held: await scan(store), picture: picture(scratch.project) })
        }
        const [target, last] = [moments[choice % moments.length], moments.at(-1)]
        if (!target || !last) throw new Error('no moments')
        expect(await restore(store, last.held, target.held)).toEqual([])
        expect(picture(scratch.project)).toEqual(target.picture)
        const now = await scan(store)
        expect({ tree: now.tree, side: now.side }).toEqual({ tree: target.held.tree, side: target.held.side })
        expect(await restore(store, now, last.held)).toEqual([])
        expect(picture(scratch.project)).toEqual(last.picture)
      }),
    ),
    { numRuns: 15 },
  )
})

const pattern = fc.constantFrom('a', '*.txt', '!b.txt', '/a', 'a/', '**/b.txt', 'a/**', 'a/**/b.txt', '[ab]*', '[!a]', '?', '中*', '-c', '\\!x', 'd e', 'd e/', '*', '!*/', '[[:upper:]]', '[', 'a\\', '#c', '/*/a', 'A/*', '** ', 'b.txt ', '*\\ e')

test('R74 property: ignore files mean what they mean to plain git', { timeout: 120_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(path, { minLength: 5, maxLength: 12 }), fc.array(fc.tuple(fc.constantFrom('', 'a/', '中文/'), fc.array(pattern, { minLength: 1, maxLength: 5 })), { minLength: 1, maxLength: 3 }), (paths, files) =>
      withStore(async (scratch, store) => {
        for (const one of paths) happen(scratch.project, { kind: 'write', path: one, text: 'x' })
        for (const [folder, lines] of files) {
          const place = join(scratch.project, folder)
          if (existsSync(place) && lstatSync(place).isDirectory()) writeFileSync(join(place, '.gitignore'), lines.join('\n'))
        }
        expect((await scan(store)).tree).toBe(nativeTree(scratch))
      }),
    ),
    { numRuns: 30 },
  )
})
