/** A JSON object whose fields are not known yet. */
export type Fields = Readonly<Record<string, unknown>>

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The first of these fields that is a number of things. */
export function numberIn(fields: Fields, names: readonly string[]): number | null {
  for (const name of names) {
    const value = fields[name]
    if (typeof value === 'number' && Number.isFinite(value) && value >= 0) return value
  }
  return null
}

/** `a.b` is the field b of the object a. */
export function valueAt(entry: Fields, field: string): unknown {
  return field.split('.').reduce<unknown>((value, name) => (isFields(value) ? value[name] : undefined), entry)
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

/** An object as it is, arguments that are JSON text as their object; anything else as an empty one. */
export function objectOf(value: unknown): Fields {
  const read = typeof value === 'string' ? parseJson(value) : value
  return isFields(read) ? read : {}
}
