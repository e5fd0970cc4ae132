import type { CallJournal, EventStore } from '../core/ports/eventStore'
import type { SettingsStore } from '../core/ports/settingsStore'
import type { SnapshotSettings } from '../../shared/domain/settings'
import type { SnapshotId, WorkspaceId } from '../../shared/domain/ids'
import type { SnapshotRules } from '../services/snapshotPorts'

const megabyte = 1024 * 1024

/** What the person set about snapshots, in the units of the services. */
export function rulesOf({ fileMegabytes, files, readSeconds, leaveOut, keepDays, keepPoints, keepMegabytes }: SnapshotSettings): SnapshotRules {
  return { bounds: { fileBytes: fileMegabytes * megabyte, files, readMs: readSeconds * 1000, leaveOut }, keepDays, keepPoints, keepBytes: keepMegabytes * megabyte }
}

/** The rules as the settings have them now. */
export function makeRules(settings: SettingsStore): () => Promise<SnapshotRules> {
  return async () => rulesOf((await settings.read()).settings.snapshots)
}

/** Before-snapshots of the calls of every turn that has no end: what it may still be taken back to. */
export function makeNeededPoints(events: EventStore, calls: CallJournal): (workspaceId: WorkspaceId) => Promise<readonly SnapshotId[]> {
  return async (workspaceId) => {
    const [open, here] = [await events.unfinished(), await events.sessions(workspaceId)]
    const ids = new Set(here.map(({ id }) => id))
    const lists = await Promise.all(open.filter((id) => ids.has(id)).map((id) => calls.list(id)))
    return lists.flatMap((list) => {
      const turnId = list.at(-1)?.turnId
      return list.flatMap((call) => (call.turnId === turnId && call.beforeSnapshot !== null ? [call.beforeSnapshot] : []))
    })
  }
}
