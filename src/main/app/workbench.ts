import type { AgentEvent } from '../../shared/domain/event'
import type { SessionId } from '../../shared/domain/ids'
import type { InjectedMemory } from '../../shared/domain/memory'
import type { ModelChoice, ToolSpec } from '../../shared/domain/model'
import type { PromptPartCost } from '../../shared/domain/promptPart'
import { fail, said, succeed } from '../../shared/domain/result'
import type { SandboxHint } from '../../shared/domain/sandbox'
import type { Workspace } from '../../shared/domain/session'
import { openWorkspaceFs } from '../adapters/fs/workspaceFs'
import { makeHistory, type History } from '../core/context/history'
import { assemblePrompt, type PromptFiles, type PromptParts } from '../core/context/prompt'
import { promptCosts } from '../core/context/promptCost'
import type { WorkspaceFs } from '../core/ports/workspaceFs'
import type { HashesNow } from '../core/agent/unfinishedTurn'
import type { TurnPorts } from '../core/agent/turnPorts'
import { isBuiltinReader, judgeCommand } from '../core/policy/commandGuard'
import { judgeReads } from '../core/policy/commandReads'
import { judgePath } from '../core/policy/pathGuard'
import { builtinTools } from '../core/tools/builtins'
import { readLogOver } from '../core/tools/readLog'
import { makeRegistry, type ToolRegistry } from '../core/tools/registry'
import { makeSecretFinder } from '../native/projectSecrets'
import { fenceOf, openRoot } from '../native/safePath'
import type { Root } from '../native/safeFolder'
import type { AttachSight } from '../services/attachingFiles'
import type { CompactionPorts } from '../services/compaction'
import type { OpenFiles } from '../services/files'
import type { OpenWorkspace } from '../services/hostServices'
import type { McpServers } from '../services/mcpServers'
import type { Permissions } from '../services/permissions'
import type { OpenSession } from '../services/sessions'
import type { StorableMessage } from '../services/runMessages'
import type { RunsPorts } from '../services/runs'
import type { Snapshots } from '../services/snapshots'
import type { Trust } from '../services/trust'
import { memoriesFor, memoriesOf } from '../services/turnMemories'
import { tellsOfFirst } from '../services/firstRequest'
import type { Library } from './composeLibrary'
import { projectGitOf } from './projectGitOf'
import { projectScriptsOf } from './projectScriptsOf'

/** What every workspace of a host shares. */
export interface WorkbenchParts extends Pick<TurnPorts, 'model' | 'desk' | 'audit' | 'commands' | 'search' | 'blobs' | 'clock' | 'ids' | 'hasher' | 'spending' | 'sandbox' | 'sandboxTested' | 'permissions' | 'trials' | 'redact' | 'withoutKnown'> {
  readonly permissions: TurnPorts['permissions'] & Pick<Permissions, 'useFolder'>
  readonly mcp: Pick<McpServers, 'toolsFor' | 'useFolder'>
  readonly trust: Pick<Trust, 'parts' | 'refresh' | 'useFolder'>
  readonly library: Pick<Library, 'tools' | 'memories' | 'skills' | 'retrieval'>
  readonly windowTokens: (choice: ModelChoice) => Promise<number | null>
  readonly home: string
  readonly dataFolder: string
  readonly prompt: PromptFiles & Pick<PromptParts, 'platform'>
  readonly locale: () => string
}

/** One opened folder with everything a turn in it needs. */
export interface Workbench extends OpenWorkspace {
  turnPorts: RunsPorts['turnPorts']
  /** The history of a session with its prompt; repairs of it are given once. */
  context: CompactionPorts['context']
  /** The tools that a turn of the session would offer now; nothing is started. */
  offers(session: OpenSession, choice: ModelChoice): Promise<readonly ToolSpec[]>
  inject: RunsPorts['inject']
  /** What the next request of a session would hold, for a draft; nothing is started and nothing waited for. */
  promptCost(session: OpenSession, draft: Pick<StorableMessage, 'text' | 'files'>, choice: ModelChoice, windowTokens: number | null): Promise<readonly PromptPartCost[]>
  hashesNow(session: OpenSession): HashesNow
  /** How files of the folder are looked at: what the person attaches goes through the same guards. */
  readonly sight: AttachSight
  /** The files for the person to look at, by the guard's rules. */
  readonly files: OpenFiles
  close(): Promise<void>
}

/** Largest file whose content is compared after a crash. */
const comparableBytes = 256 * 1024 * 1024

/** Puts guards, files and tools of one workspace together. */
export function makeWorkbench(workspace: Workspace, root: Root, snapshots: Snapshots, parts: WorkbenchParts): Workbench {
  const fence = fenceOf(root, parts.home, parts.dataFolder)
  const fs = openWorkspaceFs(root, { guarded: [parts.dataFolder] })
  const secrets = makeSecretFinder(root)
  const readLogs = new Map<SessionId, TurnPorts['readLog']>()
  const newest = new Map<SessionId, OpenSession>()
  const hintLogs = new Map<SessionId, Map<string, SandboxHint>>()
  const histories = new Map<SessionId, { readonly history: History; seq: number }>()

  const readLogOf = (session: OpenSession): TurnPorts['readLog'] => {
    newest.set(session.id, session)
    const log = readLogs.get(session.id) ?? readLogOver(() => (newest.get(session.id) ?? session).events)
    readLogs.set(session.id, log)
    return log
  }

  const hintLogOf = (session: OpenSession): TurnPorts['hintLog'] => {
    const log = hintLogs.get(session.id) ?? new Map<string, SandboxHint>()
    hintLogs.set(session.id, log)
    return log
  }

  const historyOf = (session: OpenSession): History => {
    const kept = histories.get(session.id) ?? { history: makeHistory(), seq: 0 }
    histories.set(session.id, kept)
    addNew(kept, session.events)
    return kept.history
  }
  const registryFor = async (session: OpenSession): Promise<ToolRegistry> => makeRegistry([...builtinTools, ...(await parts.library.tools(session))], await parts.mcp.toolsFor(session))
  const offers = async (session: OpenSession, choice: ModelChoice): Promise<readonly ToolSpec[]> => (await registryFor(session)).specs({ level: session.level, choice, isNow: true })
  const promptOf = (memories: readonly InjectedMemory[]): PromptParts => ({ ...parts.prompt, root: root.path, locale: parts.locale(), project: parts.trust.parts().instructions, skills: parts.library.skills.index().text, memories })

  return {
    workspace,
    snapshots,
    files: { root: root.path, fs, judge: (facts) => judgePath(facts, 'read', fence) },
    async turnPorts(session) {
      if (session.workspaceId !== workspace.id) return fail('session.other-folder', { root: workspace.root })
      // The folder may have gone or have been replaced since it was opened.
      const still = openRoot(workspace.root)
      if (!still.ok) return still
      // Until the first request is on its way, the snapshot of the opened folder leaves the processors to it.
      const goOn = snapshots.giveWay()
      // What changed in the folder since it was trusted takes no part in this turn.
      await parts.trust.refresh()
      // Only the first turn after the start may have to wait: the index of skills is part of its prompt.
      await parts.library.skills.ready()
      return succeed({
        ...parts,
        model: tellsOfFirst(parts.model, goOn),
        tools: await registryFor(session),
        snapshots,
        judge: {
          fs,
          judgePath: (facts, use) => (use === 'exec-cwd' && !isStillThere(root) ? { kind: 'deny', reason: said('path.moved', { path: root.path }) } : judgePath(facts, use, fence)),
          judgeCommand: (command, cwd) => judgeCommand(command, { cwd, root: fence.root, home: fence.home, appData: fence.appData, isRoot: process.getuid?.() === 0, projectGit: projectGitOf(root), ...projectScriptsOf(root) }),
          judgeReads: (command, cwd) => judgeReads(command, cwd, { root: root.path, fs, judgePath: (facts, use) => judgePath(facts, use, fence), secrets }),
          isReader: isBuiltinReader,
        },
        readLog: readLogOf(session),
        hintLog: hintLogOf(session),
        root: root.path,
      })
    },
    async context(session) {
      const { memories, fault } = await memoriesOf(session.events, (ids) => parts.library.memories.stillThere(ids))
      const history = historyOf(session)
      return { history, systemText: assemblePrompt(promptOf(memories)), repairs: history.takeRepairs(), memoryFault: fault }
    },
    offers,
    inject: async (session, text, choice) => parts.library.memories.inject(session.workspaceId, text, await parts.windowTokens(choice)),
    async promptCost(session, draft, choice, windowTokens) {
      const { memories } = await memoriesFor(() => parts.library.memories.inject(workspace.id, draft.text, windowTokens))
      const tools = await offers(session, choice)
      const skills = parts.library.skills.index().entries.filter(({ bytes }) => bytes > 0).length
      return promptCosts({ prompt: promptOf(memories), tools, skills, messages: historyOf(session).messages(''), draft: draft.text, files: draft.files ?? [] })
    },
    sight: { root: root.path, fs, judgePath: (facts, use) => judgePath(facts, use, fence) },
    hashesNow: () => async (names) => Object.fromEntries(await Promise.all(names.map(async (name) => [name, await hashOf(fs, name)] as const))),
    close: () => snapshots.close(),
  }
}

function addNew(kept: { readonly history: History; seq: number }, events: readonly AgentEvent[]): void {
  for (const event of events.slice(kept.seq)) kept.history.add(event)
  kept.seq = events.length
}

/** Null for a file that is not there or cannot be read: then it holds neither what was before nor what was to be. */
async function hashOf(fs: WorkspaceFs, name: string): Promise<string | null> {
  const facts = await fs.locate(name, 'read')
  if (facts.kind !== 'file') return null
  const file = await fs.read(facts, comparableBytes)
  return file.ok ? file.value.hash : null
}

/** A command knows its folder by path alone: one that was put in the opened folder's place is not what the person opened. */
function isStillThere(root: Root): boolean {
  const now = openRoot(root.path)
  return now.ok && now.value.dev === root.dev && now.value.ino === root.ino
}
