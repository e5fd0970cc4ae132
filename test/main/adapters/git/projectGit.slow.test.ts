import { createHash } from 'node:crypto'
import { execFileSync, spawn } from 'node:child_process'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { idOf } from '../../../../src/main/adapters/git/store/gitObjects'
import { PackWriter } from '../../../../src/main/adapters/git/pack/packWriter'
import { PackProof } from '../../../../src/main/adapters/git/project/projectGitProof'
import { RawPack, type PackedEntry } from '../../../../src/main/adapters/git/project/projectGitPack'
import type { SnapshotStore, TakenTree } from '../../../../src/main/core/ports/snapshotStore'
import { applySteps, fsck, git, makeScratch, openStore, picture, restoreTo, scan, valueOf, type Scratch } from '../../../support/sideRepository'

let scratch: Scratch

beforeEach(() => {
  scratch = makeScratch()
})

afterEach(() => scratch.remove())

const at = (name: string): string => join(scratch.project, name)
const inProject = (...args: readonly string[]): string => git(args, {}, scratch.project)
const facts = { snapshotId: 's', kind: 'manual', author: null, callId: null, audit: null, atMs: 1 }

function write(name: string, text: string | Buffer): void {
  fs.mkdirSync(join(at(name), '..'), { recursive: true })
  fs.writeFileSync(at(name), text)
}

/** Compresses to half, and is like nothing else. */
function content(i: number | string, lines = 8): string {
  return Array.from({ length: lines }, (_, line) => `${createHash('sha512').update(`${i}/${line}`).digest('hex')}\n`).join('')
}

function fill(files = 300): void {
  for (let i = 0; i < files; i++) write(`d${i % 20}/f${i}.txt`, content(i))
}

/** A repository with everything packed. Without `pack` its objects stay loose. */
function commitAll(pack = true): void {
  inProject('init', '-q')
  inProject('config', 'gc.auto', '0')
  inProject('add', '-A')
  inProject('commit', '-qm', 'all')
  if (pack) inProject('gc', '-q')
}

function packFilesOf(folder: string, ending: string): string[] {
  return fs.readdirSync(folder).filter((name) => name.endsWith(ending)).map((name) => join(folder, name))
}

const storePacks = (): string => join(scratch.store, 'objects/pack')
const projectPacks = (): string => join(scratch.project, '.git/objects/pack')

function packedBytes(): number {
  return packFilesOf(storePacks(), '.pack').reduce((sum, file) => sum + fs.statSync(file).size, 0)
}

/** The same files in a place that is no repository: what a snapshot must say. */
async function treeWithout(): Promise<{ readonly tree: string; readonly bytes: number }> {
  const plain = makeScratch()
  fs.cpSync(scratch.project, plain.project, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true, filter: (from) => !/\/\.git$/.test(from) })
  const store = await openStore(plain)
  const { tree } = await scan(store)
  const { bytes } = await store.stats()
  await store.close()
  fsck(plain.store)
  plain.remove()
  return { tree, bytes }
}

async function firstSnapshot(): Promise<{ readonly store: SnapshotStore; readonly taken: TakenTree }> {
  const store = await openStore(scratch)
  const taken = await scan(store)
  valueOf(await store.commit(taken, facts))
  return { store, taken }
}

async function proven(): Promise<void> {
  for (let waited = 0; packFilesOf(storePacks(), '.unproven').length > 0; waited++) {
    if (waited > 500) throw new Error('what was lent is not proven')
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

/** Everything but `.git` goes, and comes back. */
async function losesAndRestores(store: SnapshotStore, taken: TakenTree): Promise<void> {
  const before = pictureOf(scratch.project)
  for (const name of fs.readdirSync(scratch.project)) if (name !== '.git') fs.rmSync(at(name), { recursive: true })
  expect(await restoreTo(store, taken)).toEqual({})
  expect(pictureOf(scratch.project)).toEqual(before)
}

function pictureOf(folder: string): Record<string, string> {
  return Object.fromEntries(Object.entries(picture(folder)).filter(([name]) => !/(^|\/)\.git(\/|$)/.test(name)))
}

test('S5 R74 the first snapshot takes what the packs of the project have, and leaves that repository as it is', async () => {
  fill()
  commitAll()
  const before = picture(at('.git'))
  const { store, taken } = await firstSnapshot()
  const lent = packedBytes()
  await proven()
  const without = await treeWithout()
  expect({ tree: taken.tree, isHalf: lent < without.bytes * 0.7, git: picture(at('.git')) }).toEqual({ tree: without.tree, isHalf: true, git: before })
  fs.rmSync(at('.git'), { recursive: true })
  fsck(scratch.store)
  await losesAndRestores(store, taken)
  await store.close()
})

test('S5 what git changes on the way into its repository never decides what a snapshot holds (case c26)', async () => {
  fill()
  const attributes = ['*.crlf text eol=crlf', '*.auto text', '*.up filter=up', '*.rot filter=rot', '*.id ident', '*.big filter=lfs', '*.utf16 working-tree-encoding=UTF-16LE']
  write('.gitattributes', `${attributes.join('\n')}\n`)
  inProject('init', '-q')
  const settings = { 'core.autocrlf': 'true', 'filter.up.clean': 'tr a-z A-Z', 'filter.up.smudge': 'tr A-Z a-z', 'filter.rot.clean': 'tr a-zA-Z n-za-mN-ZA-M', 'filter.rot.smudge': 'tr a-zA-Z n-za-mN-ZA-M', 'filter.lfs.clean': `sh -c 'printf "version https://git-lfs.github.com/spec/v1\\noid sha256:"; sha256sum | cut -c1-64; echo size 1'`, 'filter.lfs.smudge': 'cat', 'gc.auto': '0' }
  for (const [name, value] of Object.entries(settings)) inProject('config', name, value)
  for (let i = 0; i < 8; i++) {
    write(`x/${i}.crlf`, content(`c${i}`).replaceAll('\n', '\r\n'))
    write(`x/${i}.auto`, `line ${i}\r\nline\n`)
    write(`x/${i}.up`, content(`u${i}`))
    write(`x/${i}.rot`, content(`r${i}`))
    write(`x/${i}.id`, `$Id: 1234 $\n${content(`i${i}`)}`)
    write(`x/${i}.big`, content(`b${i}`))
    write(`x/${i}.utf16`, Buffer.from(`text ${i}\n`, 'utf16le'))
  }
  inProject('add', '-A')
  inProject('commit', '-qm', 'all')
  inProject('gc', '-q')
  // The pointer itself lies on disk where the large file was never fetched.
  write('x/0.big', inProject('cat-file', 'blob', 'HEAD:x/0.big'))
  const { store, taken } = await firstSnapshot()
  expect(taken.tree).toBe((await treeWithout()).tree)
  await losesAndRestores(store, taken)
  await proven()
  fsck(scratch.store)
  await store.close()
})

test('S5 what the index of the project says of its files never decides what a snapshot holds', async () => {
  fill()
  for (const name of ['assumed', 'skipped', 'changed', 'gone', 'both', 'caf\u00e9', 'cafe\u0301']) write(name, content(name))
  commitAll(false)
  git(['init', '-q', at('module')])
  write('module/inside', content('inside'))
  git(['add', '-A'], {}, at('module'))
  git(['commit', '-qm', 'inside'], {}, at('module'))
  inProject('-c', 'advice.addEmbeddedRepo=false', 'add', 'module')
  inProject('commit', '-qm', 'module')
  inProject('checkout', '-qb', 'theirs')
  write('both', 'theirs\n')
  inProject('commit', '-qam', 'theirs')
  inProject('checkout', '-q', '-')
  write('both', 'ours\n')
  inProject('commit', '-qam', 'ours')
  expect(() => inProject('merge', '-q', 'theirs')).toThrow()
  inProject('update-index', '--assume-unchanged', 'assumed')
  inProject('update-index', '--skip-worktree', 'skipped')
  for (const name of ['assumed', 'skipped', 'changed']) write(name, content(`${name} 2`))
  write('new', content('new'))
  inProject('add', '-N', 'new')
  write('untracked', content('untracked'))
  fs.rmSync(at('gone'))
  inProject('repack', '-adq')
  const { store, taken } = await firstSnapshot()
  await proven()
  expect(taken.tree).toBe((await treeWithout()).tree)
  await losesAndRestores(store, taken)
  fsck(scratch.store)
  await store.close()
})

test('S5 the packs are found from a worktree, from a submodule, and where a repository borrows its objects', async () => {
  const places: Record<string, () => void> = {
    worktree: () => {
      fill()
      commitAll()
      inProject('worktree', 'add', '-q', join(scratch.top, 'tree'))
      fs.renameSync(scratch.project, join(scratch.top, 'origin'))
      fs.renameSync(join(scratch.top, 'tree'), scratch.project)
      const name = fs.readFileSync(at('.git'), 'utf8').replace(`${scratch.project}/.git`, join(scratch.top, 'origin/.git'))
      fs.writeFileSync(at('.git'), name)
    },
    submodule: () => {
      fill()
      commitAll()
      fs.mkdirSync(join(scratch.top, 'modules'))
      fs.renameSync(at('.git'), join(scratch.top, 'modules/sub'))
      fs.writeFileSync(at('.git'), 'gitdir: ../modules/sub\n')
    },
    borrowed: () => {
      fill()
      commitAll()
      fs.renameSync(scratch.project, join(scratch.top, 'lender'))
      git(['clone', '-q', '--shared', join(scratch.top, 'lender'), scratch.project])
    },
  }
  for (const [name, make] of Object.entries(places)) {
    make()
    const { store, taken } = await firstSnapshot()
    const lent = packedBytes()
    await proven()
    await store.close()
    fsck(scratch.store)
    const without = await treeWithout()
    expect({ name, tree: taken.tree, isHalf: lent < without.bytes * 0.7 }).toEqual({ name, tree: without.tree, isHalf: true })
    scratch.remove()
    scratch = makeScratch()
  }
})

test('S5 what is unusual about a repository costs the help and nothing else', async () => {
  const replaced = (name: string): void => {
    const away = join(scratch.top, 'away')
    fs.renameSync(at(name), away)
    fs.symlinkSync(away, at(name))
  }
  const damaged = (ending: string, change: (bytes: Buffer) => Buffer): void => {
    for (const file of packFilesOf(projectPacks(), ending)) {
      const bytes = fs.readFileSync(file)
      fs.rmSync(file)
      fs.writeFileSync(file, change(bytes))
    }
  }
  const flip = (place: (bytes: Buffer) => number) => (bytes: Buffer) => {
    bytes[place(bytes)] = (bytes[place(bytes)] ?? 0) ^ 0x10
    return bytes
  }
  const oddities: Record<string, () => void> = {
    'the folder is a link': () => replaced('.git'),
    'the objects are a link': () => replaced('.git/objects'),
    'the packs are a link': () => replaced('.git/objects/pack'),
    'a share in the network': () => {
      fs.renameSync(at('.git'), join(scratch.top, 'away'))
      fs.writeFileSync(at('.git'), `gitdir: /${join(scratch.top, 'away')}\n`)
    },
    'a pipe for a pack': () => {
      for (const file of packFilesOf(projectPacks(), '.pack')) {
        fs.rmSync(file)
        execFileSync('mkfifo', [file])
      }
    },
    'the index is cut': () => damaged('.idx', (bytes) => bytes.subarray(0, bytes.length - 900)),
    'the index is damaged': () => damaged('.idx', flip(() => 1040)),
    'the pack is cut': () => damaged('.pack', (bytes) => bytes.subarray(0, bytes.length >> 1)),
    'the pack is another': () => damaged('.pack', flip((bytes) => bytes.length - 3)),
    'no packs': () => fs.rmSync(projectPacks(), { recursive: true }),
  }
  fill()
  commitAll()
  const saved = join(scratch.top, 'saved')
  fs.cpSync(at('.git'), saved, { recursive: true })
  const without = await treeWithout()
  for (const [name, make] of Object.entries(oddities)) {
    make()
    const one = { ...scratch, data: join(scratch.top, name), store: join(scratch.top, name, 'snapshots/w1') }
    const store = await openStore(one)
    const { tree } = await scan(store)
    await store.close()
    fsck(one.store)
    expect({ name, tree, marks: packFilesOf(join(one.store, 'objects/pack'), '.unproven') }).toEqual({ name, tree: without.tree, marks: [] })
    for (const left of [at('.git'), join(scratch.top, 'away')]) fs.rmSync(left, { recursive: true, force: true })
    fs.cpSync(saved, at('.git'), { recursive: true })
  }
})

test('S5 a repository with longer ids has nothing to lend', async () => {
  fill()
  inProject('init', '-q', '--object-format=sha256')
  inProject('add', '-A')
  inProject('commit', '-qm', 'all')
  inProject('gc', '-q')
  const { store, taken } = await firstSnapshot()
  await store.close()
  fsck(scratch.store)
  expect({ tree: taken.tree, marks: packFilesOf(storePacks(), '.unproven') }).toEqual({ tree: (await treeWithout()).tree, marks: [] })
})

test('S5 a damaged entry in a pack of the project is not taken', async () => {
  fill()
  commitAll()
  const [file = ''] = packFilesOf(projectPacks(), '.pack')
  const bytes = fs.readFileSync(file)
  for (let place = 5000; place < bytes.length - 100; place += 9000) bytes[place] = (bytes[place] ?? 0) ^ 0xff
  fs.rmSync(file)
  fs.writeFileSync(file, bytes)
  const { store, taken } = await firstSnapshot()
  expect(taken.tree).toBe((await treeWithout()).tree)
  await losesAndRestores(store, taken)
  fsck(scratch.store)
  await store.close()
})

/** A pack whose sums are right and whose entries are not what their ids say. */
function writeLyingPack(): void {
  fs.rmSync(projectPacks(), { recursive: true })
  fs.mkdirSync(projectPacks())
  const writer = new PackWriter(projectPacks(), 'x')
  const other = join(scratch.top, 'other')
  fs.mkdirSync(other)
  const bodies = new PackWriter(other, 'x')
  for (let i = 0; i < 300; i++) bodies.add('blob', idOf('blob', Buffer.from(content(`lie ${i}`))), Buffer.from(content(`lie ${i}`)))
  const lies = RawPack.open(bodies.finish())
  for (let i = 0; i < 300; i++) {
    const entry = lies?.entry(idOf('blob', Buffer.from(content(`lie ${i}`))))
    if (!entry) throw new Error('no entry')
    writer.addPacked(idOf('blob', Buffer.from(content(i))), entry)
  }
  writer.finish()
  lies?.close()
}

test('S5 a pack that lies is found out, and the files are stored as they are', async () => {
  fill()
  commitAll()
  const without = await treeWithout()
  writeLyingPack()
  const { store, taken } = await firstSnapshot()
  await proven()
  fsck(scratch.store)
  expect(taken.tree).toBe(without.tree)
  await losesAndRestores(store, taken)
  await store.close()
})

test('S5 what is not proven when the app ends is proven at the next start', async () => {
  fill()
  commitAll()
  writeLyingPack()
  const { store, taken } = await firstSnapshot()
  await store.close()
  // Whether the proof was over already is a matter of milliseconds; put things back as they were before it.
  forgetProof()
  expect(packFilesOf(storePacks(), '.unproven')).toHaveLength(1)
  const again = await openStore(scratch)
  expect((await scan(again)).tree).toBe(taken.tree)
  await proven()
  fsck(scratch.store)
  await losesAndRestores(again, taken)
  await again.close()
})

/** The store's pack with the lies in it and the mark beside it. */
function forgetProof(): void {
  const [own = ''] = packFilesOf(storePacks(), '.idx')
  const held = RawPack.open(own.slice(0, -4))
  const [lying = ''] = packFilesOf(projectPacks(), '.idx')
  const lies = RawPack.open(lying.slice(0, -4))
  const writer = new PackWriter(storePacks(), 'x', null)
  for (const id of held?.ids() ?? []) {
    const entry = lies?.entry(id) ?? held?.entry(id)
    if (entry) writer.addPacked(id, entry)
  }
  for (const ending of ['.idx', '.pack', '.unproven']) for (const file of packFilesOf(storePacks(), ending)) fs.rmSync(file)
  fs.writeFileSync(`${writer.finish()}.unproven`, '')
  held?.close()
  lies?.close()
}

test('S5 the proof keeps what is good and drops what nobody has any more', async () => {
  await (await openStore(scratch)).close()
  const folder = storePacks()
  const good = Buffer.from(content('good'))
  const [goodId, badId, healedId] = [idOf('blob', good), idOf('blob', Buffer.from('x')), idOf('blob', Buffer.from('healed'))]
  const plain = new PackWriter(folder, 'x')
  plain.add('blob', goodId, good)
  const name = plain.finish()
  const entry = RawPack.open(name)?.entry(goodId)
  if (!entry) throw new Error('no entry')
  const lender = { entry: (): PackedEntry => entry }
  const writer = new PackWriter(folder, 'x', lender)
  writer.add('blob', goodId, good)
  writer.add('blob', badId, Buffer.from('x'))
  writer.add('blob', healedId, Buffer.from('healed'))
  const mixed = writer.finish()
  for (const ending of ['.idx', '.pack']) fs.rmSync(name + ending)
  const proof = PackProof.begin(folder)
  while (proof?.proceed(1) === false);
  const asked: string[] = []
  await proof?.finish(scratch.store, (bad, put) => {
    asked.push(...bad)
    put(healedId, Buffer.from('healed'))
  })
  proof?.close()
  const left = packFilesOf(folder, '.idx')
  const anew = RawPack.open((left[0] ?? '').slice(0, -4))
  expect({ packs: left.length, isOther: left[0] !== `${mixed}.idx`, ids: anew?.ids().sort(), asked: asked.sort() }).toEqual({ packs: 1, isOther: true, ids: [goodId, healedId].sort(), asked: [badId, healedId].sort() })
  anew?.close()
  const [fresh, stray] = ['pack-a.unproven', 'pack-b.unproven'].map((mark) => join(folder, mark)) as [string, string]
  for (const mark of [fresh, stray]) fs.writeFileSync(mark, '')
  fs.utimesSync(stray, 1, 1)
  expect({ proof: PackProof.begin(folder), fresh: fs.existsSync(fresh), stray: fs.existsSync(stray) }).toEqual({ proof: null, fresh: true, stray: false })
})

test('S5 git gc and removal of the repository while a first snapshot is taken do no harm', { timeout: 120_000 }, async () => {
  fill(800)
  commitAll()
  const { tree } = await treeWithout()
  for (let round = 0; round < 6; round++) {
    const one: Scratch = { ...scratch, data: join(scratch.top, `data${round}`), store: join(scratch.top, `data${round}/snapshots/w1`) }
    fs.mkdirSync(one.data)
    const store = await openStore(one)
    const busy = round === 5 ? spawn('rm', ['-rf', at('.git')]) : spawn('git', ['-c', `pack.compression=${round}`, 'repack', '-adfFq'], { cwd: scratch.project })
    const over = new Promise((resolve) => busy.on('exit', resolve))
    if (round % 2 === 1) await new Promise((resolve) => setTimeout(resolve, 30 * round))
    const taken = await scan(store)
    await over
    expect(taken.tree).toBe(tree)
    if (round === 5) {
      for (const name of fs.readdirSync(scratch.project)) fs.rmSync(at(name), { recursive: true })
      const now = await scan(store)
      const steps = (await store.diff(taken, now)).map(({ path, before, after }) => ({ path, to: before, from: after }))
      expect(await applySteps(store, steps, taken)).toEqual({})
      expect((await scan(store)).tree).toBe(tree)
    }
    await store.close()
    fsck(one.store)
  }
})

test('S5 a snapshot after the first asks nobody for content', async () => {
  fill()
  const { store } = await firstSnapshot()
  await store.close()
  for (let i = 300; i < 600; i++) write(`e${i % 20}/f${i}.txt`, content(i))
  commitAll()
  const again = await openStore(scratch)
  const taken = await scan(again)
  await again.close()
  expect({ tree: taken.tree, marks: packFilesOf(storePacks(), '.unproven') }).toEqual({ tree: (await treeWithout()).tree, marks: [] })
  fsck(scratch.store)
})
