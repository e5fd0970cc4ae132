const maxPattern = 500

/**
 * True for a pattern that takes little time on any text of a thousand characters. A regular expression of a server may be made to
 * run for ever, and nothing can stop one that runs; so only forms are tried that cannot: no repeated group, no reference, nothing
 * that looks around, few repetitions and few choices. The others are left to the server.
 */
export function isQuickPattern(pattern: string): boolean {
  if (pattern.length > maxPattern || !compiles(pattern)) return false
  if (/\\[1-9k]/u.test(pattern)) return false
  // What is left shows the structure alone: classes and escapes are one letter.
  const bare = pattern.replace(/\\(?:[pP]\{[^}]*\}|u\{[^}]*\}|.)/gsu, 'e').replace(/\[[^\]]*\]/gu, 'c')
  if (/\(\?[=!<]/u.test(bare) || /\)(?:[*+]|\{)/u.test(bare)) return false
  const plain = bare.replace(/\(\?:/gu, '(')
  const repeats = count(plain, /[*+]|\{\d+,\d*\}/gu)
  const groups = count(plain, /\(/gu)
  const optional = count(plain, /\?/gu)
  if (groups + optional > 6 || (plain.includes('|') && groups > 2)) return false
  return repeats <= (plain.startsWith('^') && !plain.includes('|') ? 2 : 1)
}

function count(text: string, pattern: RegExp): number {
  return [...text.matchAll(pattern)].length
}

function compiles(pattern: string): boolean {
  try {
    return new RegExp(pattern, 'u') instanceof RegExp
  } catch {
    // Another dialect: its server knows what it means.
    return false
  }
}
