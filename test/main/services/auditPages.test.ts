import { expect, test } from 'vitest'
import { makeAuditPages, type AuditPagesPorts } from '../../../src/main/services/auditPages'
import { StorageFault } from '../../../src/main/core/ports/storageFault'
import type { AuditQuery } from '../../../src/main/core/ports/auditReader'
import type { AuditEntry } from '../../../src/shared/domain/audit'
import type { Call } from '../../../src/shared/domain/call'
import type { AgentEvent } from '../../../src/shared/domain/event'
import { asId, type WorkspaceId } from '../../../src/shared/domain/ids'
import { said } from '../../../src/shared/domain/result'
import type { SessionSummary } from '../../../src/shared/domain/session'
import { callEntries } from '../../support/auditWorld'

const entriesOf = (...change: Parameters<typeof callEntries>): readonly AuditEntry[] => callEntries(...change).map((draft, at) => ({ ...draft, entry: at + 1, prev: 'p', chain: `h${at}`, mac: 'm' }))
const ask = { query: '', isThisProject: false, sinceMs: null, by: 'all', what: 'all', before: null, limit: 10 } as const

function world(entries: readonly AuditEntry[], change: Partial<AuditPagesPorts> & { readonly call?: Partial<Call>; readonly events?: AuditPagesPorts['events'] } = {}) {
  const queries: AuditQuery[] = []
  const pages = makeAuditPages({
    reader: {
      page: (query) => { queries.push(query); return Promise.resolve({ rows: [], hasMore: false, entries: 0 }) },
      entriesAt: (entry) => Promise.resolve(entry === 4 ? entries : []),
      excerpt: () => Promise.resolve([]),
      verifyExport: (file) => Promise.resolve(file === '/mine' ? { ok: true, entries: 2, part: { from: 3, to: 9, leftOut: 5, stated: 0 } } : null),
      verify: () => Promise.resolve({ ok: true, entries: 4, signed: 4, firstBroken: null, startsAt: 1 }),
      exportTo: (file) => (file === '/full' ? Promise.reject(new StorageFault(said('audit.not-exported', { file, problem: 'ENOSPC' }))) : Promise.resolve(4)),
    },
    journal: { get: () => Promise.resolve((change.call as Call | undefined) ?? null) },
    events: { read: () => Promise.resolve([]), sessions: () => Promise.resolve([{ id: 's1' }] as unknown as readonly SessionSummary[]) },
    clock: { nowMs: () => 77 }, redact: (text) => text.replaceAll('hunter2', '[redacted:password]'), workspaceId: () => asId<WorkspaceId>('w'),
    ...change,
  })
  return { pages, queries }
}

test('R68: one whole record: what was asked, agreed and ran, its steps, effects, snapshots and chain values', async () => {
  const { pages } = world(entriesOf('c1'))
  const record = await pages.record(4)
  expect(record).toMatchObject({ ok: true, value: {
    proposed: 'echo c1', approved: 'echo c1', effective: 'echo c1', beforeSnapshot: 'before', afterSnapshot: 'after', isSigned: true, chain: 'h3', prev: 'p', masked: 0, output: null,
    sentence: { code: 'audit.sentence', values: { decided: { code: 'audit.allowed' }, ran: { code: 'audit.ran.sandbox' } } },
    steps: [{ entry: 1, say: { code: 'audit.fact.asked' } }, { entry: 2, say: { code: 'audit.after', values: { seconds: 2.5 } } }, { entry: 3, say: { code: 'audit.fact.started' } }, { entry: 4, say: { code: 'audit.after', values: { seconds: 4.2 } } }],
    changed: [{ path: 'a.txt' }],
  } })
  expect(await pages.record(9)).toEqual({ ok: false, fault: said('audit.no-entry', { entry: '9' }) })
})

test('R68: what a rule let through has no question in the log; the journal has what was proposed, and it is masked before the window sees it', async () => {
  const entries = entriesOf('c1').filter(({ fact }) => fact !== 'asked').map((entry) => (entry.fact === 'decided' ? { ...entry, actor: 'rule' as const, ruleId: '7' } : entry))
  const events = [{ type: 'tool-finished', callId: 'c1', text: 'line\nhunter2', confined: 'network' }, { type: 'taint-marked', callId: 'c1', source: { kind: 'web', host: 'h', url: 'https://h/?k=hunter2' } }] as unknown as readonly AgentEvent[]
  const { pages } = world(entries, { call: { proposed: '{"command":"echo hunter2"}', effective: null }, events: { read: () => Promise.resolve(events), sessions: () => Promise.resolve([]) } })
  const record = await pages.record(4)
  expect(record).toMatchObject({ ok: true, value: { proposed: 'echo [redacted:password]', approved: 'echo c1', output: 'line\n[redacted:password]', masked: 2, sources: ['https://h/?k=[redacted:password]'] } })
  expect(JSON.stringify(record)).not.toContain('hunter2')
})

test('R68: a denied call has nothing approved and nothing that ran', async () => {
  const entries = entriesOf('c1').slice(0, 2).map((entry) => (entry.fact === 'decided' ? { ...entry, outcome: 'deny', entry: 4 } : entry))
  expect(await world(entries).pages.record(4)).toMatchObject({ ok: true, value: { proposed: 'echo c1', approved: null, effective: null, sentence: { values: { decided: { code: 'audit.denied' }, ran: { code: 'audit.ran.not' } } } } })
})

test('R68: this project means its sessions; a page that cannot be written is a fault in words', async () => {
  const { pages, queries } = world([])
  await pages.page(ask)
  await pages.page({ ...ask, isThisProject: true })
  expect(queries.map(({ sessions }) => sessions)).toEqual([null, ['s1']])
  expect(await pages.check()).toEqual({ ok: true, entries: 4, signed: 4, firstBroken: null, startsAt: 1, atMs: 77 })
  expect(await pages.exportTo('/there', 'html')).toEqual({ ok: true, value: { entries: 4 } })
  expect(await pages.verifyExport('/mine')).toMatchObject({ ok: true, value: { part: { from: 3, to: 9 } } })
  expect(await pages.verifyExport('/other')).toEqual({ ok: false, fault: said('audit.no-export', { file: '/other' }) })
  expect(await pages.exportTo('/full', 'html')).toMatchObject({ ok: false, fault: { code: 'audit.not-exported' } })
})
