import type { CallId, SessionId, SnapshotId, TurnId } from '../../shared/domain/ids'
import { asId } from '../../shared/domain/ids'
import type { Result } from '../../shared/domain/result'
import { succeed } from '../../shared/domain/result'
import type { Workspace } from '../../shared/domain/session'
import type { Author, HeldFiles, PathAuthor, Snapshot, SnapshotKind, TreeChange } from '../../shared/domain/snapshot'
import type { CancelSignal } from '../core/ports/cancelSignal'
import type { SnapshotStore, TakenTree } from '../core/ports/snapshotStore'
import { StorageFault } from '../core/ports/storageFault'
import type { SnapshotPorts } from './snapshotPorts'

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
  readonly #rows: Snapshot[] = []
  readonly #known = new Set<SnapshotId>()
  readonly #changes = new Map<SnapshotId, readonly TreeChange[]>()
  #queue: Promise<unknown> = Promise.resolve()

  constructor(workspace: Workspace, store: SnapshotStore, ports: SnapshotPorts) {
    this.workspace = workspace
    this.store = store
    this.#ports = ports
  }

  /** Runs after everything that was given before; a disk or database at fault becomes a value. */
  alone<T>(run: () => Promise<Result<T>>): Promise<Result<T>> {
    const result = this.#queue.then(run).catch((error: unknown): Result<T> => {
      if (error instanceof StorageFault) return { ok: false, fault: error.fault }
      throw error
    })
    this.#queue = result.catch(() => null)
    return result
  }

  /** Every entry, oldest first, those of other processes included. */
  async rows(): Promise<readonly Snapshot[]> {
    const fresh = await this.#ports.timeline.snapshots(this.workspace.id, this.#rows.at(-1)?.id)
    // Another reading or an entry of our own may have come first while the database answered.
    for (const row of fresh) this.#keep(row)
    return this.#rows
  }

  /** What an entry changed against the one before it; nothing for the first. */
  async changesOf(row: Snapshot): Promise<readonly TreeChange[]> {
    const known = this.#changes.get(row.id)
    if (known) return known
    const before = this.#rows[this.#rows.findIndex(({ id }) => id === row.id) - 1]
    const changes = !before || holdsSame(before, row) ? [] : await this.store.diff(before, row)
    this.#changes.set(row.id, changes)
    return changes
  }

  /**
   * Scans. What differs from the last entry was made by nobody we know: the person or another program. It is added as an
   * entry of its own (R75). Author `unknown` where a command still lives, or was cut short by a crash.
   */
  async scanAndNoteDrift(signal: CancelSignal, teller: Teller | null, onProgress?: (seen: number) => void): Promise<Result<TakenTree>> {
    const taken = await this.store.scan(signal, onProgress)
    if (!taken.ok) return taken
    const last = (await this.rows()).at(-1)
    if (!last || holdsSame(last, taken.value)) return taken
    const noted = await this.add(taken.value, { kind: 'drift', author: this.driftAuthor(last), sessionId: null, teller })
    return noted.ok ? taken : noted
  }

  driftAuthor(last: Snapshot): Author {
    return last.kind === 'before-call' || this.#ports.programsLeft() > 0 ? 'unknown' : 'you'
  }

  /** Adds an entry. The same as before makes no new commit. */
  async add(taken: TakenTree, facts: EntryFacts): Promise<Result<Snapshot>> {
    const last = (await this.rows()).at(-1)
    const id = asId<SnapshotId>(this.#ports.ids.next())
    const atMs = this.#ports.clock.nowMs()
    const isSame = last !== undefined && holdsSame(last, taken)
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
    this.#keep(row)
    await this.#announce(row, facts)
    return succeed(row)
  }

  #keep(row: Snapshot): void {
    if (this.#known.has(row.id)) return
    this.#known.add(row.id)
    this.#rows.push(row)
  }

  #commit(held: HeldFiles, id: SnapshotId, facts: EntryFacts, atMs: number): Promise<Result<string>> {
    const audit = this.#ports.audit.head()
    return this.store.commit(held, { snapshotId: id, kind: facts.kind, author: facts.author, callId: facts.callId ?? null, audit, atMs })
  }

  async #announce(row: Snapshot, { teller }: EntryFacts): Promise<void> {
    if (!teller) return
    const paths = (await this.changesOf(row)).map(({ path }) => path)
    await this.#ports.append(teller.sessionId, [
      { type: 'snapshot-taken', turnId: teller.turnId, step: teller.step, snapshotId: row.id, kind: row.kind, author: row.author, callId: row.callId, paths },
    ])
  }
}

/** Nothing differs between two moments. */
export function holdsSame(a: HeldFiles, b: HeldFiles): boolean {
  return a.tree === b.tree && a.side === b.side
}

/** One name for what a moment holds; equal names mean that nothing differs. */
export function headOf({ tree, side }: HeldFiles): string {
  return `${tree}.${side}`
}
