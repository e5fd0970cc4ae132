import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { writeExport } from '../../../src/main/adapters/system/exportFile'
import type { AuditReader } from '../../../src/main/core/ports/auditReader'
import { makeSessionExports } from '../../../src/main/services/sessionExports'
import { makeSessions } from '../../../src/main/services/sessions'
import type { AuditDraft } from '../../../src/shared/domain/audit'
import type { AgentEvent } from '../../../src/shared/domain/event'
import { asId } from '../../../src/shared/domain/ids'
import { readEvent, storeEvent } from '../../../src/shared/domain/readEvent'
import { said } from '../../../src/shared/domain/result'
import { oneOfEach, opened, turnBegun } from '../../support/drafts'
import { memoryRecord, runsSession } from '../../support/runsWorld'

const redact = (text: string): string => text.replaceAll('sk-known-1', '[redacted:key]')

async function world() {
  const folder = mkdtempSync(path.join(tmpdir(), 'countersign-export-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const left = { events: [] as AgentEvent[], calls: new Map() }
  const store = memoryRecord(left)
  await store.append(runsSession, [opened(asId('w1'), 'Plan: a/b "c" 合并'), ...turnBegun('t', 'the key is sk-known-1'), oneOfEach['assistant-message-added'], oneOfEach['tool-called'], oneOfEach['tool-finished'], oneOfEach['turn-ended']])
  const clock = { nowMs: () => 5 }
  const sessions = makeSessions({ events: store, clock, ids: { next: () => 'x', nonce: () => 'n' } })
  const audit: AuditDraft[] = []
  const asked: unknown[] = []
  const row = (entry: number) => ({ entry, atMs: entry, what: 'command' as const, tool: 'run_command', callId: null, sessionId: runsSession, on: `npm ${entry}`, by: { actor: 'person' as const, ruleId: null, decision: 'allowed' as const }, outcome: said('audit.done'), tone: 'ok' as const })
  const reader: Pick<AuditReader, 'page' | 'entriesAt' | 'excerpt'> = {
    excerpt: ({ sessions }) => Promise.resolve([`lines of ${sessions?.join() ?? ''} </script>`]),
    page: ({ before, ...ask }) => { asked.push(ask.sessions); return Promise.resolve({ rows: before === null ? [row(9), row(7)] : [row(4)], hasMore: before === null, entries: 9 }) },
    entriesAt: (entry) => Promise.resolve([{ fact: 'finished', atMs: entry, actor: 'person', entry, prev: '', chain: `chain-${entry}`, tool: 'run_command' }]),
  }
  const never = (): never => { throw new Error('not asked here') }
  const exports = makeSessionExports({ sessions, blobs: { get: () => Promise.resolve(null), put: never }, reader: reader as AuditReader, audit: { append: (draft) => { audit.push(draft); return Promise.resolve({ entries: 1, chain: '' }) }, head: () => ({ entries: 12, chain: 'the-head' }), verify: never, hasRollback: never, exportTo: never }, clock, write: writeExport, redact, locale: () => 'en', current: () => ({ workspace: { name: 'project' } }) })
  return { folder, exports, audit, asked, store }
}

describe('R96, R72: giving a session away', () => {
  test('JSON: a line that says what it is, then every event as it can be read again, without a registered secret', async () => {
    const { folder, exports, store } = await world()
    const file = path.join(folder, 'out.jsonl')
    expect(await exports.exportTo(runsSession, file, 'json')).toEqual({ ok: true, value: null })
    const [first, ...lines] = readFileSync(file, 'utf8').trimEnd().split('\n').map((line) => JSON.parse(line) as AgentEvent)
    expect(first).toMatchObject({ format: 'countersign-session', version: 1, sessionId: runsSession, events: lines.length })
    const events = await store.read(runsSession)
    const again = lines.map(({ v: _v, sessionId, seq, atMs, ...draft }) => readEvent({ sessionId, seq, atMs, ...storeEvent(draft as Parameters<typeof storeEvent>[0]) }))
    expect(again).toEqual(JSON.parse(JSON.stringify(events).replaceAll('sk-known-1', '[redacted:key]')))
    expect(statSync(file).mode & 0o777).toBe(0o600)
  })

  test('HTML and Markdown hold no secret; HTML ends with the lines of this session alone, oldest first', async () => {
    const { folder, exports, asked } = await world()
    for (const format of ['html', 'md'] as const) {
      const file = path.join(folder, `out.${format}`)
      expect(await exports.exportTo(runsSession, file, format)).toEqual({ ok: true, value: null })
      expect(readFileSync(file, 'utf8')).toContain('[redacted:key]')
      expect(readFileSync(file, 'utf8')).not.toContain('sk-known-1')
    }
    const page = readFileSync(path.join(folder, 'out.html'), 'utf8')
    expect([...page.matchAll(/<code>(.*?)<\/code>/g)].map(([, chain]) => chain)).toEqual(['chain-4', 'chain-7', 'chain-9'])
    expect(page).toContain('the-head')
    expect(page).toContain(`<script type="application/json" class="log">\n"lines of ${runsSession} \\u003c/script>"\n</script>`)
    expect(asked).toEqual([[runsSession], [runsSession]])
  })

  test('the record tells of it, once it is there', async () => {
    const { folder, exports, audit } = await world()
    const file = path.join(folder, 'x.md')
    await exports.exportTo(runsSession, file, 'md')
    expect(audit).toEqual([{ fact: 'export-made', atMs: 5, sessionId: runsSession, actor: 'person', outcome: file, args: { format: 'md' } }])
  })

  test('where it cannot be written the fault says so, nothing is left behind, and the record tells nothing', async () => {
    const { folder, exports, audit } = await world()
    expect(await exports.exportTo(runsSession, path.join(folder, 'no', 'x.md'), 'md')).toMatchObject({ ok: false, fault: { code: 'session.not-exported' } })
    expect(await exports.exportTo(runsSession, folder, 'md')).toMatchObject({ ok: false, fault: { code: 'session.not-exported' } })
    expect([readdirSync(folder), readdirSync(path.dirname(folder)).filter((name) => name.startsWith(`.${path.basename(folder)}`)), audit]).toEqual([[], [], []])
  })

  test('an export that breaks off leaves what was there before', async () => {
    const { folder } = await world()
    const file = path.join(folder, 'kept.md')
    await writeExport(file, parts(['old']))
    await expect(writeExport(file, parts(['new', new Error('a bug')]))).rejects.toThrow('a bug')
    expect([readdirSync(folder), readFileSync(file, 'utf8')]).toEqual([['kept.md'], 'old'])
  })

  test('the file is called after the title, with nothing in it that a file system or a shell minds', async () => {
    const { exports } = await world()
    expect(await Promise.all((['md', 'json', 'html'] as const).map((format) => exports.nameFor(runsSession, format)))).toEqual(['Plan a b c 合并.md', 'Plan a b c 合并.jsonl', 'Plan a b c 合并.html'])
  })
})

async function* parts(of: readonly (string | Error)[]): AsyncGenerator<string> {
  for (const one of of) {
    if (one instanceof Error) throw one
    yield await Promise.resolve(one)
  }
}
