import type { ApprovalPreview, ApprovalRequest } from '../../../src/shared/domain/approval'
import { said } from '../../../src/shared/domain/result'
import type { CommandPart } from '../../../src/shared/domain/verdict'
import { mcpLike, request, smallEditPreview, workspace } from './world'

const part = (line: string, more: Partial<CommandPart> = {}): CommandPart => ({ argv: line.split(' '), verdict: 'ask', reason: said('guard.builds', { program: 'npm' }), reads: [], writes: [], deletes: [], hosts: [], canUndo: true, ...more })
const command = (line: string, ...parts: readonly CommandPart[]): ApprovalPreview => ({ kind: 'command', command: line, cwd: workspace.root, confinement: { network: false, outside: false, after: null }, parts })
const skipped = [
  { path: '.git', reason: 'repository' }, { path: 'node_modules', reason: 'ignored' }, { path: 'coverage', reason: 'ignored' }, { path: 'data/orders.sqlite', reason: 'too-large' }, { path: 'run/server.sock', reason: 'special' }, { path: 'vendor/lib/.git', reason: 'repository' },
] as const
const partial = { kind: 'partial', skipped } as const

export const fullDisk = said('snapshot.failed', { why: said('snapshot.disk-full') })
const readAtMs = new Date(2026, 10, 3, 14, 3, 40).getTime()

/** What each card says of undo: in full, except for some paths, not at all, and not before there is room. */
export const undoAsked: Readonly<Record<string, readonly ApprovalRequest[]>> = {
  'undo-edit': [request(smallEditPreview, { readAtMs })],
  'undo-edit-ignored': [request(smallEditPreview, { readAtMs, coverage: { kind: 'none', skipped: [{ path: 'src/settings.ts', reason: 'ignored' }] } })],
  'undo-install': [request(command('npm ci', part('npm ci')), { coverage: { kind: 'partial', skipped: [{ path: '.git', reason: 'repository' }, { path: 'node_modules', reason: 'ignored' }] } })],
  'undo-known': [request(command('rm src/old.ts', part('rm src/old.ts', { reason: said('guard.deletes', { path: 'src/old.ts' }), deletes: [`${workspace.root}/src/old.ts`] })), { coverage: partial })],
  'undo-script': [request(command('node scripts/clean.mjs', part('node scripts/clean.mjs', { reason: said('guard.runs-script', { path: 'scripts/clean.mjs' }) })), { coverage: partial, sandbox: 'on' })],
  'undo-server': [request(mcpLike, { coverage: partial })],
  'undo-not-run': [request(command('npm test', part('npm test')), { notRun: fullDisk, coverage: { kind: 'full', skipped: [], fault: said('snapshot.disk-full') } })],
  'undo-not-permitted': [request(smallEditPreview, { readAtMs, notRun: said('snapshot.failed', { why: said('snapshot.not-permitted', { path: '/home/ada/.local/share/countersign/snapshots' }) }) })],
  'undo-stopped': [request(smallEditPreview, { readAtMs, coverage: { kind: 'full', skipped: [], fault: said('snapshot.disk-full') } })],
}

/** Why undo has stopped in a story. */
export function stoppedIn(story: string) {
  if (story === 'undo-not-run' || story === 'undo-stopped') return said('snapshot.disk-full')
  return story === 'undo-not-permitted' ? said('snapshot.not-permitted', { path: '/home/ada/.local/share/countersign/snapshots' }) : null
}
