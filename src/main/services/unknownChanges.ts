import { succeed, type Result } from '../../shared/domain/result'
import type { ChangeSince, Recovery, UnknownCall } from '../../shared/ipc/recoveryViews'
import type { SnapshotReading } from './snapshotReading'

/** File times and clocks differ by so much. */
const slackMs = 2000

/**
 * What differs on disk from the moment before an unknown call, with who changed it and how many lines. What changed while it ran counts as its own, as
 * with every command; what changed later, by the person or another program. Where nobody can tell, the author of the timeline stands.
 */
export async function changesSince(recovery: Pick<Recovery, 'stoppedAtMs'>, { beforeSnapshot, startedAtMs, lastSignAtMs, effect }: UnknownCall, reading: Pick<SnapshotReading, 'authoredChanges' | 'changedAtMs' | 'linesOf'>): Promise<Result<readonly ChangeSince[]>> {
  if (beforeSnapshot === null) return succeed([])
  const found = await reading.authoredChanges(beforeSnapshot, null)
  if (!found.ok) return found
  const atMs = await reading.changedAtMs(found.value.map(({ path }) => path))
  const lines = await reading.linesOf(found.value)
  const until = Math.max(recovery.stoppedAtMs, lastSignAtMs ?? 0) + slackMs
  return succeed(found.value.map((change, at): ChangeSince => {
    const changedAtMs = atMs[at] ?? null
    const isItsOwn = effect === 'execute' && changedAtMs !== null && changedAtMs >= startedAtMs - slackMs && changedAtMs <= until
    const isLater = change.author === 'unknown' && changedAtMs !== null && changedAtMs > until
    return { ...change, author: isItsOwn ? 'command' : isLater ? 'you' : change.author, lines: lines[at] ?? null }
  }))
}
