/** The title and the text of a page. */
export interface MainText {
  readonly title: string
  readonly text: string
}

const silent = new Set(['script', 'style', 'noscript', 'template', 'svg', 'iframe', 'textarea', 'select'])
const breaking = /^(?:p|div|br|li|ul|ol|tr|table|h[1-6]|section|article|header|footer|pre|blockquote|dt|dd|hr)$/

/**
 * The text of a page without its tags, in one pass: for pages that are too large or too deep to be understood. Attributes
 * that hide text are not looked at.
 */
export function withoutTags(html: string): MainText {
  const pieces: string[] = []
  let at = 0
  while (at < html.length) {
    const open = html.indexOf('<', at)
    pieces.push(html.slice(at, open === -1 ? html.length : open))
    if (open === -1) break
    if (html.startsWith('<!--', open)) {
      at = behind(html, '-->', open)
      continue
    }
    const name = /^<\/?([a-z][a-z0-9]{0,20})/i.exec(html.slice(open, open + 24))?.[1]?.toLowerCase() ?? ''
    if (breaking.test(name)) pieces.push('\n')
    else if (name === 'td' || name === 'th') pieces.push(' ')
    at = behind(html, '>', open)
    if (silent.has(name) && html[open + 1] !== '/') at = endOfSilent(html, name, at)
  }
  const title = /<title[^>]{0,200}>([^<]{0,500})/i.exec(html.slice(0, 100_000))?.[1] ?? ''
  return { title: plain(title).replace(/\s+/g, ' ').trim(), text: plain(pieces.join('')).replace(/[ \t\r]+/g, ' ').replace(/ ?\n[ \n]*/g, '\n').trim() }
}

function behind(html: string, mark: string, from: number): number {
  const found = html.indexOf(mark, from)
  return found === -1 ? html.length : found + mark.length
}

/** One search for each, so that a thousand that never end cost no more than one. */
function endOfSilent(html: string, name: string, from: number): number {
  const closing = new RegExp(`</${name}[\\s>]`, 'gi')
  closing.lastIndex = from
  const found = closing.exec(html)
  return found === null ? html.length : behind(html, '>', found.index)
}

const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }

function plain(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,6}));/gi, (whole, decimal: string | undefined, hex: string | undefined, name: string | undefined) => {
    if (name !== undefined) return named[name.toLowerCase()] ?? whole
    const code = decimal === undefined ? parseInt(hex ?? '', 16) : Number(decimal)
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole
  })
}
