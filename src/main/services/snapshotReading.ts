import type { CallId, SnapshotId } from '../../shared/domain/ids'
import { fail, succeed, type Result, type Said } from '../../shared/domain/result'
import { countUnheld, type HeldFiles, type LineCount, type PathAuthor, type SnapshotRow, type SnapshotSummary, type TreeChange } from '../../shared/domain/snapshot'
import type { ChangedPath, Comparison, DiskNow, FileVersion, LineAuthors, PathAt, PathMoment, Timeline, TimelineRow, Uncovered } from '../../shared/ipc/timelineViews'
import type { MissingObjects, SnapshotStore } from '../core/ports/snapshotStore'
import type { KnownSummary } from '../core/ports/timelineStore'
import { StorageFault } from '../core/ports/storageFault'
import { authorsByPath, oneAuthor } from '../core/snapshot/authors'
import { callLine } from '../core/snapshot/sentOut'
import { PathPast } from './pathPast'
import { never, type SnapshotPorts } from './snapshotPorts'
import { headOf, holdsSame, type SnapshotRecorder } from './snapshotRecorder'
import { cut } from './snapshotTexts'
import { textOfBytes } from './textOfBytes'
import { stepsAfter } from './timelineSteps'
import { UndoableRollback } from './undoableRollback'

/** Beyond this many changed files an entry's lines are not counted. */
const countedChanges = 200
const namedChanges = 100
const listedChanges = 5000
const listedSkips = 2000
/** So many rows are an answer, so that neither thread that packs or unpacks it is held up. */
const rowsAtOnce = 500
/** So many questions wait at the store together, so that it never waits for the next. */
const askedAtOnce = 20

/** Looks at the past of one workspace (R79). Adds nothing to it; what it found out about an entry once is kept. */
export class SnapshotReading {
  readonly #recorder: SnapshotRecorder
  readonly #ports: SnapshotPorts
  readonly #past: PathPast
  readonly #stopped: () => Said | null
  readonly #undoable: UndoableRollback
  /** Moments that the store was seen to hold in full, as of `#generation`. */
  readonly #whole = new Set<string>()
  #generation = -1
  #answered = -1

  constructor(recorder: SnapshotRecorder, ports: SnapshotPorts, stopped: () => Said | null = () => null) {
    this.#recorder = recorder
    this.#ports = ports
    this.#stopped = stopped
    this.#past = new PathPast(recorder, ports)
    this.#undoable = new UndoableRollback(ports.events)
  }

  /**
   * Entries after one, oldest first, each with what it changed. From the first one on where that is not there any more, or
   * where what was said of earlier ones may be true no more.
   */
  async timeline(after?: SnapshotId): Promise<Timeline> {
    const rows = await this.#recorder.rows()
    const isCurrent = this.#answered === this.#recorder.generation
    this.#answered = this.#recorder.generation
    const from = after === undefined || !isCurrent ? 0 : this.#recorder.placeOf(after) + 1
    const page = rows.slice(from, from + rowsAtOnce)
    const stopped = this.#stopped()
    const [summaries, missing, labels, rollbacks, { bytes }] = await Promise.all([this.#summariesOf(page), this.#missingIn(page), this.#labelsOf(page), this.#ports.timeline.rollbackRows(this.#recorder.workspace.id), this.#recorder.store.stats()])
    const undoable = await this.#undoable.of(rollbacks)
    return {
      rows: page.map((row, at): TimelineRow => ({ ...row, ...(summaries[at] ?? unknownSummary), ...lostOf(missing.get(headOf(row))), ...labelOf(row, labels) })),
      after: from === 0 ? null : (after ?? null),
      isWhole: from + page.length >= rows.length,
      rollbacks,
      ...(undoable === undefined ? {} : { undoable }),
      bytes,
      forgotten: this.#recorder.forgotten,
      ...(stopped === null ? {} : { stopped }),
    }
  }

  /** What differs between two entries; null before is nothing at all, null after is what is on disk now. */
  async changes(before: SnapshotId | null, after: SnapshotId | null): Promise<Result<Comparison>> {
    const [from, until] = [before === null ? succeed(null) : await this.#row(before), after === null ? await this.#recorder.store.scan(never) : await this.#row(after)]
    if (!from.ok) return from
    if (!until.ok) return until
    return this.#readable(async () => this.#counted(await this.#recorder.store.compare(from.value, until.value, listedChanges)))
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

  /** How many lines changes of files add and take away; null where there are none, and beyond the first 200 changes. */
  async linesOf(changes: readonly TreeChange[]): Promise<readonly (LineCount | null)[]> {
    const counts = await this.#readable(async () => [...(await this.#recorder.store.lineCounts(changes.slice(0, countedChanges)))])
    return changes.map((_, at) => (counts.ok ? (counts.value[at] ?? null) : null))
  }

  /** When paths last changed on disk; null for what is not there. */
  changedAtMs(paths: readonly string[]): Promise<readonly (number | null)[]> {
    return this.#recorder.store.changedAtMs(paths)
  }

  /** A file as it was, by git's id of its content. */
  async file(oid: string): Promise<Result<FileVersion>> {
    const bytes = await this.#recorder.store.blob(oid)
    if (!bytes.ok) this.#recorder.noteLost(bytes.fault)
    return bytes.ok ? succeed({ text: textOfBytes(bytes.value), sizeBytes: bytes.value.length }) : bytes
  }

  /** What the disk holds now that the last entry does not. */
  async now(): Promise<Result<DiskNow>> {
    const taken = await this.#recorder.store.scan(never)
    if (!taken.ok) return taken
    const last = (await this.#recorder.rows()).at(-1)
    if (!last || holdsSame(last, taken.value)) return succeed({ changes: [], count: 0 })
    return this.#readable(async () => this.#counted(await this.#recorder.store.compare(last, taken.value, countedChanges)))
  }

  /** Who made the lines of one file's diff. */
  authors(path: string, before: SnapshotId, after: SnapshotId | null): Promise<Result<LineAuthors | null>> {
    return this.#past.lineAuthors(path, before, after)
  }

  /** Files of an entry, to open or to bring back. */
  async paths(at: SnapshotId, query: string): Promise<Result<readonly PathAt[]>> {
    const row = await this.#row(at)
    return row.ok ? this.#readable(() => this.#recorder.store.paths(row.value, query)) : row
  }

  /** The entries that changed a path, newest first: at most 500. */
  async history(path: string): Promise<Result<readonly PathMoment[]>> {
    return succeed(await this.#past.moments(path))
  }

  /** What the last scan left out. */
  async uncovered(): Promise<Result<Uncovered>> {
    const skipped = await this.#recorder.store.uncovered(null)
    return succeed({ skipped: skipped.slice(0, listedSkips), count: skipped.length })
  }

  /** An object that is lost is an answer; a bug is none. */
  async #readable<T>(read: () => Promise<T>): Promise<Result<T>> {
    try {
      return succeed(await read())
    } catch (error) {
      if (!(error instanceof StorageFault)) throw error
      this.#recorder.noteLost(error.fault)
      return { ok: false, fault: error.fault }
    }
  }

  async #counted({ changes, count }: Awaited<ReturnType<SnapshotStore['compare']>>): Promise<Comparison> {
    const lines = await this.#recorder.store.lineCounts(changes.slice(0, countedChanges))
    return { changes: changes.map((change, index): ChangedPath => ({ ...change, lines: lines[index] ?? null })), count }
  }

  /** What is kept of each entry; found out, and kept, where it is not yet. Null for one that cannot be read. */
  async #summariesOf(page: readonly SnapshotRow[]): Promise<readonly (SnapshotSummary | null)[]> {
    const summaries = [...(await this.#ports.timeline.summaries(page.map(({ id }) => id)))]
    const found: KnownSummary[] = []
    const unknown = [...page.entries()].filter(([at]) => !summaries[at])
    for (let from = 0; from < unknown.length; from += askedAtOnce) {
      await Promise.all(
        unknown.slice(from, from + askedAtOnce).map(async ([at, row]) => {
          const summary = await this.#summaryOf(row)
          if (!summary) return
          summaries[at] = summary
          found.push({ id: row.id, summary })
        }),
      )
    }
    if (found.length > 0) await this.#ports.timeline.keepSummaries(found)
    return summaries
  }

  async #summaryOf(row: SnapshotRow): Promise<SnapshotSummary | null> {
    try {
      const { changes, count } = await this.#recorder.someChangesOf(row, countedChanges)
      const changed = changes.slice(0, namedChanges).map(({ path, change }) => ({ path, change }))
      return { changed, changes: count, lines: count <= countedChanges ? await this.#linesOf(changes) : null, unheld: countUnheld(await this.#recorder.skippedOf(row)) }
    } catch (error) {
      // A lost object of one entry must not hide all the others; that it is broken shows by `missing`.
      if (error instanceof StorageFault) return null
      throw error
    }
  }

  async #linesOf(changes: readonly TreeChange[]): Promise<LineCount | null> {
    const counts = changes.length > 0 ? await this.#recorder.store.lineCounts(changes) : []
    return counts.reduce<LineCount | null>((sum, one) => (one === null ? sum : { added: (sum?.added ?? 0) + one.added, removed: (sum?.removed ?? 0) + one.removed }), null)
  }

  /** What calls ran, of all sessions: the window knows only the conversations that it shows. */
  async #labelsOf(page: readonly SnapshotRow[]): Promise<ReadonlyMap<CallId, string>> {
    const ids = page.flatMap(({ kind, callId }) => (kind === 'after-call' && callId !== null ? [callId] : []))
    const lines = ids.length === 0 ? [] : await this.#ports.calls.lines(ids)
    return new Map(lines.map((line) => [line.callId, cut(this.#ports.redact(callLine(line)))]))
  }

  /** What each moment lacks, by its head; those that lack nothing are asked about once. */
  async #missingIn(page: readonly HeldFiles[]): Promise<ReadonlyMap<string, MissingObjects>> {
    if (this.#generation !== this.#recorder.generation) this.#whole.clear()
    this.#generation = this.#recorder.generation
    const asked = new Map(page.map((held) => [headOf(held), held]))
    for (const head of asked.keys()) if (this.#whole.has(head)) asked.delete(head)
    const found = asked.size === 0 ? [] : await this.#recorder.store.missing([...asked.values()])
    const missing = new Map([...asked.keys()].flatMap((head, at) => { const one = found[at]; return one ? [[head, one] as const] : [] }))
    for (const [head, { objects }] of missing) if (objects === 0) this.#whole.add(head)
    return missing
  }

  async #row(id: SnapshotId): Promise<Result<SnapshotRow>> {
    const found = await this.#recorder.find(id)
    return found ? succeed(found.row) : fail('snapshot.unknown', { id })
  }
}

function lostOf(missing: MissingObjects | undefined): Pick<TimelineRow, 'missing' | 'lost' | 'lostFiles'> {
  return missing === undefined || missing.objects === 0 ? { missing: 0 } : { missing: missing.objects, lost: missing.paths, lostFiles: missing.files }
}

function labelOf({ kind, callId }: SnapshotRow, labels: ReadonlyMap<CallId, string>): Pick<TimelineRow, 'label'> {
  const label = kind === 'after-call' && callId !== null ? labels.get(callId) : undefined
  return label === undefined ? {} : { label }
}

const unknownSummary: SnapshotSummary = { changed: [], changes: 0, lines: null, unheld: 0 }
