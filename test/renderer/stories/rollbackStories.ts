import { openPlan } from '../../../src/renderer/app/wishes'
import { apply, leaveChanges, openRow, setScope, undo, useRollback } from '../../../src/renderer/features/rollback/rollbackStore'
import type { Speaker } from '../../../src/renderer/ui/words'
import { asId } from '../../../src/shared/domain/ids'
import { fail, succeed } from '../../../src/shared/domain/result'
import type { MemoryAnswers } from '../../support/memoryHost'
import { conflictView, planFile, planPreview, planRecord, planRows } from './rollbackWorld'
import { sessionId } from './world'

const drawn = (ms = 400): Promise<void> => new Promise((done) => setTimeout(done, ms))
const never = new Promise<never>(() => undefined)

/** What the host answers in a story of the plan. */
export function planAnswers(story: string): MemoryAnswers {
  return {
    'rollback/plan': ({ target }) => (story === 'plan-making' ? never : story === 'plan-fault' ? fail('snapshot.unknown', { id: 'p8' }) : succeed(planPreview(story, target))),
    'rollback/conflict': ({ path }) => succeed(path === 'docs/logo.png' ? { earlier: null, disk: null, parts: [] } : conflictView(story === 'plan-two')),
    'rollback/apply': () => (story === 'plan-writing' ? never : story === 'plan-moved' ? fail('rollback.head-moved') : succeed(planRecord(story))),
    'rollback/undo': () => succeed({ ...planRecord('plan-undone'), id: asId('r2'), undoOf: asId('r1') }),
    'timeline/file': ({ oid }) => succeed(planFile(oid)),
    'timeline/uncovered': () => succeed({ skipped: [{ path: 'node_modules', reason: 'ignored' }, { path: 'coverage', reason: 'ignored' }], count: 2 }),
  }
}

/** The plan in one of its states. */
export async function playPlan(story: string, say: Speaker): Promise<void> {
  openPlan({ target: { to: asId('p8'), keepUserEdits: true }, title: story === 'plan-call' ? 'timeline.plan.call' : 'timeline.plan.turn', values: { turn: 4, what: 'sed -i s/a/b/ src/settings.ts' }, sessionId, turnId: asId('t2') }, say)
  await drawn()
  const row = (path: string) => useRollback.getState().plan?.rows.find((one) => one.path === path)
  const settings = row('src/settings.ts')
  if ((story === 'plan-changes' || story === 'plan-left') && settings) {
    await openRow(settings)
    if (story === 'plan-left') leaveChanges(settings, { numbers: [1], total: 3, lines: { added: 2, removed: 2 } })
  }
  const shown = { 'plan-merge': 'test/retry.test.ts', 'plan-delete': 'src/http/retry.ts', 'plan-mode': 'scripts/run.sh', 'plan-whole': 'docs/logo.png' }[story]
  const other = shown === undefined ? undefined : row(shown)
  if (other) await openRow(other)
  if (story === 'plan-impossible') setScope('both')
  if (story === 'plan-conversation') setScope('conversation')
  if (['plan-writing', 'plan-moved', 'plan-done', 'plan-partly', 'plan-undone'].includes(story)) {
    useRollback.setState({ unticked: new Set([planRows[0]?.path ?? '']), open: null })
    void apply()
    await drawn(100)
    if (story === 'plan-undone') await undo(asId('r1'))
  }
}
