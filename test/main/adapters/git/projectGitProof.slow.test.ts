import { spawn } from 'node:child_process'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { idOf } from '../../../../src/main/adapters/git/store/gitObjects'
import { PackWriter } from '../../../../src/main/adapters/git/pack/packWriter'
import { PackProof } from '../../../../src/main/adapters/git/project/projectGitProof'
import { RawPack, type PackedEntry } from '../../../../src/main/adapters/git/project/projectGitPack'
import { at, commitAll, content, eachInScratch, fill, firstSnapshot, losesAndRestores, packFilesOf, projectPacks, proven, scratch, storePacks, treeWithout, write } from '../../../support/projectPacks'
import { applySteps, fsck, openStore, scan, type Scratch } from '../../../support/sideRepository'

eachInScratch()

/** A pack whose sums are right and whose entries are not what their ids say. */
async function writeLyingPack(): Promise<void> {
  fs.rmSync(projectPacks(), { recursive: true })
  fs.mkdirSync(projectPacks())
  const writer = new PackWriter(projectPacks(), 'x')
  const other = join(scratch.top, 'other')
  fs.mkdirSync(other)
  const bodies = new PackWriter(other, 'x')
  for (let i = 0; i < 300; i++) bodies.add('blob', idOf('blob', Buffer.from(content(`lie ${i}`))), Buffer.from(content(`lie ${i}`)))
  const lies = RawPack.open(await bodies.finish())
  for (let i = 0; i < 300; i++) {
    const entry = lies?.entry(idOf('blob', Buffer.from(content(`lie ${i}`))))
    if (!entry) throw new Error('no entry')
    writer.addPacked(idOf('blob', Buffer.from(content(i))), entry)
  }
  await writer.finish()
  lies?.close()
}

test('S5 a pack that lies is found out, and the files are stored as they are', async () => {
  fill()
  commitAll()
  const without = await treeWithout()
  await writeLyingPack()
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
  await writeLyingPack()
  const { store, taken } = await firstSnapshot()
  await store.close()
  // Whether the proof was over already is a matter of milliseconds; put things back as they were before it.
  await forgetProof()
  expect(packFilesOf(storePacks(), '.unproven')).toHaveLength(1)
  const again = await openStore(scratch)
  expect((await scan(again)).tree).toBe(taken.tree)
  await proven()
  fsck(scratch.store)
  await losesAndRestores(again, taken)
  await again.close()
})

/** The store's pack with the lies in it and the mark beside it. */
async function forgetProof(): Promise<void> {
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
  fs.writeFileSync(`${await writer.finish()}.unproven`, '')
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
  const name = await plain.finish()
  const entry = RawPack.open(name)?.entry(goodId)
  if (!entry) throw new Error('no entry')
  const lender = { entry: (): PackedEntry => entry }
  const writer = new PackWriter(folder, 'x', lender)
  writer.add('blob', goodId, good)
  writer.add('blob', badId, Buffer.from('x'))
  writer.add('blob', healedId, Buffer.from('healed'))
  const mixed = await writer.finish()
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
