import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { scratchFolder } from '../../support/scratchDatabase'
import { LockHeld, withFileLock } from '../../../src/main/native/fileLock'
import { lifeOf, ownIdentity } from '../../../src/main/native/processIdentity'

const lockIn = (folder: string) => path.join(folder, 'a.lock')

test('one at a time, and nothing is left behind, also after a failure', async () => {
  const folder = scratchFolder()
  let inside = 0
  let most = 0
  const work = async (index: number) => {
    inside += 1
    most = Math.max(most, inside)
    await sleep(2)
    inside -= 1
    if (index === 3) throw new Error('failed inside')
    return index
  }
  const results = await Promise.allSettled(Array.from({ length: 8 }, (_, index) => withFileLock(lockIn(folder), 5000, () => work(index))))
  expect({ most, failed: results.filter((result) => result.status === 'rejected').length }).toEqual({ most: 1, failed: 1 })
  expect(readdirSync(folder)).toEqual([])
})

test('a living owner is waited for, and named when it takes too long', async () => {
  const folder = scratchFolder()
  let release: () => void = () => undefined
  const held = new Promise<void>((resolve) => (release = resolve))
  let entered: () => void = () => undefined
  const isIn = new Promise<void>((resolve) => (entered = resolve))
  const holding = withFileLock(lockIn(folder), 100, () => (entered(), held))
  await isIn
  const error = await withFileLock(lockIn(folder), 30, () => Promise.resolve()).catch((caught: unknown) => caught)
  expect(error).toBeInstanceOf(LockHeld)
  expect((error as LockHeld).pid).toBe(process.pid)
  release()
  await holding
})

test.each([
  ['of a dead process', { ...ownIdentity(), pid: 2 ** 22 + 1, token: 'x' }],
  ['of an earlier process with the same number', { ...ownIdentity(), startedAt: '1', token: 'x' }],
])('a lock %s is taken over at once', async (_, owner) => {
  const folder = scratchFolder()
  writeFileSync(lockIn(folder), JSON.stringify(owner))
  expect(await withFileLock(lockIn(folder), 50, () => Promise.resolve('in'))).toBe('in')
  expect(existsSync(lockIn(folder))).toBe(false)
})

test('a lock whose owner cannot be seen from here is taken over when it is old', async () => {
  const folder = scratchFolder()
  writeFileSync(lockIn(folder), JSON.stringify({ ...ownIdentity(), scope: 'another machine', token: 'x' }))
  await expect(withFileLock(lockIn(folder), 30, () => Promise.resolve())).rejects.toBeInstanceOf(LockHeld)
  const old = new Date(Date.now() - 120_000)
  utimesSync(lockIn(folder), old, old)
  expect(await withFileLock(lockIn(folder), 30, () => Promise.resolve('in'))).toBe('in')
})

test.each(['', 'no owner', 'null', '{}', '{"pid":1}', '\0\0\0'])('R78 what no owner can have written, %j, is taken away at once', async (text) => {
  const folder = scratchFolder()
  writeFileSync(lockIn(folder), text)
  expect(await withFileLock(lockIn(folder), 0, () => Promise.resolve('in'))).toBe('in')
  expect(readdirSync(folder)).toEqual([])
})

test('R78 a lock that cannot be read is told at once, and not waited for', async () => {
  const folder = scratchFolder()
  mkdirSync(lockIn(folder))
  await expect(withFileLock(lockIn(folder), 600_000, () => Promise.resolve())).rejects.toMatchObject({ code: 'EISDIR' })
  expect(readdirSync(folder)).toEqual(['a.lock'])
})

test('a process is known by number, start and place', () => {
  const self = ownIdentity()
  expect(lifeOf(self)).toBe('alive')
  expect(lifeOf({ ...self, startedAt: '' })).toBe('alive')
  expect(lifeOf({ ...self, scope: 'elsewhere' })).toBe('elsewhere')
})
