import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { makeImageThread, type ImageThread, type ThreadReply } from '../../../../src/main/adapters/images/imageThread'

/** Says in which thread a picture was; the first byte of one makes the thread die, fail or never answer. */
const script = `
import { parentPort, threadId } from 'node:worker_threads'
parentPort.on('message', ({ bytes: [deed] }) => {
  if (deed === 1) process.exit(1)
  if (deed === 2) setTimeout(() => { throw new Error('lost') })
  else if (deed === 3) parentPort.postMessage({ kind: 'failed', problem: 'broken' })
  else if (deed !== 4) parentPort.postMessage({ kind: 'scaled', picture: { width: threadId } })
})
`
const file = path.join(mkdtempSync(path.join(tmpdir(), 'thread-')), 'worker.mjs')
writeFileSync(file, script)
const never = new AbortController().signal

const ask = (thread: ImageThread, deed: number, ms = 10_000, signal = never): Promise<ThreadReply> => thread.ask({ bytes: Uint8Array.of(deed), format: 'png', longSide: 1, side: 1, mostBytes: 1, mostPixels: 1 }, ms, signal)

async function threadOf(thread: ImageThread): Promise<number> {
  const reply = await ask(thread, 0)
  return reply.kind === 'scaled' ? reply.picture.width : -1
}

describe('R90: the thread for pictures', () => {
  test('one thread is kept for several pictures, and ended when nothing comes', async () => {
    const thread = makeImageThread(file)
    const first = await threadOf(thread)
    expect([await threadOf(thread), await threadOf(thread)]).toEqual([first, first])
    const short = makeImageThread(file, 1)
    const before = await threadOf(short)
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(await threadOf(short)).toBeGreaterThan(before)
  })

  test.each([['ends itself', 1, 'died'], ['throws', 2, 'died'], ['fails', 3, 'failed'], ['never answers', 4, 'late']] as const)('a picture whose thread %s does not harm the next', async (_what, deed, kind) => {
    const thread = makeImageThread(file)
    const first = await threadOf(thread)
    expect((await ask(thread, deed, deed === 4 ? 50 : 10_000)).kind).toBe(kind)
    const next = await threadOf(thread)
    expect(next).toBeGreaterThan(first)
    expect(await threadOf(thread)).toBe(next)
  })

  test('a cancelled one ends its thread, and the next has its own', async () => {
    const thread = makeImageThread(file)
    const stop = new AbortController()
    const asked = ask(thread, 4, 10_000, stop.signal)
    stop.abort()
    expect((await asked).kind).toBe('cancelled')
    expect((await ask(thread, 0, 10_000, stop.signal)).kind).toBe('cancelled')
    expect(await threadOf(thread)).toBeGreaterThan(0)
  })
})
