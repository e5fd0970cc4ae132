import type { CardWorld } from '../../../src/renderer/features/approvals/cardWorld'
import type { ApprovalPreview, ApprovalRequest } from '../../../src/shared/domain/approval'
import type { AgentEvent, EventDraft } from '../../../src/shared/domain/event'
import { asId, type CallId, type SessionId, type SnapshotId, type TurnId, type WorkspaceId } from '../../../src/shared/domain/ids'
import { said } from '../../../src/shared/domain/result'
import type { CommandPart } from '../../../src/shared/domain/verdict'
import type { SessionSummary, Workspace } from '../../../src/shared/domain/session'
import type { Confined, Effect } from '../../../src/shared/domain/tool'
import type { ChangedPath, Timeline, TimelineRow } from '../../../src/shared/ipc/timelineViews'

export const workspace: Workspace = { id: asId<WorkspaceId>('w1'), root: '/home/ada/code/harbor-orders', name: 'harbor-orders' }
export const sessionId = asId<SessionId>('s1')
export const choice = { provider: 'harbor', model: 'tern-2' }
const startMs = new Date(2026, 10, 3, 14, 2).getTime()

type Draft = EventDraft extends infer One ? (One extends EventDraft ? One : never) : never

/** Numbers drafts into the events of a session, a second apart. */
export function events(drafts: readonly Draft[], from = 1): readonly AgentEvent[] {
  return drafts.map((draft, at): AgentEvent => ({ ...draft, v: 1, sessionId, seq: from + at, atMs: startMs + (from + at) * 1000 }))
}

const turn = (number: number): TurnId => asId<TurnId>(`t${number}`)
const call = (name: string): CallId => asId<CallId>(name)

interface CallFacts {
  readonly id: string
  readonly tool: string
  readonly effect: Effect
  readonly args: Readonly<Record<string, unknown>>
  readonly by: 'person' | 'level' | 'policy' | 'rule' | 'grant'
  readonly decision?: 'allow' | 'keep'
  readonly ruleId?: string
  readonly grantId?: string
  readonly confined?: Confined
  readonly text?: string
  readonly status?: 'ok' | 'failed' | 'denied'
  readonly ms?: number
}

/** A call from its wish to its end. */
function wholeCall(turnNumber: number, step: number, facts: CallFacts): readonly Draft[] {
  const inTurn = { turnId: turn(turnNumber), step }
  const callId = call(facts.id)
  const status = facts.status ?? 'ok'
  return [
    calledDraft(turnNumber, step, facts),
    ...(facts.grantId === undefined ? [] : [{ ...inTurn, type: 'grant-used', callId, grantId: facts.grantId } as const]),
    { ...inTurn, type: 'approval-decided', callId, decision: status === 'denied' ? 'deny' : (facts.decision ?? 'allow'), by: facts.by, args: facts.args, reason: null, ...(facts.ruleId === undefined ? {} : { ruleId: facts.ruleId }) },
    ...(status === 'denied' ? [] : [{ ...inTurn, type: 'tool-started', callId, args: facts.args } as const]),
    { ...inTurn, type: 'tool-finished', callId, status, say: said(status === 'denied' ? 'tool.denied' : 'turn.done'), text: facts.text ?? '', changed: [], exitCode: facts.effect === 'execute' ? 0 : null, outputRef: null, durationMs: facts.ms ?? 200, ...(facts.confined === undefined ? {} : { confined: facts.confined }) },
  ]
}

function calledDraft(turnNumber: number, step: number, facts: Pick<CallFacts, 'id' | 'tool' | 'effect' | 'args'>): Draft {
  return { turnId: turn(turnNumber), step, type: 'tool-called', callId: call(facts.id), providerCallId: `p-${facts.id}`, index: 0, tool: facts.tool, effect: facts.effect, argumentsText: JSON.stringify(facts.args), args: facts.args }
}

const message = (turnNumber: number, step: number, text: string, reasoning = ''): Draft => ({ turnId: turn(turnNumber), step, type: 'assistant-message-added', messageId: asId(`m${turnNumber}${step}`), text, reasoning, choice, calls: [], stop: 'stop', isComplete: true })

const answerText = `The client retried on every error, also on 400. The new \`retry.ts\` retries only on **network errors, 429 and 5xx**, three times at most.

\`\`\`ts
export async function withRetry<T>(act: () => Promise<T>, { attempts = 3 } = {}): Promise<T> {
  // Waits as long as the server asks.
  for (let tries = 1; ; tries += 1) {
    try { return await act() } catch (error) { if (tries >= attempts) throw error }
  }
}
\`\`\`

| Case | Before | Now |
| --- | --- | --- |
| 400 | retried | thrown |
| 503 | retried 10 times | 3 times |`

/** A session in the middle of its second turn: a command runs. */
export const workDrafts: readonly Draft[] = [
  { type: 'session-opened', workspaceId: workspace.id, title: 'Retry policy for HTTP client', level: 'writes' },
  { type: 'user-message-added', turnId: turn(1), messageId: asId('u1'), text: 'Explain the test setup' },
  { type: 'turn-started', turnId: turn(1), choice, level: 'writes' },
  message(1, 1, 'Tests run with `npm test`.'),
  { turnId: turn(1), step: 1, type: 'usage-reported', usage: { inputTokens: 150_000, outputTokens: 1200, estimated: false } },
  { type: 'turn-ended', turnId: turn(1), step: 1, reason: 'done', say: said('turn.done'), text: '', tokens: { input: 1, output: 1 }, auditHead: { entries: 4182, chain: 'x' } },
  { type: 'user-message-added', turnId: turn(2), messageId: asId('u2'), text: 'Move the retry logic out of the HTTP client and cap it at 3 attempts. The order tests in CI fail about one time in five.' },
  { type: 'turn-started', turnId: turn(2), choice, level: 'writes' },
  message(2, 1, '', 'The client has a loop. I should look at the tests first, then split it.'),
  ...wholeCall(2, 1, { id: 'c1', tool: 'read_file', effect: 'read', args: { path: 'src/http/client.ts' }, by: 'level' }),
  ...wholeCall(2, 1, { id: 'c2', tool: 'read_file', effect: 'read', args: { path: 'test/retry.test.ts' }, by: 'level' }),
  ...wholeCall(2, 1, { id: 'c3', tool: 'search_text', effect: 'read', args: { pattern: 'httpClient' }, by: 'level' }),
  message(2, 2, ''),
  ...wholeCall(2, 2, { id: 'c4', tool: 'edit_file', effect: 'write', args: { path: 'test/retry.test.ts' }, by: 'person', ms: 12_000 }),
  ...wholeCall(2, 2, { id: 'c5', tool: 'write_file', effect: 'write', args: { path: 'src/http/retry.ts' }, by: 'person', ms: 9_000 }),
  message(2, 3, answerText),
]

/** Calls that a rule, a permission or the readers answered, and commands that something else than the plain sandbox held. */
export const heldDrafts: readonly Draft[] = [
  { turnId: turn(2), step: 3, type: 'grant-given', grant: { id: 'g1', sessionId, turnId: turn(2), shape: { kind: 'tool', tool: 'x' }, callId: call('h0'), givenAtMs: 1, expiresAtMs: null, usesLeft: null } },
  { turnId: turn(2), step: 3, type: 'grant-given', grant: { id: 'g2', sessionId, turnId: null, shape: { kind: 'tool', tool: 'x' }, callId: call('h0'), givenAtMs: 1, expiresAtMs: null, usesLeft: null } },
  ...wholeCall(2, 4, { id: 'h1', tool: 'run_command', effect: 'execute', args: { command: 'npm test' }, by: 'rule', ruleId: '12', confined: 'sandbox', ms: 12_000 }),
  ...wholeCall(2, 4, { id: 'h2', tool: 'run_command', effect: 'execute', args: { command: 'git status --short' }, by: 'rule', ruleId: 'built-in readers', confined: 'sandbox' }),
  ...wholeCall(2, 4, { id: 'h3', tool: 'run_command', effect: 'execute', args: { command: 'npm ci' }, by: 'person', confined: 'network', ms: 41_000 }),
  ...wholeCall(2, 4, { id: 'h4', tool: 'run_command', effect: 'execute', args: { command: 'node scripts/index.mjs --cache ~/.cache/index' }, by: 'person', confined: 'outside' }),
  ...wholeCall(2, 4, { id: 'h5', tool: 'run_command', effect: 'execute', args: { command: 'node scripts/rename.mjs Parcel:Shipment src' }, by: 'person', decision: 'keep', confined: 'trial' }),
  ...wholeCall(2, 4, { id: 'h6', tool: 'edit_file', effect: 'write', args: { path: 'src/http/retry.ts' }, by: 'grant', grantId: 'g1' }),
  ...wholeCall(2, 4, { id: 'h7', tool: 'edit_file', effect: 'write', args: { path: 'test/retry.test.ts' }, by: 'grant', grantId: 'g2' }),
]

export const runningCommand: readonly Draft[] = [
  calledDraft(2, 3, { id: 'c6', tool: 'run_command', effect: 'execute', args: { command: 'npm test -- --runInBand test/retry.test.ts' } }),
  { turnId: turn(2), step: 3, type: 'approval-decided', callId: call('c6'), decision: 'allow', by: 'person', args: null, reason: null },
  { turnId: turn(2), step: 3, type: 'tool-started', callId: call('c6'), args: { command: 'npm test -- --runInBand test/retry.test.ts' } },
]

export const sessions: readonly SessionSummary[] = [
  { id: sessionId, workspaceId: workspace.id, title: 'Retry policy for HTTP client', openedAtMs: startMs, lastAtMs: startMs, state: 'running', isPinned: false, deletedAtMs: null, forkedFrom: null },
  { id: asId('s2'), workspaceId: workspace.id, title: 'Translate the handbook', openedAtMs: startMs - 1e7, lastAtMs: startMs - 1e6, state: 'waiting', isPinned: false, deletedAtMs: null, forkedFrom: null },
  { id: asId('s3'), workspaceId: workspace.id, title: 'Why is the CI cache cold?', openedAtMs: startMs - 1e8, lastAtMs: startMs - 9e7, state: 'idle', isPinned: false, deletedAtMs: null, forkedFrom: null },
  { id: asId('s4'), workspaceId: workspace.id, title: 'Upgrade to Node 22', openedAtMs: startMs - 2e8, lastAtMs: startMs - 1.8e8, state: 'stopped', isPinned: false, deletedAtMs: null, forkedFrom: null },
]

const part = (argv: readonly string[], more: Partial<CommandPart>): CommandPart => ({ argv, verdict: 'ask', reason: said('approval.part.ask'), reads: [], writes: [], deletes: [], hosts: [], canUndo: true, ...more })

export const commandPreview: ApprovalPreview = {
  kind: 'command', command: 'npm ci --ignore-scripts && npm run build 2>&1 | tee build.log && git push origin fix/retry\u200b', cwd: '.',
  parts: [
    part(['npm', 'ci', '--ignore-scripts'], { writes: ['node_modules'], hosts: ['registry.example.org'] }),
    part(['npm', 'run', 'build'], { verdict: 'allowable', writes: ['dist'] }),
    part(['tee', 'build.log'], { writes: ['build.log'] }),
    part(['git', 'push', 'origin', 'fix/retry\u200b'], { hosts: ['git.example.org'], canUndo: false }),
  ],
}

const before = `import { request } from 'undici'
import { log } from '../log'

export async function httpClient(call: Call) {
  let tries = 0
  while (true) {
    try { return await request(call.url, call) }
    catch (error) {
      if (++tries > 10) throw error
      await sleep(50)
    } }
}

export const client = httpClient

export function closeAll() {
  for (const pool of pools.values()) pool.close()
}
`
const after = `import { request } from 'undici'
import { withRetry } from './retry'
import { log } from '../log'

export async function httpClient(call: Call) {
  return withRetry(() => request(call.url, call), {
    attempts: 3,
    on: ['network', 429, '5xx'],
    signal: call.signal,
  })
}

export function closeAll() {
  for (const pool of pools.values()) pool.close()
}
`
export const editPreview: ApprovalPreview = { kind: 'edit', path: 'src/http/client.ts', before, after, notes: [] }
export const createPreview: ApprovalPreview = { kind: 'edit', path: 'src/http/retryAfter.ts', before: null, after: '/** Seconds that an answer asks to wait, or null. */\nexport function retryAfter(header: string | null): number | null {\n  return header === null ? null : Number(header)\n}\n', notes: [] }
export const deletePreview: ApprovalPreview = { kind: 'edit', path: 'src/http/old.ts', before: 'export const retries = 3\nexport const waitMs = 500\n', after: null, notes: [] }
export const smallEditPreview: ApprovalPreview = { kind: 'edit', path: 'src/settings.ts', before: 'export const attempts = 10\n', after: 'export const attempts = 3\n', notes: [] }
export const questionPreview: ApprovalPreview = { kind: 'question', question: 'Shall the old name `httpClient` stay exported?', options: ['Yes, keep it', 'No, rename everywhere'] }

/** A tool of a server that sends something. */
export const mcpLike: ApprovalPreview = { kind: 'mcp', origin: { server: 'mail', tool: 'send_mail' }, description: 'Sends a mail.', text: '{\n  "to": "ada@example.org",\n  "subject": "Retry policy"\n}', change: null, notes: [] }

/** A question to the person about one call of turn 2. */
export function request(preview: ApprovalPreview, more: Partial<ApprovalRequest> = {}): ApprovalRequest {
  const isCommand = preview.kind === 'command'
  return {
    callId: call('c9'), sessionId, turnId: turn(2), step: 11, tool: isCommand ? 'run_command' : preview.kind === 'mcp' ? `mcp__${preview.origin.server}__${preview.origin.tool.replaceAll('.', '_')}` : preview.kind === 'question' ? 'ask_user' : 'edit_file', effect: isCommand || preview.kind === 'mcp' ? 'execute' : 'write',
    args: isCommand ? { command: preview.command } : preview.kind === 'edit' ? { path: preview.path } : preview.kind === 'mcp' ? (JSON.parse(preview.text) as Record<string, unknown>) : {}, argsHash: 'hash', baseHashes: {}, nonce: 'nonce-1', reason: said('ui.level.writes'), preview, coverage: { kind: 'full', skipped: [] }, sandbox: 'none', askedAtMs: startMs + 60_000, ...more,
  }
}

/** The call that such a question is about, up to the question. */
export function waitingCall(asked: ApprovalRequest): readonly Draft[] {
  return [
    { ...calledDraft(2, 3, { id: 'c9', tool: asked.tool, effect: asked.effect, args: asked.args }), ...(asked.preview.kind === 'mcp' ? { mcp: asked.preview.origin } : {}) },
    { turnId: turn(2), step: 3, type: 'approval-asked', callId: call('c9'), request: asked },
  ]
}

const oid = (letter: string): string => letter.repeat(40)
let clock = startMs - 3_600_000

function point(id: string, kind: TimelineRow['kind'], author: TimelineRow['author'], paths: readonly string[], lines: readonly [number, number] | null, callId: string | null = null, session: string = sessionId): TimelineRow {
  clock += 120_000
  return {
    id: asId<SnapshotId>(id), workspaceId: workspace.id, tree: oid('a'), side: oid('a'), others: [], commit: oid('b'), parent: id === 'p0' ? null : asId<SnapshotId>('p0'), kind, author, sessionId: callId === null ? null : asId(session), callId: callId === null ? null : call(callId), atMs: clock, files: 1204, unheld: 0, missing: 0, changes: paths.length,
    changed: paths.map((path) => ({ path, change: 'modified' })), lines: lines && { added: lines[0], removed: lines[1] },
  }
}

export const timeline: Timeline = {
  rows: [
    point('p0', 'opened', null, [], null),
    point('p1', 'before-call', null, [], null, 'b1'), point('p2', 'after-call', 'agent', ['docs/testing.md'], [22, 0], 'b1'),
    point('p3', 'before-call', null, [], null, 'b2'), point('p4', 'after-call', 'agent', ['src/http/client.ts'], [9, 4], 'b2'),
    point('p5', 'drift', 'you', ['src/http/client.ts'], [1, 1]),
    point('p6', 'before-rollback', null, [], null), point('p7', 'after-rollback', null, ['src/http/client.ts'], null),
    point('p8', 'before-call', null, [], null, 'c4'), point('p9', 'after-call', 'agent', ['test/retry.test.ts'], [41, 0], 'c4'),
    point('pa', 'drift', 'you', ['test/retry.test.ts', 'README.md'], [3, 1]),
    point('pb', 'before-call', null, [], null, 'c5'), point('pc', 'after-call', 'agent', ['src/http/retry.ts'], [64, 0], 'c5'),
    point('pd', 'before-call', null, [], null, 'd1', 's2'), point('pe', 'after-call', 'agent', ['src/http/client.ts'], [3, 2], 'd1', 's2'),
    point('pf', 'before-call', null, [], null, 'd2', 's2'), point('pg', 'after-call', 'agent', ['package-lock.json'], [12, 12], 'd2', 's2'),
  ],
  rollbacks: [],
  bytes: 6_100_000,
  after: null,
  isWhole: true,
  forgotten: null,
}

export const changes: readonly ChangedPath[] = [
  { path: 'src/http/client.ts', change: 'modified', before: { oid: oid('c'), mode: '100644' }, after: { oid: oid('d'), mode: '100644' }, lines: { added: 7, removed: 9 } },
  { path: 'src/http/retry.ts', change: 'added', before: null, after: { oid: oid('d'), mode: '100644' }, lines: { added: 64, removed: 0 } },
]

/** The texts behind the object ids above. */
export function textOf(id: string): string {
  return id === oid('c') ? before : after
}

/** A window around a card; nothing it asks for is there. */
export function cardWorld(more: Partial<CardWorld> = {}): CardWorld {
  return { root: '/p', sessionId, sandbox: null, hooks: [], titleOf: (id) => sessions.find((row) => row.id === id)?.title ?? null, onSession: () => undefined, onRule: () => undefined, onOpenRule: () => undefined, ...more }
}
