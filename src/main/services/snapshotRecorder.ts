import type { CallId, SessionId, SnapshotId, TurnId } from '../../shared/domain/ids'
import { asId } from '../../shared/domain/ids'
import type { Result, Said } from '../../shared/domain/result'
import { succeed } from '../../shared/domain/result'
import type { Workspace } from '../../shared/domain/session'
import type { Author, ForgottenPoints, HeldFiles, PathAuthor, SkippedPath, Snapshot, SnapshotKind, SnapshotRow, TreeChange } from '../../shared/domain/snapshot'
import type { CancelSignal } from '../core/ports/cancelSignal'
import type { ScanWishes, SnapshotStore, TakenTree } from '../core/ports/snapshotStore'
import { StorageFault } from '../core/ports/storageFault'
import { ChangeCache } from './changeCache'
import type { SnapshotPorts } from './snapshotPorts'

/** So many entries come from the database at a time, so that the main thread never unpacks long. */
const pageRows = 500
/** About as many paths that changed are kept in memory: the whole past of most folders. */
const keptChanges = 50_000

/** An event names no more paths than this; the entry itself has them all. */
const toldPaths = 1000

/** What a new entry of the timeline says besides what it holds. */
interface EntryFacts {
  readonly kind: SnapshotKind
  readonly author: Author | null
  readonly others?: readonly PathAuthor[]
  /** The session that made the entry; null for what belongs to none. */
  readonly sessionId: SessionId | null
  readonly callId?: CallId
  /** The session whose record tells of it. */
  readonly teller: Teller | null
  /** A commit of its own even where nothing changed: what follows may only happen while the store can be written. */
  readonly isProof?: boolean
}

/** A place in a session's record. */
export interface Teller {
  readonly sessionId: SessionId
  readonly turnId: TurnId | null
  readonly step: number | null
}

/** Writes the timeline of one workspace: scans, compares with the last entry, adds entries. One thing at a time in this process. */
export class SnapshotRecorder {
  readonly workspace: Workspace
  readonly store: SnapshotStore
  readonly #ports: SnapshotPorts
  readonly #changes = new ChangeCache(keptChanges)
  readonly #lost = new Set<string>()
  #rows: SnapshotRow[] = []
  #places = new Map<SnapshotId, number>()
  #forgotten: ForgottenPoints | null = null
  #generation = 0
  /** What the last scan of ours found, and in which turn everything was looked at last. */
  #lastTaken: { readonly held: HeldFiles; readonly turnId: TurnId | null; readonly isByHints: boolean } | null = null
  #reading: Promise<unknown> = Promise.resolve()
  #queue: Promise<unknown> = Promise.resolve()

  constructor(workspace: Workspace, store: SnapshotStore, ports: SnapshotPorts) {
    this.workspace = workspace
    this.store = store
    this.#ports = ports
  }

  /** Runs after everything that was given before; a disk or database at fault becomes a value. */
  alone<T>(run: () => Promise<Result<T>>): Promise<Result<T>> {
    const result = this.#queue.then(run).catch((error: unknown): Result<T> => {
      if (!(error instanceof StorageFault)) throw error
      this.noteLost(error.fault)
      return { ok: false, fault: error.fault }
    })
    this.#queue = result.catch(() => null)
    return result
  }

  /** Every entry, oldest first, those of other processes included. */
  async rows(): Promise<readonly SnapshotRow[]> {
    // One reading after the other: two at once would each add what came since the same entry.
    const read = this.#reading.then(() => this.#readRows())
    this.#reading = read.catch(() => null)
    return read
  }

  /** An entry, and its place among all; null for one that is not there, or no more. */
  async find(id: SnapshotId): Promise<{ readonly row: SnapshotRow; readonly index: number } | null> {
    const rows = await this.rows()
    const index = this.placeOf(id)
    const row = rows[index]
    return row ? { row, index } : null
  }

  /** An entry's place among all that were read; -1 for one that is not there. */
  placeOf(id: SnapshotId): number {
    return this.#places.get(id) ?? -1
  }

  /** Entries that were let go, as of the last reading. */
  get forgotten(): ForgottenPoints | null {
    return this.#forgotten
  }

  /** Grows when what was known of the store's objects may be true no more. */
  get generation(): number {
    return this.#generation
  }

  /** The store's objects were moved or removed. */
  noteMoved(): void {
    this.#generation += 1
  }

  /** A fault that names an object nobody missed before makes everything known of the store doubtful. */
  noteLost({ code, values }: Said): void {
    const object = values['object']
    if (code !== 'snapshot.object-missing' || typeof object !== 'string' || this.#lost.has(object)) return
    this.#lost.add(object)
    this.noteMoved()
  }

  /** What an entry changed against the one before it; nothing for the first. */
  async changesOf(row: SnapshotRow): Promise<readonly TreeChange[]> {
    const known = this.#changes.get(row.id)
    if (known) return known
    const before = this.#changedSince(row)
    const changes = before ? await this.store.diff(before, row) : []
    this.#changes.set(row.id, changes)
    return changes
  }

  /** The first `most` of them, and how many there are. */
  async someChangesOf(row: SnapshotRow, most: number): Promise<{ readonly changes: readonly TreeChange[]; readonly count: number }> {
    const known = this.#changes.get(row.id)
    if (known) return { changes: known.slice(0, most), count: known.length }
    const before = this.#changedSince(row)
    return before ? this.store.compare(before, row, most) : { changes: [], count: 0 }
  }

  /** What an entry does not hold. */
  skippedOf({ id }: SnapshotRow): Promise<readonly SkippedPath[]> {
    return this.#ports.timeline.skippedOf(id)
  }

  /**
   * Scans. What differs from the last entry was made by nobody we know: the person or another program. It is added as an
   * entry of its own (R75). Author `unknown` where a command still lives, or was cut short by a crash; then the entry is the end
   * of that call, so that it can be taken back with it (R84).
   */
  async scanAndNoteDrift(signal: CancelSignal, teller: Teller | null, wishes: ScanWishes = {}): Promise<Result<TakenTree>> {
    const taken = await this.take(signal, teller?.turnId ?? null, wishes)
    if (!taken.ok) return taken
    const last = (await this.rows()).at(-1)
    if (!last || holdsSame(last, taken.value)) return taken
    const noted = await this.add(taken.value, { ...(cutShort(last) ?? { kind: 'drift', sessionId: null }), author: this.driftAuthor(last), teller })
    return noted.ok ? taken : noted
  }

  /**
   * Scans. Where `near` names all that a call can change, what was heard of other changes is enough (ADR 0022) if everything
   * was looked at in the same turn. Not while a program that a command left behind still runs: what it did unheard would be
   * found when it is gone, and be called the person's. Nor after an entry of another process, which may have seen more.
   */
  async take(signal: CancelSignal, turnId: TurnId | null, wishes: ScanWishes = {}): Promise<Result<TakenTree>> {
    const last = (await this.rows()).at(-1)
    const before = this.#lastTaken
    const mayHear = turnId !== null && before?.turnId === turnId && last !== undefined && holdsSame(last, before.held) && this.#ports.programsLeft() === 0
    const near = (mayHear && wishes.near) || null
    const taken = await this.store.scan(signal, { ...wishes, near })
    if (taken.ok) this.#lastTaken = { held: taken.value, turnId, isByHints: near !== null }
    return taken
  }

  /** The last scan may have missed something. */
  get isByHints(): boolean {
    return this.#lastTaken?.isByHints === true
  }

  driftAuthor(last: SnapshotRow): Author {
    return last.kind === 'before-call' || this.#ports.programsLeft() > 0 ? 'unknown' : 'you'
  }

  /** Adds an entry. The same as before makes no new commit. */
  async add(taken: TakenTree, facts: EntryFacts): Promise<Result<Snapshot>> {
    const last = (await this.rows()).at(-1)
    const id = asId<SnapshotId>(this.#ports.ids.next())
    const atMs = this.#ports.clock.nowMs()
    const isSame = facts.isProof !== true && last !== undefined && holdsSame(last, taken)
    const commit = isSame ? succeed(last.commit) : await this.#commit(taken, id, facts, atMs)
    if (!commit.ok) return commit
    const row: Snapshot = {
      id,
      workspaceId: this.workspace.id,
      tree: taken.tree,
      side: taken.side,
      commit: commit.value,
      parent: last?.id ?? null,
      kind: facts.kind,
      author: facts.author,
      others: facts.others ?? [],
      sessionId: facts.sessionId,
      callId: facts.callId ?? null,
      atMs,
      files: taken.files,
      skipped: taken.skipped,
    }
    await this.#ports.timeline.addSnapshot(row)
    await this.rows()
    await this.#announce(row, facts)
    return succeed(row)
  }

  /** The entry before one, where something differs. */
  #changedSince(row: SnapshotRow): SnapshotRow | null {
    const before = this.#rows[this.placeOf(row.id) - 1]
    return before && !holdsSame(before, row) ? before : null
  }

  async #readRows(): Promise<readonly SnapshotRow[]> {
    for (;;) {
      const { rows, forgotten } = await this.#ports.timeline.points(this.workspace.id, this.#rows.at(-1)?.id ?? null, pageRows)
      const isOutOfDate = forgotten?.points !== this.#forgotten?.points && this.#rows.length > 0
      this.#forgotten = forgotten
      if (isOutOfDate) this.#startOver()
      else for (const row of rows) this.#places.set(row.id, this.#rows.push(row) - 1)
      if (!isOutOfDate && rows.length < pageRows) return this.#rows
    }
  }

  /** Whoever still looks at the entries as they were keeps them. */
  #startOver(): void {
    this.#rows = []
    this.#places = new Map()
    this.#changes.clear()
    this.noteMoved()
  }

  #commit(held: HeldFiles, id: SnapshotId, facts: EntryFacts, atMs: number): Promise<Result<string>> {
    const audit = this.#ports.audit.head()
    return this.store.commit(held, { snapshotId: id, kind: facts.kind, author: facts.author, callId: facts.callId ?? null, audit, atMs })
  }

  async #announce(row: Snapshot, { teller }: EntryFacts): Promise<void> {
    if (!teller) return
    const paths = (await this.someChangesOf(row, toldPaths)).changes.map(({ path }) => path)
    await this.#ports.append(teller.sessionId, [
      { type: 'snapshot-taken', turnId: teller.turnId, step: teller.step, snapshotId: row.id, kind: row.kind, author: row.author, callId: row.callId, paths },
    ])
  }
}

/** Whose end the next entry is: nothing follows the beginning of a call but its end, unless something kept that from being recorded. */
function cutShort({ kind, sessionId, callId }: SnapshotRow): Pick<EntryFacts, 'kind' | 'sessionId' | 'callId'> | null {
  return kind === 'before-call' && callId !== null ? { kind: 'after-call', sessionId, callId } : null
}

/** Nothing differs between two moments. */
export function holdsSame(a: HeldFiles, b: HeldFiles): boolean {
  return a.tree === b.tree && a.side === b.side
}

/** One name for what a moment holds; equal names mean that nothing differs. */
export function headOf({ tree, side }: HeldFiles): string {
  return `${tree}.${side}`
}
