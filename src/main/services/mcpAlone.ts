import { succeed, fail, type Result } from '../../shared/domain/result'
import type { ToolContent } from '../../shared/domain/tool'
import type { SchemaLimits } from '../../shared/domain/schemaLimits'
import { say } from '../../shared/words/say'
import { argumentsOf } from '../core/mcp/argumentSchema'
import { outputOfCall } from '../core/mcp/results'
import type { CancelSignal } from '../core/ports/cancelSignal'
import type { McpServersPorts } from './mcpPorts'
import { whyFailed } from './mcpServer'
import { makeMcpRoster, standsOff } from './mcpRoster'
import { makeTemporaryPins } from './mcpTemporaryPins'
import { makeMcpCatalogue, resultPorts, type KnownTool } from './mcpTools'

/** What servers without a session need. */
export type McpAlonePorts = Omit<McpServersPorts, 'pins' | 'audit' | 'ids' | 'desk' | 'sessions' | 'model' | 'choice' | 'facts' | 'schemaLimits' | 'openAddress'> & { readonly limits: SchemaLimits }

/** A line of `mcp list`. */
export type McpListLine =
  | { readonly server: string; readonly state: string; readonly tool: string; readonly name: string; readonly schema: Readonly<Record<string, unknown>>; readonly description: string }
  | { readonly server: string; readonly state: string; readonly reason?: string }

/** The servers of one file for a command of the command line: nothing is asked, accepted or remembered. */
export interface McpAlone {
  /** All servers, started in parallel and waited for, with their tools as the model would see them. */
  list(): Promise<Result<readonly McpListLine[]>>
  /** The result as the model would get it. */
  call(server: string, tool: string, args: unknown, signal: CancelSignal): Promise<Result<{ readonly status: string; readonly text: string; readonly content?: readonly ToolContent[]; readonly outputRef?: string }>>
  close(): Promise<void>
}

/** Makes it. */
export function makeMcpAlone(ports: McpAlonePorts): McpAlone {
  const unused = (): never => {
    throw new Error('there is no session')
  }
  const roster = makeMcpRoster(
    {
      ...ports, pins: makeTemporaryPins(), audit: { append: () => Promise.resolve({ entries: 0, chain: '' }) }, ids: { next: unused, nonce: unused }, desk: { ask: unused }, sessions: { append: unused, onEvents: unused },
      model: { stream: unused }, choice: unused, facts: unused, schemaLimits: unused, openAddress: null,
    },
    { changed: () => undefined, resourceUpdated: () => undefined, question: () => Promise.resolve({ kind: 'refused' }) },
  )
  const catalogue = makeMcpCatalogue(roster)
  const { limits } = ports

  const linesOf = (name: string): readonly McpListLine[] => {
    const state = roster.state(name)
    if (state.kind !== 'ready') return [{ server: name, state: state.kind, ...(state.kind === 'failed' ? { reason: say('en', whyFailed(state)) } : {}) }]
    const tools = catalogue.toolsOf(name).map((tool): McpListLine => {
      const { schema, description } = catalogue.clean(tool, limits)
      return { server: name, state: 'ready', tool: tool.origin.tool, name: catalogue.registered(tool.origin), schema, description }
    })
    return tools.length > 0 ? tools : [{ server: name, state: 'ready' }]
  }
  /** Entries that no server could be made of. */
  const unusable = (): readonly McpListLine[] =>
    roster.faults().flatMap((fault) => {
      const name = fault.values['name']
      return typeof name !== 'string' || roster.config(name) ? [] : [{ server: name, state: 'failed', reason: say('en', fault) }]
    })
  const start = async (name: string): Promise<void> => {
    if (roster.mayRun(name)) await roster.life(name)?.tryNow()
    await roster.life(name)?.settled()
  }

  return {
    async list() {
      await roster.load()
      const fault = roster.fault()
      if (fault !== null) return { ok: false, fault }
      await Promise.all(roster.servers().map(({ name }) => start(name)))
      return succeed([...roster.servers().flatMap(({ name }) => linesOf(name)), ...unusable()])
    },
    async call(server, tool, args, signal) {
      await roster.load()
      const fault = roster.fault()
      if (fault !== null) return { ok: false, fault }
      const life = roster.life(server)
      if (!life) return fail('mcp.not-configured', { server })
      const off = standsOff(roster.state(server), server) ?? roster.refusal(server)
      if (off) return { ok: false, fault: off }
      const open = await life.connected(signal)
      if (!open.ok) return open
      const known = catalogue.toolsOf(server).find((one) => one.origin.tool === tool || catalogue.registered(one.origin) === tool)
      if (!known) return fail('mcp.no-such-tool', { server, tool })
      const checked = checkedArgs(known, args)
      if (!checked.ok) return checked
      const result = await open.value.call(known.origin.tool, checked.value, { signal, onProgress: () => undefined })
      if (!result.ok) return succeed({ status: 'failed', text: ports.redact(say('en', result.fault)) })
      const output = await outputOfCall(result.value, known.origin, resultPorts(ports))
      const body = output.body === undefined || output.body === '' ? '' : `\n${output.body}`
      return succeed({ status: output.status, text: ports.redact(`${say('en', output.say)}${body}`), ...(output.content?.length ? { content: output.content } : {}), ...(output.outputRef === undefined ? {} : { outputRef: output.outputRef }) })
    },
    close: () => roster.close(),
  }

  function checkedArgs(known: KnownTool, args: unknown): Result<Readonly<Record<string, unknown>>> {
    const given = typeof args === 'object' && args !== null && !Array.isArray(args) ? catalogue.clean(known, limits).restore({ ...args }) : args
    const checked = argumentsOf(known.accepted.inputSchema).safeParse(given)
    return checked.success ? succeed(checked.data) : fail('tool.bad-arguments', { problem: checked.error.issues.map((issue) => `${issue.path.join('.') || 'arguments'}: ${issue.message}`).join('; ') })
  }
}
