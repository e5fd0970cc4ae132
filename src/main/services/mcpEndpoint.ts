import { fail, succeed, type Result } from '../../shared/domain/result'
import { expand, referencesOf, type Lookup } from '../core/mcp/expand'
import type { McpServerConfig } from '../core/ports/mcpConfig'
import { isAppVariable } from '../core/trust/serverNotes'
import type { McpEndpoint, McpSignInStore } from '../core/ports/mcpConnections'
import { StorageFault } from '../core/ports/storageFault'
import type { McpServersPorts } from './mcpPorts'

/** The fields of a server that hold named values. */
export type McpList = 'env' | 'headers'

/** What every child gets of the host's environment, as the SDK's own client does; the rest is named by the person. */
export const passedOn = ['HOME', 'LOGNAME', 'PATH', 'SHELL', 'TERM', 'USER'] as const

/** The name in the secret store of a hidden value. */
export function secretName(server: string, list: McpList, field: string): string {
  return `mcp/${server}/${list}/${field}`
}

/** The name in the secret store of what a sign-in left. That of a project's server is of this folder and address: another folder's of that name must not get it. */
export function signInName({ name, project, url = '' }: Pick<McpServerConfig, 'name' | 'project'> & { readonly url?: string }): string {
  return project === undefined ? `mcp/${name}/oauth` : `mcp/project/${project}/${name} ${url}/oauth`
}

/** Where a server's registration and tokens lie. */
export function signInStoreOf(server: McpServerConfig, secrets: McpServersPorts['secrets']): McpSignInStore {
  return {
    load: () => secrets.get(signInName(server)),
    async save(text) {
      // Without a keychain it holds for this session; the person signs in again after the next start.
      const saved = await secrets.set(signInName(server), text)
      if (!saved.ok) throw new StorageFault(saved.fault)
    },
    clear: () => secrets.remove(signInName(server)),
  }
}

/** What filling in a server's values needs. */
export interface EndpointPorts {
  readonly secrets: McpServersPorts['secrets']
  readonly env: McpServersPorts['env']
  readonly searchPath?: McpServersPorts['searchPath']
  readonly home: string
  readonly folder: string | null
}

/** Values that are not saved yet, by `secretName`. */
export type GivenSecrets = ReadonlyMap<string, string>

/** How the server is started, with the variables and secrets of this one server filled in (R45). */
export async function endpointOf(config: McpServerConfig, ports: EndpointPorts, given: GivenSecrets = new Map()): Promise<Result<McpEndpoint>> {
  const lookup = await lookupFor(config, ports, given)
  const fill = (value: string): Result<string> => expand(value, lookup)
  if (config.transport === 'http') {
    const [url, headers] = [fill(config.url), filled(config.headers, fill)]
    if (!url.ok) return url
    if (!headers.ok) return headers
    if (!isReachable(url.value)) return fail('mcp.bad-address', { address: url.value })
    return succeed({ kind: 'http', url: url.value, headers: headers.value, session: signInStoreOf(config, ports.secrets) })
  }
  const [command, args, cwd, env] = [fill(config.command), config.args.map(fill), fill(config.cwd), filled(config.env, fill)]
  if (!command.ok) return command
  if (!cwd.ok) return cwd
  if (!env.ok) return env
  const bad = args.find((arg) => !arg.ok)
  if (bad?.ok === false) return bad
  const base = Object.fromEntries(passedOn.flatMap((name) => (ports.env[name] === undefined ? [] : [[name, ports.env[name]]])))
  const folders = await ports.searchPath?.()
  return succeed({ kind: 'stdio', command: command.value, args: args.flatMap((arg) => (arg.ok ? [arg.value] : [])), cwd: folderOf(cwd.value, ports), env: { ...base, ...(folders === undefined ? {} : { PATH: folders.join(':') }), ...env.value } })
}

/** https, or this machine itself: what is sent there may hold keys. */
export function isReachable(address: string): boolean {
  if (!URL.canParse(address)) return false
  const { protocol, hostname, username, password } = new URL(address)
  if (username !== '' || password !== '') return false
  return protocol === 'https:' || (protocol === 'http:' && (hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d{1,3}){3}$/u.test(hostname)))
}

/** The references of all its values; a secret is one of the server's own, known by the list it stands in. A project's server has none, and gets no variable that holds a key of the app. */
export async function lookupFor(config: McpServerConfig, { secrets, env }: Pick<EndpointPorts, 'secrets' | 'env'>, given: GivenSecrets = new Map()): Promise<Lookup> {
  if (config.project !== undefined) return (kind, name) => (kind === 'secret' || isAppVariable(name) ? null : (env[name] ?? null))
  const list: McpList = config.transport === 'http' ? 'headers' : 'env'
  const values = [config.command, config.cwd, config.url, ...config.args, ...Object.values(config.env), ...Object.values(config.headers)]
  const names = new Set(values.flatMap(referencesOf).flatMap((one) => (one.kind === 'secret' ? [one.name] : [])))
  const found = new Map<string, string>()
  for (const name of names) {
    const value = given.get(secretName(config.name, list, name)) ?? (await secrets.get(secretName(config.name, list, name)))
    if (value !== null) found.set(name, value)
  }
  return (kind, name) => (kind === 'secret' ? (found.get(name) ?? null) : (env[name] ?? null))
}

function filled(values: Readonly<Record<string, string>>, fill: (value: string) => Result<string>): Result<Readonly<Record<string, string>>> {
  const out: [string, string][] = []
  for (const [name, value] of Object.entries(values)) {
    const done = fill(value)
    if (!done.ok) return done
    out.push([name, done.value])
  }
  return succeed(Object.fromEntries(out))
}

function folderOf(cwd: string, { folder, home }: EndpointPorts): string {
  const start = folder ?? home
  if (cwd === '') return start
  if (cwd === '~' || cwd.startsWith('~/')) return `${home}${cwd.slice(1)}`
  return /^(?:\/|[A-Za-z]:[\\/]|\\\\)/u.test(cwd) ? cwd : `${start}/${cwd}`
}
