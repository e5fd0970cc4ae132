/** What taking a line apart gave. `several`: it needs a shell. `quote`: a quote has no end. */
export type Words = { readonly ok: true; readonly words: readonly string[] } | { readonly ok: false; readonly fault: 'several' | 'quote' }

/** Outside quotes a \ takes the meaning of these; before anything else it is the \ of a Windows path. */
const escapable = /[\s"'\\$`&|;<>()#]/

/**
 * Takes a command line apart as a shell would, and runs nothing: quotes, \ at the end of a line, comments. Variables stay as
 * they are written. Windows paths and the quotes of word processors are understood.
 */
export function wordsOf(line: string): Words {
  const text = line.replace(/[“”„‟]/g, '"').replace(/[‘’‚‛]/g, "'").replace(/[\u00a0\u202f]/g, ' ').replace(/[\\^`][ \t]*(\r\n|\r|\n)/g, ' ')
  const words: string[] = []
  let word: string | null = null
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at] ?? ''
    if (sign === "'" || sign === '"') {
      const quoted = sign === "'" ? singleFrom(text, at) : doubleFrom(text, at)
      if (quoted === null) return { ok: false, fault: 'quote' }
      word = (word ?? '') + quoted.text
      at = quoted.end
    } else if (sign === '\\' && escapable.test(text[at + 1] ?? '')) {
      word = (word ?? '') + (text[at + 1] ?? '')
      at += 1
    } else if (/\s/.test(sign)) {
      if (/[\r\n]/.test(sign) && text.slice(at).trim() !== '') return { ok: false, fault: 'several' }
      if (word !== null) words.push(word)
      word = null
    } else if (sign === '#' && word === null) break
    else if (/[&|;<>`]/.test(sign) || (sign === '$' && text[at + 1] === '(')) return { ok: false, fault: 'several' }
    else word = (word ?? '') + sign
  }
  if (word !== null) words.push(word)
  // Word processors make one sign of the two.
  return { ok: true, words: words.map((one) => one.replace(/^—/, '--').replace(/^–/, '-')) }
}

interface Quoted {
  readonly text: string
  /** Where the closing quote stands. */
  readonly end: number
}

function singleFrom(text: string, from: number): Quoted | null {
  const end = text.indexOf("'", from + 1)
  return end < 0 ? null : { text: text.slice(from + 1, end), end }
}

function doubleFrom(text: string, from: number): Quoted | null {
  let inside = ''
  for (let at = from + 1; at < text.length; at += 1) {
    const sign = text[at] ?? ''
    if (sign === '"') return { text: inside, end: at }
    const next = text[at + 1] ?? ''
    const isEscape = sign === '\\' && /["\\$`]/.test(next)
    inside += isEscape ? next : sign
    if (isEscape) at += 1
  }
  return null
}
