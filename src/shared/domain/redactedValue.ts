/** Masks secrets in a text. */
type Redact = (text: string) => string

/**
 * A value of any shape in which every text is masked. One may be secret by the name it stands under (`password`), by the label
 * beside it (`{ name: 'DB_PASSWORD', value: '…' }`) or by the option before it, none of which the text by itself shows.
 *
 * @param finish what else becomes of a masked text.
 */
export function redactedValue(value: unknown, redact: Redact, finish: Redact = (text) => text): unknown {
  if (typeof value === 'string') return finish(redact(value))
  if (Array.isArray(value)) return value.map((one, at) => redactListed(value[at - 1], one, redact, finish))
  if (typeof value !== 'object' || value === null) return value
  const label = labelIn(value)
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [redact(name), redactNamed(name === 'value' && label !== null ? label : name, one, redact, finish)]))
}

function labelIn(value: object): string | null {
  const label = 'name' in value ? value.name : 'key' in value ? value.key : null
  return typeof label === 'string' && label.length <= 128 ? label : null
}

function redactNamed(name: string, value: unknown, redact: Redact, finish: Redact): unknown {
  if (typeof value !== 'string') return redactedValue(value, redact, finish)
  return finish(behind(`${name}: `, behind(`${name}=`, value, redact), redact))
}

function redactListed(before: unknown, value: unknown, redact: Redact, finish: Redact): unknown {
  if (typeof value !== 'string' || typeof before !== 'string' || !/^--?[A-Za-z]/u.test(before) || value.startsWith('-')) return redactedValue(value, redact, finish)
  return finish(behind(`${before} `, value, redact))
}

/** The value, masked by itself and by what leads to it. */
function behind(lead: string, value: string, redact: Redact): string {
  const pair = redact(lead + value)
  const masked = pair.startsWith(lead) ? pair.slice(lead.length) : value
  return redact(masked)
}
