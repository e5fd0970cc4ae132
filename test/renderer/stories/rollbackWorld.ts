import { asId } from '../../../src/shared/domain/ids'
import { said, type Said } from '../../../src/shared/domain/result'
import type { ConflictPart, ConflictView, PlanAction, PlanRow, RollbackPreview, RollbackRecord } from '../../../src/shared/domain/rollback'
import type { Author, LineCount, TreeEntry } from '../../../src/shared/domain/snapshot'
import type { FileVersion } from '../../../src/shared/ipc/timelineViews'
import { sessionId } from './world'

/** A plan with a row of each kind, and the texts behind it. */
const startMs = new Date(2026, 10, 30, 14, 9).getTime()

const head = `import { request } from 'undici'
import { pools } from './pools'
import { log } from '../log'

/** One pool a host; closed when the app leaves. */
export interface Call {
  readonly url: string
  readonly signal?: AbortSignal
}

export function poolOf(url: string) {
  return pools.get(new URL(url).host)
}

`
const earlierLoop = `export async function httpClient(call) {
  let tries = 0
  while (tries < 10) {
    try { return await request(call) }
    catch (error) {
      if (tries++ > 10) throw error
      await sleep(50)
    } }
}
`
const diskLoop = `export async function httpClient(call) {
  const max = settings.http.attempts
  return withRetry(() => request(call), { max })
}
`
const baseLoop = `export async function httpClient(call) {
  return withRetry(() => request(call), { max: 3 })
}
`
const middle = `
export const client = httpClient

`
const diskTail = `export function closeAll() {
  for (const p of pools.values()) p.close()
}
`
const earlierTail = `export function closeAll() {
  pools.forEach((p) => p.close())
}
`
const end = `
/** For the tests. */
export function poolCount() {
  return pools.size
}
`

const oneConflict: readonly ConflictPart[] = [{ kind: 'same', text: head }, { kind: 'conflict', earlier: earlierLoop, base: baseLoop, disk: diskLoop }, { kind: 'same', text: `${middle}${diskTail}${end}` }]
const twoConflicts: readonly ConflictPart[] = [
  { kind: 'same', text: head }, { kind: 'conflict', earlier: earlierLoop, base: baseLoop, disk: diskLoop },
  { kind: 'same', text: middle }, { kind: 'conflict', earlier: earlierTail, base: '', disk: diskTail }, { kind: 'same', text: end },
]

function joinedBy(parts: readonly ConflictPart[], side: 'earlier' | 'disk'): string {
  return parts.map((part) => (part.kind === 'same' ? part.text : part[side])).join('')
}

/** The conflict of `src/http/client.ts`; what is on disk has a line of the agent's too, which goes without a question. */
export function conflictView(isTwo: boolean): ConflictView {
  const parts = isTwo ? twoConflicts : oneConflict
  const disk = joinedBy(parts, 'disk').replace("import { log } from '../log'\n", "import { log } from '../log'\nimport { withRetry } from './retry'\n")
  return { earlier: joinedBy(parts, 'earlier'), disk, parts }
}

const before = 'export const attempts = 10\nexport const waitMs = 50\n\nexport const hosts = [\n  \'api.harbor.example\',\n  \'files.harbor.example\',\n]\n\nexport const logLevel = \'info\'\n'
const now = `export const attempts = 3\nexport const waitMs = 50\nexport const factor = 2\n\nexport const hosts = [\n  'api.harbor.example',\n  'files.harbor.example',\n]\n\nexport const logLevel = 'debug'\n`
const testDisk = `import { test } from 'vitest'\n\n// Ada: these run against the real gateway on Fridays.\ntest('sends once', async () => {\n  await send()\n})\n\n${'test(\'retries on 503\', async () => {\n  await twice()\n})\n'.repeat(6)}`
const testAfter = `import { test } from 'vitest'\n\n// Ada: these run against the real gateway on Fridays.\ntest('sends once', async () => {\n  await send()\n})\n`
const retry = `/** Waits longer after every fault. */\nexport async function withRetry(run, { max }) {\n  for (let tries = 0; ; tries += 1) {\n    try { return await run() } catch (error) { if (tries >= max) throw error }\n  }\n}\n`

const texts: Readonly<Record<string, string | null>> = { a: before, b: now, c: testDisk, d: testAfter, e: retry, f: 'binary', 0: null }

export const oid = (letter: string): string => letter.repeat(40)

function entry(letter: string, more: Partial<TreeEntry> = {}): TreeEntry {
  return { oid: oid(letter), mode: '100644', bits: 0o644, ...more }
}

/** What `timeline/file` answers. */
export function planFile(id: string): FileVersion {
  const text = texts[id[0] ?? ''] ?? null
  return { text, sizeBytes: text === null ? 48_213 : text.length }
}

interface RowMore {
  readonly from?: TreeEntry | null
  readonly to?: TreeEntry | null
  readonly merged?: string
}

function row(path: string, action: PlanAction, authors: readonly Author[], reason: Said, { from = entry('b'), to = entry('a'), merged }: RowMore = {}): PlanRow {
  return { path, action, authors, reason, from, to, ...(merged === undefined ? {} : { merged }) }
}

const client = row('src/http/client.ts', 'conflict', ['agent', 'you'], said('rollback.conflict-lines'), { from: entry('1'), to: entry('2') })

export const planRows: readonly PlanRow[] = [
  client,
  row('test/retry.test.ts', 'merge', ['agent', 'you'], said('rollback.merged'), { from: entry('c'), to: entry('c'), merged: testAfter }),
  row('src/settings.ts', 'revert', ['agent'], said('rollback.reverted')),
  row('package-lock.json', 'revert', ['command'], said('rollback.reverted')),
  row('src/http/retry.ts', 'delete', ['agent'], said('rollback.made-since'), { from: entry('e'), to: null }),
  row('src/http/backoff.ts', 'recreate', ['command'], said('rollback.deleted-since'), { from: null, to: entry('e') }),
  row('README.md', 'leave', ['you'], said('rollback.yours')),
]

/** Rows that are rarer: what is no text, what cannot be done, what is called strangely. */
const rare: readonly PlanRow[] = [
  row('docs/logo.png', 'conflict', ['agent', 'you'], said('rollback.conflict-binary'), { from: entry('0'), to: entry('0') }),
  row('data/orders-2026.csv', 'cannot', ['command'], said('rollback.cannot-not-held', { why: said('snapshot.skip-too-large') }), { from: null, to: entry('a') }),
  row('scripts/run.sh', 'revert', ['command'], said('rollback.moded-since'), { from: entry('a', { mode: '100755', bits: 0o755 }), to: entry('a') }),
  row('docs/latest', 'revert', ['command'], said('rollback.reverted'), { from: entry('a', { mode: '120000' }), to: entry('b') }),
  row('src/in\u202evoice.ts', 'revert', ['unknown'], said('rollback.reverted')),
  row('src/订单/发票.ts', 'revert', ['both'], said('rollback.reverted')),
]

const counts: Readonly<Record<string, LineCount>> = { 'test/retry.test.ts': { added: 0, removed: 18 }, 'src/settings.ts': { added: 2, removed: 3 }, 'package-lock.json': { added: 2, removed: 38 }, 'src/http/retry.ts': { added: 0, removed: 6 }, 'src/http/backoff.ts': { added: 6, removed: 0 } }

function rowsOf(story: string): readonly PlanRow[] {
  if (story === 'plan-nothing') return []
  if (story === 'plan-many') return Array.from({ length: 10_000 }, (_, at) => row(`src/generated/part-${String(at).padStart(5, '0')}.ts`, at % 7 === 0 ? 'delete' : 'revert', ['command'], said('rollback.reverted')))
  if (story === 'plan-rare' || story === 'plan-whole' || story === 'plan-impossible') return story === 'plan-impossible' ? [...planRows.slice(1), ...rare.slice(1)] : [...rare, ...planRows.slice(1)]
  return planRows
}

const commands = ['git push origin retry', 'npm i undici', 'curl -X POST https://hooks.example/deploys -d @report.json', 'gh pr create --fill', 'npm publish --dry-run']

/** The plan of a story. */
export function planPreview(story: string, target: unknown): RollbackPreview {
  const rows = rowsOf(story)
  const sent = commands.slice(0, story === 'plan-rare' ? 5 : 1).map((label, at) => ({ callId: asId<never>(`s${at}`), sessionId, atMs: startMs + at * 60_000, tool: 'run_command', label }))
  const more = story === 'plan-rare' ? Array.from({ length: 9 }, (_, at) => `cache/${at}`) : []
  return { plan: { target: target as never, head: 'h', rows, notCovered: story === 'plan-nothing' ? [] : ['node_modules', 'coverage', ...more] }, lines: rows.map(({ path }) => counts[path] ?? null), sent, sentCount: sent.length }
}

/** The rollback of a story as it ended. */
export function planRecord(story: string): RollbackRecord {
  const failed = story === 'plan-partly' ? [{ path: 'src/settings.ts', reason: said('rollback.changed-meanwhile', { path: 'src/settings.ts' }) }] : []
  const done = planRows.filter(({ action, path }) => action !== 'leave' && !failed.some((one) => one.path === path)).map(({ path }) => path)
  return {
    id: asId('r1'), workspaceId: asId('w1'), plan: { target: { to: asId('p8'), keepUserEdits: true }, head: 'h', rows: planRows.map((one) => (one.action === 'conflict' ? { ...one, action: 'merge' as const } : one)), notCovered: [] },
    scope: 'both', sessionId, turnId: asId('t2'), state: failed.length > 0 ? 'partly' : 'applied', done, failed, beforeSnapshot: asId('q1'), afterSnapshot: asId('q2'), undoOf: null, atMs: startMs,
  }
}
