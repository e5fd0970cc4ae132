import type { McpOrigin } from '../../../shared/domain/mcp'
import { shortHash } from './shortHash'

/** What every provider accepts (R47, case f03). */
const maxName = 64
/** Characters of the server's part; the rest is the tool's. Fixed, so that a name never depends on another one. */
const maxServer = 28

/** One text for one origin; two origins never have the same. */
export function originKey(origin: McpOrigin): string {
  return JSON.stringify([origin.server, origin.tool])
}

/**
 * The names under which tools are registered, by `originKey`: `mcp__server__tool`, of [a-zA-Z0-9_-], at most 64 characters,
 * each once (R47).
 *
 * A part that fits stays as it is; one that had to be changed carries a hash of the original, so that a name depends on its
 * own origin alone: neither order nor other servers and tools change it. The server's part ends at the first `__` behind the
 * prefix and never touches an underscore there, so no other split can be read into a name (SECURITY 5, shadowing).
 * Only where a hash, or a name that looks like one, really meets another, the changed ones of them get another hash.
 */
export function registeredNames(origins: readonly McpOrigin[]): ReadonlyMap<string, string> {
  const wanted = new Map(origins.map((origin) => [originKey(origin), origin]))
  let names = new Map([...wanted].map(([key, origin]) => [key, nameOf(origin, 0)]))
  for (let attempt = 1; attempt < 50; attempt += 1) {
    const meeting = keysThatMeet(names)
    if (meeting.length === 0) break
    // A plain name is its origin's own: whoever imitates it moves away.
    names = new Map([...names].map(([key, name]) => [key, meeting.includes(key) && !isPlain(wanted.get(key)) ? nameOf(wanted.get(key), attempt) : name]))
  }
  return names
}

function keysThatMeet(names: ReadonlyMap<string, string>): readonly string[] {
  const keys = new Map<string, string[]>()
  for (const [key, name] of names) keys.set(name, [...(keys.get(name) ?? []), key])
  return [...keys.values()].filter((each) => each.length > 1).flat()
}

function nameOf(origin: McpOrigin | undefined, attempt: number): string {
  if (!origin) return ''
  const prefix = `mcp__${serverPart(origin.server)}__`
  return prefix + toolPart(origin, maxName - prefix.length, attempt)
}

function isPlain(origin: McpOrigin | undefined): boolean {
  return origin !== undefined && nameOf(origin, 0) === `mcp__${origin.server}__${origin.tool}`
}

function serverPart(server: string): string {
  if (/^[a-zA-Z0-9-](?:_?[a-zA-Z0-9-])*$/u.test(server) && server.length <= maxServer) return server
  return withHash(server, shortHash(server), maxServer)
}

function toolPart(origin: McpOrigin, room: number, attempt: number): string {
  const { server, tool } = origin
  if (attempt === 0 && /^[a-zA-Z0-9_-]+$/u.test(tool) && tool.length <= room) return tool
  return withHash(tool, shortHash(originKey({ server: attempt === 0 ? '' : server, tool }), attempt), room)
}

function withHash(text: string, hash: string, room: number): string {
  const readable = text
    .replace(/[^a-zA-Z0-9-]+/gu, '_')
    .slice(0, room - hash.length - 1)
    .replace(/^_+|_+$/gu, '')
  return readable === '' ? hash : `${readable}_${hash}`
}
