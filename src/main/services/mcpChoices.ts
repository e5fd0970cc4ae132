import type { McpChoice } from '../../shared/domain/mcp'
import { fail, succeed, type Result } from '../../shared/domain/result'
import { endpointOf, signInName } from './mcpEndpoint'
import type { McpServersPorts } from './mcpPorts'
import type { McpRoster } from './mcpRoster'
import type { McpCatalogue } from './mcpTools'

/** What a person decides about a configured server besides its settings. Rejects with a `StorageFault`. */
export interface McpChoices {
  choose(name: string, choice: McpChoice): Promise<Result<null>>
  reviewStart(name: string, hash: string, accept: boolean): Promise<Result<null>>
  reviewTool(name: string, tool: string, hash: string, accept: boolean): Promise<Result<null>>
  signIn(name: string): Promise<Result<null>>
}

/** Makes it. */
export function makeMcpChoices(ports: McpServersPorts, roster: McpRoster, catalogue: McpCatalogue): McpChoices {
  const { register } = roster
  const signingIn = new Map<string, AbortController>()
  const record = (server: string, outcome: string, args: Readonly<Record<string, unknown>>): Promise<unknown> => ports.audit.append({ fact: 'server-changed', atMs: ports.clock.nowMs(), actor: 'person', tool: server, outcome, args })

  const disable = async (name: string, isDisabled: boolean): Promise<Result<null>> => {
    const config = roster.config(name)
    if (!config) return fail('mcp.not-configured', { server: name })
    if (config.project !== undefined) return fail('trust.server-read-only', { server: name })
    const written = await ports.config.write({ ...config, isDisabled }, name)
    if (!written.ok) return written
    await record(name, isDisabled ? 'switched-off' : 'switched-on', {})
    await roster.reload()
    return succeed(null)
  }
  const keepOff = async (name: string, tool: string, isOn: boolean): Promise<Result<null>> => {
    await register.set({ server: name, workspaceId: null, tool, kind: 'tool', isOn })
    await record(name, isOn ? 'tool-on' : 'tool-off', { tool })
    return succeed(null)
  }

  /** What may be asked is agreed on at the handshake, and a server may offer other tools then: one that runs begins anew at once. */
  const endForNow = async (name: string): Promise<void> => {
    const life = roster.life(name)
    const isRunning = ['ready', 'starting'].includes(life?.state().kind ?? '')
    await life?.stop()
    if (isRunning && roster.mayRun(name)) life?.want()
  }

  return {
    async choose(name, choice) {
      switch (choice.kind) {
        case 'disabled':
          return disable(name, choice.isOn)
        case 'tool':
          return keepOff(name, choice.tool, choice.isOn)
        case 'effect':
          await register.set({ server: name, workspaceId: null, tool: choice.tool, kind: 'network', isOn: choice.effect === 'network' })
          await record(name, 'effect', { tool: choice.tool, effect: choice.effect })
          return succeed(null)
        case 'here':
        case 'project-text':
        case 'sampling':
        case 'elicitation':
          await register.set({ server: name, workspaceId: choice.kind === 'here' ? (roster.workspace()?.id ?? null) : null, tool: null, kind: choice.kind, isOn: choice.isOn })
          await record(name, choice.kind, { isOn: choice.isOn })
          if (choice.kind !== 'project-text' && !(choice.kind === 'here' && choice.isOn)) await endForNow(name)
          return succeed(null)
      }
    },
    async reviewStart(name, hash, accept) {
      const config = roster.config(name)
      const change = config && register.startChange(config)
      if (!config || !change || change.hash !== hash) return fail('mcp.review-outdated', { server: name })
      if (!accept) return disable(name, true)
      await register.acceptStart(config)
      await record(name, 'start-accepted', { hash })
      return succeed(null)
    },
    async reviewTool(name, tool, hash, accept) {
      const known = catalogue.toolsOf(name).find((one) => one.origin.tool === tool)
      if (!known?.now || catalogue.changeOf(known)?.hash !== hash) return fail('mcp.review-outdated', { server: name })
      if (!accept) return keepOff(name, tool, false)
      await register.acceptTool(name, known.now)
      await record(name, 'tool-accepted', { tool, hash })
      return succeed(null)
    },
    async signIn(name) {
      const config = roster.config(name)
      if (!config) return fail('mcp.not-configured', { server: name })
      if (register.startChange(config)) return fail('mcp.start-changed', { server: name })
      const open = ports.openAddress
      if (open === null) return fail('mcp.nobody-to-sign-in', { server: name })
      const endpoint = await endpointOf(config, { secrets: ports.secrets, env: ports.env, searchPath: ports.searchPath, home: ports.home, folder: roster.workspace()?.root ?? null })
      if (!endpoint.ok) return endpoint
      if (endpoint.value.kind !== 'http') return fail('mcp.no-sign-in', { server: name })
      // Whoever begins again has lost the page of before.
      signingIn.get(name)?.abort()
      const patience = new AbortController()
      signingIn.set(name, patience)
      const timer = setTimeout(() => patience.abort(), signInMs)
      try {
        const signed = await ports.connections.signIn(endpoint.value, open, patience.signal)
        if (!signed.ok) return signed
      } finally {
        clearTimeout(timer)
        if (signingIn.get(name) === patience) signingIn.delete(name)
      }
      if (roster.config(name)?.url !== config.url) {
        await ports.secrets.remove(signInName(config))
        return fail('mcp.not-configured', { server: name })
      }
      return (await roster.life(name)?.tryNow()) ?? succeed(null)
    },
  }
}

/** Nobody signs in longer than this; the page in the browser is then of no use any more. */
const signInMs = 10 * 60_000
