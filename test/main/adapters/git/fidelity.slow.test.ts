import { spawnSync } from 'node:child_process'
import { chmodSync, lstatSync, mkdirSync, readdirSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { asUser, isRoot, nobody } from '../../../support/asUser'
import { fsck, makeScratch, openStore, picture, restoreTo, scan } from '../../../support/sideRepository'

// What properties.slow.test.ts leaves out: bits of folders, names of raw bytes, what is never held (nested repositories, ignored
// files), inodes and times of what did not differ, and restoring as an ordinary user.

const names = ['a', 'A', '-rf', 'line\nbreak', '中文', '🙂', 'caf\u00e9', 'cafe\u0301', 'keep']
const path = fc.array(fc.constantFrom(...names), { minLength: 1, maxLength: 3 }).map((parts) => Buffer.from(parts.join('/')))
const rawPath = fc.constantFrom(Buffer.from([0xff, 0xfe]), Buffer.from([0x61, 0x2f, 0xc3, 0x28]))
const anyPath = fc.oneof({ weight: 6, arbitrary: path }, { weight: 1, arbitrary: rawPath })
const content = fc.constantFrom(Buffer.alloc(0), Buffer.from('a\r\nb\r\n'), Buffer.from('\ufeffwith a mark\n'), Buffer.from([0, 255, 254, 10]), Buffer.from('文字\n'.repeat(900)))
const change = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('write' as const), path: anyPath, content, bits: fc.constantFrom(0o644, 0o600, 0o444, 0o755) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('delete' as const), path: anyPath }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('move' as const), path, to: path }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('bits' as const), path: anyPath, file: fc.constantFrom(0o644, 0o600, 0o444, 0o755), folder: fc.constantFrom(0o755, 0o555, 0o700, 0o500) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('link' as const), path: anyPath, to: fc.constantFrom('a', '/etc', '../../outside', 'nowhere', '中文') }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('folder' as const), path: anyPath }) },
)
type Change = typeof change extends fc.Arbitrary<infer T> ? T : never

const impossible = ['ENOENT', 'ENOTDIR', 'EEXIST', 'EINVAL', 'ENOTEMPTY', 'EISDIR', 'ELOOP']

function happen(project: string, one: Change): void {
  const at = Buffer.concat([Buffer.from(`${project}/`), one.path])
  try {
    if (one.kind === 'bits') {
      const stats = lstatSync(at)
      if (!stats.isSymbolicLink()) chmodSync(at, stats.isDirectory() ? one.folder : one.file)
    } else if (one.kind === 'move') {
      if (lstatSync(join(project, String(one.to)), { throwIfNoEntry: false }) === undefined) renameSync(at, join(project, String(one.to)))
    } else {
      mkdirSync(at.subarray(0, at.lastIndexOf(0x2f)), { recursive: true })
      rmSync(at, { recursive: true, force: true })
      if (one.kind === 'write') writeFileSync(at, one.content, { mode: one.bits })
      else if (one.kind === 'link') symlinkSync(one.to, at)
      else if (one.kind === 'folder') mkdirSync(at)
    }
  } catch (error) {
    if (!impossible.includes((error as NodeJS.ErrnoException).code ?? '')) throw error
  }
}

/** Beside the rest, in a folder that nothing moves or deletes: a nested repository and what is ignored. */
function fillUnheld(project: string): void {
  mkdirSync(join(project, 'nested/.git/objects'), { recursive: true })
  writeFileSync(join(project, '.gitignore'), '*.log\n')
  writeFileSync(join(project, 'nested/.git/HEAD'), 'ref: refs/heads/main\n')
  writeFileSync(join(project, 'nested/.git/config'), '[core]\n\tworktree = /nowhere\n')
  for (const name of ['nested/mine.log', 'mine.log', 'nested/held']) writeFileSync(join(project, name), name)
  for (const name of ['mine.log', 'nested/mine.log', 'nested/.git/HEAD']) utimesSync(join(project, name), 1000, 1000)
}

/** Identity and times of everything but folders, whose times move with what is put into them. */
function marks(folder: string, under = ''): Record<string, string> {
  const all: Record<string, string> = {}
  const place = (name: string): Buffer => Buffer.concat([Buffer.from(`${folder}/`), Buffer.from(name, 'latin1')])
  for (const raw of readdirSync(place(under), { encoding: 'latin1' })) {
    const name = under === '' ? raw : `${under}/${raw}`
    const stats = lstatSync(place(name), { bigint: true })
    if (stats.isDirectory()) Object.assign(all, marks(folder, name))
    else all[name] = `${stats.ino} ${stats.mtimeNs} ${stats.mode}`
  }
  return all
}

const chapter = fc.array(change, { minLength: 3, maxLength: 14 })

test.each([['the same user', false], ...(isRoot ? [['an ordinary user', true] as const] : [])] as const)(
  'R78 property: as %s, a restore gives back every name, byte, bit and link, touches nothing that did not differ, and is taken back whole',
  { timeout: 240_000 },
  async (_, isOther) => {
    const run = <T>(act: () => Promise<T>): Promise<T> => (isOther ? asUser(nobody, act) : act())
    await fc.assert(
      fc.asyncProperty(chapter, chapter, async (first, second) => {
        const scratch = makeScratch()
        const { project, top } = scratch
        const give = (): unknown => isOther && spawnSync('chown', ['-hR', String(nobody), top])
        const store = await openStore(scratch)
        try {
          fillUnheld(project)
          for (const one of first) happen(project, one)
          give()
          const before = await run(() => scan(store))
          const then = picture(project)
          for (const one of second) happen(project, one)
          writeFileSync(join(project, 'nested/held'), 'changed')
          give()
          const after = await run(() => scan(store))
          const mutated = picture(project)
          const marksBefore = marks(project)
          expect(await run(() => restoreTo(store, before))).toEqual({})
          expect(picture(project)).toEqual(then)
          const marksAfter = marks(project)
          for (const [name, is] of Object.entries(then)) if (mutated[name] === is && !is.startsWith('folder')) expect([name, marksAfter[name]]).toEqual([name, marksBefore[name]])
          expect(await run(() => restoreTo(store, after))).toEqual({})
          expect(picture(project)).toEqual(mutated)
        } finally {
          await store.close()
          fsck(scratch.store)
          scratch.remove()
        }
      }),
      { numRuns: 14 },
    )
  },
)
