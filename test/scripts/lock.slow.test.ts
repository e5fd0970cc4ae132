import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { processStart, tryLock, withLock } from '../../scripts/lock.mjs'

let folder: string
let file: string
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'countersign-lock-'))
  file = path.join(folder, 'a.lock')
})
afterEach(() => rmSync(folder, { recursive: true }))

const module = path.resolve(import.meta.dirname, '../../scripts/lock.mjs')

/** A process that takes the lock, says so, and holds it for some time. */
function holder(heldMs: number): { child: ChildProcess; output: () => string; said: (text: string) => Promise<void>; ended: Promise<number | null> } {
  const script = `
    import { withLock } from ${JSON.stringify(module)}
    await withLock(${JSON.stringify(file)}, 'set-up', async () => {
      console.log('got')
      await new Promise((done) => setTimeout(done, ${heldMs}))
      console.log('done')
    })`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes: Buffer) => (output += bytes.toString('utf8')))
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  const said = async (text: string): Promise<void> => {
    while (!output.includes(text)) await new Promise((resolve) => setTimeout(resolve, 10))
  }
  return { child, output: () => output, said, ended }
}

test('the lock names its owner and is gone after release', () => {
  const lock = tryLock(file)
  const owner = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>
  if (!('release' in lock)) throw new Error('not free')
  lock.release()
  expect({ pid: owner['pid'], startedAt: owner['startedAt'], left: readdirSync(folder) }).toEqual({ pid: process.pid, startedAt: processStart(process.pid), left: [] })
})

test('a second set-up waits for the first and says so', async () => {
  const first = holder(400)
  await first.said('got')
  const second = holder(0)
  await second.said('waiting')
  expect(first.output()).not.toContain('done')
  expect([await first.ended, await second.ended]).toEqual([0, 0])
  expect(second.output()).toBe(`[countersign] another set-up is at work (process ${first.child.pid}); waiting for it\ngot\ndone\n`)
  expect(readdirSync(folder)).toEqual([])
})

test('the lock of a killed owner is taken over', async () => {
  const first = holder(60_000)
  await first.said('got')
  first.child.kill('SIGKILL')
  await first.ended
  expect(existsSync(file)).toBe(true)
  expect(await withLock(file, 'set-up', () => 'mine')).toBe('mine')
  expect(readdirSync(folder)).toEqual([])
})

test('a process that got the number of a dead owner does not count as it', () => {
  writeFileSync(file, JSON.stringify({ pid: process.pid, startedAt: '1', token: 'old' }))
  expect('release' in tryLock(file)).toBe(true)
})

test('a lock file that nobody can read belongs to nobody', () => {
  writeFileSync(file, '{"pid":')
  expect('release' in tryLock(file)).toBe(true)
})

test('many that find the same dead owner run one after the other', async () => {
  writeFileSync(file, JSON.stringify({ pid: process.pid, startedAt: '1', token: 'old' }))
  const holders = Array.from({ length: 4 }, () => holder(150))
  await Promise.all(holders.map((each) => each.ended))
  // Each waiting one names an owner; a lock held twice would have let one of them in without a word.
  const waited = holders.filter((each) => each.output().includes('waiting')).length
  expect({ done: holders.map((each) => each.output().endsWith('got\ndone\n')), waited: waited >= 1, left: readdirSync(folder) }).toEqual({ done: [true, true, true, true], waited: true, left: [] })
})

test('the lock is free again when the work throws', async () => {
  await expect(withLock(file, 'set-up', () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(readdirSync(folder)).toEqual([])
})
