import type { SnapshotId } from '../../shared/domain/ids'
import { fail, succeed, type Result } from '../../shared/domain/result'
import type { Author, HeldFiles, SnapshotRow, SnapshotSummary, TreeEntry } from '../../shared/domain/snapshot'
import type { LineAuthors, PathMoment } from '../../shared/ipc/timelineViews'
import { StorageFault } from '../core/ports/storageFault'
import { authorIn } from '../core/snapshot/authors'
import { isFile, sameEntry } from '../core/snapshot/takeBack'
import { never, type SnapshotPorts } from './snapshotPorts'
import { headOf, holdsSame, type SnapshotRecorder } from './snapshotRecorder'

const mostMoments = 500
const pageRows = 500
/** So many questions wait at the store together, so that it never waits for the next. */
const askedAtOnce = 20

/** An entry that changed the path, and what it left there. */
interface Move {
  readonly row: SnapshotRow
  readonly entry: TreeEntry | null
}

/** What one author left at the path before another came. */
interface Stage {
  readonly entry: TreeEntry | null
  readonly author: Author
  readonly isRollback: boolean
}

/** The past of single paths (R79). Entries whose objects are lost are passed over. */
export class PathPast {
  readonly #recorder: SnapshotRecorder
  readonly #ports: SnapshotPorts

  constructor(recorder: SnapshotRecorder, ports: SnapshotPorts) {
    this.#recorder = recorder
    this.#ports = ports
  }

  /** The newest entries that changed a path, newest first. */
  async moments(path: string): Promise<readonly PathMoment[]> {
    const rows = await this.#recorder.rows()
    const found: Move[] = []
    for (let end = rows.length; end > 0 && found.length < mostMoments; end -= pageRows) {
      found.push(...[...(await this.#movesIn(rows, Math.max(0, end - pageRows), end, path))].reverse())
    }
    return found.slice(0, mostMoments).map(({ row, entry }) => {
      const { id, atMs, kind, sessionId, callId } = row
      return { id, atMs, kind, sessionId, callId, author: authorOf(row, path), entry }
    })
  }

  /** Who made the lines of a file's difference between two moments; null where there are no lines to tell of. */
  async lineAuthors(path: string, before: SnapshotId, after: SnapshotId | null): Promise<Result<LineAuthors | null>> {
    const [a, b] = [await this.#recorder.find(before), after === null ? null : await this.#recorder.find(after)]
    if (!a || (after !== null && !b)) return fail('snapshot.unknown', { id: a ? (after ?? before) : before })
    if (b && b.index < a.index) {
      const turned = await this.#ownersOf(path, b.row, await this.#stagesIn(path, b.index, a.index))
      return turned.ok && turned.value ? succeed({ before: turned.value.after, after: turned.value.before }) : turned
    }
    const rows = await this.#recorder.rows()
    const stages = await this.#stagesIn(path, a.index, b ? b.index : rows.length - 1)
    if (b) return this.#ownersOf(path, a.row, stages)
    const drift = await this.#driftOf(path, rows)
    return drift.ok ? this.#ownersOf(path, a.row, drift.value ? joined(stages, drift.value) : stages) : drift
  }

  async #ownersOf(path: string, from: HeldFiles, stages: readonly Stage[]): Promise<Result<LineAuthors | null>> {
    const first = (await this.#entryAt(from, path)) ?? null
    const last = stages.at(-1)?.entry ?? null
    if ([first, last].some((entry) => entry !== null && !isFile(entry))) return succeed(null)
    const oidOf = (entry: TreeEntry | null): string | null => (isFile(entry) ? (entry?.oid ?? null) : null)
    try {
      return succeed(await this.#recorder.store.lineOwners(oidOf(first), stages.map(({ entry, author, isRollback }) => ({ oid: oidOf(entry), author, isRollback }))))
    } catch (error) {
      if (!(error instanceof StorageFault)) throw error
      this.#recorder.noteLost(error.fault)
      return { ok: false, fault: error.fault }
    }
  }

  /** What is on disk and not recorded yet. */
  async #driftOf(path: string, rows: readonly SnapshotRow[]): Promise<Result<Stage | null>> {
    const taken = await this.#recorder.store.scan(never)
    if (!taken.ok) return taken
    const last = rows.at(-1)
    if (!last || holdsSame(last, taken.value)) return succeed(null)
    const [was, entry] = [await this.#entryAt(last, path), await this.#entryAt(taken.value, path)]
    return succeed(sameEntry(was ?? null, entry ?? null) ? null : { entry: entry ?? null, author: this.#recorder.driftAuthor(last), isRollback: false })
  }

  /** Neighbouring changes of one author are one. */
  async #stagesIn(path: string, after: number, until: number): Promise<readonly Stage[]> {
    const rows = await this.#recorder.rows()
    let stages: readonly Stage[] = []
    for (let from = after + 1; from <= until; from += pageRows) {
      for (const { row, entry } of await this.#movesIn(rows, from, Math.min(until + 1, from + pageRows), path)) {
        stages = joined(stages, { entry, author: authorOf(row, path), isRollback: row.kind === 'after-rollback' })
      }
    }
    return stages
  }

  /** Entries from one place up to another that changed the path, oldest first. Most are known not to have by what their rows show. */
  async #movesIn(rows: readonly SnapshotRow[], from: number, to: number, path: string): Promise<readonly Move[]> {
    const pairs = rows.slice(from, to).flatMap((row, at) => {
      const before = rows[from + at - 1]
      return !before || holdsSame(before, row) ? [] : [{ before, row }]
    })
    const summaries = await this.#ports.timeline.summaries(pairs.map(({ row }) => row.id))
    const asked = pairs.filter((_, at) => !isSpared(summaries[at], path))
    const entries = await this.#entriesIn(asked.flatMap(({ before, row }) => [before, row]), path)
    return asked.flatMap(({ before, row }) => {
      const [was, entry] = [entries.get(headOf(before)), entries.get(headOf(row))]
      return was === undefined || entry === undefined || sameEntry(was, entry) ? [] : [{ row, entry }]
    })
  }

  /** What stands at the path in each of these moments, by their heads. */
  async #entriesIn(moments: readonly HeldFiles[], path: string): Promise<ReadonlyMap<string, TreeEntry | null | undefined>> {
    const heads = [...new Map(moments.map((held) => [headOf(held), held]))]
    const entries = new Map<string, TreeEntry | null | undefined>()
    for (let from = 0; from < heads.length; from += askedAtOnce) {
      await Promise.all(heads.slice(from, from + askedAtOnce).map(async ([head, held]) => entries.set(head, await this.#entryAt(held, path))))
    }
    return entries
  }

  /** Null: nothing is there. Undefined: the moment cannot be read. */
  async #entryAt(held: HeldFiles, path: string): Promise<TreeEntry | null | undefined> {
    try {
      return (await this.#recorder.store.entriesAt(held, [path]))[0] ?? null
    } catch (error) {
      if (!(error instanceof StorageFault) || error.fault.code !== 'snapshot.object-missing') throw error
      this.#recorder.noteLost(error.fault)
      return undefined
    }
  }
}

/** Whether a row is known not to have changed the path: all that it changed is named. */
function isSpared(summary: SnapshotSummary | null | undefined, path: string): boolean {
  return summary !== null && summary !== undefined && summary.changed.length === summary.changes && summary.changed.every((one) => one.path !== path)
}

function authorOf({ kind, author, others }: SnapshotRow, path: string): Author {
  return authorIn({ kind, author, others, sessionId: null, changes: [] }, path)
}

function joined(stages: readonly Stage[], next: Stage): readonly Stage[] {
  const last = stages.at(-1)
  const isOne = last?.author === next.author && !last.isRollback && !next.isRollback
  return [...(isOne ? stages.slice(0, -1) : stages), next]
}
