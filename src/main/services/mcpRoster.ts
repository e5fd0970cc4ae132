import type { McpServerState, McpToolDefinition } from '../../shared/domain/mcp'
import { fail, said, succeed, type Result, type Said } from '../../shared/domain/result'
import type { Workspace } from '../../shared/domain/session'
import { refusedServers } from '../core/mcp/serverNames'
import type { CancelSignal } from '../core/ports/cancelSignal'
import type { McpConfigRead, McpServerConfig } from '../core/ports/mcpConfig'
import type { McpAnswer, McpQuestion, McpStart } from '../core/ports/mcpConnections'
import { StorageFault } from '../core/ports/storageFault'
import { endpointOf } from './mcpEndpoint'
import { secretsGiven } from './mcpLent'
import type { McpServersPorts } from './mcpPorts'
import { makeMcpRegister, type McpRegister } from './mcpRegister'
import { makeMcpLife, type McpLife } from './mcpServer'
import { makeSlots } from './mcpTiming'

/** Servers that start at the same time, at most (R46). */
const startsAtOnce = 8

/** What a server's life tells the rest of the service. */
export interface RosterListeners {
  changed(): void
  resourceUpdated(server: string, uri: string): void
  question(server: string, question: McpQuestion, signal: CancelSignal): Promise<McpAnswer>
}

/** The configured servers with their lives, and what was accepted of them. */
export interface McpRoster {
  readonly register: McpRegister
  /** Reads mcp.json and the register once; starts nothing. */
  load(): Promise<void>
  /** Reads mcp.json again; ends what is gone or configured otherwise. */
  reload(): Promise<void>
  fault(): Said | null
  faults(): readonly Said[]
  /** In the order of the file. */
  servers(): readonly McpServerConfig[]
  config(name: string): McpServerConfig | undefined
  life(name: string): McpLife | undefined
  /** Switched on, also for the opened folder, with a name of its own, as accepted, and waiting for nobody. */
  mayRun(name: string): boolean
  state(name: string): McpServerState
  /** Why the server's name may not be used; null when it may. */
  refusal(name: string): Said | null
  workspace(): Workspace | null
  /** Servers that were told another folder are ended; they start again when used. */
  useFolder(workspace: Workspace | null): Promise<void>
  /** The trusted servers of the opened folder stand behind the app's own and give way to one of their name. */
  useProject(servers: readonly McpServerConfig[], asksToStart: boolean): Promise<void>
  /** Trusted, never started, and a person has to say so first (R43). */
  waitsForPerson(name: string): boolean
  close(): Promise<void>
}

/** Makes the roster; nothing is read yet. */
export function makeMcpRoster(ports: McpServersPorts, listeners: RosterListeners): McpRoster {
  const slots = makeSlots(startsAtOnce)
  const lives = new Map<string, McpLife>()
  let read: McpConfigRead = { servers: [], fault: null, faults: [] }
  let own: readonly McpServerConfig[] = []
  let project: { readonly servers: readonly McpServerConfig[]; readonly asksToStart: boolean } = { servers: [], asksToStart: true }
  let configs = new Map<string, McpServerConfig>()
  let refused: ReadonlyMap<string, Said> = new Map()
  let storage: Said | null = null
  let workspace: Workspace | null = null
  let loading: Promise<void> | null = null
  let isClosed = false
  let stopWatching: () => void = () => undefined
  const register = makeMcpRegister(ports, () => workspace?.id ?? null, (server) => keptName(server, configs.get(server)))

  const plan = async (name: string): Promise<Result<McpStart>> => {
    const config = configs.get(name)
    if (!config) return fail('mcp.gone', { server: name })
    if (register.startChange(config)) return fail('mcp.start-changed', { server: name })
    if (waitsForPerson(name)) return fail('trust.server-waits', { server: name })
    const seen = await kept(() => register.sawStart(config))
    if (!seen.ok) return seen
    const endpoint = await endpointOf(config, { secrets: ports.secrets, env: ports.env, searchPath: ports.searchPath, home: ports.home, folder: workspace?.root ?? ports.startFolder ?? null })
    if (!endpoint.ok) return endpoint
    ports.remember(secretsGiven(endpoint.value))
    const callMs = config.timeoutMs ?? ports.times.callMs
    return succeed({
      name, endpoint: endpoint.value, root: workspace?.root ?? null, handshakeMs: ports.times.handshakeMs, callMs, ceilingMs: callMs * ports.times.ceilingFactor,
      offersSampling: register.isOn(name, 'sampling'), offersElicitation: register.isOn(name, 'elicitation'),
    })
  }
  const lifeOf = (name: string): McpLife =>
    makeMcpLife({
      name, connections: ports.connections, clock: ports.clock, times: ports.times, slots,
      redact: (text) => ports.redact(text),
      makeFilter: () => ports.makeFilter(),
      withoutKnown: (text) => ports.withoutKnown(text),
      locale: () => ports.locale(),
      plan: () => plan(name),
      listed: (tools: readonly McpToolDefinition[]) => kept(() => register.sawTools(name, tools)),
      changed: () => listeners.changed(),
      resourceUpdated: (uri) => listeners.resourceUpdated(name, uri),
      question: (question, signal) => listeners.question(name, question, signal),
    })

  const take = async (next: McpConfigRead): Promise<void> => {
    // Over a broken file what was read last goes on; nothing new is started from it.
    if (next.fault === null || read.servers.length === 0) own = next.servers
    read = next
    await settle()
  }
  const settle = async (): Promise<void> => {
    const before = configs
    const names = new Set(own.map(({ name }) => name))
    configs = new Map([...own, ...project.servers.filter(({ name }) => !names.has(name))].map((one) => [one.name, one]))
    refused = refusedServers([...configs.keys()])
    const ended: Promise<void>[] = []
    for (const [name, life] of lives) {
      const config = configs.get(name)
      if (config && JSON.stringify(config) === JSON.stringify(before.get(name))) continue
      ended.push(life.stop())
      // What another one of that name listed is not this one's.
      if (!config || config.project !== before.get(name)?.project) lives.delete(name)
    }
    for (const name of configs.keys()) if (!lives.has(name)) lives.set(name, lifeOf(name))
    await Promise.all(ended)
    listeners.changed()
  }
  const reload = async (): Promise<void> => take(await ports.config.read())

  const load = async (): Promise<void> => {
    const known = await kept(() => register.load())
    storage = known.ok ? null : known.fault
    await reload()
    if (!isClosed) stopWatching = ports.config.watch(() => void reload())
  }
  const couldRun = (name: string): boolean => {
    const config = configs.get(name)
    return !isClosed && config !== undefined && storage === null && !config.isDisabled && !refused.has(name) && register.isOn(name, 'here') && register.startChange(config) === null
  }

  const waitsForPerson = (name: string): boolean => project.asksToStart && configs.get(name)?.project !== undefined && couldRun(name) && !register.hasStart(name)
  const mayRun = (name: string): boolean => couldRun(name) && !waitsForPerson(name)

  return {
    register,
    load: () => (loading ??= load()),
    reload,
    fault: () => read.fault,
    faults: () => [...(storage === null ? [] : [storage]), ...read.faults, ...project.servers.flatMap(({ name }) => (configs.get(name)?.project === undefined ? [said('trust.server-shadowed', { name })] : [])), ...refused.values()],
    servers: () => [...configs.values()],
    config: (name) => configs.get(name),
    life: (name) => lives.get(name),
    mayRun,
    state(name) {
      const config = configs.get(name)
      const why = refused.get(name) ?? storage
      if (!config || config.isDisabled) return { kind: 'disabled' }
      if (why !== null && why !== undefined) return { kind: 'failed', say: why, advice: null, lastLine: '', exitCode: null, nextTryAtMs: null, attempt: 0, attempts: 0 }
      if (register.startChange(config)) return { kind: 'changed' }
      if (!register.isOn(name, 'here')) return { kind: 'off-here' }
      return lives.get(name)?.state() ?? { kind: 'idle' }
    },
    refusal: (name) => refused.get(name) ?? null,
    waitsForPerson,
    async useProject(servers, asksToStart) {
      project = { servers, asksToStart }
      // What was not read yet is put together when it is.
      if (loading !== null) await loading.then(settle)
    },
    workspace: () => workspace,
    async useFolder(next) {
      const isSame = workspace?.root === next?.root
      workspace = next
      if (isSame) return
      await Promise.all([...lives.values()].filter((life) => life.state().kind !== 'idle').map((life) => life.stop()))
      listeners.changed()
    },
    async close() {
      isClosed = true
      stopWatching()
      await Promise.all([...lives.values()].map((life) => life.stop()))
      await ports.connections.closeAll()
    },
  }
}

/** Storage at fault is a fault of what was asked for, in words. */
export async function kept(work: () => Promise<void>): Promise<Result<null>> {
  try {
    await work()
    return succeed(null)
  } catch (error) {
    if (error instanceof StorageFault) return { ok: false, fault: error.fault }
    throw error
  }
}

/** Why a server cannot be used now, where it is switched off or not as accepted. */
export function standsOff(state: McpServerState, server: string): Said | null {
  switch (state.kind) {
    case 'disabled':
    case 'off-here':
      return said('mcp.switched-off', { server })
    case 'changed':
      return said('mcp.start-changed', { server })
    default:
      return null
  }
}

/** No name of the app's own holds a line break. */
function keptName(server: string, config: McpServerConfig | undefined): string {
  return config?.project === undefined ? server : `${server}\n${config.project}`
}
