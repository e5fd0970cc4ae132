/** A piece of outside text: shown as it is, or a character that cannot be seen or reorders others. */
export type ExactPiece = { readonly kind: 'text'; readonly text: string } | { readonly kind: 'hidden'; readonly code: string; readonly name: HiddenName }
export type HiddenName = 'control' | 'zero-width' | 'bidi' | 'tag' | 'space' | 'other'

// Controls but tab and line feed; soft hyphen; fillers; zero-width and format characters; bidi; unusual spaces; variation selectors; tags; private use.
const hidden = /[\u0000-\u0008\u000b-\u001f\u007f-\u00a0\u00ad\u034f\u061c\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f\u2000-\u200f\u2028-\u202f\u205f-\u206f\u2800\u3164\ufe00-\ufe0e\ufeff\uffa0\ufff9-\ufffb\ue000-\uf8ff]|[\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}\u{f0000}-\u{10ffff}]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/gu

/** Cuts outside text at every hidden character, so that each can be drawn as a box with its code point. Loses nothing. */
export function exactPieces(text: string): readonly ExactPiece[] {
  const pieces: ExactPiece[] = []
  let from = 0
  for (const match of text.matchAll(hidden)) {
    if (match.index > from) pieces.push({ kind: 'text', text: text.slice(from, match.index) })
    pieces.push(hiddenPiece(match[0]))
    from = match.index + match[0].length
  }
  if (from < text.length) pieces.push({ kind: 'text', text: text.slice(from) })
  return pieces
}

/** How many hidden characters a text holds. */
export function countHidden(text: string): number {
  return [...text.matchAll(hidden)].length
}

function hiddenPiece(character: string): ExactPiece {
  const point = character.codePointAt(0) ?? 0
  return { kind: 'hidden', code: `U+${point.toString(16).toUpperCase().padStart(4, '0')}`, name: nameOf(point) }
}

function nameOf(point: number): HiddenName {
  if (point < 0x20 || (point >= 0x7f && point < 0xa0)) return 'control'
  if ((point >= 0x202a && point <= 0x202e) || (point >= 0x2066 && point <= 0x2069) || point === 0x200e || point === 0x200f || point === 0x61c) return 'bidi'
  if ((point >= 0x200b && point <= 0x200d) || (point >= 0x2060 && point <= 0x2064) || point === 0xfeff) return 'zero-width'
  if (point >= 0xe0000 && point <= 0xe0fff) return 'tag'
  if (point === 0xa0 || point === 0x1680 || (point >= 0x2000 && point <= 0x200a) || point === 0x202f || point === 0x205f || point === 0x2028 || point === 0x2029) return 'space'
  return 'other'
}

/** Cuts a path in its middle, first folder and file name whole: `src/…/client.ts`. Short ones stay. */
export function cutPath(path: string, limit: number): string {
  if (path.length <= limit) return path
  const parts = path.split('/')
  const name = parts.at(-1) ?? path
  const first = parts[0] ?? ''
  if (parts.length < 3) return path
  for (let kept = parts.length - 2; kept > 1; kept -= 1) {
    const tail = parts.slice(-kept).join('/')
    if (first.length + tail.length + 3 <= limit) return `${first}/…/${tail}`
  }
  return `${first}/…/${name}`
}
