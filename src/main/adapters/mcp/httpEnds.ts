import type { McpEnd } from '../../core/ports/mcpConnections'
import { endOf, problemOf } from './ends'

/** What an answer's status means. 401 asks to sign in, unless the person gave an `Authorization` of their own, which is then wrong. */
export function endOfStatus(status: number, message: string, url: string, headers: Readonly<Record<string, string>>): McpEnd {
  const host = new URL(url).host
  const target = /Redirect to (?:plain http not followed; try )?(\S+?)(?: instead| not followed|$)/.exec(message)?.[1]
  if (target !== undefined) return endOf('mcp.redirected', { host, target }, 'mcp.redirected-advice')
  if (status === 401) {
    return hasOwnKey(headers) ? endOf('mcp.key-refused', { host }, 'mcp.key-refused-advice') : endOf('mcp.sign-in-needed', { host }, 'mcp.sign-in-needed-advice', { wantsSignIn: true })
  }
  if (status === 403) return endOf('mcp.key-refused', { host }, 'mcp.key-refused-advice')
  if (status >= 400 && status <= 599) return endOf('mcp.http-status', { host, status }, status >= 500 ? 'mcp.no-answer-advice' : 'mcp.not-mcp-advice')
  if (message.includes('Unexpected content type')) return endOf('mcp.not-mcp', { host }, 'mcp.not-mcp-advice')
  return endOf('mcp.unreachable', { host, problem: problemOf(message) }, 'mcp.unreachable-advice')
}

/** True when the form gives an `Authorization` of its own, which is then sent and no other. */
export function hasOwnKey(headers: Readonly<Record<string, string>>): boolean {
  return Object.keys(headers).some((name) => name.toLowerCase() === 'authorization')
}
