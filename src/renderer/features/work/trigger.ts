/** Where the caret stands in a word that asks for a list: `@` for resources, `/` at the very start for commands. */
export interface Trigger {
  readonly kind: 'resource' | 'command'
  readonly from: number
  readonly to: number
  /** What follows the sign. */
  readonly query: string
}

// Before an at sign of an e-mail address or of an address of the web stands a letter, a figure or one of these.
const beforeAt = /[\p{Script=Latin}\p{N}._%+\-@/]$/u
const notInQuery = /[\s，。；！？、（）]/

/** Reads the word that the caret ends; null where nobody asks for a list. */
export function triggerAt(text: string, caret: number): Trigger | null {
  const before = text.slice(0, caret)
  if (before.startsWith('/') && !/\s/.test(before)) return { kind: 'command', from: 0, to: caret, query: before.slice(1) }
  const from = before.lastIndexOf('@')
  if (from === -1 || beforeAt.test(before.slice(0, from))) return null
  const query = before.slice(from + 1)
  return notInQuery.test(query) ? null : { kind: 'resource', from, to: caret, query }
}

/** Takes the word out again; null where it is no longer there. */
export function withoutTrigger(text: string, { kind, from, to, query }: Trigger): string | null {
  const word = (kind === 'command' ? '/' : '@') + query
  return text.slice(from, to) === word ? text.slice(0, from) + text.slice(to) : null
}
