import type { ApprovalPreview, ApprovalRequest } from '../../../src/shared/domain/approval'
import { asId } from '../../../src/shared/domain/ids'
import { said } from '../../../src/shared/domain/result'
import type { RuleShape } from '../../../src/shared/domain/rule'
import type { SandboxFacts, TrialRow } from '../../../src/shared/domain/sandbox'
import type { CommandPart } from '../../../src/shared/domain/verdict'
import type { TrialFileText } from '../../../src/shared/ipc/views'
import { commandPreview, mcpLike, request, smallEditPreview, workspace } from './world'

const part = (argv: readonly string[], more: Partial<CommandPart> = {}): CommandPart => ({ argv, verdict: 'ask', reason: said('guard.nothing-against'), reads: [], writes: [], deletes: [], hosts: [], canUndo: true, ...more })
const inRoot = (path: string): string => `${workspace.root}/${path}`

export const sandboxOn: SandboxFacts = { kind: 'on', means: 'bubblewrap', canTry: true, testedAtMs: new Date(2026, 10, 3, 9, 12).getTime() }
export const sandboxNone: SandboxFacts = { kind: 'none', reason: said('sandbox.not-installed'), canTry: false, testedAtMs: new Date(2026, 10, 3, 9, 12).getTime() }
const plain = { network: false, outside: false, after: null } as const

/** A command with parts of every kind: installed, a script that a rule answers, a file written, and something sent out. */
const wholePreview: ApprovalPreview = {
  kind: 'command', command: commandPreview.kind === 'command' ? commandPreview.command : '', cwd: workspace.root, confinement: plain,
  parts: [
    part(['npm', 'ci', '--ignore-scripts'], { reason: said('guard.installs', { program: 'npm' }), writes: [inRoot('node_modules')] }),
    part(['npm', 'run', 'build', '2>&1'], { verdict: 'allowable', reason: said('guard.script-runs', { program: 'npm', name: 'build', text: 'tsc -p . && node scripts/stamp.mjs' }), writes: [inRoot('dist')] }),
    part(['tee', 'build.log'], { verdict: 'allowable', reason: said('guard.writes'), writes: [inRoot('build.log')] }),
    part(['git', 'push', 'origin', 'fix/retry\u200b'], { reason: said('guard.network', { program: 'git', host: 'git.example.org' }), hosts: ['git.example.org', '?'], canUndo: false }),
  ],
}
const coverage = { kind: 'partial', skipped: [{ path: 'node_modules', reason: 'ignored' }] } as const

const confined = { sandbox: 'on', canTry: true, coverage } as const

/** The card of the picture: a hidden character, four verdicts, a source that shares words. */
export const wholeCard: ApprovalRequest = request(wholePreview, {
  ...confined, remembered: null, partAnswers: [null, { by: 'rule', id: '7' }, null, null], reason: said('guard.network', { program: 'git', host: 'git.example.org' }),
  taint: [{ source: { kind: 'web', host: 'docs.example.org', url: 'https://docs.example.org/ci-setup' }, shared: 'npm ci --ignore-scripts' }],
})

const testPreview: ApprovalPreview = {
  kind: 'command', command: 'npm test -- --runInBand test/retry.test.ts && git status --short', cwd: workspace.root, confinement: plain,
  parts: [part(['npm', 'test', '--', '--runInBand', 'test/retry.test.ts'], { verdict: 'allowable', reason: said('guard.builds', { program: 'npm' }) }), part(['git', 'status', '--short'], { verdict: 'allowable', reason: said('guard.reads-git', { command: 'git status' }), reads: [workspace.root] })],
}
const testShapes: readonly RuleShape[] = [{ kind: 'command', words: ['npm', 'test', '--', '--runInBand', 'test/retry.test.ts'].map((text) => ({ kind: 'exact', text })), isOpen: false }]
export const testCard: ApprovalRequest = request(testPreview, { ...confined, coverage: { kind: 'full', skipped: [] }, remembered: testShapes, partAnswers: [null, { by: 'readers' }], reason: said('guard.builds', { program: 'npm' }) })

export const toolCard: ApprovalRequest = request(mcpLike, { remembered: [{ kind: 'tool', tool: 'mcp__mail__send_mail' }], reason: said('guard.nothing-against') })

const curl = (confinement: NonNullable<Extract<ApprovalPreview, { readonly kind: 'command' }>['confinement']>): ApprovalPreview => ({
  kind: 'command', command: 'curl -sSf https://registry.example.org/retry.json -o test/fixtures/retry.json', cwd: workspace.root, confinement,
  parts: [part(['curl', '-sSf', 'https://registry.example.org/retry.json', '-o', 'test/fixtures/retry.json'], { reason: said('guard.network', { program: 'curl', host: 'registry.example.org' }), hosts: ['registry.example.org'], writes: [inRoot('test/fixtures/retry.json')], canUndo: false })],
})
export const networkCard: ApprovalRequest = request(curl(plain), { ...confined, remembered: null, partAnswers: [null], reason: said('guard.network', { program: 'curl', host: 'registry.example.org' }) })
export const againCard: ApprovalRequest = request(curl({ network: true, outside: false, after: 'network' }), { ...confined, remembered: null, partAnswers: [null], reason: said('command.asks-network') })
export const outsideCard: ApprovalRequest = request(
  { kind: 'command', command: 'node scripts/index.mjs --cache ~/.cache/index', cwd: workspace.root, confinement: { network: false, outside: true, after: 'path' }, parts: [part(['node', 'scripts/index.mjs', '--cache', '~/.cache/index'], { reason: said('guard.outside-write', { path: '/home/ada/.cache/index' }), writes: ['/home/ada/.cache/index'], reads: [inRoot('scripts/index.mjs')], canUndo: false })] },
  { ...confined, remembered: null, partAnswers: [null], reason: said('command.asks-outside') },
)
export const noSandboxCard: ApprovalRequest = { ...testCard, sandbox: 'none', canTry: false }

const row = (path: string, change: TrialRow['change'], added: number, removed: number, more: Partial<TrialRow> = {}): TrialRow => ({
  path, change, kind: 'file', beforeHash: change === 'created' ? null : 'a'.repeat(64), afterHash: change === 'deleted' ? null : 'b'.repeat(64), beforeBytes: change === 'created' ? null : 1200, afterBytes: change === 'deleted' ? null : 1280, isBinary: false, added, removed, ...more,
})
export const trialRows: readonly TrialRow[] = [
  row('src/shipping/rollup.ts', 'changed', 9, 9), row('src/shipping/shipment.ts', 'created', 48, 0), row('src/shipping/parcel.ts', 'deleted', 0, 48), row('src/shipping/index.ts', 'changed', 2, 2),
  row('src/shipping/label.ts', 'changed', 6, 6), row('src/shipping/rates.ts', 'changed', 11, 11), row('src/orders/list.ts', 'changed', 4, 4), row('src/orders/totals.ts', 'changed', 3, 3), row('src/orders/export.ts', 'changed', 5, 5),
  row('src/api/routes.ts', 'changed', 7, 7), row('test/shipping/label.test.ts', 'changed', 8, 8), row('test/shipping/rates.test.ts', 'changed', 12, 12), row('docs/map.png', 'changed', 0, 0, { isBinary: true }), row('docs/shipping.md', 'changed', 5, 5),
]
type Trial = Extract<ApprovalPreview, { readonly kind: 'trial' }>

export const trialPreview: Trial = {
  kind: 'trial', trialId: 'trial-1', command: 'node scripts/rename.mjs Parcel:Shipment src test docs && npx tsc --noEmit', cwd: workspace.root, takenAtMs: new Date(2026, 10, 3, 11, 24, 7).getTime(), exitCode: 0, durationMs: 4200,
  files: trialRows, refused: [{ kind: 'write', what: '/home/ada/.cache/rename/index' }], changedSince: [], isOutputCut: false,
  output: `${Array.from({ length: 27 }, (_, at) => `renamed in file ${at + 1}`).join('\n')}\nrenamed 84 symbols in 13 files\nskipped 4 comments, 2 strings\n$ tsc --noEmit\n0 errors\n`,
}

/** The result of a trial as a question, other than in the picture where `more` says so. */
export function trialCard(more: Partial<Trial> = {}, of: Partial<ApprovalRequest> = {}): ApprovalRequest {
  return request({ ...trialPreview, ...more }, { tool: 'run_command', effect: 'execute', args: { command: trialPreview.command }, sandbox: 'on', step: 12, coverage: { kind: 'full', skipped: [] }, remembered: null, canTry: false, ...of })
}

const before = `import { sum } from '../lib/sum'
import { weigh } from '../lib/weigh'
import { groupBy } from '../lib/group'
import { Parcel } from './parcel'

// A parcel may be split at the depot; weigh it there.
export function rollup(list: Parcel[]) {
  const byDay = groupBy(list, (one) => one.day)
  return [...byDay].map(([day, all]) => ({
    day,
    weight: sum(all, Parcel.weight),
    key: 'parcel_id',
  }))
}
`

/** Both sides of a file of the trial. */
export function trialText(path: string): TrialFileText {
  const after = before.replaceAll('Parcel', 'Shipment').replace('./parcel', './shipment')
  const change = trialRows.find((one) => one.path === path)?.change
  return { before: change === 'created' ? null : before, after: change === 'deleted' ? null : after }
}

/** Three that wait: of two sessions, one of them a small change. */
export const queue: readonly ApprovalRequest[] = [
  { ...testCard, callId: asId('q1'), sessionId: asId('s2'), nonce: 'nonce-q1', askedAtMs: testCard.askedAtMs - 60_000 },
  { ...wholeCard },
  request(smallEditPreview, { callId: asId('q3'), nonce: 'nonce-q3', askedAtMs: wholeCard.askedAtMs + 60_000, remembered: [{ kind: 'files', tool: 'edit_file', glob: 'src/settings.ts' }] }),
]
