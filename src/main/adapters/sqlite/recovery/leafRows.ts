import type { PageView } from './pages'

/** A value as SQLite stores it. */
export type Stored = null | number | bigint | string | Uint8Array

/** A row found on a page, without the name of its table. */
export interface FoundRow {
  readonly rowid: number
  readonly values: readonly Stored[]
}

const leafTable = 0x0d
/** Far beyond any row of ours: what claims more is not a row. */
const longestBytes = 256 * 1024 * 1024

/**
 * The rows on one page when it is a leaf of a table, by SQLite's file format (sections 1.6, 2.1). A page, cell or record that
 * makes no sense gives nothing; damage never throws.
 */
export function rowsOn(pages: PageView, page: number): readonly FoundRow[] {
  const bytes = pages.read(page)
  const start = page === 1 ? 100 : 0
  if (bytes === null || bytes[start] !== leafTable) return []
  const cells = bytes.readUInt16BE(start + 3)
  const rows: FoundRow[] = []
  for (let cell = 0; cell < cells && start + 8 + cell * 2 + 2 <= bytes.length; cell += 1) {
    const row = rowAt(pages, bytes, bytes.readUInt16BE(start + 8 + cell * 2))
    if (row !== null) rows.push(row)
  }
  return rows
}

function rowAt(pages: PageView, page: Buffer, at: number): FoundRow | null {
  const length = varint(page, at)
  if (length === null || length.value > longestBytes) return null
  const rowid = varint(page, length.next)
  if (rowid === null) return null
  const payload = payloadOf(pages, page, rowid.next, length.value)
  const values = payload === null ? null : recordOf(payload)
  return values === null ? null : { rowid: rowid.value, values }
}

/** The payload, whose rest may stand in a chain of overflow pages. */
function payloadOf(pages: PageView, page: Buffer, at: number, length: number): Buffer | null {
  const usable = pages.usableBytes
  const most = usable - 35
  const least = Math.floor(((usable - 12) * 32) / 255) - 23
  const fitted = least + ((length - least) % (usable - 4))
  const local = length <= most ? length : fitted <= most ? fitted : least
  if (at + local > usable) return null
  if (local === length) return page.subarray(at, at + length)
  if (at + local + 4 > usable) return null
  const parts = [page.subarray(at, at + local)]
  let next = page.readUInt32BE(at + local)
  for (let missing = length - local; missing > 0; ) {
    const overflow = next === 0 ? null : pages.read(next)
    if (overflow === null) return null
    const part = overflow.subarray(4, 4 + Math.min(missing, usable - 4))
    parts.push(part)
    missing -= part.length
    next = overflow.readUInt32BE(0)
  }
  return Buffer.concat(parts)
}

function recordOf(payload: Buffer): Stored[] | null {
  const header = varint(payload, 0)
  if (header === null || header.value > payload.length) return null
  const values: Stored[] = []
  let body = header.value
  for (let at = header.next; at < header.value; ) {
    const type = varint(payload, at)
    if (type === null) return null
    const bytes = sizeOf(type.value)
    if (bytes === null || body + bytes > payload.length) return null
    const value = valueOf(type.value, payload.subarray(body, body + bytes))
    if (value === undefined) return null
    values.push(value)
    body += bytes
    at = type.next
  }
  return body === payload.length ? values : null
}

const fixedSizes: readonly (number | null)[] = [0, 1, 2, 3, 4, 6, 8, 8, 0, 0, null, null]

function sizeOf(type: number): number | null {
  return type < 12 ? (fixedSizes[type] ?? null) : Math.floor((type - 12) / 2)
}

/** Undefined for a text that is none. */
function valueOf(type: number, bytes: Buffer): Stored | undefined {
  if (type === 0) return null
  if (type <= 5) return bytes.readIntBE(0, bytes.length)
  if (type === 6) return bytes.readBigInt64BE(0)
  if (type === 7) return bytes.readDoubleBE(0)
  if (type === 8 || type === 9) return type - 8
  return type % 2 === 1 ? (textOf(bytes) ?? undefined) : Uint8Array.from(bytes)
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** The text, or null when the bytes are not UTF-8: what was written as text was overwritten by something else. */
export function textOf(bytes: Uint8Array): string | null {
  try {
    return decoder.decode(bytes)
  } catch {
    return null
  }
}

/** A number of 1 to 9 bytes; null when it is cut or beyond what is counted exactly. */
function varint(bytes: Buffer, at: number): { readonly value: number; readonly next: number } | null {
  let value = 0
  for (let index = 0; index < 8; index += 1) {
    const byte = bytes[at + index]
    if (byte === undefined) return null
    value = value * 128 + (byte & 0x7f)
    if (byte < 0x80) return value <= Number.MAX_SAFE_INTEGER ? { value, next: at + index + 1 } : null
  }
  return null // rowids and sizes of ours never need nine bytes
}
