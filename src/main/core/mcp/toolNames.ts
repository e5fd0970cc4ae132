import type { McpOrigin } from '../../../shared/domain/mcp'

/** One text for one origin; two origins never have the same. */
export function originKey(origin: McpOrigin): string {
  return JSON.stringify([origin.server, origin.tool])
}

/** The names under which tools are registered, by `originKey` (R47). */
export function registeredNames(origins: readonly McpOrigin[]): ReadonlyMap<string, string> {
  return new Map(origins.map((origin) => [originKey(origin), `mcp__${origin.server}__${origin.tool}`.replace(/[^a-zA-Z0-9_-]/gu, '_').slice(0, 64)]))
}
