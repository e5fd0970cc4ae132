import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { fsck, git, makeScratch, openStore, scan } from '../../../support/sideRepository'

test('R77 contents are read many at once, and looked for without reading; a file that has gone since is noticed', async () => {
  const scratch = makeScratch()
  onTestFinished(() => scratch.remove())
  const store = await openStore(scratch)
  await scan(store)
  writeFileSync(join(scratch.project, 'a'), 'short')
  writeFileSync(join(scratch.project, 'b'), 'x'.repeat(2000))
  const taken = await scan(store)
  const [a, b] = (await store.diff(null, taken)).map(({ after }) => after?.oid ?? '')
  if (!a || !b) throw new Error('two files were written')
  const nowhere = 'f'.repeat(40)
  const found = await store.blobs([b, nowhere, a, taken.tree], 1000)
  expect(found.map((one) => (one instanceof Uint8Array ? Buffer.from(one).toString() : one))).toEqual(['too-large', null, 'short', null])
  expect(await store.lacking([a, nowhere, b])).toEqual([nowhere])
  const file = join(scratch.store, 'objects', a.slice(0, 2), a.slice(2))
  renameSync(file, `${file}.away`)
  expect(await store.lacking([a, b])).toEqual([a])
  expect(await store.blobs([a], 1000)).toEqual([null])
  renameSync(`${file}.away`, file)
  await store.close()
  fsck(scratch.store)
  expect(git(['--git-dir', scratch.store, 'cat-file', '-t', a])).toBe('blob')
})
