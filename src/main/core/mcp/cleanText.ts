/** Characters that nobody sees, and halves of characters; a line break and a tab are not among them. */
const hidden = /(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}]/gu
const mark = '… [cut]'

/** A server's text without what a person reading it would not see (SECURITY 5): zero-width, direction, tag and control characters. */
export function cleanText(text: string): string {
  return text
    .replace(/\r\n?|[\u2028\u2029\u0085]/gu, '\n')
    .replace(hidden, '')
    .replace(/\n{3,}/gu, '\n\n')
    .trim()
}

/** At most `length` characters (UTF-16 units), with a mark where something is missing; no character is halved. */
export function cutText(text: string, length: number): string {
  if (text.length <= length) return text
  if (length <= mark.length) return text.slice(0, Math.max(0, length)).replace(/[\ud800-\udbff]$/u, '')
  return text.slice(0, length - mark.length).replace(/[\ud800-\udbff]$/u, '') + mark
}
