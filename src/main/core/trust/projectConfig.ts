import { said, type Said } from '../../../shared/domain/result'
import { canonicalJson } from '../mcp/canonicalJson'
import type { Fence } from '../policy/protectedPaths'
import type { Hasher } from '../ports/hasher'
import type { McpServerConfig } from '../ports/mcpConfig'
import type { WorkspaceFs } from '../ports/workspaceFs'
import { findHooks } from './findHooks'
import { findInstructions } from './findInstructions'
import { findSkills, type ReadSkill } from './findSkills'
import { makeProjectFiles, type KnownHashes, type ProjectFiles } from './projectFiles'
import type { FoundServer, ProjectConfig, ProjectFinds } from './projectFinds'

/** How files are read, and what understands them: the readers of the app's own mcp.json and skills. */
export interface ProjectConfigPorts {
  /** Null for a folder that is gone. */
  readonly open: (root: string) => { readonly fs: WorkspaceFs; readonly fence: Fence } | null
  readonly readServers: (text: string, file: string) => { readonly ok: true; readonly servers: readonly McpServerConfig[]; readonly faults: readonly Said[] } | { readonly ok: false; readonly fault: Said }
  readonly readSkill: ReadSkill
  readonly hasher: Hasher
}

const serversFile = '.mcp.json'
const serversBytes = 256 * 1024
const nothing: ProjectFinds = { instructions: [], servers: [], skills: [], hooks: [], faults: [], skillFaults: [] }

/** Makes it. */
export function makeProjectConfig(ports: ProjectConfigPorts): ProjectConfig {
  const known: KnownHashes = new Map()
  return {
    async look(root) {
      const open = ports.open(root)
      // Whatever else uses a folder that was moved away says so.
      if (open === null) return nothing
      const files = makeProjectFiles(open.fs, open.fence, known)
      const instructions = await findInstructions(files)
      const servers = await findServers(files, ports)
      const skills = await findSkills(files, ports.readSkill, ports.hasher)
      return {
        instructions: instructions.found,
        servers: servers.found,
        skills: skills.skills.sort((a, b) => order(a.skill.path, b.skill.path)),
        hooks: await findHooks(files),
        faults: [...instructions.faults, ...servers.faults, ...skills.faults],
        skillFaults: skills.skillFaults,
      }
    },
  }
}

async function findServers(files: ProjectFiles, { readServers, hasher }: Pick<ProjectConfigPorts, 'readServers' | 'hasher'>): Promise<{ readonly found: readonly FoundServer[]; readonly faults: readonly Said[] }> {
  const file = await files.text(serversFile, serversBytes)
  if (file === null) return { found: [], faults: [] }
  if (!file.ok) return { found: [], faults: [file.fault] }
  const read = readServers(file.value.text, serversFile)
  if (!read.ok) return { found: [], faults: [said('trust.left-out', { path: serversFile, reason: read.fault })] }
  return { found: read.servers.map((config) => ({ path: serversFile, config, text: entryText(config), hash: hasher.ofText(canonicalJson(config)) })), faults: read.faults }
}

/** The entry as it was understood: what it wrote in another way, or twice, is not shown as if it counted. */
function entryText({ name, command, args, cwd, env, url, headers, isDisabled, timeoutMs }: McpServerConfig): string {
  const entry = {
    ...(command === '' ? {} : { command, args }), ...(cwd === '' ? {} : { cwd }), ...(url === '' ? {} : { url }),
    ...(Object.keys(env).length === 0 ? {} : { env }), ...(Object.keys(headers).length === 0 ? {} : { headers }),
    ...(isDisabled ? { disabled: true } : {}), ...(timeoutMs === null ? {} : { timeoutMs }),
  }
  return JSON.stringify({ [name]: entry }, null, 2)
}

function order(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
