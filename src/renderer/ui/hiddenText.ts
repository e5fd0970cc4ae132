/** A piece of outside text: shown as it is, or a character that cannot be seen or reorders others. */
export type ExactPiece = { readonly kind: 'text'; readonly text: string } | { readonly kind: 'hidden'; readonly code: string; readonly name: HiddenName }
type HiddenName = 'control' | 'zero-width' | 'bidi' | 'tag' | 'space' | 'look-alike' | 'other'

/** First and last code point of what cannot be seen or moves what can: in order. Tab and line feed are no secrets. */
const hiddenRanges: readonly (readonly [number, number])[] = [
  [0x00, 0x08], [0x0b, 0x1f], [0x7f, 0xa0], [0xad, 0xad], [0x34f, 0x34f], [0x61c, 0x61c], [0x115f, 0x1160], [0x1680, 0x1680], [0x17b4, 0x17b5], [0x180b, 0x180f],
  [0x2000, 0x200f], [0x2028, 0x202f], [0x205f, 0x206f], [0x2800, 0x2800], [0x3164, 0x3164], [0xd800, 0xf8ff], [0xfe00, 0xfe0e], [0xfeff, 0xfeff], [0xffa0, 0xffa0], [0xfff9, 0xfffb],
  [0x1bca0, 0x1bca3], [0x1d173, 0x1d17a], [0xe0000, 0xe0fff], [0xf0000, 0x10ffff],
]
const onlyPlain = /^[\t\n\x20-\x7e]*$/
const mayHide = new RegExp(`[${hiddenRanges.map((range) => range.map((point) => `\\u{${point.toString(16)}}`).join('-')).join('')}]`, 'u')

function isHidden(point: number): boolean {
  for (const [first, last] of hiddenRanges) {
    if (point < first) return false
    if (point <= last) return true
  }
  return false
}

/** Cuts outside text at every hidden character, and at letters that pass for Latin ones among them, so that each can be drawn as a box with its code point. Loses nothing. */
export function exactPieces(text: string): readonly ExactPiece[] {
  return piecesOf(text, new Set(), lookAlikesIn(text))
}

/** Letters of scripts that share shapes with Latin; of East Asian writing only the wide forms of Latin itself. */
const shared = /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}\p{Script=Coptic}\p{Script=Lisu}\uff21-\uff5a\u{1d400}-\u{1d7ff}]/gu

/** Places of such letters in words that also hold a plain Latin one: a word of another language alone is what it looks like. */
function lookAlikesIn(text: string): ReadonlySet<number> {
  const found = new Set<number>()
  if (onlyPlain.test(text)) return found
  for (const word of text.matchAll(/[\p{L}\p{M}\p{N}_-]+/gu)) {
    if (!/[a-z]/iu.test(word[0])) continue
    for (const letter of word[0].matchAll(shared)) found.add(word.index + letter.index)
  }
  return found
}

/** What the writing of a language or an emoji is made of: one joiner or selector where it has a work to do, and nowhere else. */
const written = new RegExp([
  '(?<=[\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\ufe0f])\\u200d(?=\\p{Extended_Pictographic})',
  '(?<=\\p{Emoji})\\ufe0e',
  '(?<=\\u{1f3f4})\\u{e0067}\\u{e0062}(?:\\u{e0065}\\u{e006e}\\u{e0067}|\\u{e0073}\\u{e0063}\\u{e0074}|\\u{e0077}\\u{e006c}\\u{e0073})\\u{e007f}',
  ...['Arabic', 'Syriac', 'Mongolian', 'Devanagari', 'Bengali', 'Gurmukhi', 'Gujarati', 'Oriya', 'Tamil', 'Telugu', 'Kannada', 'Malayalam', 'Sinhala', 'Khmer', 'Myanmar'].map((script) => `(?<=\\p{Script=${script}}\\p{M}*)[\\u200c\\u200d](?=\\p{Script=${script}})`),
  '(?<=\\p{Script=Mongolian})[\\u180b-\\u180f]', '(?<=\\p{Script=Han})[\\ufe00-\\ufe02\\u{e0100}-\\u{e01ef}]',
].join('|'), 'gu')
/** Spaces that only keep words together or apart; prose has them by custom, code does not. */
const proseSpaces = /[\u00a0\u2002-\u200a\u202f\u205f]/g

/**
 * The same for what is read rather than signed: joined emoji and scripts that need joiners stay whole, and in prose the
 * spaces of typesetting too.
 */
export function readablePieces(text: string, area: 'prose' | 'code'): readonly ExactPiece[] {
  if (!mayHide.test(text)) return text === '' ? [] : [{ kind: 'text', text }]
  const kept = new Set<number>()
  for (const pattern of area === 'prose' ? [written, proseSpaces] : [written]) {
    for (const match of text.matchAll(pattern)) for (let at = match.index; at < match.index + match[0].length; at += 1) kept.add(at)
  }
  return piecesOf(text, kept)
}

function piecesOf(text: string, kept: ReadonlySet<number>, alike: ReadonlySet<number> = new Set()): readonly ExactPiece[] {
  if (onlyPlain.test(text)) return text === '' ? [] : [{ kind: 'text', text }]
  const pieces: ExactPiece[] = []
  let from = 0
  let at = 0
  for (const character of text) {
    const point = character.codePointAt(0) ?? 0
    const isAlike = alike.has(at)
    if (isAlike || (isHidden(point) && !kept.has(at))) {
      if (at > from) pieces.push({ kind: 'text', text: text.slice(from, at) })
      pieces.push(hiddenPiece(point, isAlike))
      from = at + character.length
    }
    at += character.length
  }
  if (from < text.length) pieces.push({ kind: 'text', text: text.slice(from) })
  return pieces
}

/** How many hidden characters a text holds. */
export function countHidden(text: string): number {
  return exactPieces(text).filter((piece) => piece.kind === 'hidden').length
}

function hiddenPiece(point: number, isAlike: boolean): ExactPiece {
  return { kind: 'hidden', name: isAlike ? 'look-alike' : nameOf(point), code: `U+${point.toString(16).toUpperCase().padStart(4, '0')}` }
}

function nameOf(point: number): HiddenName {
  if (point < 0x20 || (point >= 0x7f && point < 0xa0)) return 'control'
  if ((point >= 0x202a && point <= 0x202e) || (point >= 0x2066 && point <= 0x2069) || point === 0x200e || point === 0x200f || point === 0x61c) return 'bidi'
  if ((point >= 0x200b && point <= 0x200d) || (point >= 0x2060 && point <= 0x2064) || point === 0xfeff) return 'zero-width'
  if (point >= 0xe0000 && point <= 0xe0fff) return 'tag'
  if (point === 0xa0 || point === 0x1680 || (point >= 0x2000 && point <= 0x200a) || point === 0x202f || point === 0x205f || point === 0x2028 || point === 0x2029) return 'space'
  return 'other'
}

/** Cuts a path in its middle, first folder and file name whole: `src/…/client.ts`; of an address, its host. Short ones stay. */
export function cutPath(path: string, limit: number): string {
  if (path.length <= limit) return path
  const host = /^[a-z][a-z0-9+.-]*:\/\/[^/]*/i.exec(path)?.[0]
  const parts = host === undefined ? path.split('/') : [host, ...path.slice(host.length).split('/').slice(1)]
  const name = parts.at(-1) ?? path
  const first = parts[0] ?? ''
  if (parts.length < 3) return path
  for (let kept = parts.length - 2; kept > 1; kept -= 1) {
    const tail = parts.slice(-kept).join('/')
    if (first.length + tail.length + 3 <= limit) return `${first}/…/${tail}`
  }
  return `${first}/…/${name}`
}
