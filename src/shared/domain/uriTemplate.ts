/** How an operator of RFC 6570 puts its values together. */
interface Joining {
  readonly first: string
  readonly between: string
  readonly isNamed: boolean
  /** What a name without a value ends in. */
  readonly empty: string
  readonly keepsReserved: boolean
}

const joinings: Readonly<Record<string, Joining>> = {
  '': { first: '', between: ',', isNamed: false, empty: '', keepsReserved: false },
  '+': { first: '', between: ',', isNamed: false, empty: '', keepsReserved: true },
  '#': { first: '#', between: ',', isNamed: false, empty: '', keepsReserved: true },
  '.': { first: '.', between: '.', isNamed: false, empty: '', keepsReserved: false },
  '/': { first: '/', between: '/', isNamed: false, empty: '', keepsReserved: false },
  ';': { first: ';', between: ';', isNamed: true, empty: '', keepsReserved: false },
  '?': { first: '?', between: '&', isNamed: true, empty: '=', keepsReserved: false },
  '&': { first: '&', between: '&', isNamed: true, empty: '=', keepsReserved: false },
}
const expressions = /\{([+#./;?&]?)((?:[\w.%]+(?::\d{1,4}|\*)?)(?:,[\w.%]+(?::\d{1,4}|\*)?)*)\}/g

interface Variable {
  readonly name: string
  /** First characters that are taken; null: all. */
  readonly length: number | null
}

function variablesOf(list: string): readonly Variable[] {
  return list.split(',').map((text) => {
    const [name = '', length] = text.replace('*', '').split(':')
    return { name, length: length === undefined ? null : Number(length) }
  })
}

/** A name that a URI template asks for. `isOptional`: it only adds a parameter or a fragment, so the address stands without it. */
export interface TemplateVariable {
  readonly name: string
  readonly isOptional: boolean
}

/** The names that a URI template asks for, each once, in the order they stand. */
export function templateVariables(template: string): readonly TemplateVariable[] {
  const found = new Map<string, boolean>()
  for (const [, operator = '', list = ''] of template.matchAll(expressions)) {
    for (const { name } of variablesOf(list)) found.set(name, (found.get(name) ?? true) && /[#;?&]/.test(operator))
  }
  return [...found].map(([name, isOptional]) => ({ name, isOptional }))
}

/**
 * Fills a URI template: RFC 6570 levels 1 to 3, and the prefix of level 4. A name without a value is left out, as the
 * RFC says of undefined ones; a brace that opens no expression stays as it is. Values are text only.
 */
export function expandTemplate(template: string, values: Readonly<Record<string, string | undefined>>): string {
  return template.replace(expressions, (_, operator: string, list: string) => {
    const joining = joinings[operator] ?? joinings['']
    if (!joining) return ''
    const parts = variablesOf(list).flatMap(({ name, length }) => {
      const value = Object.hasOwn(values, name) ? values[name] : undefined
      if (value === undefined) return []
      const text = encode(length === null ? value : [...value].slice(0, length).join(''), joining.keepsReserved)
      if (!joining.isNamed) return [text]
      return [text === '' ? `${name}${joining.empty}` : `${name}=${text}`]
    })
    return parts.length === 0 ? '' : joining.first + parts.join(joining.between)
  })
}

/** Everything but unreserved characters; with `keepsReserved` also reserved ones and what is encoded already stay. */
function encode(text: string, keepsReserved: boolean): string {
  const whole = text.replace(/\p{Surrogate}/gu, '\ufffd')
  const kept = keepsReserved ? /%[0-9a-f]{2}|[\w.~:/?#[\]@!$&'()*+,;=-]+/giy : /[\w.~-]+/gy
  let done = ''
  let at = 0
  while (at < whole.length) {
    kept.lastIndex = at
    const [run] = kept.exec(whole) ?? [null]
    const piece = run ?? String.fromCodePoint(whole.codePointAt(at) ?? 0)
    done += run ?? encodeURIComponent(piece).replace(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`)
    at += piece.length
  }
  return done
}
