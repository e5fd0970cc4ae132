/** What `printf` prints for a format and its arguments, as far as texts go: escapes, `%s`, `%b`, `%q`, `%d`, `%x`, `%c`, `%%`. */
export function printfText(format: string, args: readonly string[]): string {
  const rest = [...args]
  let text = ''
  for (let round = 0; round === 0 || (rest.length > 0 && round < 100); round++) {
    const before = rest.length
    text += unescape(format).replace(/%(?:%|[-+ #0]*(?:\d+|\*)?(?:\.(?:\d+|\*))?([sbqdiuxXocfeEgG]))/gu, (whole, kind?: string) => {
      if (kind === undefined) return whole === '%%' ? '%' : whole
      const value = rest.shift() ?? ''
      if (kind === 'b') return unescape(value)
      return kind === 'c' ? value.slice(0, 1) : value
    })
    if (rest.length === before) break
  }
  return text
}

function unescape(text: string): string {
  return text.replace(/\\(?:x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|0?([0-7]{1,3})|([abefnrtv\\"']))/gu, (whole, hex?: string, code?: string, octal?: string, letter?: string) => {
    if (hex !== undefined || code !== undefined) return String.fromCharCode(parseInt(hex ?? code ?? '', 16))
    if (octal !== undefined) return String.fromCharCode(parseInt(octal, 8))
    return letter === undefined ? whole : (letters[letter] ?? letter)
  })
}

const letters: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', a: '\x07', b: '\b', e: '\x1b', f: '\f', v: '\v', '\\': '\\', '"': '"', "'": "'" }
