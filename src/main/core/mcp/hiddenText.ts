/**
 * Text from servers with what a person cannot see made visible. Hidden are control characters but tab and line feed, what
 * has no width, what turns the reading order, tag characters, private and lone half characters, and separators other than
 * the line feed. A joiner inside a word of a script that needs it, or inside an emoji, is no secret and stays.
 */
const hidden = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu
/** Looked for instead of its opposite from beginning to end: that would be too deep for a text of 20 MB. */
const notPlain = /[^\t\n\x20-\x7e]/u
/** A picture's form, behind a picture. */
const pictureEnd = /[\p{Extended_Pictographic}\d#*]$/u
const joinsPicture = /[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f]$/u
const needsJoiner = /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Mongolian}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Khmer}]$/u
/** Terminal sequences: colours, cursor moves, titles, links. */
const terminal = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]{0,2048}(?:\u0007|\u001b\\)|[@-Z\\^_])/gu

/** The text with each hidden character as `\u{hex}`. A text may hold such letters itself: see `escapeHidden` for one that can be turned back. */
export function showHidden(text: string): string {
  if (!notPlain.test(text)) return text
  return text.replace(hidden, (character, at: number) => (isPlainHere(character, text, at) ? character : escapeOf(character)))
}

/** As `showHidden`, and no two texts come out the same: a `\u{hex}` that was written as letters gets its backslashes doubled. */
export function escapeHidden(text: string): string {
  if (!notPlain.test(text) && !text.includes('\\u{')) return text
  const found = new RegExp(`(\\\\*)(?:(${hidden.source})|(?=(u\\{[0-9a-f]+\\})))`, 'gu')
  return text.replace(found, (whole, slashes: string, character: string | undefined, at: number) => {
    if (character === undefined) return slashes + slashes
    if (isPlainHere(character, text, at + slashes.length)) return whole
    return slashes + slashes + escapeOf(character)
  })
}

/** Text of a result for the model: line ends as line feeds, colour codes dropped, what else is hidden made visible. */
export function cleanOutput(text: string): string {
  if (!notPlain.test(text)) return text
  return showHidden(text.replace(/^\ufeff/u, '').replace(/\r\n/gu, '\n').replace(terminal, ''))
}

/** One line of at most `limit` characters, nothing hidden, for names and samples. */
export function oneLine(text: string, limit: number): string {
  const line = showHidden(text.slice(0, limit * 4).replace(/\s+/gu, ' ').trim())
  return line.length > limit ? `${cutBefore(line, limit - 1)}…` : line
}

/** The first `length` characters, or one less where that would leave half a character. */
export function cutBefore(text: string, length: number): string {
  const unit = text.charCodeAt(length - 1)
  return text.slice(0, length > 0 && length < text.length && unit >= 0xd800 && unit <= 0xdbff ? length - 1 : length)
}

function isPlainHere(character: string, text: string, at: number): boolean {
  if (character === '\n' || character === '\t') return true
  const before = text.slice(Math.max(0, at - 2), at)
  if (character === '\ufe0e' || character === '\ufe0f') return pictureEnd.test(before)
  return (character === '\u200d' && joinsPicture.test(before)) || ((character === '\u200c' || character === '\u200d') && needsJoiner.test(before))
}

function escapeOf(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`
}
