/** Tokens per character where no provider figure is known: 1.5 Chinese characters or 4 others a token; R31. */
const chineseCharacters = 1.5
const otherCharacters = 4

/** An estimate of a text's tokens, rounded up. Linear in the text; callers keep it per message. */
export function estimateTokens(text: string): number {
  let chinese = 0
  for (let index = 0; index < text.length; index++) if (isChinese(text.charCodeAt(index))) chinese++
  return Math.ceil(chinese / chineseCharacters + (text.length - chinese) / otherCharacters)
}

/** CJK ideographs, kana, hangul and full-width forms, by UTF-16 unit; rarer planes count as two others. */
function isChinese(unit: number): boolean {
  return (unit >= 0x3000 && unit <= 0x9fff) || (unit >= 0xac00 && unit <= 0xd7af) || (unit >= 0xf900 && unit <= 0xfaff) || (unit >= 0xff00 && unit <= 0xffef)
}
