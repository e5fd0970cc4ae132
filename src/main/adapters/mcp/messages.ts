import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'

/** An object of unknown content, as JSON gives it. */
export type Json = Readonly<Record<string, unknown>>

/** True for what JSON calls an object. */
export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The text, or an empty one for anything else. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** The list, or an empty one for anything else. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/**
 * The messages of one line; null when it holds none, as a log line does. A batch (of protocol 2025-03-26) gives several. Only
 * the fields of JSON-RPC are kept: the library drops a message that has another one, and its call would wait for ever.
 */
export function messagesOf(line: Buffer): readonly JSONRPCMessage[] | null {
  const first = firstByte(line)
  // Most log lines are known without reading them as JSON.
  if (first !== 0x7b && first !== 0x5b) return null
  let value: unknown
  try {
    value = JSON.parse(line.toString('utf8').replace(/^\uFEFF/, ''))
  } catch {
    return null
  }
  const found = (Array.isArray(value) ? value : [value]).map(messageOf)
  const messages = found.filter((one) => one !== null)
  return messages.length === found.length && messages.length > 0 ? messages : null
}

/** The first byte that is neither a blank nor of a byte order mark. */
function firstByte(line: Buffer): number {
  for (const byte of line) if (byte > 0x20 && byte !== 0xef && byte !== 0xbb && byte !== 0xbf) return byte
  return 0
}

function messageOf(value: unknown): JSONRPCMessage | null {
  if (!isObject(value) || value['jsonrpc'] !== '2.0') return null
  const { id, method, params, result, error } = value
  const hasId = typeof id === 'string' || (typeof id === 'number' && Number.isSafeInteger(id))
  const base = { jsonrpc: '2.0' as const }
  if (typeof method === 'string') {
    const given = isObject(params) ? { params } : {}
    if (hasId) return { ...base, id, method, ...given }
    return id === undefined || id === null ? { ...base, method, ...given } : null
  }
  if (!hasId) return null
  if (isObject(error)) {
    const { code, message, data } = error
    return { ...base, id, error: { code: typeof code === 'number' && Number.isSafeInteger(code) ? code : -32603, message: textOf(message), ...(data === undefined ? {} : { data }) } }
  }
  return 'result' in value ? { ...base, id, result: isObject(result) ? result : {} } : null
}
