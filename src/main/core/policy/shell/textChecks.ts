import { said, type Said } from '../../../../shared/domain/result'

/** Longer commands cannot be reviewed by a person (SECURITY rule of R66). */
const maxReviewLength = 10_000
const longBlanks = /[ \t]{80,}|(?:[ \t]*\n){16,}/u
const hidden = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}]|(?! )\p{Zs}|[\u115F\u1160\u3164\uFFA0\u2800]/u
/** One that looks like the beginning of an option; between blanks it is a dash of a sentence. */
const otherDash = /(?:^|\s)[\u2010-\u2015\u2212\uFE58\uFE63\uFF0D](?=[\p{L}\p{N}_\p{Pd}])/u
const mixedScript = /[A-Za-z][\p{Script=Cyrillic}\p{Script=Greek}]|[\p{Script=Cyrillic}\p{Script=Greek}][A-Za-z]/u

/**
 * The only checks made on the raw text: what a person who reads the command could not see. Each one makes the command
 * ask, none ever lowers a verdict. Tabs and line ends are ordinary; emoji joined by U+200D are the price of the rule.
 */
export function checkText(command: string): Said | null {
  if (command.length > maxReviewLength) return said('guard.too-long', { limit: maxReviewLength })
  const found = hidden.exec(command.replace(/[\n\t]/gu, ''))
  if (found) return said('guard.hidden-character', { code: codeOf(found[0]) })
  if (longBlanks.test(command)) return said('guard.long-blanks')
  if (otherDash.test(command)) return said('guard.lookalike', { text: otherDash.exec(command)?.[0].trim() ?? '' })
  const mixed = mixedScript.exec(command)
  return mixed ? said('guard.lookalike', { text: mixed[0] }) : null
}

function codeOf(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
}
