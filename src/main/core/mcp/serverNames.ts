import { said, type Said } from '../../../shared/domain/result'

/** Names that may not be used, with why: of two that look alike the first in the list keeps its name (SECURITY 5). */
export function refusedServers(names: readonly string[]): ReadonlyMap<string, Said> {
  return new Map(names.filter((name) => name.trim() === '').map((name) => [name, said('mcp.name-empty')]))
}
