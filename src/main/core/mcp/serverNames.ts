import { said, type Said } from '../../../shared/domain/result'
import { foldLookalikes } from './confusables'
import { cutBefore, showHidden } from './hiddenText'

/** A name longer than this is not read to its end. */
const longestName = 64
const separators = /[-_.\s·・‐-―−]+/gu

/**
 * The server names that may not be used, with why; all others may. Refused are names that are empty, too long or hold
 * hidden characters, and, of names that look alike, all but the first in the list (SECURITY 5): a second `git-hub` with a
 * Cyrillic letter, a zero for an O or another separator would stand on a card as the first one does. The same name twice
 * is one name.
 */
export function refusedServers(names: readonly string[]): ReadonlyMap<string, Said> {
  const refused = new Map<string, Said>()
  const holders = new Map<string, string>()
  for (const name of new Set(names)) {
    const why = faultOf(name) ?? alikeFault(name, holders)
    if (why !== null) refused.set(name, why)
    else for (const key of keysOf(name)) holders.set(key, name)
  }
  return refused
}

function faultOf(name: string): Said | null {
  if (name.trim() === '') return said('mcp.name-empty')
  if ([...name].length > longestName) return said('mcp.name-too-long', { name: `${cutBefore(showHidden(name), longestName)}…`, limit: longestName })
  // A space of another width counts too, and a name may not begin or end with one.
  if (showHidden(name) !== name || /[\n\t]|(?! )\p{Zs}/u.test(name) || name.trim() !== name) return said('mcp.name-hidden', { name: showHidden(name) })
  return null
}

function alikeFault(name: string, holders: ReadonlyMap<string, string>): Said | null {
  for (const key of keysOf(name)) {
    const other = holders.get(key)
    if (other !== undefined) return said('mcp.name-alike', { name, other })
  }
  return null
}

/**
 * What a name looks like, in small letters and in capitals as they are: `I` is like `l` only as a capital, and `mail` is
 * not like `mall`.
 */
function keysOf(name: string): readonly string[] {
  const folded = foldLookalikes(name)
  return [`small:${shapeOf(folded.toLowerCase())}`, `as-is:${shapeOf(folded.replace(/[I|]/gu, 'l').toLowerCase())}`]
}

function shapeOf(text: string): string {
  const shape = foldLookalikes(text)
    .replace(separators, '-')
    .replace(/^-|-$/gu, '')
    .replace(/0/gu, 'o')
    .replace(/[1|]/gu, 'l')
    .replace(/rn/gu, 'm')
    .replace(/vv/gu, 'w')
  return shape === '' ? text : shape
}
