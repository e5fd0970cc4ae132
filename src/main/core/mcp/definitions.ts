import type { McpChange, McpToolDefinition } from '../../../shared/domain/mcp'
import { redact } from '../policy/redaction'
import type { Hasher } from '../ports/hasher'
import type { McpServerConfig } from '../ports/mcpConfig'
import type { McpPin } from '../ports/mcpPins'
import { canonicalJson } from './canonicalJson'
import { textOfTool } from './definitionText'
import { escapeHidden } from './hiddenText'
import { warningsOfText, warningsOfTool } from './scanText'

/**
 * A tool's definition as one hash: name, title, description, schemas and annotations (R54). Neither the order of keys nor an
 * empty field of the definition instead of an absent one makes another hash; everything else does, down to a character
 * that cannot be seen.
 */
export function toolHash(definition: McpToolDefinition, hasher: Hasher): string {
  return hasher.ofText(canonicalJson(bareTool(definition)))
}

/** A tool's whole definition, one fact a line, for a comparison: the same text exactly when the hash is the same. */
export function toolText(definition: McpToolDefinition): string {
  return textOfTool(bareTool(definition))
}

/**
 * How a server is started or reached, as one hash (R54): transport, command, arguments, folder, address, and the names of
 * environment and headers. Values of those and secrets in the address are not in it, so that a new key is no change.
 */
export function startHash(config: McpServerConfig, hasher: Hasher): string {
  return hasher.ofText(canonicalJson(startFacts(config)))
}

/** How a server is started or reached, one fact a line; the same text exactly when the hash is the same. */
export function startText(config: McpServerConfig): string {
  const { transport, command, args, cwd, env, url, headers } = startFacts(config)
  const lines = [
    `transport: ${transport}`,
    ...(command === '' ? [] : [`command: ${JSON.stringify(command)}`]),
    ...listed('arguments', args),
    ...(cwd === '' ? [] : [`folder: ${JSON.stringify(cwd)}`]),
    ...listed('environment', env),
    ...(url === '' ? [] : [`address: ${JSON.stringify(url)}`]),
    ...listed('headers', headers),
  ]
  return lines.map(escapeHidden).join('\n')
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
  const after = startText(now)
  const warnings = warningsOfText([now.command, ...now.args, now.cwd, now.url].join('\n'))
  return { subject: 'start', tool: '', hash, acceptedAtMs: pin.acceptedAtMs, before: pin.definition, after, warnings }
}

/** How a tool differs from what was accepted; null when it does not. `others` and `own` as in `warningsOfTool`. */
export function changeOfTool(
  pin: Extract<McpPin, { subject: 'tool' }>,
  now: McpToolDefinition,
  hasher: Hasher,
  others: Parameters<typeof warningsOfTool>[1] = [],
  own: Parameters<typeof warningsOfTool>[2] = [],
): McpChange | null {
  const hash = toolHash(now, hasher)
  // The kept definition decides too: a hash made by an older version must not block what nobody changed.
  if (hash === pin.hash || hash === toolHash(pin.definition, hasher)) return null
  return { subject: 'tool', tool: now.name, hash, acceptedAtMs: pin.acceptedAtMs, before: toolText(pin.definition), after: toolText(now), warnings: warningsOfTool(now, others, own) }
}

/** Parts of a schema that say nothing when they are empty. */
const emptyInSchema: Readonly<Record<string, string>> = { properties: '{}', $defs: '{}', definitions: '{}', required: '[]', description: '""', title: '""' }

/** The definition with nothing in it that only says that something is absent. */
function bareTool({ name, title, description, inputSchema, outputSchema, annotations }: McpToolDefinition): McpToolDefinition {
  const output = bareSchema(outputSchema ?? {})
  const notes = present(annotations ?? {})
  return {
    name,
    description,
    inputSchema: bareSchema(inputSchema),
    ...(title === undefined || title === '' ? {} : { title }),
    ...(Object.keys(output).length === 0 ? {} : { outputSchema: output }),
    ...(Object.keys(notes).length === 0 ? {} : { annotations: notes }),
  }
}

function bareSchema(schema: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(present(schema)).filter(([key, value]) => !(key in emptyInSchema && canonicalJson(value) === emptyInSchema[key])))
}

function present(fields: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}

interface StartFacts extends Pick<McpServerConfig, 'transport' | 'command' | 'args' | 'cwd' | 'url'> {
  readonly env: readonly string[]
  readonly headers: readonly string[]
}

function startFacts({ transport, command, args, cwd, env, url, headers }: McpServerConfig): StartFacts {
  return { transport, command, args: [...args], cwd, env: Object.keys(env).sort(), url: publicAddress(url), headers: Object.keys(headers).map((name) => name.toLowerCase()).sort() }
}

/** Long pieces of an address that mix letters and digits are keys that stand in its path, as some hosted servers have it. */
const keyInPath = /(?<=[/=])(?=[\w~-]*\d)(?=[\w~-]*[A-Za-z])[\w~-]{24,}(?=[/?#&]|$)/gu

/** The address as it may be kept and shown: who signs in, keys and tokens are replaced. References stay, they hold no secret. */
function publicAddress(url: string): string {
  const withoutUser = url.replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/?#]*@/iu, '$1…@')
  return redact(withoutUser, { kind: 'url' }).replace(keyInPath, '…')
}

function listed(heading: string, values: readonly string[]): readonly string[] {
  return values.length === 0 ? [] : [heading, ...values.map((value) => `  ${JSON.stringify(value)}`)]
}
