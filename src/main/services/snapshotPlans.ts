import { exactLines, lineChanges } from '../../shared/domain/lineChanges'
import { succeed, type Result } from '../../shared/domain/result'
import type { ConflictView, PlanRow, RollbackPlan, RollbackPreview, RollbackTarget } from '../../shared/domain/rollback'
import type { LineCount } from '../../shared/domain/snapshot'
import { isWriting } from '../core/snapshot/blockedRows'
import { maySend, sentLabel } from '../core/snapshot/sentOut'
import { isFile, type TextOf } from '../core/snapshot/takeBack'
import { inSlices } from './memoryPlan'
import { conflictAgainst, planAgainst, planClock } from './snapshotPlanner'
import { never, type SnapshotPorts } from './snapshotPorts'
import type { SnapshotRecorder } from './snapshotRecorder'
import { cut, readTexts } from './snapshotTexts'

/** Beyond this many rows that write, lines are not counted. */
const countedRows = 500
/** So many calls are looked at, and so many of those that may have sent something are named. */
const lookedCalls = 1000
const namedCalls = 100

/** What a rollback would do, before anything is written (R77). Writes nothing, the timeline included. */
export class SnapshotPlans {
  readonly #recorder: SnapshotRecorder
  readonly #ports: SnapshotPorts

  constructor(recorder: SnapshotRecorder, ports: SnapshotPorts) {
    this.#recorder = recorder
    this.#ports = ports
  }

  plan(target: RollbackTarget): Promise<Result<RollbackPlan>> {
    return this.#recorder.alone(() => this.#planNow(target))
  }

  /** The plan as it is shown: with lines, and with what no rollback takes back. */
  preview(target: RollbackTarget): Promise<Result<RollbackPreview>> {
    return this.#recorder.alone(async () => {
      const plan = await this.#planNow(target)
      if (!plan.ok) return plan
      return succeed({ plan: plan.value, lines: await this.#linesOf(plan.value.rows), ...(await this.#sentSince(target)) })
    })
  }

  /** What the editor of a path shows that is in conflict, or merged. */
  conflict(target: RollbackTarget, path: string): Promise<Result<ConflictView>> {
    return this.#recorder.alone(async () => {
      const taken = await this.#recorder.store.scan(never)
      return taken.ok ? conflictAgainst(taken.value, target, path, this.#recorder) : taken
    })
  }

  async #planNow(target: RollbackTarget): Promise<Result<RollbackPlan>> {
    const taken = await this.#recorder.store.scan(never)
    return taken.ok ? planAgainst(taken.value, target, this.#recorder) : taken
  }

  async #linesOf(rows: readonly PlanRow[]): Promise<RollbackPreview['lines']> {
    const counted = rows.filter(isWriting).slice(0, countedRows)
    const stored = counted.filter(({ merged }) => merged === undefined)
    const counts = await this.#recorder.store.lineCounts(stored.map(({ path, from, to }) => ({ path, change: 'modified', before: from, after: to })))
    const merges = counted.filter(({ merged }) => merged !== undefined)
    const textOf = await readTexts([...new Set(merges.flatMap(({ from }) => (isFile(from) ? [from.oid] : [])))], this.#recorder.store)
    const lines = new Map<string, LineCount | null>(stored.map(({ path }, at) => [path, counts[at] ?? null]))
    for (const [path, count] of await inSlices(countMerges(merges, textOf), planClock)) lines.set(path, count)
    return rows.map(({ path }) => lines.get(path) ?? null)
  }

  /** From the target's moment on; of a range alone, what was begun in it, and of one call alone, that one. */
  async #sentSince({ to, only }: RollbackTarget): Promise<Pick<RollbackPreview, 'sent' | 'sentCount'>> {
    const rows = await this.#recorder.rows()
    const [from, until] = [only?.from ?? to, only?.until].map((id) => rows.find((row) => row.id === id))
    if (!from) return { sent: [], sentCount: 0 }
    const callId = until && until.callId === from.callId ? until.callId : null
    const { id: workspaceId, root } = this.#recorder.workspace
    const calls = await this.#ports.calls.acting({ workspaceId, sinceMs: from.atMs, callId, limit: lookedCalls })
    const where = this.#ports.whereOf(root)
    const found = await inSlices(eachThat(calls, (call) => call.atMs <= (until?.atMs ?? call.atMs) && maySend(call, where)), planClock)
    const sent = found.slice(0, namedCalls).reverse().map((call) => ({ callId: call.callId, sessionId: call.sessionId, atMs: call.atMs, tool: call.tool, label: cut(this.#ports.redact(sentLabel(call))) }))
    return { sent, sentCount: found.length }
  }
}

function* eachThat<Value>(all: readonly Value[], fits: (one: Value) => boolean): Generator<undefined, readonly Value[]> {
  const found: Value[] = []
  for (const one of all) {
    if (fits(one)) found.push(one)
    yield
  }
  return found
}

function* countMerges(rows: readonly PlanRow[], textOf: TextOf): Generator<undefined, readonly (readonly [string, LineCount | null])[]> {
  const counts: (readonly [string, LineCount | null])[] = []
  for (const { path, from, merged = '' } of rows) {
    const disk = isFile(from) ? textOf(from.oid) : null
    counts.push([path, disk === null ? null : countChanged(exactLines(disk), exactLines(merged))])
    yield
  }
  return counts
}

/** Lines that a change leaves as they are, brackets between two others, are neither added nor taken away. */
function countChanged(before: readonly string[], after: readonly string[]): LineCount {
  let [added, removed] = [0, 0]
  for (const change of lineChanges(before, after)) {
    const gone = new Map<string, number>()
    for (const line of before.slice(change.before.from, change.before.to)) gone.set(line, (gone.get(line) ?? 0) + 1)
    removed += change.before.to - change.before.from
    for (const line of after.slice(change.after.from, change.after.to)) {
      const left = gone.get(line) ?? 0
      if (left > 0) removed -= 1
      else added += 1
      gone.set(line, left - 1)
    }
  }
  return { added, removed }
}
