import { fail, succeed, type Result } from '../../shared/domain/result'
import type { ConflictView, RollbackPlan, RollbackTarget } from '../../shared/domain/rollback'
import type { SkippedPath, SnapshotRow, TreeChange } from '../../shared/domain/snapshot'
import type { SnapshotId } from '../../shared/domain/ids'
import type { TakenTree } from '../core/ports/snapshotStore'
import { conflictView, textsToCompare } from '../core/snapshot/conflictParts'
import { contentsNeeded, findWays, planRollback, textsNeeded, type PlanInput, type Way } from '../core/snapshot/planRollback'
import { inSlices } from './memoryPlan'
import { headOf, type SnapshotRecorder } from './snapshotRecorder'
import { readTexts } from './snapshotTexts'
import { stepsAfter } from './timelineSteps'

/** The rest of the app gets its turns while something is planned. */
export const planClock = { nowMs: () => performance.now() }

/** The plan of a rollback against what the disk holds now (R77). Writes nothing. */
export async function planAgainst(taken: TakenTree, target: RollbackTarget, recorder: SnapshotRecorder): Promise<Result<RollbackPlan>> {
  const found = await findAgainst(taken, target, recorder)
  return found.ok ? succeed(await planFound(found.value, recorder)) : found
}

/** What the editor of one path shows that the plan merges, or cannot. */
export async function conflictAgainst(taken: TakenTree, target: RollbackTarget, path: string, recorder: SnapshotRecorder): Promise<Result<ConflictView>> {
  const found = await findAgainst(taken, target, recorder)
  if (!found.ok) return found
  const ways = found.value.ways.filter((way) => way.path === path)
  const plan = await planFound({ ...found.value, ways }, recorder)
  const [way, row] = [ways[0], plan.rows[0]]
  if (!way || (row?.action !== 'conflict' && row?.action !== 'merge')) return fail('rollback.no-conflict', { path })
  return succeed(conflictView(way, await readTexts(textsToCompare(way), recorder.store), row.action === 'conflict'))
}

interface Found {
  readonly input: Omit<PlanInput, 'lost'>
  readonly ways: readonly Way[]
}

async function planFound({ input, ways }: Found, recorder: SnapshotRecorder): Promise<RollbackPlan> {
  const lost = new Set(await recorder.store.lacking(contentsNeeded(ways)))
  const textOf = await readTexts(textsNeeded(ways).filter((oid) => !lost.has(oid)), recorder.store)
  return inSlices(planRollback(ways, { ...input, lost }, textOf), planClock)
}

async function findAgainst(taken: TakenTree, target: RollbackTarget, recorder: SnapshotRecorder): Promise<Result<Found>> {
  const rows = await recorder.rows()
  const from = indexOf(rows, target.only?.from ?? target.to)
  const until = target.only ? indexOf(rows, target.only.until) : from
  if (!from || !until) return fail('snapshot.unknown', { id: target.to })
  const changes = target.only ? await recorder.store.diff(from.row, until.row) : await recorder.store.diff(from.row, taken)
  const input: Found['input'] = {
    target,
    head: headOf(taken),
    changes,
    since: target.only ? await recorder.store.diff(until.row, taken) : [],
    steps: await stepsAfter(rows, from.index, taken, recorder),
    skippedThen: [...(await recorder.skippedOf(from.row)), ...(await leftOutThen(changes, from.row, recorder))],
    skippedNow: taken.skipped,
  }
  return succeed({ input, ways: await inSlices(findWays(input), planClock) })
}

/** Paths that are new since the target and that its own ignore files would have left out: they may have been there. */
async function leftOutThen(changes: readonly TreeChange[], then: SnapshotRow, recorder: SnapshotRecorder): Promise<readonly SkippedPath[]> {
  const made = changes.filter(({ before }) => before === null).map(({ path }) => path)
  return made.length === 0 ? [] : recorder.store.uncovered(made, then)
}

function indexOf(rows: readonly SnapshotRow[], id: SnapshotId): { readonly row: SnapshotRow; readonly index: number } | null {
  const index = rows.findIndex((row) => row.id === id)
  const row = rows[index]
  return row ? { row, index } : null
}
