import type { WorkspaceId } from '../../shared/domain/ids'
import type { McpChange, McpOrigin, McpToolDefinition } from '../../shared/domain/mcp'
import { changeOfStart, changeOfTool, pinOfStart, pinOfTool } from '../core/mcp/definitions'
import type { McpServerConfig } from '../core/ports/mcpConfig'
import type { McpPin, McpSwitch } from '../core/ports/mcpPins'
import type { McpServersPorts } from './mcpPorts'

/** A pin of a tool. */
export type ToolPin = Extract<McpPin, { subject: 'tool' }>

/** What was accepted and switched, in memory, written through (R54). */
export interface McpRegister {
  /** Reads it once; everything else needs that. */
  load(): Promise<void>
  /** How the server's start differs from what was accepted; null when it does not, or was never seen. */
  startChange(config: McpServerConfig): McpChange | null
  /** Whether a start of it was ever accepted. */
  hasStart(server: string): boolean
  /** Accepts the start at first sight. */
  sawStart(config: McpServerConfig): Promise<void>
  /** Accepts it because a person saved or reviewed it. */
  acceptStart(config: McpServerConfig): Promise<void>
  /** Accepted tools of a server, by name. */
  tools(server: string): ReadonlyMap<string, ToolPin>
  /** Accepts tools that were never seen; what differs stays as it was accepted. */
  sawTools(server: string, definitions: readonly McpToolDefinition[]): Promise<void>
  acceptTool(server: string, definition: McpToolDefinition): Promise<void>
  /** `others` and `own` as in `warningsOfTool`. */
  toolChange(server: string, now: McpToolDefinition, others: readonly McpOrigin[], own: readonly string[]): McpChange | null
  /** The switch that holds: of the folder, else of everywhere, else what it is by default. */
  isOn(server: string, kind: McpSwitch['kind'], tool?: string): boolean
  set(change: McpSwitch): Promise<void>
  rename(from: string, to: string): Promise<void>
  forget(server: string): Promise<void>
}

/** A server may not ask or sample until that is switched on; a tool is `execute` until somebody says network. */
const byDefault: Readonly<Record<McpSwitch['kind'], boolean>> = { here: true, tool: true, network: false, sampling: false, elicitation: false, 'project-text': true }

type RegisterPorts = Pick<McpServersPorts, 'pins' | 'audit' | 'clock' | 'hasher'>

/**
 * Makes it; `workspace` is the opened folder, whose switches hold. `keptAs` is the name a server is kept under: what was
 * accepted of a folder's server says nothing of another folder's, nor of the app's own, with that name.
 */
export function makeMcpRegister(ports: RegisterPorts, workspace: () => WorkspaceId | null, keptAs: (server: string) => string = (server) => server): McpRegister {
  const starts = new Map<string, Extract<McpPin, { subject: 'start' }>>()
  const tools = new Map<string, Map<string, ToolPin>>()
  const switches = new Map<string, McpSwitch>()
  let loading: Promise<void> | null = null

  const keep = (pin: McpPin): void => {
    if (pin.subject === 'start') {
      starts.set(pin.server, pin)
      return
    }
    const known = tools.get(pin.server) ?? new Map<string, ToolPin>()
    known.set(pin.tool, pin)
    tools.set(pin.server, known)
  }
  const store = async (pins: readonly McpPin[], actor: 'app' | 'person'): Promise<void> => {
    if (pins.length === 0) return
    await ports.pins.pin(pins)
    pins.forEach(keep)
    for (const { server, names, hashes } of grouped(pins)) {
      await ports.audit.append({ fact: 'server-pinned', atMs: ports.clock.nowMs(), actor, tool: server, args: { server, pinned: names, hashes } })
    }
  }
  const startPin = (config: McpServerConfig): McpPin => ({ ...pinOfStart(config, ports.clock.nowMs(), ports.hasher), server: keptAs(config.name) })
  const load = async (): Promise<void> => {
    const [pins, set] = await Promise.all([ports.pins.pins(), ports.pins.switches()])
    pins.forEach(keep)
    set.forEach((one) => switches.set(keyOf(one), one))
  }

  return {
    load: () =>
      (loading ??= load().catch((error: unknown) => {
        loading = null
        throw error
      })),
    startChange(config) {
      const pin = starts.get(keptAs(config.name))
      return pin ? changeOfStart(pin, config, ports.hasher) : null
    },
    async sawStart(config) {
      if (!starts.has(keptAs(config.name))) await store([startPin(config)], 'app')
    },
    hasStart: (server) => starts.has(keptAs(server)),
    acceptStart: (config) => store([startPin(config)], 'person'),
    tools: (server) => tools.get(keptAs(server)) ?? new Map<string, ToolPin>(),
    sawTools(server, definitions) {
      const known = tools.get(keptAs(server))
      const fresh = definitions.filter((one) => known?.has(one.name) !== true)
      return store(fresh.map((one) => pinOfTool(keptAs(server), one, ports.clock.nowMs(), ports.hasher)), 'app')
    },
    acceptTool: (server, definition) => store([pinOfTool(keptAs(server), definition, ports.clock.nowMs(), ports.hasher)], 'person'),
    toolChange(server, now, others, own) {
      const pin = tools.get(keptAs(server))?.get(now.name)
      return pin ? changeOfTool(pin, now, ports.hasher, others, own) : null
    },
    isOn(server, kind, tool) {
      const here = switches.get(keyOf({ server: keptAs(server), kind, tool: tool ?? null, workspaceId: workspace() }))
      const everywhere = switches.get(keyOf({ server: keptAs(server), kind, tool: tool ?? null, workspaceId: null }))
      return (here ?? everywhere)?.isOn ?? byDefault[kind]
    },
    async set(given) {
      const change = { ...given, server: keptAs(given.server) }
      await ports.pins.set(change)
      switches.set(keyOf(change), change)
    },
    async rename(from, to) {
      await ports.pins.rename(from, to)
      const [start, own] = [starts.get(from), tools.get(from)]
      starts.delete(from)
      tools.delete(from)
      if (start) keep({ ...start, server: to })
      for (const pin of own?.values() ?? []) keep({ ...pin, server: to })
      for (const [key, one] of [...switches]) {
        if (one.server !== from) continue
        switches.delete(key)
        switches.set(keyOf({ ...one, server: to }), { ...one, server: to })
      }
    },
    async forget(server) {
      await ports.pins.forget(server)
      starts.delete(server)
      tools.delete(server)
      for (const [key, one] of [...switches]) if (one.server === server) switches.delete(key)
    },
  }
}

function keyOf({ server, workspaceId, tool, kind }: Omit<McpSwitch, 'isOn'>): string {
  return JSON.stringify([server, workspaceId, tool, kind])
}

/** One entry of the record a server, not one a tool: a server may have hundreds. */
function grouped(pins: readonly McpPin[]): readonly { readonly server: string; readonly names: readonly string[]; readonly hashes: readonly string[] }[] {
  return [...new Set(pins.map((pin) => pin.server))].map((server) => {
    const own = pins.filter((pin) => pin.server === server)
    return { server, names: own.map((pin) => (pin.subject === 'start' ? '' : pin.tool)), hashes: own.map((pin) => pin.hash) }
  })
}
