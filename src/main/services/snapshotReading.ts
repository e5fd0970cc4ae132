import type { SnapshotId } from '../../shared/domain/ids'
import { fail, succeed, type Result } from '../../shared/domain/result'
import type { RollbackRecord } from '../../shared/domain/rollback'
import { countUnheld, type HeldFiles, type LineCount, type PathAuthor, type Snapshot, type TreeChange } from '../../shared/domain/snapshot'
import type { ChangedPath, Comparison, DiskNow, FileVersion, LineAuthors, PathAt, PathMoment, RollbackRow, Timeline, TimelineRow, Uncovered } from '../../shared/ipc/timelineViews'
import { authorsByPath, oneAuthor } from '../core/snapshot/authors'
import { stepsAfter } from './snapshotPlanner'
import { never, type SnapshotPorts } from './snapshotPorts'
import { holdsSame, type SnapshotRecorder } from './snapshotRecorder'
import { textOfBytes } from './textOfBytes'

/** Beyond this many changed files an entry's lines are not counted. */
const countedChanges = 200
const namedChanges = 100

/** Looks at the past of one workspace (R79). Writes nothing, the timeline included. */
export class SnapshotReading {
  readonly #recorder: SnapshotRecorder
  readonly #ports: SnapshotPorts
  readonly #lines = new Map<SnapshotId, LineCount | null>()

  constructor(recorder: SnapshotRecorder, ports: SnapshotPorts) {
    this.#recorder = recorder
    this.#ports = ports
  }

  /** The entries, oldest first, each with what it changed. */
  async timeline(_after?: SnapshotId): Promise<Timeline> {
    const rows: TimelineRow[] = []
    for (const row of await this.#recorder.rows()) {
      const changes = await this.#recorder.changesOf(row)
      const { skipped: _, ...facts } = row
      const changed = changes.slice(0, namedChanges).map(({ path, change }) => ({ path, change }))
      rows.push({ ...facts, changed, changes: changes.length, lines: await this.#linesOf(row.id, changes), unheld: countUnheld(row.skipped), missing: 0 })
    }
    const rollbacks = await this.#ports.timeline.rollbacks(this.#recorder.workspace.id)
    return { rows, after: null, isWhole: true, rollbacks: rollbacks.map(rollbackRow), bytes: (await this.#recorder.store.stats()).bytes, forgotten: null }
  }

  /** What differs between two entries; null before is nothing at all, null after is what is on disk now. */
  async changes(before: SnapshotId | null, after: SnapshotId | null): Promise<Result<Comparison>> {
    const [from, until] = [before === null ? succeed(null) : await this.#row(before), after === null ? await this.#recorder.store.scan(never) : await this.#row(after)]
    if (!from.ok) return from
    if (!until.ok) return until
    const changes = await this.#recorder.store.diff(from.value, until.value)
    return succeed({ changes: await this.#counted(changes.slice(0, 5000)), count: changes.length })
  }

  /** The same with who made each change, one name a path. */
  async authoredChanges(before: SnapshotId, after: SnapshotId | null): Promise<Result<readonly (TreeChange & { readonly author: PathAuthor['author'] | null })[]>> {
    const rows = await this.#recorder.rows()
    const places = [before, ...(after === null ? [] : [after])].map((id) => rows.findIndex((row) => row.id === id))
    const unknown = [before, after].find((id, index) => id !== null && places[index] === -1)
    if (unknown) return fail('snapshot.unknown', { id: unknown })
    const taken = after === null ? await this.#recorder.store.scan(never) : null
    if (taken?.ok === false) return taken
    const [first = 0, last = rows.length - 1] = [...places].sort((a, b) => a - b)
    const authors = authorsByPath(await stepsAfter(rows.slice(0, last + 1), first, taken?.value ?? null, this.#recorder))
    const [from, until] = [await this.#row(before), after === null ? taken : await this.#row(after)]
    if (!from.ok) return from
    if (!until?.ok) return until ?? fail('snapshot.unknown', { id: before })
    const changes = await this.#recorder.store.diff(from.value, until.value)
    return succeed(changes.map((change) => ({ ...change, author: oneAuthor(authors.get(change.path) ?? []) })))
  }

  /** A file as it was, by git's id of its content. */
  async file(oid: string): Promise<Result<FileVersion>> {
    const bytes = await this.#recorder.store.blob(oid)
    return bytes.ok ? succeed({ text: textOfBytes(bytes.value), sizeBytes: bytes.value.length }) : bytes
  }

  /** What the disk holds now that the last entry does not. */
  async now(): Promise<Result<DiskNow>> {
    const taken = await this.#recorder.store.scan(never)
    if (!taken.ok) return taken
    const last = (await this.#recorder.rows()).at(-1)
    const changes = !last || holdsSame(last, taken.value) ? [] : await this.#recorder.store.diff(last, taken.value)
    return succeed({ changes: await this.#counted(changes.slice(0, countedChanges)), count: changes.length })
  }

  /** Who made the lines of one file's diff. */
  authors(_path: string, _before: SnapshotId, _after: SnapshotId | null): Promise<Result<LineAuthors | null>> {
    return Promise.resolve(succeed({ before: [], after: [] }))
  }

  /** Files of an entry, to open or to bring back. */
  async paths(at: SnapshotId, query: string): Promise<Result<readonly PathAt[]>> {
    const row = await this.#row(at)
    return row.ok ? succeed(await this.#recorder.store.paths(row.value, query)) : row
  }

  /** Every entry that changed a path, newest first. */
  async history(path: string): Promise<Result<readonly PathMoment[]>> {
    const moments: PathMoment[] = []
    for (const row of await this.#recorder.rows()) {
      const change = (await this.#recorder.changesOf(row)).find((one) => one.path === path)
      if (!change) continue
      const author = row.others.find((one) => one.path === path)?.author ?? row.author ?? 'unknown'
      moments.push({ id: row.id, atMs: row.atMs, kind: row.kind, sessionId: row.sessionId, callId: row.callId, author, entry: change.after })
    }
    return succeed(moments.reverse())
  }

  /** What the last scan left out. */
  async uncovered(): Promise<Result<Uncovered>> {
    const skipped = await this.#recorder.store.uncovered(null)
    return succeed({ skipped: skipped.slice(0, 2000), count: skipped.length })
  }

  async #counted(changes: readonly TreeChange[]): Promise<readonly ChangedPath[]> {
    const lines = await this.#recorder.store.lineCounts(changes)
    return changes.map((change, index) => ({ ...change, lines: lines[index] ?? null }))
  }

  async #linesOf(id: SnapshotId, changes: readonly TreeChange[]): Promise<LineCount | null> {
    const known = this.#lines.get(id)
    if (known !== undefined) return known
    const counts = changes.length > 0 && changes.length <= countedChanges ? await this.#recorder.store.lineCounts(changes) : []
    const lines = counts.reduce<LineCount | null>((sum, one) => (one === null ? sum : { added: (sum?.added ?? 0) + one.added, removed: (sum?.removed ?? 0) + one.removed }), null)
    this.#lines.set(id, lines)
    return lines
  }

  async #row(id: SnapshotId): Promise<Result<Snapshot & HeldFiles>> {
    const row = (await this.#recorder.rows()).find((one) => one.id === id)
    return row ? succeed(row) : fail('snapshot.unknown', { id })
  }
}

function rollbackRow({ plan, done, failed, workspaceId: _, ...facts }: RollbackRecord): RollbackRow {
  return { ...facts, target: plan.target, done: done.length, failed: failed.length }
}
