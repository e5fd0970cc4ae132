import { chmodSync, linkSync, lstatSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { RestoreStep, SnapshotStore } from '../../../../src/main/core/ports/snapshotStore'
import type { HeldFiles } from '../../../../src/shared/domain/snapshot'
import { applySteps, fsck, git, makeScratch, openStore, picture, restoreTo, scan, type Scratch } from '../../../support/sideRepository'

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

function write(name: string, text: string | Buffer): void {
  mkdirSync(join(at(name), '..'), { recursive: true })
  writeFileSync(at(name), text)
}

const restore = (target: HeldFiles): Promise<Record<string, string>> => restoreTo(store, target)
const run = (steps: readonly RestoreStep[], target: HeldFiles): Promise<Record<string, string>> => applySteps(store, steps, target)

test('R74 the project’s own repository is neither read for configuration nor written', async () => {
  git(['init', '-q', scratch.project])
  write('a', '1\n')
  git(['-C', scratch.project, 'add', '-A'])
  git(['-C', scratch.project, 'commit', '-q', '-m', '1'])
  write('.git/info/exclude', 'b\n')
  write('b', '1\n')
  const repository = picture(at('.git'))
  const before = await scan(store)
  write('a', '2\n')
  rmSync(at('b'))
  await restore(before)
  expect(readFileSync(at('b'), 'utf8')).toBe('1\n')
  expect(picture(at('.git'))).toEqual(repository)
})

test('R78 bytes, modes, links, empty folders and folder bits come back; nothing else is touched', async () => {
  write('plain', 'text\n')
  write('crlf', 'a\r\nb\r\n')
  write('binary', Buffer.from([0, 255, 254, 13, 10, 128]))
  write('tool.sh', '#!/bin/sh\n')
  chmodSync(at('tool.sh'), 0o750)
  write('deep/er/file', 'x')
  write('-rf', 'x')
  write('new\nline', 'x')
  write('中文/文件', 'x')
  mkdirSync(at('empty'))
  mkdirSync(at('private'))
  write('private/key', 'k')
  chmodSync(at('private'), 0o700)
  chmodSync(at('private/key'), 0o400)
  symlinkSync('plain', at('link'))
  symlinkSync('/nowhere/at/all', at('dangling'))
  write('untouched', 'x')
  utimesSync(at('untouched'), 1000, 1000)
  const before = await scan(store)
  const then = picture(scratch.project)

  for (const name of ['plain', 'crlf', 'binary', 'tool.sh', 'deep', '-rf', 'new\nline', '中文', 'empty', 'link', 'dangling', 'private']) rmSync(at(name), { recursive: true })
  write('plain/now/a/folder', 'x')
  write('deep', 'now a file')
  symlinkSync('deep', at('dangling'))
  write('made', 'x')
  mkdirSync(at('made-empty'))
  const changed = await scan(store)
  const mutated = picture(scratch.project)

  expect(await restore(before)).toEqual({})
  expect(picture(scratch.project)).toEqual(then)
  expect(lstatSync(at('untouched')).mtimeMs).toBe(1_000_000)
  expect(await scan(store)).toMatchObject({ tree: before.tree, side: before.side })
  expect(await restore(changed)).toEqual({})
  expect(picture(scratch.project)).toEqual(mutated)
})

test('R78 a case-only rename and the two Unicode forms are told apart', async () => {
  write('readme', 'x')
  write('caf\u00e9', 'composed')
  const before = await scan(store)
  const then = picture(scratch.project)
  renameSync(at('readme'), at('README'))
  renameSync(at('caf\u00e9'), at('cafe\u0301'))
  expect(await restore(before)).toEqual({})
  expect(picture(scratch.project)).toEqual(then)
})

test('R78 names that are no text come back byte for byte, and their folders', async () => {
  const raw = (...bytes: number[]): Buffer => Buffer.concat([Buffer.from(`${scratch.project}/`), Buffer.from(bytes)])
  mkdirSync(raw(0xff, 0xfe))
  writeFileSync(raw(0xff, 0xfe, 0x2f, 0x61, 0x80), 'in it')
  writeFileSync(raw(0xc3, 0x28, 0x20, 0xf0, 0x9f, 0x99, 0x82), 'half and emoji')
  const before = await scan(store)
  const then = picture(scratch.project)
  rmSync(raw(0xff, 0xfe), { recursive: true })
  writeFileSync(raw(0xc3, 0x28, 0x20, 0xf0, 0x9f, 0x99, 0x82), 'changed')
  writeFileSync(raw(0xee), 'made')
  expect(await restore(before)).toEqual({})
  expect(picture(scratch.project)).toEqual(then)
})

test('R78 an already restored path, or one of the same content, is not written', async () => {
  write('a', '1')
  const before = await scan(store)
  write('a', '2')
  const now = await scan(store)
  const steps = (await store.diff(before, now)).map(({ path, before: to, after: from }): RestoreStep => ({ path, to, from }))
  write('a', '1')
  utimesSync(at('a'), 1000, 1000)
  expect(await run(steps, before)).toEqual({})
  expect(lstatSync(at('a')).mtimeMs).toBe(1_000_000)
})

test('R78 only permission bits differ: the file is not written anew', async () => {
  write('a', '1')
  const before = await scan(store)
  const { ino } = lstatSync(at('a'))
  chmodSync(at('a'), 0o755)
  expect(await restore(before)).toEqual({})
  expect({ ino: lstatSync(at('a')).ino, mode: lstatSync(at('a')).mode & 0o777 }).toEqual({ ino, mode: 0o644 })
})

test('R78 the bits of a folder that holds only an empty folder come back', async () => {
  mkdirSync(at('outer/inner'), { recursive: true })
  const before = await scan(store)
  const then = picture(scratch.project)
  chmodSync(at('outer'), 0o700)
  expect(await restore(before)).toEqual({})
  expect(picture(scratch.project)).toEqual(then)
})

test('R78 a path that changed after the plan is left, said, and stops no other', async () => {
  for (const name of ['a', 'b', 'c', 'new']) if (name !== 'new') write(name, '1')
  const before = await scan(store)
  for (const name of ['a', 'b', 'new']) write(name, '2')
  rmSync(at('c'))
  const now = await scan(store)
  const steps = (await store.diff(before, now)).map(({ path, before: to, after: from }): RestoreStep => ({ path, to, from }))
  write('b', 'the user was quicker')
  write('c', 'this too')
  write('new', 'and this')
  expect(await run(steps, before)).toEqual({ b: 'rollback.changed-meanwhile', c: 'rollback.changed-meanwhile', new: 'rollback.changed-meanwhile' })
  expect([...'abc'].map((name) => readFileSync(at(name), 'utf8'))).toEqual(['1', 'the user was quicker', 'this too'])
})

test('R78 restore never writes or deletes through a link', async () => {
  write('conf/app.cfg', 'inside')
  const before = await scan(store)
  const outside = join(scratch.top, 'outside')
  mkdirSync(outside)
  writeFileSync(join(outside, 'app.cfg'), 'precious')
  rmSync(at('conf'), { recursive: true })
  symlinkSync(outside, at('conf'))
  // As if the link had been put there only after the plan.
  const steps: RestoreStep[] = [{ path: 'conf/app.cfg', to: null, from: { oid: '0'.repeat(40), mode: '100644' } }]
  expect(await run(steps, before)).toEqual({})
  expect(readFileSync(join(outside, 'app.cfg'), 'utf8')).toBe('precious')
  expect(await restore(before)).toEqual({})
  expect({ inside: readFileSync(at('conf/app.cfg'), 'utf8'), outside: readFileSync(join(outside, 'app.cfg'), 'utf8') }).toEqual({ inside: 'inside', outside: 'precious' })
})

test('R78 the other name of a hard-linked file keeps its content', async () => {
  write('a', '1')
  const before = await scan(store)
  linkSync(at('a'), join(scratch.top, 'elsewhere'))
  write('a', '2')
  await restore(before)
  expect([readFileSync(at('a'), 'utf8'), readFileSync(join(scratch.top, 'elsewhere'), 'utf8')]).toEqual(['1', '2'])
})

test('R80 what is ignored in a folder that goes stays, with its folder', async () => {
  write('.gitignore', '*.log\n')
  const before = await scan(store)
  write('new/a', '1')
  write('new/keep.log', 'private')
  await restore(before)
  expect(picture(scratch.project)).toEqual({ '.gitignore': 'file 644 *.log\n', new: 'folder 755', 'new/keep.log': 'file 644 private' })
})

test('a merged text is written as it was shown', async () => {
  write('a', '1\n')
  const before = await scan(store)
  write('a', '2\n')
  const [change] = await store.diff(before, await scan(store))
  expect(await run([{ path: 'a', from: change?.after ?? null, to: change?.before ?? null, merged: 'merged — 合并\n' }], before)).toEqual({})
  expect(readFileSync(at('a'), 'utf8')).toBe('merged — 合并\n')
})

test('left-over temporary files of a killed restore go with the next one and are never held', async () => {
  write('d/a', '1')
  const before = await scan(store)
  write('d/a', '2')
  write('d/.countersign-0123456789abcdef.tmp', 'half')
  const now = await scan(store)
  expect((await store.diff(before, now)).map(({ path }) => path)).toEqual(['d/a'])
  await restore(before)
  expect(picture(at('d'))).toEqual({ a: 'file 644 1' })
})
