import type { Root } from '../../native/safeFolder'
import { readFileNow } from '../../native/safePath'
import type { Stats } from '../../native/diskSteps'

/** Larger files are data. */
export const largestBytes = 2 * 1024 * 1024
/** A line that nobody wrote; where such lines are most of a file, it is minified. */
const longLine = 5000
/** At most one character in so many may be none, and one in any file. */
const strayOneIn = 1000

/** A file's text with its stamp, or why there is none. `left` files are there, but nothing of them is read. */
export type Source =
  | { readonly kind: 'text'; readonly text: string; readonly hash: string; readonly stamp: string; readonly mtimeMs: number }
  | { readonly kind: 'left'; readonly stamp: string; readonly mtimeMs: number }
  | { readonly kind: 'gone' }

/** Reads a file of the project as text. Follows no link. `isProse`: long lines are paragraphs. */
export function readSource(root: Root, path: string, isProse: boolean): Source {
  const read = readFileNow(root, path, largestBytes)
  // Unreadable, too large, a link or something else by now: the scan that saw it as a file knows its stamp, and keeps it.
  if (!read.ok) return { kind: 'gone' }
  const { bytes, stats, hash } = read.value
  const mtimeMs = Number(stats.mtimeMs)
  const stamp = isSettled(stats) ? stampOf(stats) : ''
  // A second name may be that of a secret or of a file outside: reading it asks (R65), so nothing of it is shown unasked.
  const text = stats.nlink > 1n ? null : textOf(bytes)
  if (text === null || (!isProse && isMinified(text))) return { kind: 'left', stamp, mtimeMs }
  return { kind: 'text', text, hash: hash.slice(0, 32), stamp, mtimeMs }
}

/** What changes with every change of a file. */
export function stampOf(stats: Stats): string {
  return `${stats.size}.${stats.mtimeNs}.${stats.ctimeNs}.${stats.ino}`
}

/** A change within the clock's tick after the reading would not show in the times. */
function isSettled(stats: Stats): boolean {
  return Date.now() - Number(stats.mtimeMs) > 100 && Date.now() - Number(stats.ctimeMs) > 100
}

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true })

/** Null for what is no UTF-8; a stray byte, as an editor or a cut leaves one, does not make it so. */
function textOf(bytes: Uint8Array): string | null {
  if (bytes.subarray(0, 8192).includes(0)) return null
  const text = utf8.decode(bytes)
  let bad = 0
  for (let at = text.indexOf('\uFFFD'); at !== -1; at = text.indexOf('\uFFFD', at + 1)) bad++
  return bad * strayOneIn > text.length + strayOneIn ? null : text
}

function isMinified(text: string): boolean {
  let long = 0
  for (let from = 0; from < text.length; ) {
    const end = text.indexOf('\n', from)
    const length = (end === -1 ? text.length : end) - from
    if (length > longLine) long += length
    from += length + 1
  }
  return long * 2 > text.length
}
