import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { makeFileLease } from '../../../src/main/native/fileLease'
import { LockHeld, withFileLock } from '../../../src/main/native/fileLock'
import { ownIdentity } from '../../../src/main/native/processIdentity'
import { scratchFolder } from '../../support/scratchDatabase'

const lockIn = (folder: string) => path.join(folder, 'a.lock')
const tokenIn = (file: string) => (JSON.parse(readFileSync(file, 'utf8')) as { token: string }).token

async function untilFree(file: string): Promise<void> {
  for (let tries = 0; existsSync(file); tries += 1) {
    if (tries > 1000) throw new Error('never given back')
    await sleep(5)
  }
}

test('R97 a lease is kept from one use to the next, and given back when nobody uses it', async () => {
  const file = lockIn(scratchFolder())
  let left = 0
  const lease = makeFileLease({ file, waitMs: 1000, onLeave: () => Promise.resolve(void (left += 1)) })
  const first = await lease.run(() => Promise.resolve(tokenIn(file)))
  const kept = existsSync(file)
  const second = await lease.run(() => Promise.resolve(tokenIn(file)))
  expect({ kept, isSame: first === second }).toEqual({ kept: true, isSame: true })
  await untilFree(file)
  expect(left).toBe(1)
  expect(await withFileLock(file, 0, () => Promise.resolve('in'))).toBe('in')
})

test('R97 two leases and a plain lock on one file never run together, also when the work fails', async () => {
  const file = lockIn(scratchFolder())
  const leases = [makeFileLease({ file, waitMs: 20_000 }), makeFileLease({ file, waitMs: 20_000 })] as const
  let inside = 0
  let most = 0
  const work = async (index: number) => {
    inside += 1
    most = Math.max(most, inside)
    await sleep(1)
    inside -= 1
    if (index % 5 === 3) throw new Error('failed inside')
  }
  const take = (index: number) => (index % 3 === 2 ? withFileLock(file, 20_000, () => work(index)) : (leases[index % 3] ?? leases[0]).run(() => work(index)))
  const results = await Promise.allSettled(Array.from({ length: 30 }, (_, index) => take(index)))
  expect({ most, failed: results.filter((result) => result.status === 'rejected').length }).toEqual({ most: 1, failed: 6 })
})

test('R97 whoever waits gets it from one that never rests', async () => {
  const file = lockIn(scratchFolder())
  const busy = makeFileLease({ file, waitMs: 20_000 })
  let isOver = false
  let uses = 0
  const restless = (async () => {
    while (!isOver) await busy.run(() => sleep(1).then(() => void (uses += 1)))
  })()
  const other = makeFileLease({ file, waitMs: 20_000 })
  const gaps: number[] = []
  while (uses === 0) await sleep(1)
  for (let turn = 0; turn < 8; turn += 1) {
    const before = uses
    await other.run(() => Promise.resolve(void gaps.push(uses - before)))
    await untilFree(`${file}.asked`)
    await sleep(40)
  }
  isOver = true
  await restless
  // Some uses until the mark is there and seen. Without it the restless one would go on for twenty seconds.
  expect(Math.max(...gaps)).toBeLessThan(500)
})

test('R97 a mark whose waiting one died costs one step back and is gone', async () => {
  const file = lockIn(scratchFolder())
  writeFileSync(`${file}.asked`, '')
  const lease = makeFileLease({ file, waitMs: 1000 })
  await lease.run(() => Promise.resolve())
  await lease.run(() => Promise.resolve())
  expect(existsSync(`${file}.asked`)).toBe(false)
})

test('R97 the file behind a lease is made again when another process took it for a left over', async () => {
  const folder = scratchFolder()
  const file = lockIn(folder)
  const lease = makeFileLease({ file, waitMs: 1000 })
  await lease.run(() => Promise.resolve())
  await untilFree(file)
  for (const name of readdirSync(folder)) rmSync(path.join(folder, name))
  expect(await lease.run(() => Promise.resolve(existsSync(file)))).toBe(true)
})

test('R97 a living owner is named when it takes too long; a lease that could not be taken can be asked again', async () => {
  const file = lockIn(scratchFolder())
  const lease = makeFileLease({ file, waitMs: 20 })
  let release: () => void = () => undefined
  const holding = withFileLock(file, 0, () => new Promise<void>((resolve) => (release = resolve)))
  while (!existsSync(file)) await sleep(1)
  const error = await lease.run(() => Promise.resolve()).catch((caught: unknown) => caught)
  expect(error).toBeInstanceOf(LockHeld)
  expect((error as LockHeld).pid).toBe(process.pid)
  release()
  await holding
  expect(await lease.run(() => Promise.resolve('in'))).toBe('in')
})

test('R97 many that find one dead owner remove it once, and none removes a living one', async () => {
  const file = lockIn(scratchFolder())
  for (let round = 0; round < 15; round += 1) {
    const dead = { ...ownIdentity(), pid: 2 ** 22 + 1, token: `dead-${round}` }
    writeFileSync(file, JSON.stringify(dead))
    // The one who had the right to remove it died, too.
    if (round % 2 === 0) writeFileSync(`${file}.dead-${round}.end.tmp`, JSON.stringify({ ...dead, token: `heir-${round}` }))
    let inside = 0
    let most = 0
    await Promise.all(
      Array.from({ length: 6 }, () =>
        withFileLock(file, 10_000, async () => {
          inside += 1
          most = Math.max(most, inside)
          await sleep(1)
          inside -= 1
        }),
      ),
    )
    expect(most).toBe(1)
  }
  expect(readdirSync(path.dirname(file))).toEqual([])
})

test('R97 the lock of a lease is touched anew after a while, so that who cannot see its owner does not take it for a left over', async () => {
  const file = lockIn(scratchFolder())
  const lease = makeFileLease({ file, waitMs: 1000 })
  await lease.run(() => Promise.resolve())
  vi.useFakeTimers({ toFake: ['Date'] })
  try {
    for (let use = 0; use < 3; use += 1) {
      vi.setSystemTime(Date.now() + 25_000)
      // The first use after that may still be under the lock that is kept; that one is given back at its end.
      await lease.run(() => Promise.resolve())
      const ageMs = await lease.run(async () => Date.now() - (await stat(file)).mtimeMs)
      expect(ageMs).toBeLessThan(20_000)
    }
  } finally {
    vi.useRealTimers()
  }
})
