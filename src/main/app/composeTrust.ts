import { openWorkspaceFs } from '../adapters/fs/workspaceFs'
import { readMcpText } from '../adapters/settings/mcpText'
import { systemClock } from '../adapters/system/clock'
import { sha256 } from '../adapters/system/hasher'
import { judgeCommand } from '../core/policy/commandGuard'
import type { Fence } from '../core/policy/protectedPaths'
import type { AuditSink } from '../core/ports/auditSink'
import type { TrustStore } from '../core/ports/trustStore'
import type { WorkspaceFs } from '../core/ports/workspaceFs'
import type { ReadSkill } from '../core/trust/findSkills'
import { makeProjectConfig } from '../core/trust/projectConfig'
import { fenceOf, openRoot } from '../native/safePath'
import type { McpServers } from '../services/mcpServers'
import type { Skills } from '../services/skills'
import { makeTrust, type Trust } from '../services/trust'
import type { HostOptions } from './hostOptions'

/** What trust shares with the rest of a host. */
export interface SharedWithTrust {
  readonly store: TrustStore
  readonly audit: Pick<AuditSink, 'append'>
  readonly environment: Readonly<Record<string, string>>
  readonly mcp: Pick<McpServers, 'ownNames' | 'useProject'>
  readonly skills: Pick<Skills, 'ownNames' | 'useProject'>
}

/** Wires trust of the opened folder: what takes part is handed to servers and skills whenever it is others. */
export function composeTrust(options: Pick<HostOptions, 'home' | 'dataFolder'>, { store, audit, environment, mcp, skills }: SharedWithTrust): Trust {
  const trust = makeTrust({
    config: makeProjectConfig({ open: (root) => openProjectFiles(root, options), readServers: readMcpText, readSkill: readProjectSkill, hasher: sha256 }),
    store,
    audit,
    clock: systemClock,
    async surroundings(root) {
      const [appServers, appSkills] = await Promise.all([mcp.ownNames(), skills.ownNames()])
      return { judge: (command) => judgeCommand(command, { cwd: root, root, home: options.home, appData: options.dataFolder, isRoot: process.getuid?.() === 0 }), isSet: (name) => environment[name] !== undefined, appServers, appSkills }
    },
    async use({ servers, asksToStart, skills: found, skillFaults }, workspace) {
      skills.useProject(found, skillFaults)
      await mcp.useProject(workspace === null ? [] : servers.map((config) => ({ ...config, project: workspace.id })), asksToStart)
    },
  })
  return trust
}

/** The files of a folder as the agent's own tools see them, and the fence around it; null when it is gone. */
export function openProjectFiles(path: string, { home, dataFolder }: Pick<HostOptions, 'home' | 'dataFolder'>): { readonly fs: WorkspaceFs; readonly fence: Fence } | null {
  const root = openRoot(path)
  return root.ok ? { fs: openWorkspaceFs(root.value, { guarded: [dataFolder] }), fence: fenceOf(root.value, home, dataFolder) } : null
}

/** The reader of YAML is not loaded with the program. */
export const readProjectSkill: ReadSkill = async (place, text) => (await import('../adapters/skills/readSkill')).readSkill(place, text)
