import { execFileSync } from 'node:child_process'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { anew, at, commitAll, content, eachInScratch, fill, firstSnapshot, inProject, losesAndRestores, packedBytes, packFilesOf, projectPacks, proven, scratch, storePacks, treeWithout, write } from '../../../support/projectPacks'
import { fsck, git, openStore, picture, scan } from '../../../support/sideRepository'

eachInScratch()

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
    anew()
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
