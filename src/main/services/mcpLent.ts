import type { McpEndpoint } from '../core/ports/mcpConnections'
import { looksSecret } from './mcpForm'

/** Shorter ones stand in other words as well: masking them would harm more than it hides. */
const shortest = 8

/**
 * Values that a server is given and that are secret by their name, wherever they came from: a server may send them back in an
 * answer, an error or its log, and mcp.json and the environment keep them beside the secret store (SECURITY 5).
 */
export function secretsGiven(endpoint: McpEndpoint): readonly string[] {
  const named = endpoint.kind === 'stdio' ? Object.entries(endpoint.env) : [...Object.entries(endpoint.headers), ...new URL(endpoint.url).searchParams]
  return named.flatMap(([name, value]) => (looksSecret(name, value) ? [value, bare(value)] : [])).filter((value) => value.length >= shortest)
}

/** The key of an `Authorization` header without the word before it. */
function bare(value: string): string {
  return value.replace(/^(?:Bearer|Basic|Token)\s+/iu, '')
}
