import { assertNever } from './result'
import type { TaintSource } from './tool'

/** Where text from outside came from, whole, in one name: a server, an address, a path. */
export function sourceName(source: TaintSource): string {
  switch (source.kind) {
    case 'mcp': return source.server
    case 'web': return source.url
    case 'file': return source.path
    default: return assertNever(source)
  }
}
