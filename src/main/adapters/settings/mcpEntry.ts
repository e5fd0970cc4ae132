import type { McpServerConfig } from '../../core/ports/mcpConfig'
import type { SayCode } from '../../../shared/words/codes'

/** Where something stands inside an entry: names of fields and places in lists. */
export type Steps = readonly (string | number)[]

/** What reading an entry came to. A fault names the field that it stands in; the caller knows the file. */
export type EntryRead = { readonly ok: true; readonly server: McpServerConfig } | { readonly ok: false; readonly code: SayCode; readonly steps: Steps }

/** Names that other tools give the address, the one that counts first (Gemini CLI, then everybody, then Windsurf). */
export const urlNames = ['httpUrl', 'url', 'serverUrl'] as const

/**
 * `timeout` is in seconds, as in Cline and Roo, whose longest is an hour. Gemini CLI and others write milliseconds, so a larger
 * number is taken for those; and a longer time is written so.
 */
const longestSeconds = 3600

/** The number that stands for a time in mcp.json. */
export function timeoutNumber(ms: number): number {
  return ms <= longestSeconds * 1000 ? ms / 1000 : ms
}

/** The time that a number in mcp.json stands for; null for 0, which some write for the default. */
export function timeoutMs(value: number): number | null {
  if (value === 0) return null
  return Math.max(1, Math.round(value <= longestSeconds ? value * 1000 : value))
}

/** A name that can be shown, stored and sent as it is. */
export function isGoodName(name: string): boolean {
  return name.trim() === name && name !== '' && name.length <= 200 && !/[\p{Cc}\p{Cs}]/u.test(name)
}

class Bad extends Error {
  readonly code: SayCode
  readonly steps: Steps

  constructor(code: SayCode, steps: Steps) {
    super(code)
    this.code = code
    this.steps = steps
  }
}

/** Reads an entry of `mcpServers`. `command` or an address decides how it is reached (R41); `type` only repeats it. */
export function readEntry(name: string, value: unknown): EntryRead {
  if (!isGoodName(name)) return { ok: false, code: 'mcp.entry-name', steps: [] }
  if (!isRecord(value)) return { ok: false, code: 'mcp.entry-not-object', steps: [] }
  try {
    return readFields(name, value)
  } catch (error) {
    if (error instanceof Bad) return { ok: false, code: error.code, steps: error.steps }
    throw error
  }
}

function readFields(name: string, value: Readonly<Record<string, unknown>>): EntryRead {
  const command = textOf(value, 'command')
  const url = urlNames.map((field) => textOf(value, field)).find((text) => text !== '') ?? ''
  if (command !== '' && url !== '') return { ok: false, code: 'mcp.entry-both', steps: [] }
  if (command === '' && url === '') return { ok: false, code: 'mcp.entry-neither', steps: [] }
  return {
    ok: true,
    server: {
      name, command, url,
      transport: command === '' ? 'http' : 'stdio',
      args: listOf(value, 'args'),
      cwd: textOf(value, 'cwd'),
      env: mapOf(value, 'env'),
      headers: mapOf(value, 'headers'),
      isDisabled: flagOf(value, 'disabled') === true || flagOf(value, 'enabled') === false,
      timeoutMs: timeOf(value),
    },
  }
}

/** Whether a value is an object with named fields. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date)
}

/** The value of a field of the object itself; null counts as not being there. */
export function fieldOf(value: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(value, name) ? (value[name] ?? undefined) : undefined
}

/** People write ports and switches as numbers and booleans; a program gets texts. */
function asText(value: unknown): string | null {
  if (typeof value === 'string') return value
  return typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint' ? String(value) : null
}

function textOf(value: Readonly<Record<string, unknown>>, name: string): string {
  const found = fieldOf(value, name) ?? ''
  if (typeof found !== 'string') throw new Bad('mcp.entry-not-text', [name])
  return found
}

function flagOf(value: Readonly<Record<string, unknown>>, name: string): boolean | null {
  const found = fieldOf(value, name) ?? null
  if (found !== null && typeof found !== 'boolean') throw new Bad('mcp.entry-not-flag', [name])
  return found
}

function timeOf(value: Readonly<Record<string, unknown>>): number | null {
  const found = fieldOf(value, 'timeout') ?? null
  if (found === null) return null
  if (typeof found !== 'number' || !Number.isFinite(found) || found < 0) throw new Bad('mcp.entry-not-number', ['timeout'])
  return timeoutMs(found)
}

function listOf(value: Readonly<Record<string, unknown>>, name: string): readonly string[] {
  const found = fieldOf(value, name) ?? []
  if (!Array.isArray(found)) throw new Bad('mcp.entry-not-list', [name])
  return found.map((item: unknown, index) => {
    const text = asText(item)
    if (text === null) throw new Bad('mcp.entry-not-text', [name, index])
    return text
  })
}

function mapOf(value: Readonly<Record<string, unknown>>, name: string): Readonly<Record<string, string>> {
  const found = fieldOf(value, name) ?? {}
  if (!isRecord(found)) throw new Bad('mcp.entry-not-map', [name])
  return Object.fromEntries(Object.entries(found).map(([key, item]) => {
    const text = asText(item)
    if (text === null) throw new Bad('mcp.entry-not-text', [name, key])
    return [key, text]
  }))
}
