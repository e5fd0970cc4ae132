import type { Said, Values } from '../../../shared/domain/result'

/** A fact with every text among its values redacted: words that a program or a server gave may hold anything. */
export function redactedSaid({ code, values }: Said, redact: (text: string) => string): Said {
  return { code, values: Object.fromEntries(Object.entries(values).map(([name, value]) => [name, redactedValue(value, redact)])) }
}

function redactedValue(value: Values[string], redact: (text: string) => string): Values[string] {
  if (typeof value === 'string') return redact(value)
  if (typeof value !== 'object') return value
  return 'code' in value ? redactedSaid(value, redact) : value.map(redact)
}
