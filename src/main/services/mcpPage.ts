import type { McpChange } from '../../shared/domain/mcp'
import { fail, said, succeed, type Result, type Said } from '../../shared/domain/result'
import type { SchemaLimits } from '../../shared/domain/schemaLimits'
import type { McpPage, McpServerDetail, McpServerRow, McpToolRow } from '../../shared/ipc/views'
import { isDeferred } from '../core/mcp/deferral'
import { warningsOfText } from '../core/mcp/scanText'
import type { McpServerConfig } from '../core/ports/mcpConfig'
import { signInName } from './mcpEndpoint'
import { formOf, hiddenValues } from './mcpForm'
import type { McpServersPorts } from './mcpPorts'
import type { McpResources } from './mcpResources'
import type { McpRoster } from './mcpRoster'
import type { KnownTool, McpCatalogue } from './mcpTools'

/** What the servers page shows. */
export interface McpPages {
  page(): Promise<McpPage>
  detail(name: string): Promise<Result<McpServerDetail>>
}

interface PageParts {
  readonly ports: McpServersPorts
  readonly roster: McpRoster
  readonly catalogue: McpCatalogue
  readonly resources: Pick<McpResources, 'of' | 'promptsOf'>
}

/** Makes it. */
export function makeMcpPages({ ports, roster, catalogue, resources }: PageParts): McpPages {
  const isOn = ({ origin }: KnownTool): boolean => roster.register.isOn(origin.server, 'tool', origin.tool)
  const changesOf = (config: McpServerConfig): readonly McpChange[] => {
    const start = roster.register.startChange(config)
    return [...(start ? [start] : []), ...catalogue.toolsOf(config.name).flatMap((tool) => catalogue.changeOf(tool) ?? [])]
  }
  const rowOf = (config: McpServerConfig, limits: SchemaLimits): McpServerRow => {
    const tools = catalogue.toolsOf(config.name)
    const on = tools.filter(isOn)
    return {
      name: config.name,
      isOfProject: config.project !== undefined,
      transport: config.transport,
      state: roster.state(config.name),
      tools: tools.length,
      toolsOn: on.length,
      resources: resources.of(config.name).length,
      prompts: resources.promptsOf(config.name).length,
      tokens: on.reduce((sum, tool) => sum + catalogue.tokensOf(tool, limits), 0),
      changes: changesOf(config).filter(({ subject, tool }) => subject === 'start' || on.some(({ origin }) => origin.tool === tool)).length,
    }
  }
  const toolRow = (limits: SchemaLimits, refusal: Said | null) => (tool: KnownTool): McpToolRow => {
    const shown = tool.now ?? tool.accepted
    return {
      name: tool.origin.tool,
      title: shown.title ?? '',
      description: shown.description,
      registered: refusal === null ? catalogue.registered(tool.origin) : null,
      refusal,
      isOn: isOn(tool),
      effect: roster.register.isOn(tool.origin.server, 'network', tool.origin.tool) ? 'network' : 'execute',
      hints: hintsOf(shown.annotations ?? {}),
      tokens: catalogue.tokensOf(tool, limits),
      warnings: catalogue.warningsOf(tool),
    }
  }

  return {
    async page() {
      await roster.load()
      const { limits, windowTokens } = await modelOf(ports)
      await catalogue.prepare(limits)
      const tokens = catalogue.usable().reduce((sum, tool) => sum + catalogue.tokensOf(tool, limits), 0)
      return {
        file: ports.config.path,
        fault: roster.fault(),
        faults: roster.faults(),
        servers: roster.servers().map((config) => rowOf(config, limits)),
        isDeferred: isDeferred(tokens, windowTokens),
      }
    },
    async detail(name) {
      await roster.load()
      const config = roster.config(name)
      if (!config) return fail('mcp.not-configured', { server: name })
      const { limits } = await modelOf(ports)
      await catalogue.prepare(limits, name)
      const { register } = roster
      const about = roster.life(name)?.about()
      const refused = roster.refusal(name)
      return succeed({
        row: rowOf(config, limits),
        form: formOf(config),
        env: await hiddenValues(config, 'env', ports),
        headers: await hiddenValues(config, 'headers', ports),
        tools: catalogue.toolsOf(name).map(toolRow(limits, refused)),
        resources: resources.of(name),
        prompts: resources.promptsOf(name),
        changes: changesOf(config),
        about: about ? { title: about.name, version: about.version, protocol: about.protocol, instructions: about.instructions } : { title: '', version: '', protocol: '', instructions: '' },
        isOnHere: register.isOn(name, 'here'),
        maySample: register.isOn(name, 'sampling'),
        mayAsk: register.isOn(name, 'elicitation'),
        mayGetProjectText: register.isOn(name, 'project-text'),
        isSignedIn: await signedIn(config, ports, roster),
        warnings: about ? warningsOfText(about.instructions) : [],
      })
    },
  }
}

/** What is known of the model that a new turn would use. */
export async function modelOf(ports: Pick<McpServersPorts, 'choice' | 'facts' | 'schemaLimits'>): Promise<{ readonly limits: SchemaLimits; readonly windowTokens: number | null }> {
  const choice = await ports.choice()
  if (!choice.ok) return { limits: await ports.schemaLimits(null), windowTokens: null }
  const { windowTokens } = await ports.facts(choice.value)
  return { limits: await ports.schemaLimits(choice.value), windowTokens }
}

async function signedIn(config: McpServerConfig, ports: McpServersPorts, roster: McpRoster): Promise<boolean | null> {
  if ((await ports.secrets.get(signInName(config))) !== null) return true
  return roster.state(config.name).kind === 'sign-in' ? false : null
}

const hints = { readOnlyHint: 'mcp.hint-read-only', destructiveHint: 'mcp.hint-destructive', idempotentHint: 'mcp.hint-idempotent', openWorldHint: 'mcp.hint-open-world' } as const

function hintsOf(annotations: Readonly<Record<string, unknown>>): readonly Said[] {
  return Object.entries(hints).flatMap(([name, code]) => (annotations[name] === true ? [said(code)] : []))
}
