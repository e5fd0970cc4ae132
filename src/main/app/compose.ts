import { access } from 'node:fs/promises'
import path from 'node:path'
import type { SessionId } from '../../shared/domain/ids'
import type { ModelChoice } from '../../shared/domain/model'
import { fail, succeed, type Result, type Said } from '../../shared/domain/result'
import type { ProgramRow } from '../../shared/ipc/views'
import { openAuditLog, type AuditLog } from '../adapters/audit/auditLog'
import { makeBlobStore } from '../adapters/blobs/blobStore'
import { readAuditAnchors } from '../adapters/git/auditAnchors'
import { GitStores } from '../adapters/git/gitStores'
import { prepareSampleProject } from '../adapters/model/practice/sampleProject'
import { makeTextSearch } from '../adapters/search/textSearch'
import { openDatabase, type Database } from '../adapters/sqlite/database'
import { systemClock } from '../adapters/system/clock'
import { sha256 } from '../adapters/system/hasher'
import { makeIdSource } from '../adapters/system/idSource'
import type { SettingsStore } from '../core/ports/settingsStore'
import { StorageFault } from '../core/ports/storageFault'
import { openRoot } from '../native/safePath'
import { makeDesk } from '../services/approvalDesk'
import { refusedEdit } from '../services/memoryTexts'
import type { HostServices, OpenWorkspace } from '../services/hostServices'
import { makeRuns, type Runs } from '../services/runs'
import { makeAuditPages } from '../services/auditPages'
import { makeSessions, type Sessions } from '../services/sessions'
import { openSnapshots } from '../services/snapshots'
import type { SnapshotPorts } from '../services/snapshotPorts'
import { practiceId } from '../services/providers'
import { auditReaderOver } from './auditReader'
import { composeSandbox } from './composeSandbox'
import { composeLibrary, type Library } from './composeLibrary'
import { composeMcp } from './composeMcp'
import { composeModels } from './composeModels'
import { composePermissions } from './composePermissions'
import { composeSecrets } from './composeSecrets'
import { composeTrust } from './composeTrust'
import type { HostOptions } from './hostOptions'
import { makePromptFacts, readPrompts } from './promptFacts'
import { makeWorkbench, type Workbench, type WorkbenchParts } from './workbench'

/** A composed host. `close` ends everything it started (R15). */
export interface Host extends HostServices {
  close(): Promise<void>
}

/** Opens database, audit log, settings and secrets, and wires services and adapters. Rejects with a `StorageFault` when the database cannot be opened. */
export async function composeHost(options: HostOptions): Promise<Host> {
  const clock = systemClock
  const ids = makeIdSource(clock)
  const kept = await composeSecrets(options)
  const { secrets, settings, redact, faults } = kept
  const database = await opened(openDatabase({ dataDir: options.dataFolder, migrationsDir: path.join(options.resourcesFolder, 'migrations'), workerFile: path.join(options.workersFolder, 'sqliteWorker.js'), clock, ids }))
  const audit = await opened(openAuditLog({ dir: path.join(options.dataFolder, 'audit'), clock, redact, macKey: kept.auditKey, knownHead: () => database.auditHead(), anchors: () => readAuditAnchors(options.dataFolder) }))
  const blobs = makeBlobStore(path.join(options.dataFolder, 'outputs'))
  const models = await composeModels(options, kept, blobs)
  const { commands, trials, watch: sandboxWatch } = composeSandbox(options, { spool: blobs, makeFilter: kept.makeFilter }, { clock, ids })
  const sessions = makeSessions({ events: database.events, clock, ids })
  const desk = makeDesk((request, answer) => refusedEdit(request, answer, kept.withoutKnown))
  const permissions = composePermissions(options, { database, sessions, audit, ids, redact })
  const mcp = await composeMcp(options, kept, models, { pins: database.mcpPins, audit, ids, desk, blobs, sessions, lapsed: (tool) => permissions.lapsed(tool) })
  const library = await composeLibrary(options, kept, models, blobs, database, { audit, clock, ids })
  const binFaults = database.isReadOnly ? [] : await emptyBin(library)
  const prompt = { ...(await readPrompts(options.resourcesFolder)), platform: options.platform }
  const windowTokens = async (choice: ModelChoice): Promise<number | null> => (await models.providers.facts(choice)).windowTokens
  const trust = composeTrust(options, { store: database.trust, audit, environment: kept.environment, mcp, skills: library.skills })
  const auditPages = makeAuditPages({ reader: auditReaderOver({ ...options, thread: library.thread, log: audit, clock }), journal: database.calls, events: database.events, clock, redact, workspaceId: () => bench.current()?.workspace.id ?? null })
  const parts: WorkbenchParts = { model: models.client, desk, audit, commands, search: makeTextSearch(), blobs, clock, ids, hasher: sha256, sandbox: () => (sandboxWatch.facts().kind === 'on' ? 'on' : 'none'), permissions, trials, mcp, trust, library, redact, withoutKnown: kept.withoutKnown, home: options.home, dataFolder: options.dataFolder, prompt, windowTokens, locale: options.locale }
  const bench = benches({ options, database, audit, sessions, commands, parts, isBusy: () => runs.isBusy() })
  const runs: Runs = makeRuns({ sessions, journal: database.calls, ...bench.forRuns, leftOpen: () => database.events.unfinished(), choice: () => models.providers.choice(), maxSteps: async () => (await settings.read()).settings.maxSteps, recoverOutput: (callId) => blobs.recover(callId), ids })

  return {
    sessions, runs, desk, settings, secrets, audit, commands, blobs, redact,
    providers: models.providers,
    mcp,
    memories: library.memories, skills: library.skills, retrieval: library.retrieval, endpoints: library.endpoints,
    ...makePromptFacts({ providers: models.providers, settings, sessions, current: bench.current }),
    permissions, trust, auditPages,
    sandbox: () => sandboxWatch.facts(),
    testSandbox: () => sandboxWatch.test(),
    onSandbox: (listener) => sandboxWatch.onChange(listener),
    trialFile: (callId, trialId, path) => trials.fileText(callId, trialId, path),
    dataFolder: { path: options.dataFolder, setBy: options.dataFolderSetBy },
    faults: [...database.faults, ...faults, ...binFaults],
    current: bench.current,
    openWorkspace: (root) => openAndRemember(root, bench, settings),
    closeWorkspace: () => bench.leave(),
    unfinished: () => unfinishedHere(bench, database, sessions),
    openPractice: () => openSample(options, bench, settings),
    recentFolders: async () => recent((await settings.read()).settings.recentFolders),
    async createSession(title, level) {
      const open = bench.current()
      if (!open) throw new Error('no folder is open')
      return sessions.create(open.workspace.id, title, level ?? (await settings.read()).settings.askingLevel)
    },
    async setLevel(id, level) {
      await sessions.append(id, [{ type: 'level-changed', level }])
      await audit.append({ fact: 'level-changed', atMs: clock.nowMs(), sessionId: id, actor: 'person', outcome: level })
    },
    verifyAudit: () => audit.verify(),
    auditHead: () => audit.head(),
    async close() {
      await runs.closeAll((id) => desk.list().some((request) => request.sessionId === id))
      await Promise.all([commands.closeAll(), trials.closeAll(), mcp.close(), library.close()])
      await bench.close()
      permissions.close()
      await models.close()
      await database.close()
    },
  }
}

/** A value, or the fault as the error that stops the start. */
async function opened<Value>(result: Promise<Result<Value>>): Promise<Value> {
  const done = await result
  if (done.ok) return done.value
  throw new StorageFault(done.fault)
}

/** What lay in the bin of the memory long enough goes; where it cannot, the person is told, and everything else starts. */
async function emptyBin({ memories }: Library): Promise<readonly Said[]> {
  try {
    await memories.emptyBin()
    return []
  } catch (error) {
    if (error instanceof StorageFault) return [error.fault]
    throw error
  }
}

function recent(folders: readonly string[]): Promise<readonly { readonly root: string; readonly name: string; readonly isThere: boolean }[]> {
  return Promise.all(folders.map(async (root) => ({ root, name: path.basename(root), isThere: await access(root).then(() => true, () => false) })))
}

interface BenchParts {
  readonly options: HostOptions
  readonly database: Database
  readonly audit: AuditLog
  readonly sessions: Sessions
  readonly commands: { leftRunning(): readonly ProgramRow[] }
  readonly parts: WorkbenchParts
  readonly isBusy: () => boolean
}

interface Benches {
  readonly current: () => Workbench | null
  open(root: string): Promise<Result<Workbench>>
  /** Closes it and opens no other. Refused while a turn runs in it. */
  leave(): Promise<Result<null>>
  close(): Promise<void>
  readonly forRuns: Pick<Parameters<typeof makeRuns>[0], 'turnPorts' | 'history' | 'inject' | 'hashesNow'>
}

/** The opened folder: one at a time, the earlier one closed. */
function benches({ options, database, audit, sessions, commands, parts, isBusy }: BenchParts): Benches {
  const stores = new GitStores({ workersFolder: options.workersFolder, dataFolder: options.dataFolder })
  const snapshotPorts: SnapshotPorts = {
    stores, timeline: database.timeline, lane: database.lane, events: database.events, append: (id, drafts) => sessions.append(id, drafts), audit, clock: parts.clock, ids: parts.ids,
    programsLeft: () => commands.leftRunning().length, home: options.home,
    ...(options.onSnapshotProgress ? { onProgress: options.onSnapshotProgress } : {}),
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
    forRuns: { turnPorts: (session) => needed().turnPorts(session), history: (session) => needed().history(session), inject: (session, text, choice) => needed().inject(session, text, choice), hashesNow: (session) => needed().hashesNow(session) },
  }
}

/** Opens the folder and remembers it; what a crash left of its sessions is taken up by the window host. */
async function openAndRemember(root: string, bench: Benches, settings: SettingsStore): Promise<Result<OpenWorkspace>> {
  const open = await bench.open(root)
  if (!open.ok) return open
  const { recentFolders } = (await settings.read()).settings
  const folder = open.value.workspace.root
  // A settings file that cannot be changed must not keep a folder from being opened.
  await settings.change({ recentFolders: [folder, ...recentFolders.filter((one) => one !== folder)].slice(0, recentLimit) })
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
