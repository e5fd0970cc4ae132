import { chmodSync, copyFileSync, existsSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest'
import { GitStores } from '../../../../src/main/adapters/git/gitStores'
import type { SnapshotStore, TakenTree } from '../../../../src/main/core/ports/snapshotStore'
import { applySteps, fsck, makeScratch, picture, restoreTo, scan, valueOf, workersFolder, type Scratch } from '../../../support/sideRepository'

let scratch: Scratch
const opened: SnapshotStore[] = []
const folders: string[] = []

beforeEach(() => {
  scratch = makeScratch()
})

afterEach(async () => {
  for (const store of opened.splice(0)) await store.close()
  fsck(scratch.store)
  scratch.remove()
})

afterAll(() => folders.forEach((folder) => rmSync(folder, { recursive: true, force: true })))

const at = (name: string): string => join(scratch.project, name)
const asked = (): string => join(scratch.top, 'asked')

/**
 * The built workers, with something said before the second thread begins; it notes what it is asked to restore, and may die of
 * the question. Among the builds, so that packages are found.
 */
function workersSaying(words: string, diesAsked = false): string {
  const folder = mkdtempSync(resolve(workersFolder, '..', 'restore-'))
  folders.push(folder)
  for (const name of readdirSync(workersFolder)) if (name.endsWith('.js')) copyFileSync(join(workersFolder, name), join(folder, name))
  const file = join(folder, 'gitScanWorker.js')
  renameSync(file, join(folder, 'whole.js'))
  const notes = `parentPort.on('message', ({ name, input }) => { if (name === 'restore') fs.appendFileSync(${JSON.stringify(asked())}, input.steps.map(({ path }) => path).join('\\n') + '\\n'${diesAsked ? '), process.exit(1' : ''}) })`
  writeFileSync(file, `import fs from 'node:fs'\nimport { syncBuiltinESMExports } from 'node:module'\nimport { parentPort } from 'node:worker_threads'\n${words}\nawait import('./whole.js')\n${notes}`)
  return folder
}

/** Enough for both threads, in folders of all kinds. */
function fill(): void {
  for (let i = 0; i < 700; i++) {
    mkdirSync(at(`p${i % 7}/q${i % 70}`), { recursive: true })
    writeFileSync(at(`p${i % 7}/q${i % 70}/f${i}`), `first ${i}\n`.repeat(1 + (i % 40)))
  }
  symlinkSync('q6/f6', at('p6/link'))
  writeFileSync(at('p6/untouched'), 'as it was')
  utimesSync(at('p6/untouched'), 1_600_000_000, 1_600_000_000)
}

/** What can only be rewritten, and beside it all that makes or removes a name, or a folder. */
function mutate(): void {
  for (let i = 0; i < 700; i++) writeFileSync(at(`p${i % 7}/q${i % 70}/f${i}`), `second ${i}\n`)
  rmSync(at('p6/link'))
  symlinkSync('elsewhere', at('p6/link'))
  rmSync(at('p5/q5'), { recursive: true })
  writeFileSync(at('p5/q5'), 'a file now')
  mkdirSync(at('p4/made/deep'), { recursive: true })
  writeFileSync(at('p4/made/deep/new'), 'new')
  rmSync(at('p3/q3/f3'))
  for (const name of ['p2/q2/f2', 'p2/q9/f9']) chmodSync(at(name), 0o600)
  chmodSync(at('p1/q1'), 0o555)
}

/** A moment, and a disk that has gone on; what is racy has become known. */
async function changed(workers: string): Promise<{ readonly store: SnapshotStore; readonly before: TakenTree; readonly was: Record<string, string> }> {
  fill()
  const store = valueOf(await new GitStores({ workersFolder: workers, dataFolder: scratch.data }).open('w1', scratch.project))
  opened.push(store)
  const before = await scan(store)
  const was = picture(scratch.project)
  mutate()
  await scan(store)
  await new Promise((done) => setTimeout(done, 150))
  return { store, before, was }
}

function askedPaths(): readonly string[] {
  return existsSync(asked()) ? readFileSync(asked(), 'utf8').trim().split('\n') : []
}

test('R78 many files come back in two threads, and nothing else is touched', { timeout: 60_000 }, async () => {
  const { store, before, was } = await changed(workersSaying(''))
  const old = lstatSync(at('p6/untouched'), { bigint: true })
  expect(await restoreTo(store, before)).toEqual({})
  expect(picture(scratch.project)).toEqual(was)
  expect(lstatSync(at('p6/untouched'), { bigint: true })).toMatchObject({ mtimeNs: old.mtimeNs, ctimeNs: old.ctimeNs, ino: old.ino })
  const theirs = askedPaths()
  expect(theirs.length).toBeGreaterThan(200)
  expect(theirs.length).toBeLessThanOrEqual(360)
  // Folders in which names come or go, or that may not be written, are the first thread's.
  expect(theirs.filter((path) => /^(p5\/q5|p4\/made|p3\/q3|p1\/q1)\//.test(path))).toEqual([])
})

test.each([
  ['before it begins', ''],
  ['in the middle', `const rename = fs.renameSync; let left = 40; fs.renameSync = (...args) => (left-- > 0 ? rename(...args) : process.exit(1)); syncBuiltinESMExports()`],
  ['with its files under other names', `fs.renameSync = () => process.exit(1); syncBuiltinESMExports()`],
])('R78 a second thread that dies %s leaves nothing undone and nothing behind', { timeout: 60_000 }, async (_, words) => {
  const { store, before, was } = await changed(workersSaying(words, words === ''))
  expect(await restoreTo(store, before)).toEqual({})
  expect(picture(scratch.project)).toEqual(was)
  expect(askedPaths().length).toBeGreaterThan(200)
})

test('R78 what the second thread has no room for is done by the first', { timeout: 60_000 }, async () => {
  const fail = (name: string, code: string, which: string): string => `const ${name} = fs.${name}; let ${name}s = 0; fs.${name} = (...args) => { if (${which} && ++${name}s % 3 === 0) throw Object.assign(new Error('planted'), { code: '${code}' }); return ${name}(...args) }`
  const { store, before, was } = await changed(workersSaying(`${fail('openSync', 'ENOSPC', `String(args[0]).endsWith('.tmp')`)}\nsyncBuiltinESMExports()`))
  expect(await restoreTo(store, before)).toEqual({})
  expect(picture(scratch.project)).toEqual(was)
  expect(askedPaths().length).toBeGreaterThan(200)
})

test('R78 a file of the second thread’s part that changed after the plan is left, said, and stops no other', { timeout: 60_000 }, async () => {
  const { store, before, was } = await changed(workersSaying(''))
  const now = await scan(store)
  const steps = (await store.diff(before, now)).map(({ path, before: to, after: from }) => ({ path, to, from }))
  writeFileSync(at('p6/q69/f69'), 'meanwhile')
  expect(await applySteps(store, steps, before)).toEqual({ 'p6/q69/f69': 'rollback.changed-meanwhile' })
  expect(askedPaths()).toContain('p6/q69/f69')
  const { 'p6/q69/f69': left, ...others } = picture(scratch.project)
  const { 'p6/q69/f69': old, ...expected } = was
  expect(left).not.toBe(old)
  expect(others).toEqual(expected)
})
