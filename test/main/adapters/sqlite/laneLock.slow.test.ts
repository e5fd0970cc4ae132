import { setTimeout as sleep } from 'node:timers/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { openIn, rawOpen, scratchFolder } from '../../../support/scratchDatabase'

const never = new AbortController().signal

/** Waits until so many hold a place in the queue. */
async function queued(dataDir: string, count: number): Promise<void> {
  const raw = rawOpen(path.join(dataDir, 'countersign.db'))
  try {
    while ((raw.prepare('SELECT count(*) AS count FROM lane').get() as { count: number }).count < count) await sleep(1)
  } finally {
    raw.close()
  }
}

test('whoever came first enters first', async () => {
  const dataDir = scratchFolder()
  const database = await openIn(dataDir)
  const order: number[] = []
  const enter = async (number: number) => {
    const release = await database.lane.enter('w', never)
    order.push(number)
    await release?.()
  }
  const first = await database.lane.enter('w', never)
  const others = [1, 2, 3, 4].map(enter)
  await queued(dataDir, 5)
  expect(order).toEqual([])
  await first?.()
  await Promise.all(others)
  expect(order).toEqual([1, 2, 3, 4])
})

test('R11: one that waits leaves the queue when it is cancelled, and the next one moves up', async () => {
  const dataDir = scratchFolder()
  const database = await openIn(dataDir)
  const release = await database.lane.enter('w', never)
  const cancel = new AbortController()
  const cancelled = database.lane.enter('w', cancel.signal)
  const next = database.lane.enter('w', never)
  await queued(dataDir, 3)
  cancel.abort()
  expect(await cancelled).toBe(null)
  await release?.()
  await (await next)?.()
  expect(await database.lane.enter('w', AbortSignal.abort())).toBe(null)
  const raw = rawOpen(path.join(dataDir, 'countersign.db'))
  expect(raw.prepare('SELECT * FROM lane').all()).toEqual([])
  raw.close()
})

test('releasing twice gives nothing to anybody twice', async () => {
  const database = await openIn(scratchFolder())
  const release = await database.lane.enter('w', never)
  await release?.()
  const second = await database.lane.enter('w', never)
  await release?.()
  let isThird = false
  const third = database.lane.enter('w', never).then((leave) => {
    isThird = true
    return leave
  })
  await sleep(100)
  expect(isThird).toBe(false)
  await second?.()
  await (await third)?.()
})

test('a place in the queue whose process cannot be seen from here is kept while its heart beats, then taken', async () => {
  const dataDir = scratchFolder()
  let nowMs = 1_000_000
  const database = await openIn(dataDir, { nowMs: () => nowMs })
  const raw = rawOpen(path.join(dataDir, 'countersign.db'))
  raw.prepare("INSERT INTO lane (workspace_id, owner_pid, owner_started, owner_scope, heartbeat_at_ms) VALUES ('w', 1, '1', 'another machine', ?)").run(nowMs)
  raw.close()
  let isIn = false
  const entering = database.lane.enter('w', never).then((release) => {
    isIn = true
    return release
  })
  await sleep(150)
  expect(isIn).toBe(false)
  nowMs += 31_000
  await (await entering)?.()
})

test('a closed database leaves nobody waiting in its place', async () => {
  const dataDir = scratchFolder()
  const first = await openIn(dataDir)
  const second = await openIn(dataDir)
  await first.lane.enter('w', never)
  const entering = second.lane.enter('w', never)
  await first.close()
  expect(await entering).toBeTypeOf('function')
})

test('one whose place was taken away while it waited queues up again', async () => {
  const dataDir = scratchFolder()
  const database = await openIn(dataDir)
  const release = await database.lane.enter('w', never)
  const entering = database.lane.enter('w', never)
  await queued(dataDir, 2)
  const raw = rawOpen(path.join(dataDir, 'countersign.db'))
  raw.exec('DELETE FROM lane WHERE ticket = (SELECT max(ticket) FROM lane)')
  raw.close()
  await release?.()
  expect(await entering).toBeTypeOf('function')
})
