import { appendFileSync, chmodSync, existsSync, lstatSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, truncateSync, utimesSync, writeFileSync } from 'node:fs'
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { defaultBounds } from '../../../../src/main/adapters/git/scan/limits'
import { placeholderSeconds } from '../../../../src/main/native/placeholder'
import type { SnapshotStore } from '../../../../src/main/core/ports/snapshotStore'
import { fsck, git, makeScratch, nativeTree, openStore, scan, storesIn, valueOf, type Scratch } from '../../../support/sideRepository'

let scratch: Scratch
let store: SnapshotStore

beforeEach(async () => {
  scratch = makeScratch()
  store = await openStore(scratch)
})

afterEach(async () => {
  await store.close()
  if (existsSync(join(scratch.store, 'HEAD'))) fsck(scratch.store)
  scratch.remove()
})

const at = (name: string): string => join(scratch.project, name)

function write(name: string, text: string): void {
  mkdirSync(join(at(name), '..'), { recursive: true })
  writeFileSync(at(name), text)
}

const facts = { snapshotId: 's1', kind: 'manual', author: null, callId: null, audit: null, atMs: 1_700_000_000_000 }

test('R74 plain git reads the store: tree, commit, history and branch', async () => {
  write('a.txt', 'one\n')
  write('src/b.ts', 'two\n')
  const taken = await scan(store)
  const first = valueOf(await store.commit(taken, facts))
  write('a.txt', 'three\n')
  const second = valueOf(await store.commit(await scan(store), { ...facts, snapshotId: 's2', kind: 'after-call', author: 'agent', callId: 'c1', audit: { entries: 3, chain: 'abc' } }))
  const dir = ['--git-dir', scratch.store]
  expect({
    branch: git([...dir, 'symbolic-ref', 'HEAD']),
    log: git([...dir, 'log', '--format=%H %s', 'main']).split('\n'),
    files: git([...dir, 'ls-tree', '-r', '--name-only', first]).split('\n'),
    shown: git([...dir, 'show', `${second}:a.txt`]),
    message: git([...dir, 'log', '-1', '--format=%B', 'main']).includes('Countersign-Call: c1\nCountersign-Audit: abc\n'),
    side: git([...dir, 'cat-file', '-t', taken.side]),
  }).toEqual({ branch: 'refs/heads/main', log: [`${second} after-call by agent`, `${first} manual`], files: ['a.txt', 'src/b.ts'], shown: 'three', message: true, side: 'blob' })
})

test('R74 tree ids are those of plain git through structural change', async () => {
  for (let i = 0; i < 30; i++) write(`d${i % 5}/e/f${i}.txt`, `content ${i}\n`)
  write('same-size', 'aaaa')
  write('run.sh', '#!/bin/sh\n')
  symlinkSync('run.sh', at('link'))
  const changes: Readonly<Record<string, () => void>> = {
    first: () => undefined,
    'nothing changed': () => undefined,
    'executable bit': () => chmodSync(at('run.sh'), 0o755),
    'folder renamed': () => renameSync(at('d1'), at('d1-moved')),
    'written under the renamed folder': () => write('d1-moved/e/late', 'late'),
    'same size, old time put back': () => {
      const { atime, mtime } = lstatSync(at('same-size'))
      writeFileSync(at('same-size'), 'bbbb')
      utimesSync(at('same-size'), atime, mtime)
    },
    'file becomes a folder': () => {
      rmSync(at('d2/e/f2.txt'))
      write('d2/e/f2.txt/in', 'in')
    },
    'folder becomes a file': () => {
      rmSync(at('d3'), { recursive: true })
      write('d3', 'a file now')
    },
    'link points elsewhere': () => {
      rmSync(at('link'))
      symlinkSync('d4', at('link'))
    },
    'five hundred at once': () => {
      for (let i = 0; i < 500; i++) write(`new/chain/of/f${i}`, `x${i}`)
    },
    'all removed': () => rmSync(at('new'), { recursive: true }),
  }
  const differing: string[] = []
  for (const [name, change] of Object.entries(changes)) {
    change()
    if ((await scan(store)).tree !== nativeTree(scratch)) differing.push(name)
  }
  expect(differing).toEqual([])
})

test('R75 nothing is read again and no object is made when nothing changed', async () => {
  for (let i = 0; i < 20; i++) write(`f${i}`, `${i}`)
  for (let i = 0; i < 20; i++) utimesSync(at(`f${i}`), 1, 1)
  await scan(store)
  await new Promise((resolve) => setTimeout(resolve, 60))
  await scan(store)
  const before = await store.stats()
  const again = await scan(store)
  expect({ hashed: again.hashed, seen: again.seen, objects: (await store.stats()).objects - before.objects }).toEqual({ hashed: 0, seen: 20, objects: 0 })
})

test('R75 a change within the same clock tick as the last scan is seen', async () => {
  for (let i = 0; i < 25; i++) {
    write('quick', `a${i}`)
    await scan(store)
    write('quick', `b${i}`)
    expect((await scan(store)).tree).toBe(nativeTree(scratch))
  }
})

test('R74 ignore files are obeyed as git obeys them, nested and negated', async () => {
  write('.gitignore', '*.log\n!keep.log\n/top\ndoc/**/gen\nbuild/\n\\#odd\ntrailing \\ \n[ab]?.tmp\n')
  write('sub/.gitignore', '!*.log\nonly-here\n')
  for (const name of ['a.log', 'keep.log', 'top', 'x/top', 'doc/gen', 'doc/a/b/gen', 'build/x', 'x/build', '#odd', 'trailing  ', 'a1.tmp', 'c1.tmp', 'sub/b.log', 'sub/only-here', 'only-here']) write(name, name)
  expect((await scan(store)).tree).toBe(nativeTree(scratch))
  write('.gitignore', '*.tmp\n')
  expect((await scan(store)).tree).toBe(nativeTree(scratch))
  rmSync(at('sub/.gitignore'))
  expect((await scan(store)).tree).toBe(nativeTree(scratch))
})

test('R80 what is left out is said, each with its reason', async () => {
  await store.close()
  store = await openStore(scratch, { ...defaultBounds, fileBytes: 1000 })
  write('.gitignore', 'secret.txt\n')
  write('secret.txt', 's')
  write('big.bin', 'x'.repeat(1001))
  write('node_modules/p/index.js', 'x')
  write('src/__pycache__/m.pyc', 'x')
  write('package.json', '{}')
  write('dist/out.js', 'x')
  write('tmp/CACHEDIR.TAG', 'Signature: 8a477f597d28d172789f06886806bc55\n')
  write('inner/f', 'kept')
  git(['init', '-q', at('inner')])
  execFileSync('mkfifo', [at('pipe')])
  const taken = await scan(store)
  expect(taken.skipped).toEqual([
    { path: 'big.bin', reason: 'too-large' },
    { path: 'dist', reason: 'ignored' },
    { path: 'inner/.git', reason: 'repository' },
    { path: 'node_modules', reason: 'ignored' },
    { path: 'pipe', reason: 'special' },
    { path: 'secret.txt', reason: 'ignored' },
    { path: 'src/__pycache__', reason: 'ignored' },
    { path: 'tmp', reason: 'ignored' },
  ])
  expect((await store.diff(null, taken)).map(({ path }) => path)).toEqual(['.gitignore', 'inner/f', 'package.json'])
  truncateSync(at('big.bin'), 10)
  expect((await scan(store)).skipped.map(({ path }) => path)).not.toContain('big.bin')
})

test('R80 a negated rule of the project takes a default back', async () => {
  write('.gitignore', '!node_modules/\n!dist/\n')
  write('package.json', '{}')
  write('node_modules/a.js', 'a')
  write('dist/b.js', 'b')
  expect((await scan(store)).skipped).toEqual([])
})

test('R80 the app’s own data is never held: left out where it lies in the project, refused as a project itself', async () => {
  await store.close()
  const inside = { ...scratch, data: at('.data'), store: at('.data/snapshots/w1') }
  mkdirSync(inside.data)
  store = await openStore(inside)
  write('a', '1')
  expect(await scan(store)).toMatchObject({ files: 1, skipped: [{ path: '.data', reason: 'ignored' }] })
  expect(await storesIn(inside.data).open('w2', inside.data)).toMatchObject({ ok: false, fault: { code: 'snapshot.root-data' } })
})

test('R80 the number of files is bounded, and what is beyond is said', async () => {
  await store.close()
  store = await openStore(scratch, { ...defaultBounds, files: 3 })
  for (const name of ['a', 'b', 'c/d', 'c/e', 'f/g']) write(name, name)
  const taken = await scan(store)
  expect({ files: taken.files, skipped: taken.skipped }).toEqual({
    files: 3,
    skipped: [
      { path: 'c/e', reason: 'too-many' },
      { path: 'f', reason: 'too-many' },
    ],
  })
})

test('R80 many ignored files of one folder are one line', async () => {
  write('.gitignore', '*.csv\n')
  for (let i = 0; i < 101; i++) write(`data/${i}.csv`, 'x')
  write('few/1.csv', 'x')
  expect((await scan(store)).skipped).toEqual([
    { path: 'data/*', reason: 'ignored' },
    { path: 'few/1.csv', reason: 'ignored' },
  ])
})

test('R80 what would not be held is known for paths that do not exist yet', async () => {
  write('.gitignore', '*.log\nprivate/\n')
  const taken = await scan(store)
  expect(await store.uncovered(['new.txt', 'new.log', 'private/deep/x', 'node_modules/p/x', '.git/config', 'a/.git/hooks/x'])).toEqual([
    { path: 'new.log', reason: 'ignored' },
    { path: 'private/deep/x', reason: 'ignored' },
    { path: 'node_modules/p/x', reason: 'ignored' },
    { path: '.git/config', reason: 'repository' },
    { path: 'a/.git/hooks/x', reason: 'repository' },
  ])
  write('.gitignore', '')
  expect(await store.uncovered(['new.log'])).toEqual([])
  expect(await store.uncovered(['new.log'], taken)).toEqual([{ path: 'new.log', reason: 'ignored' }])
})

test('R74 names are bytes: newline, leading dash, Chinese, emoji, both Unicode forms, no UTF-8 at all', async () => {
  for (const name of ['-rf', 'new\nline', '中文/文件 名', '🙂', 'e\u0301', '\u00e9', 'tab\t', '"quoted"']) write(name, name)
  writeFileSync(Buffer.concat([Buffer.from(`${scratch.project}/`), Buffer.from([0xff, 0xfe, 0x20, 0x61])]), 'raw')
  const taken = await scan(store)
  expect(taken.tree).toBe(nativeTree(scratch))
  expect((await store.diff(null, taken)).map(({ path }) => path)).toEqual(['"quoted"', '-rf', 'e\u0301', 'new\nline', 'tab\t', '\u00e9', '中文/文件 名', '🙂', '\udcff\udcfe a'])
})

test('R74 what a restart knows is what the last run knew', async () => {
  for (let i = 0; i < 40; i++) write(`d${i % 4}/f${i}`, `${i}`)
  write('.gitignore', 'ignored\n')
  write('d1/ignored', 'x')
  await scan(store)
  await new Promise((resolve) => setTimeout(resolve, 60))
  const before = await scan(store)
  await store.close()
  write('d2/f2', 'changed while away')
  store = await openStore(scratch)
  const after = await scan(store)
  expect({ tree: after.tree === nativeTree(scratch), moved: after.tree !== before.tree, hashed: after.hashed, skipped: after.skipped }).toEqual({ tree: true, moved: true, hashed: 1, skipped: before.skipped })
})

test('R74 a stat cache whose objects are gone, or that is damaged, costs a read and no more', async () => {
  for (let i = 0; i < 10; i++) write(`f${i}`, `${i}`)
  await scan(store)
  await store.close()
  rmSync(scratch.store, { recursive: true })
  store = await openStore(scratch)
  expect((await scan(store)).hashed).toBe(10)
  fsck(scratch.store)
  await store.close()
  writeFileSync(join(scratch.data, 'cache.db'), 'not a database')
  for (const ending of ['-wal', '-shm']) rmSync(join(scratch.data, `cache.db${ending}`), { force: true })
  store = await openStore(scratch)
  expect((await scan(store)).tree).toBe(nativeTree(scratch))
})

test('empty folders and full permission bits stand beside the tree, which stays that of plain git', async () => {
  write('secret', 's')
  write('d/f', 'f')
  const before = await scan(store)
  mkdirSync(at('empty/inner'), { recursive: true })
  chmodSync(at('secret'), 0o600)
  chmodSync(at('d'), 0o700)
  const after = await scan(store)
  expect(after.tree).toBe(before.tree)
  expect(await store.diff(before, after)).toEqual([
    { path: 'd', change: 'mode', before: { oid: emptyTree, mode: '40000', bits: 0o755 }, after: { oid: emptyTree, mode: '40000', bits: 0o700 } },
    { path: 'empty/inner', change: 'added', before: null, after: { oid: emptyTree, mode: '40000', bits: 0o755 } },
    { path: 'secret', change: 'mode', before: { oid: expect.any(String), mode: '100644', bits: 0o644 }, after: { oid: expect.any(String), mode: '100644', bits: 0o600 } },
  ])
})

const emptyTree = '4b825dc642cb6eb9a060e54bf8d69288fbee4904'

test('lines added and removed are counted as git counts them', async () => {
  write('a', 'one\ntwo\nthree\nfour\n')
  write('bin', 'x\0y')
  const before = await scan(store)
  write('a', 'one\n2\nthree\nfour\nfive\nsix')
  write('bin', 'x\0z')
  write('new', 'a\nb\n')
  const after = await scan(store)
  const changes = await store.diff(before, after)
  expect(changes.map(({ path }) => path)).toEqual(['a', 'bin', 'new'])
  expect(await store.lineCounts(changes)).toEqual([{ added: 3, removed: 1 }, null, { added: 2, removed: 0 }])
})

test('a scan that is cancelled says so, and the next one is whole', async () => {
  for (let i = 0; i < 2000; i++) write(`d${i % 50}/f${i}`, `${i}`)
  const signal = AbortSignal.abort()
  expect(await store.scan(signal)).toEqual({ ok: false, fault: { code: 'snapshot.cancelled', values: {} } })
  expect((await scan(store)).tree).toBe(nativeTree(scratch))
})

test('a root that is gone is a fault in words', async () => {
  await scan(store)
  rmSync(scratch.project, { recursive: true })
  expect(await store.scan(new AbortController().signal)).toEqual({ ok: false, fault: { code: 'snapshot.root-gone', values: { path: scratch.project } } })
  mkdirSync(scratch.project)
})

test('R74 a snapshot of many objects is packed, one of few is single objects, and plain git may pack them', async () => {
  for (let i = 0; i < 300; i++) write(`d${i % 10}/f${i}`, `text ${i}\n`.repeat(50))
  const first = await scan(store)
  await store.commit(first, facts)
  expect(readFileNames(join(scratch.store, 'objects/pack')).length).toBe(2)
  appendFileSync(at('d1/f1'), 'more\n')
  const second = await scan(store)
  await store.commit(second, { ...facts, snapshotId: 's2' })
  expect(readFileNames(join(scratch.store, 'objects/pack')).length).toBe(2)
  fsck(scratch.store)
  git(['--git-dir', scratch.store, 'gc', '-q', '--prune=now'])
  const changes = await store.diff(first, second)
  expect(changes.map(({ path }) => path)).toEqual(['d1/f1'])
  expect(Buffer.from(valueOf(await store.blob(changes[0]?.after?.oid ?? ''))).toString()).toBe(readFileSync(at('d1/f1'), 'utf8'))
  appendFileSync(at('d1/f1'), 'and more\n')
  await store.commit(await scan(store), { ...facts, snapshotId: 's3' })
})

function readFileNames(folder: string): string[] {
  return execFileSync('ls', [folder], { encoding: 'utf8' }).trim().split('\n')
}

test('R75 what a sandbox holds free for the time of a command is in no snapshot; once somebody makes something of it, it is', async () => {
  write('a.txt', 'one')
  const before = await scan(store)
  write('.mcp.json', '')
  for (const name of ['.husky', '.git']) mkdirSync(at(name))
  for (const name of ['.mcp.json', '.husky', '.git']) utimesSync(at(name), placeholderSeconds, placeholderSeconds)
  const held = await scan(store)
  expect([(await store.diff(before, held)).map((change) => change.path), held.skipped]).toEqual([[], []])
  write('.husky/pre-commit', 'x')
  write('.mcp.json', '{}')
  expect((await store.diff(before, await scan(store))).map((change) => change.path)).toEqual(['.husky/pre-commit', '.mcp.json'])
})
