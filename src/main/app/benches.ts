import { access } from 'node:fs/promises'
import path from 'node:path'
import type { SessionId } from '../../shared/domain/ids'
import { fail, succeed, type Result } from '../../shared/domain/result'
import { type AuditLog } from '../adapters/audit/auditLog'
import { GitStores } from '../adapters/git/gitStores'
import { prepareSampleProject } from '../adapters/model/practice/sampleProject'
import { type Database } from '../adapters/sqlite/database'
import type { SettingsStore } from '../core/ports/settingsStore'
import { openRoot, realOrSame } from '../native/safePath'
import type { HostServices, OpenWorkspace } from '../services/hostServices'
import type { RunsPorts } from '../services/runs'
import type { Sessions } from '../services/sessions'
import { openSnapshots } from '../services/snapshots'
import type { SnapshotPorts } from '../services/snapshotPorts'
import { practiceId } from '../services/providerRoster'
import { whereIn } from './composePermissions'
import type { HostOptions } from './hostOptions'
import { makeNeededPoints, makeRules } from './snapshotRules'
import { makeWorkbench, type Workbench, type WorkbenchParts } from './workbench'

/** Folders that were open before, and whether they still are there. */
function recentFolders(folders: readonly string[]): Promise<readonly { readonly root: string; readonly name: string; readonly isThere: boolean }[]> {
  return Promise.all(folders.map(async (root) => ({ root, name: path.basename(root), isThere: await access(root).then(() => true, () => false) })))
}

/** What opened folders need of the host. */
export interface BenchParts {
  readonly options: HostOptions
  readonly database: Database
  readonly audit: AuditLog
  readonly sessions: Sessions
  readonly commands: { leftRunning(): readonly unknown[] }
  readonly settings: SettingsStore
  readonly parts: WorkbenchParts
  readonly isBusy: () => boolean
}

/** The folder that is open, and what a turn in it works with. */
export interface Benches {
  readonly current: () => Workbench | null
  open(root: string): Promise<Result<Workbench>>
  /** Closes it and opens no other. Refused while a turn runs in it. */
  leave(): Promise<Result<null>>
  close(): Promise<void>
  readonly forRuns: Pick<RunsPorts, 'turnPorts' | 'inject' | 'hashesNow' | 'giveWay'>
}

/** The window draws the session then, and a command line sends its message (S4). */
const openingPauseMs = 300

/** The opened folder: one at a time, the earlier one closed. */
export function makeBenches({ options, database, audit, sessions, commands, settings, parts, isBusy }: BenchParts): Benches {
  const stores = new GitStores({ workersFolder: options.workersFolder, dataFolder: options.dataFolder })
  const snapshotPorts: SnapshotPorts = {
    stores, timeline: database.timeline, lane: database.lane, events: database.events, calls: database.calls, append: (id, drafts) => sessions.append(id, drafts), audit, clock: parts.clock, ids: parts.ids,
    whereOf: (root) => whereIn(root, options), redact: parts.redact,
    programsLeft: () => commands.leftRunning().length, home: realOrSame(options.home), rules: makeRules(settings), neededPoints: makeNeededPoints(database.events, database.calls), openingPauseMs,
    ...(options.onSnapshotProgress ? { onProgress: options.onSnapshotProgress } : {}),
    ...(options.onRollbackProgress ? { onRollback: options.onRollbackProgress } : {}),
  }
  let current: Workbench | null = null
  const needed = (): Workbench => {
    if (!current) throw new Error('no folder is open')
    return current
  }
  return {
    current: () => current,
    async open(root) {
      const folder = openRoot(root)
      if (!folder.ok) return folder
      if (current?.workspace.root === folder.value.path) return succeed(current)
      // A turn works in the folder it began in; its guards, snapshots and questions would go with the folder.
      if (current && isBusy()) return fail('session.folder-busy', { root: current.workspace.root })
      const workspace = await database.timeline.workspace(folder.value.path, path.basename(folder.value.path))
      const store = await openSnapshots(workspace, snapshotPorts, { isRecorded: options.recordsOpening })
      if (!store.ok) return store
      if (current && isBusy()) {
        await store.value.close()
        return fail('session.folder-busy', { root: current.workspace.root })
      }
      const before = current
      current = makeWorkbench(workspace, folder.value, store.value, parts)
      // Servers that were told the folder before end on their own time, and so does the index of the one before.
      void parts.mcp.useFolder(workspace)
      void parts.library.retrieval.useFolder({ workspaceId: workspace.id, root: workspace.root })
      // Nothing of the folder takes part before it was looked at (SECURITY decision 12).
      await Promise.all([parts.trust.useFolder(workspace, options.trustsFolders), parts.permissions.useFolder(workspace)])
      await before?.close()
      return succeed(current)
    },
    async leave() {
      if (!current) return succeed(null)
      if (isBusy()) return fail('session.folder-busy', { root: current.workspace.root })
      const before = current
      current = null
      await Promise.all([parts.trust.useFolder(null), parts.permissions.useFolder(null), parts.mcp.useFolder(null), parts.library.retrieval.useFolder(null)])
      await before.close()
      return succeed(null)
    },
    close: async () => current?.close(),
    forRuns: { turnPorts: (session) => needed().turnPorts(session), inject: (session, text, choice) => needed().inject(session, text, choice), hashesNow: (session) => needed().hashesNow(session), giveWay: () => current?.snapshots.giveWay() ?? (() => undefined) },
  }
}

/** Opens the folder and remembers it; what a crash left of its sessions is taken up by the window host. */
async function openAndRemember(root: string, bench: Benches, settings: SettingsStore): Promise<Result<OpenWorkspace>> {
  const open = await bench.open(root)
  if (!open.ok) return open
  const { recentFolders: before } = (await settings.read()).settings
  const folder = open.value.workspace.root
  // A settings file that cannot be changed must not keep a folder from being opened.
  await settings.change({ recentFolders: [folder, ...before.filter((one) => one !== folder)].slice(0, recentLimit) })
  return open
}

const recentLimit = 12

/** Copies the sample project to the home folder, opens it, and lets the tutor answer. */
async function openSample({ resourcesFolder, home }: HostOptions, bench: Benches, settings: SettingsStore): Promise<Result<OpenWorkspace>> {
  const folder = await prepareSampleProject(resourcesFolder, home, 'countersign-practice')
  if (!folder.ok) return folder
  const opened = await openAndRemember(folder.value, bench, settings)
  if (!opened.ok) return opened
  const changed = await settings.change({ activeProvider: practiceId })
  return changed.ok ? opened : changed
}

/** Sessions of the opened folder whose last turn did not end. */
async function unfinishedHere(bench: Benches, database: Database, sessions: Sessions): Promise<readonly SessionId[]> {
  const open = bench.current()
  const all = await Promise.all((await database.events.unfinished()).map((id) => sessions.open(id)))
  return all.filter((session) => session.workspaceId === open?.workspace.id).map((session) => session.id)
}

/** What the host offers of folders, and of sessions in the opened one. */
export function folderDoors(options: HostOptions, { bench, settings, database, sessions }: { readonly bench: Benches; readonly settings: SettingsStore; readonly database: Database; readonly sessions: Sessions }): Pick<HostServices, 'current' | 'openWorkspace' | 'closeWorkspace' | 'unfinished' | 'openPractice' | 'recentFolders' | 'createSession'> {
  return {
    current: bench.current,
    openWorkspace: (root) => openAndRemember(root, bench, settings),
    closeWorkspace: () => bench.leave(),
    unfinished: () => unfinishedHere(bench, database, sessions),
    openPractice: () => openSample(options, bench, settings),
    recentFolders: async () => recentFolders((await settings.read()).settings.recentFolders),
    async createSession(title, level) {
      const open = bench.current()
      if (!open) throw new Error('no folder is open')
      return sessions.create(open.workspace.id, title, level ?? (await settings.read()).settings.askingLevel)
    },
  }
}
