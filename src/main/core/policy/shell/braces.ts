/**
 * Brace expansion on the written text of a word, as bash does it before everything else: `a{b,c}d` gives `abd` and `acd`,
 * `{1..3}` counts. Quotes, escapes and `${…}` inside are passed over. Null when it would give more than `limit` words.
 */
export function expandBraces(text: string, limit: number): readonly string[] | null {
  const open = findOpen(text)
  if (open === null) return [text]
  const before = text.slice(0, open.start)
  const after = expandBraces(text.slice(open.end + 1), limit)
  if (after === null) return null
  const middles: string[] = []
  for (const item of open.items) {
    const inner = expandBraces(item, limit)
    if (inner === null || (middles.length + inner.length) * after.length > limit) return null
    middles.push(...inner)
  }
  return middles.flatMap((middle) => after.map((rest) => before + middle + rest))
}

interface Braces {
  readonly start: number
  readonly end: number
  readonly items: readonly string[]
}

/** The first brace expression that bash would expand: one with a comma or a range at its own level. */
function findOpen(text: string): Braces | null {
  for (let at = 0; at < text.length; at = skip(text, at)) {
    if (text[at] !== '{' || text[at - 1] === '$') continue
    const found = closeFrom(text, at)
    if (found) return found
  }
  return null
}

function closeFrom(text: string, start: number): Braces | null {
  const items: string[] = []
  let depth = 0
  let from = start + 1
  for (let at = start + 1; at < text.length; at = skip(text, at)) {
    const character = text[at]
    if (character === '{') depth++
    else if (character === ',' && depth === 0) {
      items.push(text.slice(from, at))
      from = at + 1
    } else if (character === '}' && depth > 0) depth--
    else if (character === '}') {
      const last = text.slice(from, at)
      if (items.length > 0) return { start, end: at, items: [...items, last] }
      const range = rangeOf(last)
      return range && { start, end: at, items: range }
    }
  }
  return null
}

/** The position after one character, or after one quoted stretch. */
function skip(text: string, at: number): number {
  const character = text[at]
  if (character === '\\') return at + 2
  if (character === "'" || character === '"' || character === '`') {
    const end = text.indexOf(character, at + 1)
    return end < 0 ? text.length : end + 1
  }
  if (character === '$' && (text[at + 1] === '{' || text[at + 1] === '(')) return skipExpansion(text, at + 1)
  return at + 1
}

function skipExpansion(text: string, at: number): number {
  const [open, close] = text[at] === '{' ? ['{', '}'] : ['(', ')']
  let depth = 0
  for (; at < text.length; at++) {
    if (text[at] === open) depth++
    else if (text[at] === close && --depth === 0) return at + 1
  }
  return text.length
}

function rangeOf(text: string): readonly string[] | null {
  const found = /^(-?\d{1,9}|[A-Za-z])\.\.(-?\d{1,9}|[A-Za-z])(?:\.\.(-?\d{1,9}))?$/u.exec(text)
  if (!found) return null
  const [, from = '', to = '', step] = found
  const isLetters = /[A-Za-z]/u.test(from)
  if (isLetters !== /[A-Za-z]/u.test(to)) return null
  const first = isLetters ? from.charCodeAt(0) : Number(from)
  const last = isLetters ? to.charCodeAt(0) : Number(to)
  const by = Math.max(1, Math.abs(Number(step ?? 1)))
  const count = Math.floor(Math.abs(last - first) / by) + 1
  const length = Math.min(count, 10_000)
  return Array.from({ length }, (_, at) => {
    const each = first + (last < first ? -at : at) * by
    return isLetters ? String.fromCharCode(each) : String(each)
  })
}
