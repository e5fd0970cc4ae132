import { chmodSync, existsSync, lstatSync, mkdirSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { RestoreStep, SnapshotStore } from '../../../../src/main/core/ports/snapshotStore'
import type { HeldFiles } from '../../../../src/shared/domain/snapshot'
import { fsck, makeScratch, nativeTree, openStore, picture, scan, type Scratch } from '../../../support/sideRepository'

const names = ['a', 'b.txt', '-c', 'd e', '中文', 'n\nl', 'A', 'é', 'e\u0301', '🙂']
const name = fc.constantFrom(...names)
const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('/'))
const text = fc.constantFrom('', 'x', 'one\n', 'one\r\ntwo\r\n', '\0\xff', 'a'.repeat(5000))

/** Something that happens to a project. What is not possible at its time does nothing. */
const change = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('write' as const), path, text }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('delete' as const), path }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('move' as const), path, to: path }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('mode' as const), path, bits: fc.constantFrom(0o644, 0o755, 0o600, 0o444, 0o700) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('link' as const), path, to: fc.constantFrom('a', '../b.txt', '/nowhere') }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('folder' as const), path }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('same-size' as const), path, text: fc.constantFrom('y', 'two\n') }) },
)
type Change = typeof change extends fc.Arbitrary<infer T> ? T : never

function happen(project: string, one: Change): void {
  const at = join(project, one.path)
  try {
    if (one.kind === 'write') replace(at, () => writeFileSync(at, one.text, 'latin1'))
    else if (one.kind === 'link') replace(at, () => symlinkSync(one.to, at))
    else if (one.kind === 'folder') replace(at, () => mkdirSync(at))
    else if (one.kind === 'delete') rmSync(at, { recursive: true, force: true })
    else if (one.kind === 'move') move(at, join(project, one.to))
    else if (one.kind === 'mode') setMode(at, one.bits)
    else rewrite(at, one.text)
  } catch (error) {
    // A parent that is a file, a folder moved into itself: not possible at this time.
    if (!['ENOENT', 'ENOTDIR', 'EEXIST', 'EINVAL', 'ENOTEMPTY', 'EISDIR', 'ELOOP'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
  }
}

function replace(at: string, make: () => void): void {
  mkdirSync(join(at, '..'), { recursive: true })
  rmSync(at, { recursive: true, force: true })
  make()
}

function move(from: string, to: string): void {
  if (!lstatSync(from, { throwIfNoEntry: false }) || to.startsWith(`${from}/`) || from.startsWith(`${to}/`) || from === to) return
  mkdirSync(join(to, '..'), { recursive: true })
  rmSync(to, { recursive: true, force: true })
  renameSync(from, to)
}

function setMode(at: string, bits: number): void {
  const stats = lstatSync(at, { throwIfNoEntry: false })
  if (stats && !stats.isSymbolicLink()) chmodSync(at, stats.isDirectory() ? bits | 0o700 : bits)
}

/** Other content of the same length with the old times. */
function rewrite(at: string, content: string): void {
  const stats = lstatSync(at, { throwIfNoEntry: false })
  if (!stats?.isFile()) return
  writeFileSync(at, content.padEnd(stats.size, content).slice(0, stats.size))
  utimesSync(at, stats.atime, stats.mtime)
}

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
