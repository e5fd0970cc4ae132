/** A place in a file, as a text names it. Lines and columns count from 1; null where none is said. */
export interface FilePlace {
  readonly path: string
  readonly line: number | null
  readonly column: number | null
}

/** A place with where it stands in the text, as string offsets. */
export interface FoundPlace extends FilePlace {
  readonly start: number
  readonly end: number
}

/** Most places of one text; what comes after stays words. */
const mostPlaces = 500
const longestPath = 1024

/** What ends a path that stands bare in a text, going backwards. Commas and brackets of both writings among them. */
const ends = /[\s"'`<>|*?,;，。；、：！？“”‘’「」『』《》【】（）…\u0000-\u001f\u007f]/u
/** How a line is said behind a path: `:12:5`, `:12-20`, `(12,5)`, `#L12`, `, line 12`, ` on line 12`, ` 第 12 行`. */
const said = /:(\d{1,7})(?::(\d{1,7})|-\d{1,7})?(?![\w:])|:(\d{1,7}):(\d{1,7})(?=:)|:(\d{1,7})(?=:(?!\d))|\((\d{1,7})(?:, ?(\d{1,7}))?\)|#L(\d{1,7})(?:C(\d{1,7}))?(?:-L?\d{1,7})?(?!\w)|,? (?:on )?line (\d{1,7})(?!\w)|[,，]? ?第 ?(\d{1,7}) ?行/gu
/** Names without an ending that compilers and builds speak of. */
const bareNames = /^(?:[A-Z][a-z]*file|BUILD|WORKSPACE|LICENSE|README)$/u

/**
 * The places that a text names (R111), in order and never overlapping: `path:line:col`, `path(line,col)`, `"path", line n` and
 * the like, and paths with a folder and an ending alone. Pure: whether such a file is there is for the caller to find out, and
 * only files of the opened folder become links. Addresses (`https://`, `file://`) are none. Looks at each character at most
 * a few times, whatever the text.
 */
export function placesIn(text: string): readonly FoundPlace[] {
  const found: FoundPlace[] = []
  let from = 0
  for (const match of text.matchAll(said)) {
    if (found.length === mostPlaces) return found
    const place = placeBefore(text, match, from)
    if (place === null) continue
    addBare(text, from, place.start, found)
    found.push(place)
    from = place.end
  }
  addBare(text, from, text.length, found)
  return found.slice(0, mostPlaces)
}

function placeBefore(text: string, match: RegExpExecArray, from: number): FoundPlace | null {
  const numbers = match.slice(1).filter((one) => one !== undefined).map(Number)
  const [line = 0, column = null] = numbers
  if (line < 1) return null
  const end = match.index + match[0].length
  const quote = text[match.index - 1]
  const start = quote === '"' || quote === "'" || quote === '`' ? afterQuote(text, match.index - 2, from, quote) : startOfPath(text, match.index, from)
  if (start === null) return null
  const path = text.slice(start, quote === '"' || quote === "'" || quote === '`' ? match.index - 1 : match.index)
  return isPath(path) ? { path, line, column: column === null || column < 1 ? null : column, start, end } : null
}

/** A quoted path may hold blanks; it ends where the line does. */
function afterQuote(text: string, last: number, from: number, quote: string): number | null {
  for (let at = last; at >= from && last - at < longestPath; at -= 1) {
    if (text[at] === quote) return at + 1
    if (text[at] === '\n') return null
  }
  return null
}

/** Where the path that ends at `end` begins; null for an address, and for none. */
function startOfPath(text: string, end: number, from: number): number | null {
  let depth = 0
  let at = end
  for (; at > from && end - at < longestPath; at -= 1) {
    const character = text[at - 1] ?? ''
    if (ends.test(character)) break
    if (character === ':' && !isDrive(text, at - 1)) {
      if (text.startsWith('//', at)) return null
      break
    }
    if (character === ')' || character === ']') depth += 1
    if (character === '(' || character === '[') {
      if (depth === 0) break
      depth -= 1
    }
  }
  return at < end ? at : null
}

/** `C:` before a slash, at the beginning of a word. */
function isDrive(text: string, colon: number): boolean {
  return /^[A-Za-z]:[\\/]$/u.test(text.slice(colon - 1, colon + 2)) && (colon < 2 || /[\s"'`(<=]/u.test(text[colon - 2] ?? ''))
}

/** A name with an ending, a path with a slash, or one of the few names that have neither; always with a letter. */
function isPath(path: string): boolean {
  if (path === '' || path.includes('://') || path.length > longestPath || !/\p{L}|_/u.test(path)) return false
  const name = path.split(/[\\/]/u).at(-1) ?? ''
  return name !== '' && (/[\\/]/u.test(path) || /[^.]\.\w{1,12}$/u.test(name) || /^\.\w/u.test(name) || bareNames.test(name))
}

/** Paths alone, between two places: with a folder and an ending, or they would be too many words. */
function addBare(text: string, from: number, until: number, found: FoundPlace[]): void {
  let start = from
  for (let at = from; at <= until; at += 1) {
    if (at < until && !ends.test(text[at] ?? '')) continue
    if (at > start) addToken(text, start, at, found)
    if (found.length === mostPlaces) return
    start = at + 1
  }
}

function addToken(text: string, start: number, end: number, found: FoundPlace[]): void {
  if (end - start > longestPath || text[start - 1] === ':') return
  const token = text.slice(start, end)
  const lead = /^[([{=]*/u.exec(token)?.[0].length ?? 0
  const path = token.slice(lead).replace(/[.:)\]}]+$/u, '')
  if (!/[\\/]/u.test(path) || !/[^./\\]\.\w{1,12}$/u.test(path) || /:\/\/|\/\//u.test(path) || !isPath(path)) return
  if (path.includes(':') && !/^[A-Za-z]:[\\/]/u.test(path)) return
  found.push({ path, line: null, column: null, start: start + lead, end: start + lead + path.length })
}
