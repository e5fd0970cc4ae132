import type { McpChange, McpToolDefinition } from '../../../shared/domain/mcp'
import type { Hasher } from '../ports/hasher'
import type { McpServerConfig } from '../ports/mcpConfig'
import type { McpPin } from '../ports/mcpPins'
import { warningsOfTool } from './scanText'

/** A tool's definition as one hash (R54). */
export function toolHash(definition: McpToolDefinition, hasher: Hasher): string {
  return hasher.ofText(JSON.stringify(definition))
}

/** A tool's whole definition, one fact a line, for a comparison. */
export function toolText(definition: McpToolDefinition): string {
  return JSON.stringify(definition, null, 2)
}

/** How a server is started, as one hash (R54): values of environment and headers are not in it. */
export function startHash(config: McpServerConfig, hasher: Hasher): string {
  return hasher.ofText(startText(config))
}

/** How a server is started, one fact a line. */
export function startText(config: McpServerConfig): string {
  return JSON.stringify([config.transport, config.command, config.args, config.cwd, config.url, Object.keys(config.env), Object.keys(config.headers)], null, 2)
}

/** The pin that accepts a server's start as it is now. */
export function pinOfStart(config: McpServerConfig, acceptedAtMs: number, hasher: Hasher): McpPin {
  return { server: config.name, subject: 'start', hash: startHash(config, hasher), definition: startText(config), acceptedAtMs }
}

/** The pin that accepts a tool as it is now. */
export function pinOfTool(server: string, definition: McpToolDefinition, acceptedAtMs: number, hasher: Hasher): McpPin {
  return { server, subject: 'tool', tool: definition.name, hash: toolHash(definition, hasher), definition, acceptedAtMs }
}

/** How a server's start differs from what was accepted; null when it does not. */
export function changeOfStart(pin: Extract<McpPin, { subject: 'start' }>, now: McpServerConfig, hasher: Hasher): McpChange | null {
  const hash = startHash(now, hasher)
  if (hash === pin.hash) return null
  return { subject: 'start', tool: '', hash, acceptedAtMs: pin.acceptedAtMs, before: pin.definition, after: startText(now), warnings: [] }
}

/** How a tool differs from what was accepted; null when it does not. `others` as in `warningsOfTool`. */
export function changeOfTool(pin: Extract<McpPin, { subject: 'tool' }>, now: McpToolDefinition, hasher: Hasher, others: Parameters<typeof warningsOfTool>[1] = []): McpChange | null {
  const hash = toolHash(now, hasher)
  if (hash === pin.hash) return null
  return { subject: 'tool', tool: now.name, hash, acceptedAtMs: pin.acceptedAtMs, before: toolText(pin.definition), after: toolText(now), warnings: warningsOfTool(now, others) }
}
