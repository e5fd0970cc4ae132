import { execFileSync } from 'node:child_process'
import { chmodSync, linkSync, lstatSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { CommitFacts, SnapshotStore } from '../../../../src/main/core/ports/snapshotStore'
import type { HeldFiles } from '../../../../src/shared/domain/snapshot'
import { asNobodyIn, fsck, git, makeScratch, openStore, picture, restoreTo, scan, valueOf, type Scratch } from '../../../support/sideRepository'

let scratch: Scratch
let store: SnapshotStore

beforeEach(async () => {
  scratch = makeScratch()
  store = await openStore(scratch)
})

afterEach(async () => {
  await store.close()
  fsck(scratch.store)
  scratch.remove()
})

const at = (name: string): string => join(scratch.project, name)

function write(name: string, text: string): void {
  mkdirSync(join(at(name), '..'), { recursive: true })
  writeFileSync(at(name), text)
}

const restore = (target: HeldFiles): Promise<Record<string, string>> => restoreTo(store, target)
const sh = (script: string): unknown => execFileSync('bash', ['-c', script], { cwd: scratch.project })
const isRoot = process.getuid?.() === 0
const facts = (snapshotId: string): CommitFacts => ({ snapshotId, kind: 'manual', author: null, callId: null, audit: null, atMs: 1_700_000_000_000 })

test.skipIf(!isRoot)('R80 in a folder that may be listed but not entered, each file is told as not held and counts as nobody’s deletion', async () => {
  write('d/f', '1')
  write('d/g', '2')
  await asNobodyIn(scratch, async () => {
    const before = await scan(store)
    chmodSync(at('d'), 0o444)
    const hidden = await scan(store)
    expect(hidden.skipped).toEqual([{ path: 'd/f', reason: 'unreadable' }, { path: 'd/g', reason: 'unreadable' }])
    chmodSync(at('d'), 0o755)
    const after = await scan(store)
    expect({ isSame: after.tree === before.tree && after.side === before.side, skipped: after.skipped }).toEqual({ isSame: true, skipped: [] })
  })
})

test('R80 what lies too deep for the system to name is told as not held, and the rest is', async () => {
  const name = 'd'.repeat(250)
  write('a', '1')
  sh(`for i in $(seq 20); do mkdir ${name}; cd ${name}; echo $i > f; done`)
  const taken = await scan(store)
  const [deep, ...others] = taken.skipped
  expect({ reason: deep?.reason, isDeep: deep?.path.endsWith(`${name}/${name}`), others }).toEqual({ reason: 'unreadable', isDeep: true, others: [] })
  // A depth at which the folder itself can be named and what is in it cannot.
  sh(`rm -rf ${name}; for i in $(seq 16); do mkdir ${name}; cd ${name}; done`)
  const most = 4095 - scratch.project.length - 16 * 251 - 1
  sh(`for i in $(seq 16); do cd ${name}; done; mkdir ${'e'.repeat(most)}; cd ${'e'.repeat(most)}; echo 1 > f`)
  expect((await scan(store)).skipped.map(({ reason }) => reason)).toEqual(['unreadable'])
  sh(`rm -rf ${name}`)
})

test('R74 git finds nothing wrong with a store that holds what git would not', async () => {
  const names = ['.git:x', '.git\\x', 'a\\.git', '.g\u200cit', 'gitmod~1', '...', ' lead', 'trail ', '\t', '\r', '*', '[a]', '\\', '\u202eevil', 'é', 'e\u0301', 'K', '\u212a', 'x'.repeat(255), 'Case', 'case']
  for (const name of names) write(name, name)
  symlinkSync('x', at('.gitmodules'))
  write('sub/.gitmodules', '[submodule "../x"]\n\turl = -u./payload\n\tpath = -x\n\tupdate = !touch\n[')
  for (const name of ['.gitattributes', '.gitignore', '.mailmap']) symlinkSync('y', at(`sub/${name}`))
  const before = await scan(store)
  const then = picture(scratch.project)
  for (const name of readdirSync(scratch.project)) rmSync(at(name), { recursive: true })
  expect({ failed: await restore(before), now: picture(scratch.project) }).toEqual({ failed: {}, now: then })
})

test('R78 two names of one file come back both, also where one edit changed both; a name outside keeps what it has', async () => {
  const outside = join(scratch.top, 'outside')
  writeFileSync(outside, 'o')
  linkSync(outside, at('c'))
  write('a', '1')
  linkSync(at('a'), at('b'))
  write('program', 'x')
  chmodSync(at('program'), 0o4755)
  write('shared/f', '1')
  chmodSync(at('shared'), 0o3777)
  const before = await scan(store)
  const then = picture(scratch.project)
  writeFileSync(at('a'), '2')
  writeFileSync(at('c'), 'changed')
  chmodSync(at('program'), 0o644)
  rmSync(at('shared'), { recursive: true })
  expect({ failed: await restore(before), now: picture(scratch.project) }).toEqual({ failed: {}, now: then })
  expect(readFileSync(outside, 'utf8')).toBe('changed')
})

test('R75 an edit of the same size whose times were set back is seen, also where they lie in the future', async () => {
  const times = { past: 1000, future: 5e9 }
  const set = (text: string): void => {
    for (const [name, time] of Object.entries(times)) {
      write(name, text)
      utimesSync(at(name), time, time)
    }
  }
  set('aaaa')
  await new Promise((resolve) => setTimeout(resolve, 50))
  await scan(store)
  const before = await scan(store)
  set('bbbb')
  expect((await store.diff(before, await scan(store))).map(({ path }) => path)).toEqual(['future', 'past'])
})

test('R78 case c07: links and folders that changed places at any depth, to inside and outside, change back and forth', async () => {
  const outside = join(scratch.top, 'out')
  mkdirSync(outside)
  writeFileSync(join(outside, 'f'), 'outside')
  write('a/b/c/f', '1')
  write('a/b/g', '2')
  write('a/e/k', 'k')
  symlinkSync('b', at('a/l'))
  symlinkSync(outside, at('a/o'))
  const before = await scan(store)
  const then = picture(scratch.project)
  for (const name of ['a/b', 'a/l', 'a/o', 'a/e']) rmSync(at(name), { recursive: true })
  symlinkSync(outside, at('a/b'))
  write('a/l/deep/f', 'x')
  write('a/o/f', 'inside')
  symlinkSync('l', at('a/e'))
  const swapped = await scan(store)
  const mutated = picture(scratch.project)
  expect({ failed: await restore(before), now: picture(scratch.project) }).toEqual({ failed: {}, now: then })
  expect({ failed: await restore(swapped), now: picture(scratch.project) }).toEqual({ failed: {}, now: mutated })
  rmSync(at('a'), { recursive: true })
  symlinkSync(outside, at('a'))
  expect({ failed: await restore(before), now: picture(scratch.project), outside: picture(outside) }).toEqual({ failed: {}, now: then, outside: { f: 'file 644 outside' } })
})

test('R78 a link in the place of the whole project, or of a folder above it, is not followed: nothing is read there, nothing written', async () => {
  write('a', '1')
  const before = await scan(store)
  write('a', '2')
  const steps = (await store.diff(before, await scan(store))).map((change) => ({ path: change.path, to: change.before, from: change.after }))
  const outside = join(scratch.top, 'out')
  mkdirSync(outside)
  writeFileSync(join(outside, 'a'), '2')
  writeFileSync(join(outside, 'precious'), 'x')
  renameSync(scratch.project, join(scratch.top, 'moved'))
  symlinkSync('out', scratch.project)
  const taken = await store.scan(new AbortController().signal)
  expect(taken.ok ? null : taken.fault.code).toBe('snapshot.root-gone')
  const told: string[] = []
  await store.restore(steps, before, (path, outcome) => told.push(`${path} ${outcome.ok ? 'done' : outcome.fault.code}`))
  expect({ told, outside: picture(outside) }).toEqual({ told: ['a path.moved'], outside: { a: 'file 644 2', precious: 'file 644 x' } })
  rmSync(scratch.project)
  renameSync(join(scratch.top, 'moved'), scratch.project)
  expect({ failed: await restore(before), now: picture(scratch.project) }).toEqual({ failed: {}, now: { a: 'file 644 1' } })
})

const main = 'refs/heads/main'
test.each([
  ['HEAD', 'garbage'],
  ['HEAD', ''],
  [main, ''],
  [main, '\0'.repeat(41)],
  [main, 'garbage\n'],
  [main, `${'1234567890'.repeat(4)}\n`],
  [main, `ref: ${main}\n`],
  ['refs/countersign/side', '\0'.repeat(41)],
  ['countersign.json', '{'],
])('R74 a damaged %s (%j) costs no moment, the next one is taken, and git reads the store again', async (name, damage) => {
  write('a', '1')
  const first = await scan(store)
  valueOf(await store.commit(first, facts('s1')))
  await store.close()
  expect(lstatSync(join(scratch.store, name)).isFile()).toBe(true)
  writeFileSync(join(scratch.store, name), damage)
  store = await openStore(scratch)
  write('a', '2')
  const second = await scan(store)
  const commit = valueOf(await store.commit(second, facts('s2')))
  expect(git(['--git-dir', scratch.store, 'rev-parse', 'HEAD'])).toBe(commit)
  expect({ failed: await restore(first), now: picture(scratch.project) }).toEqual({ failed: {}, now: { a: 'file 644 1' } })
})
