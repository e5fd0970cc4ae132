import type { TaintSource } from '../../../shared/domain/tool'

/** Where an entry came from as one word of a Markdown comment; nothing in it can end the comment. */
export function outsideMark(source: TaintSource): string {
  const rest = source.kind === 'web' ? [source.host, source.url] : [source.kind === 'mcp' ? source.server : source.path]
  return [source.kind, ...rest].map(encoded).join(':')
}

/** Reads such a word; null for any other. */
export function readOutsideMark(mark: string): TaintSource | null {
  const [kind = '', first = '', second = '', ...more] = mark.split(':').map(decoded)
  return more.length === 0 ? readOutside({ kind, ...(kind === 'web' ? { host: first, url: second } : kind === 'file' ? { path: first } : { server: first }) }) : null
}

/** Reads where an entry came from out of JSON; null for what names no page and no server. */
export function readOutside(value: unknown): TaintSource | null {
  if (typeof value !== 'object' || value === null) return null
  const { kind, host, url, server, path } = value as Readonly<Record<string, unknown>>
  if (kind === 'web' && typeof host === 'string' && typeof url === 'string' && host !== '') return { kind, host, url }
  if (kind === 'file' && typeof path === 'string' && path !== '') return { kind, path }
  return kind === 'mcp' && typeof server === 'string' && server !== '' ? { kind, server } : null
}

function encoded(part: string): string {
  // A half of a pair has no percent form.
  return encodeURIComponent(part.replace(/[\ud800-\udfff]/gu, '\ufffd')).replaceAll('-', '%2D')
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return ''
  }
}
