import { fail, succeed, type Result, type Said } from '../../shared/domain/result'
import type { McpImportPreview, McpImportRow } from '../../shared/ipc/views'
import { refusedServers } from '../core/mcp/serverNames'
import type { McpImportable, McpServerConfig } from '../core/ports/mcpConfig'
import { secretName, type McpList } from './mcpEndpoint'
import { looksSecret } from './mcpForm'
import type { McpServersPorts } from './mcpPorts'
import type { McpRoster } from './mcpRoster'
import type { McpSaving } from './mcpSaving'

/** Where imported servers come from: a file that `scan` named, or the pasted text itself. */
export type McpImportSource = { readonly path: string } | { readonly text: string }

/** Bringing in servers from other tools' files or a pasted text: first shown, then, row by row, written (R43). */
export interface McpImporting {
  paste(text: string): Promise<Result<McpImportPreview>>
  scan(): Promise<readonly McpImportPreview[]>
  importFrom(source: McpImportSource, rows: readonly { readonly name: string; readonly as: string }[], passPhrase?: string): Promise<Result<{ readonly added: readonly string[] }>>
}

/** Makes it. */
export function makeMcpImporting(ports: Pick<McpServersPorts, 'config'>, roster: McpRoster, saving: Pick<McpSaving, 'add'>): McpImporting {
  const present = async (): Promise<readonly McpServerConfig[]> => {
    await roster.load()
    await roster.reload()
    return roster.servers().filter(({ project }) => project === undefined)
  }
  const readAgain = async (source: McpImportSource): Promise<Result<McpImportable>> => {
    if ('text' in source) return ports.config.readPasted(source.text)
    const found = (await ports.config.scanOthers()).find((one) => one.source === source.path)
    return found ? succeed(found) : fail('mcp.import-gone', { path: source.path })
  }
  return {
    async paste(text) {
      const read = await ports.config.readPasted(text)
      return read.ok ? succeed(previewOf(read.value, await present())) : read
    },
    async scan() {
      const [found, there] = [await ports.config.scanOthers(), await present()]
      return found.map((one) => previewOf(one, there))
    },
    async importFrom(source, rows, passPhrase) {
      const there = await present()
      const fault = roster.fault()
      if (fault !== null) return { ok: false, fault }
      const read = await readAgain(source)
      if (!read.ok) return read
      const chosen: McpServerConfig[] = []
      for (const { name, as } of rows) {
        const server = read.value.servers.find((one) => one.name === name)
        if (!server) return fail('mcp.import-row-gone', { server: name })
        const taken = [...there, ...chosen].map((one) => one.name)
        const refusal = taken.includes(as) ? fail('mcp.name-taken', { name: as }).fault : refusalOf(as, taken)
        if (refusal) return { ok: false, fault: refusal }
        chosen.push({ ...server, name: as })
      }
      const added: string[] = []
      for (const server of chosen) {
        const { config, secrets } = withSecretsApart(server)
        const done = await saving.add(config, secrets, passPhrase)
        if (!done.ok) return done
        added.push(config.name)
      }
      return succeed({ added })
    },
  }
}

function refusalOf(name: string, taken: readonly string[]): Said | undefined {
  return refusedServers([...taken, name]).get(name)
}

function previewOf({ source, tool, servers, faults }: McpImportable, there: readonly McpServerConfig[]): McpImportPreview {
  const taken = there.map((one) => one.name)
  const rows = servers.map((server): McpImportRow => {
    const same = there.find((one) => isSame(one, server))
    const as = same ? server.name : freeName(server.name, taken)
    if (!same) taken.push(as)
    return {
      name: server.name,
      transport: server.transport,
      what: server.transport === 'http' ? server.url : [server.command, ...server.args].join(' '),
      env: Object.keys(server.env),
      headers: Object.keys(server.headers),
      state: same ? 'same' : as === server.name ? 'new' : 'taken',
      as,
    }
  })
  return { source, tool, rows, faults }
}

/** The same way to start under any name; values are not compared, ours may lie in the keychain. */
function isSame(one: McpServerConfig, other: McpServerConfig): boolean {
  const face = ({ transport, command, args, cwd, url, env, headers }: McpServerConfig): string => JSON.stringify([transport, command, args, cwd, url, Object.keys(env).sort(), Object.keys(headers).sort()])
  return face(one) === face(other)
}

function freeName(name: string, taken: readonly string[]): string {
  for (let number = 1; ; number++) {
    const tried = number === 1 ? name : `${name} ${number}`
    if (!taken.includes(tried) && (refusalOf(tried, taken) === undefined || number > 100)) return tried
  }
}

/** What looks like a key goes to the keychain; the rest stays readable in the file. */
function withSecretsApart(server: McpServerConfig): { readonly config: McpServerConfig; readonly secrets: ReadonlyMap<string, string> } {
  const secrets = new Map<string, string>()
  const apart = (list: McpList): Readonly<Record<string, string>> =>
    Object.fromEntries(
      Object.entries(server[list]).map(([name, value]) => {
        if (!looksSecret(name, value)) return [name, value]
        secrets.set(secretName(server.name, list, name), value)
        return [name, `\${secret:${name}}`]
      }),
    )
  return { config: { ...server, env: apart('env'), headers: apart('headers') }, secrets }
}
