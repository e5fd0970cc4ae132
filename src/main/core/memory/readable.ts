import { foldLookalikes } from '../mcp/confusables'
import { readingsOf, unitsOf } from '../mcp/flowText'
import { unitsToText } from '../tools/utf8'

const tagStart = 0xe0000
/** As results show what nobody sees (`showHidden`). */
const shown = /\\u\{([0-9a-f]{1,6})\}/giu
const tags = /[\u{e0020}-\u{e007e}]/gu
const entities = /&#(?:(\d{1,7})|x([0-9a-f]{1,6}));/giu
/** What may look like a Latin letter or has no width, with a letter that it may stand on; Chinese characters are what they look like. */
const foreign = /[A-Za-z]?[^\t\n\x20-\x7e\u3001-\u9fff]+/gu
/** Of what is decoded from one text. */
const mostDecoded = 200_000

/**
 * A text as its words are looked for: what has no width taken out, tag characters read, letters that look alike made one, entities
 * resolved, and behind it what it holds in base64, hex or percent signs. So that nobody passes a wish on under a disguise that a
 * model sees through. Only for comparing. Linear.
 */
export function readable(text: string): string {
  const plain = text
    .replace(shown, (_, hex: string) => characterOf(parseInt(hex, 16)))
    .replace(tags, (tag) => characterOf(tag.codePointAt(0) ?? 0))
    .replace(entities, (_, decimal: string | undefined, hex: string | undefined) => characterOf(decimal === undefined ? parseInt(hex ?? '', 16) : Number(decimal)))
  const all = readingsOf(folded(plain), mostDecoded)
  return all.length === 1 ? (all[0] ?? '') : all.map(folded).join('\n')
}

/** Letters and digits alone, small: `d-e-p-l-o-y`, `alwaysDeploy` and `always deploy` in one form. */
export function lettersOf(text: string): string {
  const { units } = unitsOf(text)
  return unitsToText(units, units.length)
}

function folded(text: string): string {
  return text.replace(foreign, foldLookalikes)
}

function characterOf(code: number): string {
  const point = code > tagStart && code < tagStart + 0x80 ? code - tagStart : code
  return point > 0 && point <= 0x10ffff ? String.fromCodePoint(point) : ''
}
