import { existsSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { scratchFolder } from '../../support/scratchDatabase'
import { makeLibraryThread, segmenterOver } from '../../../src/main/app/libraryClient'
import { hasStuckThread } from '../../../src/main/native/threadEnd'

const built = path.resolve(import.meta.dirname, '../../../out/main/libraryWorker.js')

function threadOf(code: string) {
  const file = path.join(scratchFolder(), 'worker.mjs')
  writeFileSync(file, `import { parentPort as port } from 'node:worker_threads'\n${code}`)
  const thread = makeLibraryThread(file)
  onTestFinished(() => thread.close())
  return thread
}

test('R37: the thread cuts texts in their order, for storing and for asking', async () => {
  const thread = makeLibraryThread(built)
  const segmenter = segmenterOver(thread)
  expect(await Promise.all([segmenter.terms(['回滚 user_name', '']), segmenter.queryTerms(['user_name'])])).toEqual([[['回滚', 'user_name', 'user', 'name', 'usernam'], []], [['user_name']]])
  await thread.close()
  await expect(segmenter.terms(['a'])).rejects.toMatchObject({ fault: { code: 'retrieval.thread-stopped' } })
})

test('a thread that was never asked is closed without being started', async () => {
  await makeLibraryThread('/nowhere/worker.js').close()
})

test('R88: a thread that cannot start, or dies, says so to everybody who waits, and is not started again', async () => {
  const dead = threadOf('throw new Error("no module here")')
  const stopped = { fault: { code: 'retrieval.thread-stopped', values: { problem: 'no module here' } } }
  const outcomes = await Promise.allSettled([dead.ask('terms', ['a']), dead.ask('terms', ['b'])])
  expect(outcomes).toMatchObject([{ reason: stopped }, { reason: stopped }])
  await expect(dead.ask('terms', ['c'])).rejects.toMatchObject(stopped)

  const dying = threadOf("port.on('message', () => process.exit(3))")
  await expect(dying.ask('terms', ['a'])).rejects.toMatchObject({ fault: { values: { problem: 'exit 3' } } })
})

test('R15: what is given up is told to the thread, and what it says unasked is heard until nobody listens', async () => {
  const thread = threadOf(`
    port.on('message', (request) => {
      if (request.kind === 'close') return port.close()
      port.postMessage({ kind: 'pushed', name: 'index-state', value: request.kind })
      if (request.kind === 'cancel') port.postMessage({ kind: 'failed', id: request.id, fault: { code: 'tool.cancelled', values: {} } })
    })`)
  const heard: unknown[] = []
  const end = thread.on('index-state', (state) => heard.push(state))
  const cancel = new AbortController()
  const asked = thread.ask('terms', ['a'], cancel.signal)
  cancel.abort()
  await expect(asked).rejects.toMatchObject({ fault: { code: 'tool.cancelled' } })
  end()
  await expect(thread.ask('terms', ['a'], AbortSignal.abort())).rejects.toMatchObject({ fault: { code: 'tool.cancelled' } })
  expect(heard).toEqual(['ask', 'cancel'])
})

test('R15: what a thread has to close is waited for, but leaving does not wait for a thread that then never ends', async () => {
  expect(hasStuckThread()).toBe(false)
  const file = path.join(scratchFolder(), 'closed')
  const thread = threadOf(`
    const { writeFileSync } = await import('node:fs')
    const reply = (message) => port.postMessage(message)
    port.on('message', (request) => {
      if (request.kind === 'ask') return reply({ kind: 'answered', id: request.id, answer: [] })
      setTimeout(() => { writeFileSync(${JSON.stringify(file)}, ''); reply({ kind: 'closed' }) }, 200)
      setTimeout(() => port.close(), 3000)
    })`)
  await thread.ask('terms', ['a'])
  await thread.close()
  expect([existsSync(file), hasStuckThread()]).toEqual([true, true])
  // It ends after all: then nothing is in the way any more.
  await expect.poll(hasStuckThread, { timeout: 20_000 }).toBe(false)
})

test('a fault of the program in the thread is one here, with its place', async () => {
  const thread = threadOf("port.on('message', (r) => r.kind === 'close' ? port.close() : port.postMessage({ kind: 'bug', id: r.id, message: 'broken', stack: 'at there' }))")
  await expect(thread.ask('terms', [])).rejects.toMatchObject({ message: 'broken', stack: 'at there' })
})
