/** A pattern that fits exactly one of the alternatives, which are written as words: long lists stay readable and reviewable. */
export function oneOf(alternatives: string, flags = 'u'): RegExp {
  return new RegExp(`^(?:${alternatives.trim().split(/\s+/u).join('|')})$`, flags)
}

/** The words of a text as a set. */
export function wordSet(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s+/u))
}
