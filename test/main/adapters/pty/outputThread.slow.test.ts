import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Worker } from 'node:worker_threads'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { makeBlobStore } from '../../../../src/main/adapters/blobs/blobStore'
import { makeOutputThread, type OutputThread } from '../../../../src/main/adapters/pty/outputThread'
import { redact } from '../../../../src/main/core/policy/redaction'
import { makeCommandWorld } from '../../../support/commandWorld'

const workerFile = path.resolve(import.meta.dirname, '../../../../out/main/outputWorker.js')
const known = ['sesame-9f8e7d6c5b4a-open']
let folder: string
let thread: OutputThread
let waiting: number[]

beforeEach(() => {
  folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'output-thread-')))
  waiting = []
  thread = makeOutputThread({ workerFile, folder, spool: makeBlobStore(folder), known: () => known, onWaiting: (bytes) => void waiting.push(bytes) })
})
afterEach(async () => {
  await thread.close()
  rmSync(folder, { recursive: true, force: true })
})

const doors = { show: () => {}, hold: () => {}, letGo: () => {} }
const wholeOf = (name: string | null): string => (name === null ? '' : readFileSync(path.join(folder, name.slice(0, 2), name.slice(2)), 'utf8'))

const part = fc.oneof(
  fc.constantFrom('line of words\r\n', '\x1b[32m✓\x1b[39m 署 🖋\r\n', 'password=zX81kQp0Lw\r\n', `say ${known[0]} now\r\n`, 'https://a:zX81kQp0Lw@h/x\r\n', '密码：zX81kQp0Lw\r\n'),
  fc.integer({ min: 1, max: 30_000 }).map((length) => `${'some words '.repeat(length / 11)}\r\n`),
)

test('O1 R68: what the thread keeps is the whole output, masked, however it comes', async () => {
  let calls = 0
  await fc.assert(
    fc.asyncProperty(fc.array(part, { minLength: 10, maxLength: 60 }), fc.array(fc.integer({ min: 1, max: 70_000 }), { maxLength: 20 }), async (parts, cuts) => {
      const text = parts.join('') + 'plain words\r\n'.repeat(3000)
      const bytes = Buffer.from(text)
      const sink = thread.open(`call-${++calls}`, doors)
      let from = 0
      for (const length of [...cuts, bytes.length]) {
        sink.push(bytes.subarray(from, from + length))
        from += length
      }
      const kept = await sink.end()
      expect(wholeOf(kept.outputRef)).toBe(redact(text, { known }))
      expect(kept.text).not.toMatch(/zX81|9f8e/)
      expect(kept.totalBytes).toBe(Buffer.byteLength(redact(text, { known })))
    }),
    { numRuns: 15 },
  )
})

test('O2: the source is held while much is on its way, and let go again; outputs beside one another stay apart', async () => {
  const steps: string[] = []
  const flood = thread.open('flood', { show: () => {}, hold: () => void steps.push('hold'), letGo: () => void steps.push('go') })
  const quiet = thread.open('quiet', doors)
  quiet.push(Buffer.from('one word'))
  for (let at = 0; at < 400; at++) {
    flood.push(Buffer.from('a line of words\r\n'.repeat(240)))
    if (steps.at(-1) === 'hold') await vi.waitFor(() => expect(steps.at(-1)).toBe('go'))
  }
  const [kept, other] = await Promise.all([flood.end(), quiet.end()])
  expect(steps).toContain('hold')
  expect(kept.totalBytes).toBe(400 * 240 * 17)
  expect(other).toEqual({ text: 'one word', totalBytes: 8, outputRef: null })
  expect(Math.max(...waiting)).toBeLessThan(500_000)
})

test('what is shown comes while the command runs; nothing comes once it is muted', async () => {
  const shown: string[] = []
  const sink = thread.open('live', { ...doors, show: (text) => void shown.push(text) })
  sink.push(Buffer.from(`token=zX81kQp0Lw and ${known[0]}\r\nGo on? `))
  await vi.waitFor(() => expect(shown.join('')).toBe('token=[redacted:token] and [redacted:known]\r\nGo on? '))
  sink.mute()
  sink.push(Buffer.from('late\r\n'))
  expect((await sink.end()).text).toContain('late')
  expect(shown.join('')).not.toContain('late')
})

test('O1: a thread that ends before its time leaves what had reached the disk, lets its source go, and the next command has a new one', async () => {
  const kill = vi.spyOn(Worker.prototype, 'postMessage')
  const steps: string[] = []
  const sink = thread.open('lost', { show: () => {}, hold: () => void steps.push('hold'), letGo: () => void steps.push('go') })
  sink.push(Buffer.from('kept words\r\n'.repeat(40_000)))
  await vi.waitFor(() => expect(existsSync(path.join(folder, 'growing/lost'))).toBe(true))
  await (kill.mock.contexts[0] as Worker).terminate()
  kill.mockRestore()
  sink.push(Buffer.from('more\r\n'))
  const kept = await sink.end()
  expect(kept.text).toMatch(/^(?:.*words\n)*.*\[… [\d,]+ bytes …\]\n$/)
  expect(wholeOf(kept.outputRef)).toMatch(/^kept words\r\n/)
  expect(kept.totalBytes).toBeGreaterThan(400_000)
  expect(steps.at(-1)).not.toBe('hold')
  const next = thread.open('next', doors)
  next.push(Buffer.from('again'))
  expect((await next.end()).text).toBe('again')
})

test('O4: one line of 50 MB through a real terminal ends, is kept whole, and is told by its head and tail', { timeout: 60_000 }, async () => {
  const world = makeCommandWorld({ thread })
  try {
    const before = process.memoryUsage.rss()
    const end = await world.run(`printf 'begin '; yes 'abcdefghij klmnopq' | tr -d '\\n' | head -c 50000000; printf ' end'`)
    expect(end.exitCode).toBe(0)
    expect(end.totalBytes).toBe(50_000_010)
    expect(end.text).toMatch(/^begin abcdefghij klmnopqabc[^\n]*\n\[… 49,9\d\d,\d{3} bytes …\]\n[^\n]* end$/)
    const whole = wholeOf(end.outputRef)
    expect([whole.length, whole.slice(0, 20), whole.slice(-8)]).toEqual([50_000_010, 'begin abcdefghij klm', expect.stringMatching(/ end$/)])
    // Far below the line itself, which a reader that held it would have as text and as bytes.
    expect(process.memoryUsage.rss() - before).toBeLessThan(250e6)
    expect(Math.max(...waiting)).toBeLessThan(500_000)
  } finally {
    await world.close()
  }
})
