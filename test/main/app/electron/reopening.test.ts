import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { makeReopening } from '../../../../src/main/app/electron/reopening'
import { said, type Said } from '../../../../src/shared/domain/result'

let base = ''
let opened: string[] = []
beforeEach(() => {
  base = mkdtempSync(path.join(os.tmpdir(), 'countersign-reopening-'))
  opened = []
  for (const name of ['project', 'other']) mkdirSync(path.join(base, name))
})
afterEach(() => rmSync(base, { recursive: true }))

const at = (name: string): string => path.join(base, name)
const note = (): boolean => existsSync(at('note.json'))
const open = (root: string): Promise<Said | null> => (opened.push(root), Promise.resolve(null))
const wanted = (root = at('project')) => ({ reopenFolder: true, recentFolders: [root, at('other')] })
/** A start that ends without a word: its note stays. */
const crash = (root?: string): Promise<Said | null> => makeReopening(at('note.json')).start(wanted(root), open)

test('the last folder is opened again, unless the person does not want it or there is none', async () => {
  expect([await crash(), opened]).toEqual([null, [at('project')]])
  const refused = [await makeReopening(at('note.json')).start({ ...wanted(), reopenFolder: false }, open), await makeReopening(at('note.json')).start({ reopenFolder: true, recentFolders: [] }, open)]
  expect([refused, opened]).toEqual([[null, null], [at('project')]])
})

test('a folder that is gone, that is a file, or that cannot be opened is told in a sentence and leaves no note', async () => {
  writeFileSync(at('file'), '')
  expect(await crash(at('gone'))).toEqual(said('app.not-reopened', { reason: said('path.missing', { path: at('gone') }) }))
  const reason = said('path.not-folder', { path: at('project') })
  expect(await makeReopening(at('note.json')).start(wanted(), () => Promise.resolve(reason))).toEqual(said('app.not-reopened', { reason }))
  expect([opened, note()]).toEqual([[], false])
})

test('after two starts in a row that did not live through it, the folder is left alone until it was opened by hand and stood', async () => {
  await crash()
  await crash()
  const third = makeReopening(at('note.json'))
  const told = said('app.not-reopened-crashed', { root: at('project'), starts: 2 })
  expect([await third.start(wanted(), open), opened.length]).toEqual([told, 2])
  // Left without a folder: nothing is known to be better.
  await third.close()
  const fourth = makeReopening(at('note.json'))
  expect(await fourth.start(wanted(), open)).toEqual(told)
  fourth.opened()
  await fourth.close()
  expect([note(), await crash(), opened.length]).toEqual([false, null, 3])
})

test('another folder begins anew, and so does one that was left as it should be', async () => {
  await crash()
  await crash()
  expect(await crash(at('other'))).toBeNull()
  const good = makeReopening(at('note.json'))
  await good.start(wanted(), open)
  await good.close()
  expect(note()).toBe(false)
})

test('a folder that stands for a while is no longer watched', async () => {
  const reopening = makeReopening(at('note.json'), 1)
  await reopening.start(wanted(), open)
  await expect.poll(note).toBe(false)
})

test('a damaged note, or a place that takes none, keeps no folder from being opened', async () => {
  for (const text of ['{', 'null', '7', JSON.stringify({ root: at('project'), starts: 'many' })]) {
    writeFileSync(at('note.json'), text)
    expect(await crash()).toBeNull()
  }
  expect(await makeReopening(path.join(at('note.json'), 'below.json')).start(wanted(), open)).toBeNull()
  expect(opened.length).toBe(5)
})
