import type { AgentEvent } from '../../shared/domain/event'
import type { SessionId } from '../../shared/domain/ids'
import { fail, said, succeed, type Result } from '../../shared/domain/result'
import type { Workspace } from '../../shared/domain/session'
import { openWorkspaceFs } from '../adapters/fs/workspaceFs'
import { makeHistory, type History } from '../core/context/history'
import { assemblePrompt, type PromptParts } from '../core/context/prompt'
import type { WorkspaceFs } from '../core/ports/workspaceFs'
import type { HashesNow } from '../core/agent/unfinishedTurn'
import type { TurnPorts } from '../core/agent/turnPorts'
import { isBuiltinReader, judgeCommand } from '../core/policy/commandGuard'
import { judgePath } from '../core/policy/pathGuard'
import { builtinTools } from '../core/tools/builtins'
import { readLogAfter } from '../core/tools/readLog'
import { makeRegistry } from '../core/tools/registry'
import { fenceOf, openRoot } from '../native/safePath'
import type { Root } from '../native/safeFolder'
import type { OpenWorkspace } from '../services/hostServices'
import type { McpServers } from '../services/mcpServers'
import type { OpenSession } from '../services/sessions'
import type { RunsPorts } from '../services/runs'
import type { Snapshots } from '../services/snapshots'
import { projectGitOf } from './projectGitOf'

/** What every workspace of a host shares. */
export interface WorkbenchParts extends Pick<TurnPorts, 'model' | 'desk' | 'audit' | 'commands' | 'search' | 'blobs' | 'clock' | 'ids' | 'hasher' | 'sandbox' | 'redact' | 'withoutKnown'> {
  readonly mcp: Pick<McpServers, 'toolsFor' | 'useFolder'>
  readonly home: string
  readonly dataFolder: string
  readonly prompt: Pick<PromptParts, 'base' | 'safety' | 'platform'>
  readonly locale: () => string
}

/** One opened folder with everything a turn in it needs. */
export interface Workbench extends OpenWorkspace {
  turnPorts(session: OpenSession): Promise<Result<Omit<TurnPorts, 'record' | 'running'>>>
  history: RunsPorts['history']
  hashesNow(session: OpenSession): HashesNow
  close(): Promise<void>
}

/** Largest file whose content is compared after a crash. */
const comparableBytes = 256 * 1024 * 1024

/** Puts guards, files and tools of one workspace together. */
export function makeWorkbench(workspace: Workspace, root: Root, snapshots: Snapshots, parts: WorkbenchParts): Workbench {
  const fence = fenceOf(root, parts.home, parts.dataFolder)
  const fs = openWorkspaceFs(root, { guarded: [parts.dataFolder] })
  const readLogs = new Map<SessionId, TurnPorts['readLog']>()
  const histories = new Map<SessionId, { readonly history: History; seq: number }>()

  const readLogOf = (session: OpenSession): TurnPorts['readLog'] => {
    const log = readLogs.get(session.id) ?? readLogAfter(session.events)
    readLogs.set(session.id, log)
    return log
  }

  return {
    workspace,
    snapshots,
    async turnPorts(session) {
      if (session.workspaceId !== workspace.id) return fail('session.other-folder', { root: workspace.root })
      // The folder may have gone or have been replaced since it was opened.
      const still = openRoot(workspace.root)
      if (!still.ok) return still
      return succeed({
        ...parts,
        tools: makeRegistry(builtinTools, await parts.mcp.toolsFor(session)),
        snapshots,
        judge: {
          fs,
          judgePath: (facts, use) => (use === 'exec-cwd' && !isStillThere(root) ? { kind: 'deny', reason: said('path.moved', { path: root.path }) } : judgePath(facts, use, fence)),
          judgeCommand: (command, cwd) => judgeCommand(command, { cwd, root: fence.root, home: fence.home, appData: fence.appData, isRoot: process.getuid?.() === 0, projectGit: projectGitOf(root) }),
          isReader: isBuiltinReader,
        },
        readLog: readLogOf(session),
        root: root.path,
      })
    },
    history(session) {
      const kept = histories.get(session.id) ?? { history: makeHistory(), seq: 0 }
      histories.set(session.id, kept)
      addNew(kept, session.events)
      const repairs = kept.history.takeRepairs()
      return { repairs, messages: kept.history.messages(assemblePrompt({ ...parts.prompt, root: root.path, locale: parts.locale() })) }
    },
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
