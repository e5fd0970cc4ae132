import { createHash, webcrypto } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { createContext, runInContext } from 'node:vm'
import fc from 'fast-check'
import { beforeEach, describe, expect, test } from 'vitest'
import { allLinesOf, listAuditFiles } from '../../../../src/main/adapters/audit/auditFiles'
import { excerptOf } from '../../../../src/main/adapters/audit/excerpt'
import { exportLog } from '../../../../src/main/adapters/audit/exportLog'
import { RecordIndex } from '../../../../src/main/adapters/audit/recordIndex'
import { verifyExport } from '../../../../src/main/adapters/audit/verifyExport'
import type { ExportVerdict } from '../../../../src/main/core/ports/auditReader'
import { callEntries, exportedPage, nastyText, openLog, recordResource } from '../../../support/auditWorld'
import { scratchFolder } from '../../../support/scratchDatabase'

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const zeros = '0'.repeat(64)
let partFile = ''
beforeEach(() => {
  partFile = path.join(scratchFolder(), 'part.jsonl')
})

/** Lines of the first form, as logs held them before hashes could stand for lines. */
function oldLines(count: number): readonly string[] {
  let chain = zeros
  return Array.from({ length: count }, (_, at) => {
    const body = JSON.stringify({ entry: at + 1, atMs: at, fact: 'level-changed', actor: 'person', outcome: 'all', prev: chain })
    chain = sha256(chain + body)
    return `${body.slice(0, -1)},"chain":"${chain}"}`
  })
}

/** A log of three calls, four entries each, behind as many old lines. */
async function logOf(old = 0): Promise<string> {
  const dir = path.join(scratchFolder(), 'audit')
  mkdirSync(dir)
  if (old > 0) writeFileSync(path.join(dir, 'audit-000001.jsonl'), oldLines(old).map((line) => `${line}\n`).join(''))
  const log = await openLog(dir)
  for (const call of ['c1', 'c2', 'c3']) for (const draft of callEntries(call, { args: { command: nastyText }, sessionId: call })) await log.append(draft)
  return dir
}

async function excerptLines(dir: string, entries: readonly number[]): Promise<readonly string[]> {
  const lines: string[] = []
  for await (const line of excerptOf(await listAuditFiles(dir), new Set(entries))) lines.push(line)
  return lines
}

async function checked(lines: readonly string[]): Promise<ExportVerdict | null> {
  writeFileSync(partFile, lines.map((line) => `${line}\n`).join(''))
  return verifyExport(partFile)
}

type PageVerdict = Omit<ExportVerdict, 'firstBroken'> & { readonly firstBroken: number | null }
function pageCode(): { verify(lines: readonly string[], head: unknown): Promise<PageVerdict>; rowsOf(lines: readonly string[]): readonly unknown[] } {
  const context = createContext({ TextEncoder, crypto: webcrypto })
  runInContext(`${recordResource('record.js')}\nglobalThis.page = { verify, rowsOf }`, context)
  return context['page'] as ReturnType<typeof pageCode>
}

/** The app and the page say the same. */
async function bothSay(lines: readonly string[]): Promise<ExportVerdict | null> {
  const ours = await checked(lines)
  const { ok, entries, firstBroken, part } = await pageCode().verify(lines, { entries: 999, chain: zeros })
  expect(JSON.parse(JSON.stringify({ ok, entries, firstBroken, ...(ok ? { part } : {}) }))).toEqual({ ...ours, firstBroken: ours?.firstBroken ?? null })
  return ours
}

describe('R68: an excerpt of the record', () => {
  test('a stretch is whole and unbroken by itself, and says that nothing before it is in it', async () => {
    const lines = await excerptLines(await logOf(), [5, 6, 7, 8])
    expect(lines).toHaveLength(6)
    expect(await bothSay(lines)).toEqual({ ok: true, entries: 4, part: { from: 5, to: 8, leftOut: 0, stated: 0 } })
  })

  test('what is left out is there with its hash alone, and the page shows no row for it', async () => {
    const lines = await excerptLines(await logOf(), [2, 9, 10])
    expect(lines.filter((line) => line.includes('"callId":"c2"'))).toEqual([])
    expect(await bothSay(lines)).toEqual({ ok: true, entries: 3, part: { from: 2, to: 10, leftOut: 6, stated: 0 } })
    expect(pageCode().rowsOf(lines)).toHaveLength(2)
    expect(await bothSay(await excerptLines(await logOf(), []))).toEqual({ ok: true, entries: 0, part: { from: 1, to: 0, leftOut: 0, stated: 0 } })
  })

  test('any one line changed, dropped, doubled or swapped is found', async () => {
    const dir = await logOf(2)
    await fc.assert(fc.asyncProperty(fc.uniqueArray(fc.integer({ min: 1, max: 14 }), { minLength: 1 }), fc.nat(), fc.nat(), fc.nat(), fc.constantFrom('change', 'drop', 'double', 'swap'), async (entries, at, to, place, how) => {
      const lines = await excerptLines(dir, entries)
      expect(await checked(lines)).toMatchObject({ ok: true, entries: entries.length })
      const [one, other] = [at % lines.length, to % lines.length]
      const line = lines[one] ?? ''
      const changed = [...lines]
      if (how === 'change') changed[one] = `${line.slice(0, place % line.length)}${line[place % line.length] === '0' ? '1' : '0'}${line.slice((place % line.length) + 1)}`
      if (how === 'drop') changed.splice(one, 1)
      if (how === 'double') changed.splice(one, 0, line)
      if (how === 'swap') [changed[one], changed[other]] = [lines[other] ?? '', line]
      fc.pre(changed.join() !== lines.join())
      // Without its first line it is no excerpt any more: nothing vouches for its begin, or nothing is recognised.
      expect((await checked(changed))?.ok ?? false).toBe(false)
      if (one > 0 && changed[0] === lines[0]) expect((await bothSay(changed))?.ok).toBe(false)
    }), { numRuns: 30 })
  })

  test('a line that was changed with its own value made anew is found behind it, also where what follows is left out', async () => {
    const lines = await excerptLines(await logOf(), [2, 9])
    const [, old = ''] = lines
    const { chain: _chain, ...value } = JSON.parse(old) as { readonly prev: string; readonly chain: string }
    const body = JSON.stringify({ ...value, outcome: 'deny' })
    const forged = `${body.slice(0, -1)},"chain":"${sha256(value.prev + sha256(body))}"}`
    expect(await bothSay(lines.map((line) => (line === old ? forged : line)))).toMatchObject({ ok: false, firstBroken: 9 })
    // Nor does it help to state the old value of the next one: behind the second form nobody may.
    const next = JSON.parse((await excerptLines(await logOf(), [3]))[1] ?? '') as { readonly chain: string }
    expect(await bothSay(lines.map((line, at) => (at === 1 ? forged : at === 2 ? `{"leftOut":3,"chain":"${next.chain}"}` : line)))).toMatchObject({ ok: false, firstBroken: 3 })
  })

  test('lines from before hashes could stand for them are still read; left out, their value is only stated, and that is said', async () => {
    const dir = await logOf(5)
    expect(await bothSay(await excerptLines(dir, [1, 2, 3, 4, 5, 6]))).toEqual({ ok: true, entries: 6, part: { from: 1, to: 6, leftOut: 0, stated: 0 } })
    expect(await bothSay(await excerptLines(dir, [2, 8]))).toEqual({ ok: true, entries: 2, part: { from: 2, to: 8, leftOut: 5, stated: 3 } })
    expect(await (await openLog(dir)).verify()).toMatchObject({ ok: true, entries: 17 })
  })

  test('what was broken in the log is broken in the excerpt', async () => {
    const dir = await logOf()
    const [file = ''] = readdirSync(dir).filter((name) => name.endsWith('.jsonl')).map((name) => path.join(dir, name))
    writeFileSync(file, readFileSync(file, 'utf8').replace('"callId":"c2"', '"callId":"x2"'))
    expect(await bothSay(await excerptLines(dir, [2, 9]))).toMatchObject({ ok: false })
    writeFileSync(file, readFileSync(file, 'utf8').split('\n').map((line, at) => (at === 5 ? 'torn' : line)).join('\n'))
    expect(await bothSay(await excerptLines(dir, [2, 9]))).toMatchObject({ ok: false, firstBroken: 6 })
  })

  test('the index finds the entries of a session, of a text, of days', async () => {
    const dir = await logOf()
    const index = new RecordIndex(dir)
    const all = { query: '', sessions: null, sinceMs: null, by: 'all', what: 'all' } as const
    expect([...(await index.numbersOf({ ...all, sessions: ['c2'] }))].sort()).toEqual([5, 6, 7, 8])
    expect((await index.numbersOf({ ...all, query: 'c3' })).size).toBe(4)
    expect((await index.numbersOf(all)).size).toBe(12)
    expect((await index.numbersOf({ ...all, untilMs: 7800 })).size).toBe(0)
    expect((await index.numbersOf({ ...all, untilMs: 7801, sinceMs: 7800 })).size).toBe(12)
  })
})

describe('R68: a file that was exported is checked with nothing but the file', () => {
  test('the whole record, as lines and as a page, and a page of a part', async () => {
    const dir = await logOf(2)
    const lines = path.join(scratchFolder(), 'record.jsonl')
    await exportLog(allLinesOf(await listAuditFiles(dir)), lines)
    expect(await verifyExport(lines)).toEqual({ ok: true, entries: 14 })
    const whole = await exportedPage([...callEntries('c1', { args: { command: nastyText } }), ...callEntries('c2')])
    expect(await verifyExport(whole.file)).toEqual({ ok: true, entries: 8 })
    writeFileSync(whole.file, whole.html.replace('\\"callId\\":\\"c2\\"', '\\"callId\\":\\"x\\"'))
    expect(await verifyExport(whole.file)).toEqual({ ok: false, entries: 8, firstBroken: 5 })
    // A tail that was cut shows against the end that the page names.
    writeFileSync(whole.file, whole.html.split('\n').filter((line) => !line.startsWith('"{\\"entry\\":8')).join('\n'))
    expect(await verifyExport(whole.file)).toEqual({ ok: false, entries: 7, firstBroken: 8 })
    const part = await exportedPage([...callEntries('c1'), ...callEntries('c2')], {}, new Set([2, 4]))
    expect(part.entries).toBe(2)
    expect(await verifyExport(part.file)).toEqual({ ok: true, entries: 2, part: { from: 2, to: 4, leftOut: 1, stated: 0 } })
  })

  test('a file that holds nothing of a record is none', async () => {
    const file = path.join(scratchFolder(), 'x')
    for (const text of ['', 'hello\n', '<!doctype html>\n<p>\n']) {
      writeFileSync(file, text)
      expect(await verifyExport(file)).toBe(null)
    }
  })
})
