import type { SnapshotId } from '../../shared/domain/ids'
import { fail, succeed, type Result } from '../../shared/domain/result'
import type { Author, HeldFiles, SnapshotRow, TreeEntry } from '../../shared/domain/snapshot'
import type { LineAuthors, PathMoment } from '../../shared/ipc/timelineViews'
import { exactLines } from '../../shared/domain/lineChanges'
import { StorageFault } from '../core/ports/storageFault'
import { authorIn } from '../core/snapshot/authors'
import { LineHistory } from '../core/snapshot/lineAuthors'
import { isFile, sameEntry } from '../core/snapshot/takeBack'
import { never, type SnapshotPorts } from './snapshotPorts'
import { holdsSame, type SnapshotRecorder } from './snapshotRecorder'
import { textOfBytes } from './textOfBytes'

const mostMoments = 500
const pageRows = 500
/** Longer texts are shown without who made their lines. */
const mostLines = 20_000
const mostBytes = 2_000_000

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
    const first = await this.#textOf((await this.#entryAt(from, path)) ?? null)
    if (!first.ok || first.value === null) return first.ok ? succeed(null) : first
    const history = new LineHistory(first.value)
    for (const [at, { entry, author, isRollback }] of stages.entries()) {
      // Each text is waited for, so that the comparisons never stand in one row on this thread.
      const text = await this.#textOf(entry)
      if (!text.ok) return text
      if (text.value === null && at === stages.length - 1) return succeed(null)
      history.add({ text: text.value ?? '', author, isRollback })
    }
    return succeed(history.owners())
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
    const moves: Move[] = []
    for (const [at, { before, row }] of pairs.entries()) {
      const summary = summaries[at]
      if (summary && summary.changed.length === summary.changes && summary.changed.every((one) => one.path !== path)) continue
      const [was, entry] = [await this.#entryAt(before, path), await this.#entryAt(row, path)]
      if (was !== undefined && entry !== undefined && !sameEntry(was, entry)) moves.push({ row, entry })
    }
    return moves
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

  /** Null for what has no lines, or too many. */
  async #textOf(entry: TreeEntry | null): Promise<Result<string | null>> {
    if (entry === null) return succeed('')
    if (!isFile(entry)) return succeed(null)
    const bytes = await this.#recorder.store.blob(entry.oid)
    if (!bytes.ok) this.#recorder.noteLost(bytes.fault)
    if (!bytes.ok) return bytes
    const text = bytes.value.length > mostBytes ? null : textOfBytes(bytes.value)
    return succeed(text !== null && exactLines(text).length <= mostLines ? text : null)
  }
}

function authorOf({ kind, author, others }: SnapshotRow, path: string): Author {
  return authorIn({ kind, author, others, changes: [] }, path)
}

function joined(stages: readonly Stage[], next: Stage): readonly Stage[] {
  const last = stages.at(-1)
  const isOne = last?.author === next.author && !last.isRollback && !next.isRollback
  return [...(isOne ? stages.slice(0, -1) : stages), next]
}
