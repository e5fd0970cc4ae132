import { go } from '../../../src/renderer/app/appStore'
import { choose, setFilter } from '../../../src/renderer/features/audit/auditStore'
import type { AuditEntry } from '../../../src/shared/domain/audit'
import { said } from '../../../src/shared/domain/result'
import { auditRecordOf, auditRowOf, fitsFilters, searchTextOf } from '../../../src/shared/ipc/auditRows'
import type { MemoryAnswers } from '../../support/memoryHost'

const startMs = new Date(2026, 9, 6, 13, 46, 0).getTime()
const hash = (seed: number) => seed.toString(16).padStart(4, '0').repeat(16)

/** A call from its question to its end, as the log has it; the last entry's number is the row's. */
function call(entry: number, minute: number, change: Partial<AuditEntry>, end: Partial<AuditEntry> = {}): readonly AuditEntry[] {
  const atMs = startMs + minute * 60_000
  const base = { sessionId: 's1', turnId: 't2', callId: `c${entry}`, tool: 'run_command', effect: 'execute', prev: hash(entry * 7), mac: hash(1), ...change } as const
  const at = (step: number): Pick<AuditEntry, 'entry' | 'chain'> => ({ entry: entry - 3 + step, chain: hash(entry * 7 + step) })
  return [
    { ...base, ...at(0), fact: 'asked', actor: 'agent', atMs },
    { ...base, ...at(1), fact: 'decided', actor: 'person', outcome: 'allow', atMs: atMs + 26_130, ...pick(end, 'actor', 'ruleId') },
    { ...base, ...at(2), fact: 'started', actor: 'agent', atMs: atMs + 26_200, commit: '9c41e07aa1b2' },
    { ...base, ...at(3), args: undefined, fact: 'finished', actor: 'agent', outcome: 'ok', exitCode: 0, atMs: atMs + 30_400, commit: '52ab8d3cc0d1', ...(change.effect === undefined ? { confined: 'sandbox' as const } : {}), ...omit(end, 'actor', 'ruleId') },
  ]
}

function pick(from: Partial<AuditEntry>, ...names: readonly (keyof AuditEntry)[]): Partial<AuditEntry> {
  return Object.fromEntries(Object.entries(from).filter(([name]) => names.includes(name as keyof AuditEntry)))
}

function omit(from: Partial<AuditEntry>, ...names: readonly (keyof AuditEntry)[]): Partial<AuditEntry> {
  return Object.fromEntries(Object.entries(from).filter(([name]) => !names.includes(name as keyof AuditEntry)))
}

function refused(entry: number, minute: number, by: 'person' | 'policy', args: unknown): readonly AuditEntry[] {
  return call(entry, minute, { args }).slice(0, 2).map((one, at) => (at === 1 ? { ...one, entry, actor: by, outcome: 'deny' } : { ...one, entry: entry - 1 }))
}

const file = (path: string) => ({ path, before: 'a'.repeat(64), after: 'b'.repeat(64) })
const edited = call(4181, 22, { args: { command: 'npm run build 2>&1 | tee build.log && git push origin fix/retry\u200b' }, taint: ['https://docs.example.org/ci-setup'] }, { changed: [{ path: 'dist/index.js', before: null, after: 'b'.repeat(64) }, file('dist/http.js')] })
  .map((entry) => (entry.fact === 'asked' || entry.fact === 'finished' ? entry : { ...entry, args: { command: 'npm run build 2>&1 | tee build.log' }, ...(entry.fact === 'decided' ? { outcome: 'edited' } : {}) }))

/** What the log of the stories holds, newest first. */
const rows: readonly (readonly AuditEntry[])[] = [
  call(4185, 23, { args: { command: 'git push origin fix/retry' } }), edited, refused(4177, 21, 'person', { command: 'npm ci --ignore-scripts && npm run build' }),
  call(4175, 19, { tool: 'edit_file', effect: 'write', args: { path: 'src/http/client.ts', edits: [] } }, { exitCode: null, changed: [file('src/http/client.ts')] }),
  call(4171, 19, { args: { command: 'npm test' } }, { actor: 'rule', ruleId: '12' }), call(4167, 18, { tool: 'write_file', effect: 'write', args: { path: 'src/http/retry.ts', content: '…' } }, { exitCode: null, changed: [{ path: 'src/http/retry.ts', before: null, after: 'b'.repeat(64) }] }),
  refused(4163, 17, 'policy', { command: 'rm -rf ~/.cache/../' }), call(4161, 17, { tool: 'read_file', effect: 'read', args: { path: 'src/http/client.ts' } }, { actor: 'level', exitCode: null }),
  call(4157, 17, { tool: 'fetch_url', effect: 'network', args: { url: 'https://docs.example.org/ci-setup' } }, { exitCode: null }), call(4153, 16, { tool: 'mcp__issue-tracker__search', args: { query: 'retry' } }, { actor: 'grant', exitCode: null }),
  [{ entry: 4149, fact: 'rolled-back', atMs: startMs + 11 * 60_000, actor: 'person', outcome: 'applied', args: { to: 'p8' }, changed: [file('src/http/client.ts'), file('README.md')], prev: hash(1), chain: hash(2) }],
  call(4148, 8, { args: { command: 'npx prettier -w src' } }, { outcome: 'failed', exitCode: 2 }), call(4144, 6, { args: { command: 'npm i -D nock' } }, { changed: [file('package.json'), file('package-lock.json')] }).slice(0, 3),
  [{ entry: 4140, fact: 'level-changed', atMs: startMs + 60_000, actor: 'person', outcome: 'writes', prev: hash(3), chain: hash(4) }],
]
const numberOf = (entries: readonly AuditEntry[]): number => entries.at(-1)?.entry ?? 0

/** The answers of a host with this record. */
export function auditAnswers(story: string): MemoryAnswers {
  return {
    'audit/verify': () => (story === 'audit-broken' ? { ok: false, entries: 4185, signed: 4166, firstBroken: 4167, startsAt: 1, atMs: startMs + 25 * 60_000 } : { ok: true, entries: 4185, signed: 4185, firstBroken: null, startsAt: 1, atMs: startMs + 25 * 60_000 }),
    'audit/page': (ask) => {
      const found = story === 'audit-empty' ? [] : rows.filter((entries) => {
        const row = auditRowOf(entries, numberOf(entries))
        return fitsFilters({ ...row, actor: row.by.actor }, ask) && (ask.before === null || row.entry < ask.before) && searchTextOf(entries).includes(ask.query.toLowerCase())
      })
      return { rows: found.slice(0, ask.limit).map((entries) => auditRowOf(entries, numberOf(entries))), hasMore: found.length > ask.limit, entries: 4185 }
    },
    'audit/record': ({ entry }) => {
      const entries = rows.find((one) => one.some((other) => other.entry === entry))
      if (!entries) return { ok: false, fault: said('audit.no-entry', { entry: String(entry) }) }
      return { ok: true, value: auditRecordOf(entries, numberOf(entries), { proposed: null, effective: null, confined: null, sources: [], output: '> tsc -p . && node scripts/stamp.mjs\nstamped dist/index.js with build 1187\npublish token [redacted:token] not used in dry run' }) }
    },
    'audit/export': ({ format }) => ({ ok: true, value: { path: `/home/ada/countersign-record.${format}`, entries: 4185 } }),
  }
}

/** The page of the record in one of its states. */
export async function playAudit(story: string): Promise<void> {
  go('audit')
  await new Promise((done) => setTimeout(done, 300))
  if (story === 'audit') await choose(4181)
  if (story === 'audit-broken') await choose(4163)
  if (story === 'audit-none') setFilter({ query: 'zebra' })
}
