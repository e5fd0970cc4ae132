import { webcrypto } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { createContext, runInContext } from 'node:vm'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { allLinesOf, listAuditFiles } from '../../../../src/main/adapters/audit/auditFiles'
import { readEntry } from '../../../../src/main/adapters/audit/auditLine'
import { exportPage } from '../../../../src/main/adapters/audit/exportPage'
import type { AuditDraft } from '../../../../src/shared/domain/audit'
import { auditRowOf } from '../../../../src/shared/ipc/auditRows'
import type { AuditRow } from '../../../../src/shared/ipc/views'
import { callEntries, exportedPage, nastyText, openLog, recordResource } from '../../../support/auditWorld'
import { scratchFolder } from '../../../support/scratchDatabase'

interface Verdict {
  readonly ok: boolean
  readonly entries: number
  readonly firstBroken: number | null
  readonly startsAt: number
}
type ShownRow = Pick<AuditRow, 'what' | 'on' | 'by' | 'outcome' | 'tone' | 'atMs'> & { readonly number: number }
interface PageCode {
  verify(lines: readonly string[], head: unknown): Promise<Verdict>
  rowsOf(lines: readonly string[]): readonly ShownRow[]
  sha256(bytes: Uint8Array): string
}

/** The page as a browser takes it apart: what stands between the tags, and nothing of it executed that is no script. */
function takeApart(html: string) {
  const scripts = [...html.matchAll(/<script([^>]*)>([\s\S]*?)<\/script>/g)].map(([, attributes = '', body = '']) => ({ attributes, body }))
  const code = scripts.filter(({ attributes }) => attributes === '')
  const lines = scripts.filter(({ attributes }) => attributes.includes('class="log"')).flatMap(({ body }) => body.split('\n').filter((line) => line !== '').map((line) => JSON.parse(line) as string))
  const facts = JSON.parse(scripts.find(({ attributes }) => attributes.includes('id="facts"'))?.body ?? 'null') as { readonly head: unknown }
  return { code: code.map(({ body }) => body), lines, facts, head: html.slice(0, html.indexOf('</head>')) }
}

/** The code of the page, run as it stands there; without `crypto` as in a browser that has none for files. */
function run(code: string, globals: Record<string, unknown> = { crypto: webcrypto }): PageCode {
  const context = createContext({ TextEncoder, ...globals })
  runInContext(`${code}\nglobalThis.page = { verify, rowsOf, sha256 }`, context)
  return context['page'] as PageCode
}

describe('R68: the exported page', () => {
  test('holds every line as it stands, escaped, and allows nothing but its own script and style', async () => {
    const { html, entries } = await exportedPage([...callEntries('c1', { args: { command: nastyText } }), ...callEntries('c2')])
    const { code, lines, head } = takeApart(html)
    expect({ entries, code: code.length, lines: lines.length }).toEqual({ entries: 8, code: 1, lines: 8 })
    expect((JSON.parse(lines[0] ?? '') as { args: unknown }).args).toEqual({ command: nastyText })
    expect(html.includes('alert(1)</script>')).toBe(false)
    expect(html.match(/<script/g)).toHaveLength(3)
    expect(/content="(default-src[^"]*)"/.exec(head)?.[1]).toMatch(/^default-src 'none'; script-src 'sha256-[\w+/]+='; style-src 'sha256-[\w+/]+='; base-uri 'none'; form-action 'none'$/)
    expect(/\b(?:src|href)=|https?:/.exec(html)).toBe(null)
  })

  test('checks itself: whole, with SubtleCrypto and without', async () => {
    const { html } = await exportedPage([...callEntries('c1', { args: { command: nastyText } }), ...callEntries('c2')])
    const { code: [code = ''], lines, facts } = takeApart(html)
    const whole = { ok: true, entries: 8, firstBroken: null, startsAt: 1 }
    expect(await run(code).verify(lines, facts.head)).toEqual(whole)
    expect(await run(code, {}).verify(lines, facts.head)).toEqual(whole)
    expect(await run(code).verify([], null)).toEqual({ ok: true, entries: 0, firstBroken: null, startsAt: 1 })
  })

  test('finds the first entry that was changed, removed, doubled or moved, and a cut tail', async () => {
    const { html } = await exportedPage(['c1', 'c2', 'c3'].flatMap((name) => callEntries(name)))
    const { code: [code = ''], lines, facts } = takeApart(html)
    const page = run(code)
    const at = fc.integer({ min: 0, max: lines.length - 1 })
    await fc.assert(fc.asyncProperty(at, at, fc.constantFrom('change', 'remove', 'double', 'swap'), fc.nat(), async (one, other, how, place) => {
      const line = lines[one] ?? ''
      const changed = [...lines]
      if (how === 'change') {
        const index = place % line.length
        changed[one] = `${line.slice(0, index)}${line[index] === '0' ? '1' : '0'}${line.slice(index + 1)}`
      }
      if (how === 'remove') changed.splice(one, 1)
      if (how === 'double') changed.splice(one, 0, line)
      if (how === 'swap') [changed[one], changed[other]] = [lines[other] ?? '', line]
      fc.pre(changed.join() !== lines.join())
      const expected = how === 'swap' ? Math.min(one, other) + 1 : how === 'double' ? one + 2 : one + 1
      expect(await page.verify(changed, facts.head)).toMatchObject({ ok: false, firstBroken: expected })
    }), { numRuns: 40 })
  })

  test('begins where the app removed older files, and only there', async () => {
    const { html } = await exportedPage(Array.from({ length: 7 }, (_, at) => callEntries(`c${at}`)).flat(), { maxFileBytes: 1000, keepBytes: 3000 })
    const { code: [code = ''], lines, facts } = takeApart(html)
    const verdict = await run(code).verify(lines, facts.head)
    expect(verdict.ok && verdict.startsAt > 1).toBe(true)
    expect(await run(code).verify(lines.slice(1), facts.head)).toMatchObject({ ok: false, firstBroken: 1 })
    expect(await run(code).verify(lines.map((line, index) => (index === 2 ? 'x' : line)), facts.head)).toMatchObject({ ok: false, firstBroken: verdict.startsAt + 2 })
  })

  test('its own SHA-256 is the one', () => {
    const page = run(recordResource('record.js'))
    for (const [text, hash] of [['', 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'], ['abc', 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'], ['a'.repeat(1000), '41edece42d63e8d9bf515a9ba6932e1c20cbc9f5a5d134645adb5db1b9737ea3']] as const) {
      expect(page.sha256(new TextEncoder().encode(text))).toBe(hash)
    }
  })

  test('says of every row what the app says', async () => {
    const some: readonly AuditDraft[] = [
      ...callEntries('c1', { args: { command: nastyText } }), ...callEntries('c2', { tool: 'edit_file', effect: 'write', args: { path: 'a\nb', edits: [] } }), ...callEntries('c3', { tool: 'mcp__files__read', args: { path: 'x' } }).slice(0, 1),
      ...callEntries('c4').map((draft) => (draft.fact === 'decided' ? { ...draft, outcome: 'deny', actor: 'policy' as const } : draft.fact === 'finished' ? { ...draft, outcome: 'denied', exitCode: null, changed: [] } : draft)),
      ...callEntries('c5').map((draft) => (draft.fact === 'decided' ? { ...draft, actor: 'rule' as const, ruleId: '12' } : draft.fact === 'finished' ? { ...draft, outcome: 'failed', exitCode: 2, changed: [] } : draft)),
      ...callEntries('c6').slice(0, 3), ...callEntries('c7').slice(0, 2), { ...callEntries('c8')[3], fact: 'finished', atMs: 9, actor: 'app', outcome: 'unknown', callId: 'c8' },
      { fact: 'server-changed', atMs: 3, actor: 'person', tool: 'files', outcome: 'added' }, { fact: 'rolled-back', atMs: 4, actor: 'person', outcome: 'applied', changed: [{ path: 'a', before: null, after: null }] }, { fact: 'torn-line-dropped', atMs: 5, actor: 'app', outcome: '4 bytes' },
      { fact: 'asked', atMs: 6, actor: 'agent', callId: 'c9', tool: 'move_path', args: { from: 'a', to: 'b' } }, { fact: 'memory-saved', atMs: 7, actor: 'person', callId: 'c9', args: { text: 'tabs' } },
    ]
    const { html } = await exportedPage(some)
    const { code: [code = ''], lines } = takeApart(html)
    const rows = run(code).rowsOf([...lines, 'not one of ours'])
    const entries = lines.map((line) => readEntry(line)).filter((entry) => entry !== null)
    const expected = rows.slice(1).map((row) => {
      const last = entries.find((entry) => entry.entry === row.number)
      return auditRowOf(entries.filter((entry) => entry === last || (last?.callId !== undefined && entry.callId === last.callId && (entry.fact === 'memory-saved') === (last.fact === 'memory-saved'))), row.number)
    })
    const facts = (row: Omit<ShownRow, 'number'>) => ({ what: row.what, on: row.on, by: row.by, outcome: row.outcome, tone: row.tone, atMs: row.atMs })
    expect(JSON.parse(JSON.stringify(rows.slice(1).map(facts)))).toEqual(expected.map(facts))
    expect(rows[0]?.outcome.code).toBe('audit.unreadable')
    expect(rows.length).toBeGreaterThan(12)
  })
})

test('R68: a page that cannot be written leaves nothing behind', async () => {
  const log = await openLog()
  const folder = scratchFolder()
  writeFileSync(path.join(folder, 'file'), '')
  const parts = { script: '', style: '', words: {}, locale: 'en', atMs: 0, head: null }
  await expect(exportPage(allLinesOf(await listAuditFiles(log.dir)), path.join(folder, 'file', 'below'), parts)).rejects.toThrow()
})
