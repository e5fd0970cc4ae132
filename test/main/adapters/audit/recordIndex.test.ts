import { appendFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { RecordIndex } from '../../../../src/main/adapters/audit/recordIndex'
import type { AuditQuery } from '../../../../src/main/core/ports/auditReader'
import { callEntries, openLog } from '../../../support/auditWorld'

const all: AuditQuery = { query: '', sessions: null, sinceMs: null, by: 'all', what: 'all', before: null, limit: 50 }

async function world() {
  const log = await openLog()
  for (const draft of callEntries('c1')) await log.append(draft)
  await log.append({ fact: 'level-changed', atMs: 9000, sessionId: 's2', actor: 'person', outcome: 'commands' })
  const [asked, decided] = callEntries('c2', { tool: 'edit_file', effect: 'write', args: { path: 'src/ä.ts', edits: [] } })
  if (asked) await log.append(asked)
  if (decided) await log.append({ ...decided, outcome: 'deny', say: 'The user denied it' })
  return { log, index: new RecordIndex(log.dir) }
}

test('R68: the entries of a call are one row, by the number of its last one; other facts are rows of their own, newest first', async () => {
  const { index } = await world()
  expect(await index.page(all)).toMatchObject({
    hasMore: false,
    entries: 7,
    rows: [
      { entry: 7, what: 'edit', on: 'src/ä.ts', by: { actor: 'person', decision: 'denied' }, outcome: { code: 'audit.not-run' }, tone: 'plain' },
      { entry: 5, what: 'other', callId: null, sessionId: 's2', by: { actor: 'person' }, outcome: { code: 'audit.fact.level-changed', values: { outcome: { code: 'audit.word.commands' } } } },
      { entry: 4, what: 'command', on: 'echo c1', callId: 'c1', by: { actor: 'person', decision: 'allowed' }, outcome: { code: 'audit.both' }, tone: 'ok' },
    ],
  })
})

test('R68: a waiting call moves up when it ends, and what was appended since is found without reading all again', async () => {
  const { log, index } = await world()
  const [asked, ...rest] = callEntries('c3')
  if (asked) await log.append(asked)
  await log.append({ fact: 'level-changed', atMs: 9000, actor: 'person', outcome: 'all' })
  expect((await index.page(all)).rows.map(({ entry }) => entry)).toEqual([9, 8, 7, 5, 4])
  for (const draft of rest) await log.append(draft)
  expect((await index.page(all)).rows.map(({ entry }) => entry)).toEqual([12, 9, 7, 5, 4])
  expect((await index.entriesAt(8)).map(({ fact }) => fact)).toEqual(['asked', 'decided', 'started', 'finished'])
  expect(await index.entriesAt(99)).toEqual([])
})

test('R68: filters, search in every text of a row, and pages', async () => {
  const { log, index } = await world()
  for (const [at, draft] of callEntries('c4').entries()) await log.append(at === 1 ? { ...draft, actor: 'rule', ruleId: '12' } : draft)
  const found = async (change: Partial<AuditQuery>) => (await index.page({ ...all, ...change })).rows.map(({ entry }) => entry)
  expect(await found({ what: 'command' })).toEqual([11, 4])
  expect(await found({ by: 'rule' })).toEqual([11])
  expect(await found({ sinceMs: 8000 })).toEqual([5])
  expect(await found({ sessions: ['s2'] })).toEqual([5])
  expect(await found({ sessions: [] })).toEqual([])
  expect(await found({ query: 'SRC/Ä' })).toEqual([7])
  expect(await found({ query: 'A.TXT' })).toEqual([11, 4])
  expect(await found({ query: 'nowhere' })).toEqual([])
  expect(await index.page({ ...all, limit: 2 })).toMatchObject({ hasMore: true, rows: [{ entry: 11 }, { entry: 7 }] })
  expect(await index.page({ ...all, limit: 2, before: 7 })).toMatchObject({ hasMore: false, rows: [{ entry: 5 }, { entry: 4 }] })
})

test('R68: lines that somebody changed are rows that say so; nothing of them is taken for more than text', async () => {
  const { log, index } = await world()
  const file = path.join(log.dir, 'audit-000001.jsonl')
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n')
  lines[4] = 'not JSON'
  lines[5] = (lines[5] ?? '').replace('"fact":"asked"', '"fact":"constructor"')
  writeFileSync(file, `${lines.join('\n')}\n`)
  appendFileSync(file, '{"entry":1,"half')
  expect((await index.page(all)).rows.map(({ entry, outcome }) => [entry, outcome.code])).toEqual([[7, 'audit.not-run'], [6, 'audit.unreadable'], [5, 'audit.unreadable'], [4, 'audit.both']])
})

test('R68: after the oldest file was removed the rows are those that are left', async () => {
  const log = await openLog(undefined, { maxFileBytes: 1200 })
  for (const name of ['c1', 'c2', 'c3']) for (const draft of callEntries(name)) await log.append(draft)
  const index = new RecordIndex(log.dir)
  const before = (await index.page(all)).rows.length
  const [oldest = ''] = readdirSync(log.dir).filter((name) => name.endsWith('.jsonl'))
  rmSync(path.join(log.dir, oldest))
  expect((await index.page(all)).rows.length).toBeLessThan(before)
})
