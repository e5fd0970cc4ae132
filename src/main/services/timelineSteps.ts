import type { HeldFiles, SnapshotRow, TreeChange } from '../../shared/domain/snapshot'
import { StorageFault } from '../core/ports/storageFault'
import type { TakenTree } from '../core/ports/snapshotStore'
import type { TimelineStep } from '../core/snapshot/authors'
import { holdsSame, type SnapshotRecorder } from './snapshotRecorder'

/** So many questions wait at the store together, so that it never waits for the next. */
const askedAtOnce = 20

/**
 * What each entry after one changed, and at the end what is on disk and not recorded yet. Where an entry cannot be read because
 * its objects are lost, what changed up to the next one that can is one step of an unknown author: it may be the person's.
 */
export async function stepsAfter(rows: readonly SnapshotRow[], index: number, taken: TakenTree | null, recorder: SnapshotRecorder): Promise<readonly TimelineStep[]> {
  const steps: TimelineStep[] = []
  const later = rows.slice(index + 1)
  let known: HeldFiles | undefined = rows[index]
  let isBroken = false
  for (let from = 0; from < later.length; from += askedAtOnce) {
    const some = later.slice(from, from + askedAtOnce)
    const found = await Promise.all(some.map((row) => orLost(() => recorder.changesOf(row))))
    for (const [at, row] of some.entries()) {
      const own = found[at] ?? null
      const changes: readonly TreeChange[] | null = isBroken && known ? await changesFrom(known, row, recorder) : own
      if (changes && changes.length > 0) steps.push(isBroken ? unknownStep(changes) : { kind: row.kind, author: row.author, others: row.others, sessionId: row.sessionId, changes })
      if (changes) known = row
      isBroken = changes === null
    }
  }
  const last = rows.at(-1)
  if (!last || !taken || (!isBroken && holdsSame(last, taken))) return steps
  const changes = await recorder.store.diff(known ?? last, taken)
  return [...steps, isBroken ? unknownStep(changes) : { kind: 'drift', author: recorder.driftAuthor(last), others: [], sessionId: null, changes }]
}

function changesFrom(known: HeldFiles, row: SnapshotRow, recorder: SnapshotRecorder): Promise<readonly TreeChange[] | null> {
  return holdsSame(known, row) ? Promise.resolve([]) : orLost(() => recorder.store.diff(known, row))
}

function unknownStep(changes: readonly TreeChange[]): TimelineStep {
  return { kind: 'drift', author: 'unknown', others: [], sessionId: null, changes }
}

/** Null where an object is lost. */
async function orLost<T>(read: () => Promise<T>): Promise<T | null> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof StorageFault && error.fault.code === 'snapshot.object-missing') return null
    throw error
  }
}
