import { asId, type CallId, type SessionId, type SnapshotId, type TurnId } from '../../../src/shared/domain/ids'
import { said } from '../../../src/shared/domain/result'
import type { EventDraft } from '../../../src/shared/domain/event'
import type { Author } from '../../../src/shared/domain/snapshot'
import type { ChangedPath, LineAuthors, PathAt, PathMoment, Timeline, TimelineRow } from '../../../src/shared/ipc/timelineViews'
import { sessionId, sessions, workspace } from './world'

type Draft = EventDraft extends infer One ? (One extends EventDraft ? One : never) : never

const startMs = new Date().setHours(13, 30, 0, 0)
/** A time of today, in minutes after half past one. */
export const at = (minutes: number): number => startMs + minutes * 60_000
const choice = { provider: 'harbor', model: 'tern-2' }
const oid = (letter: string): string => letter.repeat(40)
const handbook = sessions[1]?.id ?? sessionId
const index = sessions[2]?.id ?? sessionId

const titles = [{ minute: 1, en: 'Explain the test setup', zh: '解释测试结构' }, { minute: 10, en: 'Why are tests flaky?', zh: '测试为什么不稳' }, { minute: 21, en: 'Tidy the client', zh: '整理客户端' }, { minute: 32, en: 'Move the retry logic', zh: '拆出重试逻辑' }] as const
const callsOf = [['b1'], ['b2', 'b3'], ['b4', 'b5'], ['b6', 'b7', 'b8']] as const
const commandOf: Readonly<Record<string, string>> = { b3: 'npm i -D nock', b5: 'npx prettier -w src', b8: 'printf "%s\\n" "a\u200bb" > notes.txt' }

function callDrafts(turnId: TurnId, name: string): readonly Draft[] {
  const callId = asId<CallId>(name)
  const command = commandOf[name]
  const args = command === undefined ? { path: `${name}.ts` } : { command }
  const inTurn = { turnId, step: 1 }
  return [
    { ...inTurn, type: 'tool-called', callId, providerCallId: name, index: 0, tool: command === undefined ? 'edit_file' : 'run_command', effect: command === undefined ? 'write' : 'execute', argumentsText: JSON.stringify(args), args },
    { ...inTurn, type: 'approval-decided', callId, decision: 'allow', by: 'person', args, reason: null },
    { ...inTurn, type: 'tool-started', callId, args },
    { ...inTurn, type: 'tool-finished', callId, status: 'ok', say: said('turn.done'), text: '', changed: [], exitCode: command === undefined ? null : 0, outputRef: null, durationMs: 1900 },
  ]
}

/** A session of four turns, each event with its minute. */
export function conversation(locale: string): readonly { readonly minute: number; readonly draft: Draft }[] {
  return [
    { minute: 1, draft: { type: 'session-opened', workspaceId: workspace.id, title: 'Retry policy for HTTP client', level: 'writes' } },
    ...titles.flatMap(({ minute, en, zh }, turn) => {
      const turnId = asId<TurnId>(`t${turn + 1}`)
      const drafts: readonly Draft[] = [
        { type: 'user-message-added', turnId, messageId: asId(`u${turn}`), text: locale === 'en' ? en : zh },
        { type: 'turn-started', turnId, choice, level: 'writes' },
        ...(callsOf[turn] ?? []).flatMap((name) => callDrafts(turnId, name)),
        { turnId, step: 1, type: 'turn-ended', reason: 'done', say: said('turn.done'), text: '', tokens: { input: 1, output: 1 }, auditHead: null },
      ]
      return drafts.map((draft) => ({ minute, draft }))
    }),
  ]
}

interface PointFacts {
  readonly id: string
  readonly kind: TimelineRow['kind']
  readonly minute: number
  readonly author?: Author
  readonly paths?: readonly string[]
  readonly lines?: readonly [number, number]
  readonly call?: string
  readonly session?: SessionId
  readonly missing?: number
  readonly lost?: readonly string[]
}

function point({ id, kind, minute, author, paths = [], lines, call, session = sessionId, missing = 0, lost }: PointFacts, order: number): TimelineRow {
  return {
    id: asId<SnapshotId>(id), workspaceId: workspace.id, tree: oid('a'), side: oid('a'), others: [], commit: oid('b'), parent: order === 0 ? null : asId<SnapshotId>('q00'), kind, author: author ?? null,
    sessionId: call === undefined ? null : session, callId: call === undefined ? null : asId<CallId>(call), atMs: at(minute), files: 1204, unheld: 2, missing, ...(lost ? { lost, lostFiles: lost.length + 1 } : {}), changes: paths.length,
    changed: paths.map((path) => ({ path, change: 'modified' })), lines: lines ? { added: lines[0], removed: lines[1] } : null,
  }
}

const prettier = ['src/http/client.ts', 'src/orders/list.ts', 'src/orders/index.ts', 'src/shipping/rollup.ts']

function rows(isBroken: boolean): readonly TimelineRow[] {
  const facts: readonly PointFacts[] = [
    { id: 'q00', kind: 'opened', minute: 0 },
    { id: 'q01', kind: 'before-call', minute: 2, call: 'b1' }, { id: 'q02', kind: 'after-call', minute: 2, author: 'agent', paths: ['docs/testing.md'], lines: [22, 0], call: 'b1' },
    { id: 'q03', kind: 'before-call', minute: 11, call: 'b2' }, { id: 'q04', kind: 'after-call', minute: 11, author: 'agent', paths: ['test/client.test.ts'], lines: [57, 12], call: 'b2' },
    { id: 'q05', kind: 'before-call', minute: 12, call: 'b3' }, { id: 'q06', kind: 'after-call', minute: 12, author: 'command', paths: ['package.json', 'package-lock.json'], lines: [38, 2], call: 'b3', ...(isBroken ? { missing: 2, lost: ['package-lock.json', 'package.json'] } : {}) },
    { id: 'q07', kind: 'before-call', minute: 17, call: 'd1', session: handbook }, { id: 'q08', kind: 'after-call', minute: 17, author: 'agent', paths: ['docs/zh/orders.md'], lines: [148, 0], call: 'd1', session: handbook },
    { id: 'q09', kind: 'drift', minute: 19, author: 'you', paths: ['README.md', 'notes.md'], lines: [18, 6] },
    { id: 'q10', kind: 'before-call', minute: 21, call: 'b4' }, { id: 'q11', kind: 'after-call', minute: 22, author: 'agent', paths: ['src/http/client.ts'], lines: [9, 4], call: 'b4' },
    { id: 'q12', kind: 'before-call', minute: 24, call: 'b5' }, { id: 'q13', kind: 'after-call', minute: 24, author: 'command', paths: prettier, lines: [212, 198], call: 'b5' },
    { id: 'q14', kind: 'drift', minute: 25, author: 'you', paths: ['src/http/client.ts'], lines: [1, 1] },
    { id: 'q15', kind: 'before-rollback', minute: 26 }, { id: 'q16', kind: 'after-rollback', minute: 27, author: 'you', paths: prettier, lines: [40, 40] },
    { id: 'q17', kind: 'before-call', minute: 32, call: 'b6' }, { id: 'q18', kind: 'after-call', minute: 33, author: 'agent', paths: ['test/retry.test.ts'], lines: [41, 0], call: 'b6' },
    { id: 'q19', kind: 'drift', minute: 34, author: 'you', paths: ['test/retry.test.ts'], lines: [3, 1] },
    { id: 'q20', kind: 'before-call', minute: 35, call: 'e1', session: index }, { id: 'q21', kind: 'after-call', minute: 35, author: 'agent', paths: ['db/0042_created_at.sql'], lines: [11, 0], call: 'e1', session: index },
    { id: 'q22', kind: 'before-call', minute: 36, call: 'b8' }, { id: 'q23', kind: 'after-call', minute: 36, author: 'command', paths: ['notes.txt'], lines: [1, 0], call: 'b8' },
    { id: 'q24', kind: 'drift', minute: 37, author: 'unknown', paths: ['coverage/lcov.info'], lines: [4, 4] },
    { id: 'q25', kind: 'before-call', minute: 38, call: 'b7' }, { id: 'q26', kind: 'after-call', minute: 38, author: 'agent', paths: ['src/http/retry.ts'], lines: [64, 0], call: 'b7' },
  ]
  return facts.map(point)
}

/** The past of that folder; `many`: so many points more before it. */
export function pastOf({ isBroken = false, many = 0, forgotten = null }: { readonly isBroken?: boolean; readonly many?: number; readonly forgotten?: Timeline['forgotten'] } = {}): Timeline {
  const old = Array.from({ length: many }, (_, order) => point({ id: `old${order}`, kind: 'drift', minute: -many + order, author: 'you', paths: [`src/part${order % 40}/file${order}.ts`], lines: [order % 30, order % 7] }, order + 1))
  return {
    rows: [...old, ...rows(isBroken)], after: null, isWhole: true, bytes: 6_100_000, forgotten, undoable: asId('r1'),
    rollbacks: [{ id: asId('r1'), scope: 'files', sessionId, turnId: asId('t3'), state: 'applied', beforeSnapshot: asId('q15'), afterSnapshot: asId('q16'), undoOf: null, atMs: at(27), target: { to: asId('q10'), keepUserEdits: true }, done: 4, failed: 0, left: [], partly: [], kept: [] }],
  }
}

/** What the command of turn 3 changed. */
export const prettierChanges: readonly ChangedPath[] = prettier.map((path, order) => ({ path, change: 'modified', before: { oid: oid('1'), mode: '100644' }, after: { oid: oid('2'), mode: '100644' }, lines: [{ added: 96, removed: 91 }, { added: 61, removed: 58 }, { added: 40, removed: 38 }, { added: 15, removed: 11 }][order] ?? null }))

const before = `import { Pool, request } from 'undici'

/** One way out. */
const defaults = {timeout:5000,redirects:2}

// One pool per origin: the gateway counts connections.
const pool = new Pool(origin)

export const client = httpClient

export function closeAll() {
  for(const p of pools.values()) p.close()
}
`
const after = `import { Pool, request } from 'undici'

/** One way out. */
const defaults = { timeout: 5000, redirects: 2 }

// One pool per origin: the gateway counts connections.
const pool = new Pool(origin, { connections: 8 })

export async function httpClient(call: Call) {
  return request(call.url, { ...defaults, ...call })
}

export const client = httpClient

export function closeAll() {
  for (const p of pools.values()) p.close()
}
`

/** The texts behind the ids above. */
export function pastText(id: string): string {
  return id === oid('1') ? before : after
}

const side = (length: number, authors: Readonly<Record<number, Author>>): readonly (Author | null)[] => Array.from({ length }, (_, line) => authors[line + 1] ?? null)

/** Who made the lines of that diff. */
export const pastAuthors: LineAuthors = {
  before: side(13, { 4: 'command', 7: 'you', 12: 'command' }),
  after: side(17, { 4: 'command', 7: 'you', 8: 'agent', 9: 'agent', 10: 'agent', 11: 'agent', 16: 'command' }),
}

export const pastPaths: readonly PathAt[] = ['src/http/client.ts', 'src/http/retry.ts', 'src/orders/list.ts', 'src/orders/index.ts', 'docs/zh/订单 手册.md', 'docs/inv\u202eoice.txt'].map((path) => ({ path, entry: { oid: oid('2'), mode: '100644' } }))

const moment = (id: string, minute: number, kind: PathMoment['kind'], author: Author, call: string | null, isThere = true): PathMoment => ({ id: asId(id), atMs: at(minute), kind, author, sessionId: call === null ? null : sessionId, callId: call === null ? null : asId(call), entry: isThere ? { oid: oid(minute < 24 ? '1' : '2'), mode: '100644' } : null })

export const pastHistory: readonly PathMoment[] = [
  moment('q16', 27, 'after-rollback', 'you', null), moment('q14', 25, 'drift', 'you', null), moment('q13', 24, 'after-call', 'command', 'b5'), moment('q11', 22, 'after-call', 'agent', 'b4'), moment('q09', 19, 'drift', 'you', null, false),
]
