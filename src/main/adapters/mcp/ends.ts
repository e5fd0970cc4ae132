import { said, type Values } from '../../../shared/domain/result'
import type { SayCode } from '../../../shared/words/codes'
import type { McpEnd } from '../../core/ports/mcpConnections'

/** An end in words: what happened, and what a person may do about it. */
export function endOf(code: SayCode, values: Values = {}, advice: SayCode | null = null, rest: { readonly exitCode?: number | null; readonly wantsSignIn?: boolean } = {}): McpEnd {
  return { say: said(code, values), advice: advice === null ? null : said(advice), exitCode: rest.exitCode ?? null, wantsSignIn: rest.wantsSignIn ?? false }
}

/** An end, where a connection was to be. */
export function failedBy(end: McpEnd): { readonly ok: false; readonly end: McpEnd } {
  return { ok: false, end }
}

/** The end of a start that was called off. */
export function calledOff(): McpEnd {
  return endOf('mcp.start-cancelled')
}

/** What an error says, in one line that fits on a card. */
export function problemOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length > 300 ? `${line.slice(0, 300)}…` : line
}

/** Milliseconds as sentences have them. */
export function secondsOf(ms: number): number {
  return Math.round(ms / 100) / 10
}

