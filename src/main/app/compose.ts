import path from 'node:path'
import type { ModelChoice } from '../../shared/domain/model'
import type { SessionId } from '../../shared/domain/ids'
import type { Result, Said } from '../../shared/domain/result'
import type { AskingLevel } from '../../shared/domain/session'
import { openAuditLog, type AuditLog } from '../adapters/audit/auditLog'
import { makeImageScaler } from '../adapters/images/imageScaler'
import { makeBlobStore } from '../adapters/blobs/blobStore'
import { readAuditAnchors } from '../adapters/git/store/auditAnchors'
import { lastOutputText } from '../adapters/pty/outputText'
import { makeTextSearch } from '../adapters/search/textSearch'
import { openDatabase } from '../adapters/sqlite/database'
import { systemClock } from '../adapters/system/clock'
import { makeEditors } from '../adapters/system/editors'
import { sha256 } from '../adapters/system/hasher'
import { makeIdSource } from '../adapters/system/idSource'
import type { Clock } from '../core/ports/clock'
import type { OutputSpool } from '../core/ports/outputSpool'
import { StorageFault } from '../core/ports/storageFault'
import { makeDesk } from '../services/approvalDesk'
import { makeAttaching } from '../services/attaching'
import { makeBudgets } from '../services/budgets'
import { makeFiles } from '../services/files'
import { refusedEdit } from '../services/memoryTexts'
import type { HostServices } from '../services/hostServices'
import { makeRuns, type Runs, type RunsPorts } from '../services/runs'
import { makeAuditPages } from '../services/auditPages'
import { resultPorts } from '../services/mcpTools'
import { makeSessions, type Sessions } from '../services/sessions'
import { commandLimitMs, makeProgramDoor } from '../services/programs'
import { stopEverything } from '../services/stopEverything'
import { keepAwakeWhileRunning } from '../services/wakefulness'
import { makeUsagePages } from '../services/usagePages'
import { auditReaderOver } from './auditReader'
import { composeCompaction } from './composeCompaction'
import { composeSandbox, outputsFolder } from './composeSandbox'
import { composeLibrary, type Library } from './composeLibrary'
import { composeMcp } from './composeMcp'
import { composeModels } from './composeModels'
import { composePermissions } from './composePermissions'
import { composeSecrets } from './composeSecrets'
import { composeSessions } from './composeSessions'
import { composeTrust } from './composeTrust'
import type { HostOptions } from './hostOptions'
import { makePromptFacts, readPrompts } from './promptFacts'
import type { WorkbenchParts } from './workbench'
import { folderDoors, makeBenches } from './benches'

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
  const blobs = makeBlobStore(outputsFolder(options.dataFolder))
  const scaler = makeImageScaler(path.join(options.workersFolder, 'imageWorker.js'))
  const models = await composeModels(options, kept, blobs)
  const confined = composeSandbox(options, { spool: blobs, known: kept.known, defaultTimeoutMs: async () => commandLimitMs((await settings.read()).settings, options) }, { clock, ids })
  const { commands, trials } = confined
  const sessions = makeSessions({ events: database.events, clock, ids })
  const desk = makeDesk((request, answer) => refusedEdit(request, answer, kept.withoutKnown))
  const permissions = composePermissions(options, { database, sessions, audit, ids, redact })
  const mcp = await composeMcp(options, kept, models, { pins: database.mcpPins, audit, ids, desk, blobs, scaler, sessions, searchPath: confined.searchPath, lapsed: (tool) => permissions.lapsed(tool) })
  const library = await composeLibrary(options, kept, models, blobs, database, { audit, clock, ids })
  const binFaults = database.isReadOnly ? [] : await emptyBin(library)
  const prompt = { ...(await readPrompts(options.resourcesFolder)), platform: options.platform }
  const windowTokens = async (choice: ModelChoice): Promise<number | null> => (await models.providers.facts(choice)).windowTokens
  const trust = composeTrust(options, { store: database.trust, audit, environment: kept.environment, mcp, skills: library.skills })
  const reader = auditReaderOver({ ...options, thread: library.thread, log: audit, clock })
  const auditPages = makeAuditPages({ reader, journal: database.calls, events: database.events, clock, redact, workspaceId: () => bench.current()?.workspace.id ?? null })
  const budgets = makeBudgets({ settings, usage: database.usage, sessions, clock, facts: (choice) => models.providers.facts(choice) })
  const usagePages = makeUsagePages({ store: database.usage, settings, clock, workspaceId: () => bench.current()?.workspace.id ?? null })
  const parts: WorkbenchParts = { model: models.client, desk, audit, commands, search: makeTextSearch(), blobs, clock, ids, hasher: sha256, spending: budgets, sandbox: () => (confined.doors.sandbox().kind === 'on' ? 'on' : 'none'), sandboxTested: confined.tested, permissions, trials, mcp, trust, library, redact, withoutKnown: kept.withoutKnown, home: options.home, dataFolder: options.dataFolder, prompt, windowTokens, locale: options.locale }
  const bench = makeBenches({ options, database, audit, sessions, commands, settings, parts, isBusy: () => runs.isBusy() })
  const { compacting, contextPages } = await composeCompaction(options, { parts, sessions, settings, providers: models.providers, runs: () => runs, current: bench.current })
  const attaching = makeAttaching({ scaler, search: parts.search, blobs, clock, redact, results: resultPorts({ blobs, redact, makeFilter: kept.makeFilter }), sight: () => bench.current()?.sight ?? null })
  const runs: Runs = makeRuns({ sessions, journal: database.calls, ...bench.forRuns, history: (...next) => compacting.prepare(...next), leftOpen: () => database.events.unfinished(), choice: (picked) => models.providers.choice(picked), maxSteps: async () => (await settings.read()).settings.maxSteps, ...outputsLeft(blobs), ids, redact, withoutKnown: kept.withoutKnown, followsQueue: options.followsQueue ?? false })
  const ofSessions = composeSessions({ database, sessions, blobs, audit, reader, clock, ids, redact, withoutKnown: kept.withoutKnown, locale: options.locale, runs: () => runs, current: bench.current })
  const files = makeFiles({ current: () => bench.current()?.files ?? null, search: parts.search, editors: makeEditors({ environment: options.env, home: options.home }), settings, nowMs: () => clock.nowMs(), ownFile: path.join(options.dataFolder, 'settings.json') })
  const sleepAgain = options.keepAwake ? keepAwakeWhileRunning({ runs, desk, budgets, settings, keepAwake: options.keepAwake }) : () => undefined

  return {
    sessions, runs, desk, settings, secrets, audit, commands, openProgram: makeProgramDoor(commands, options.openAddress), blobs, redact,
    providers: models.providers,
    mcp, attaching, memories: library.memories, skills: library.skills, retrieval: library.retrieval, endpoints: library.endpoints,
    ...makePromptFacts({ providers: models.providers, settings, sessions, current: bench.current, attaching }),
    permissions, trust, auditPages, contextPages, budgets, usagePages, files,
    ...ofSessions,
    ...confined.doors,
    dataFolder: { path: options.dataFolder, setBy: options.dataFolderSetBy },
    faults: [...database.faults, ...faults, ...binFaults],
    ...folderDoors(options, { bench, settings, database, sessions }),
    stopEverything: () => stopEverything({ runs, sessions, permissions, commands, audit, clock }),
    setLevel: (id, level) => setLevel(id, level, sessions, audit, clock),
    ...doorsOf(audit),
    async close() {
      sleepAgain()
      ofSessions.sessionSearch.close()
      await runs.closeAll((id) => [...desk.list(), ...budgets.waiting()].some((open) => open.sessionId === id))
      await Promise.all([commands.closeAll(), trials.closeAll(), mcp.close(), library.close()])
      await bench.close()
      permissions.close()
      await models.close()
      await database.close()
    },
  }
}

/** Of a recovered command, so much of the end is shown. */
const shownBytes = 8000

function outputsLeft(blobs: OutputSpool): Pick<RunsPorts, 'recoverOutput' | 'lastOutput'> {
  return {
    recoverOutput: (callId) => blobs.recover(callId),
    async lastOutput(callId) {
      const last = await blobs.peek(callId, shownBytes)
      return last === null ? null : { text: lastOutputText(last.bytes), atMs: last.atMs }
    },
  }
}

function doorsOf(audit: AuditLog): Pick<Host, 'verifyAudit' | 'auditHead' | 'onAudit'> {
  return { verifyAudit: () => audit.verify(), auditHead: () => audit.head(), onAudit: (listener) => audit.onGrowth(listener) }
}

async function setLevel(id: SessionId, level: AskingLevel, sessions: Sessions, audit: AuditLog, clock: Clock): Promise<void> {
  await sessions.append(id, [{ type: 'level-changed', level }])
  await audit.append({ fact: 'level-changed', atMs: clock.nowMs(), sessionId: id, actor: 'person', outcome: level })
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
