import { said, type Said } from './result'

/** What HTTP takes: a name of token characters, a value of one line. Anything else would end the header, or begin another one. */
const nameForm = /^[!#$%&'*+.^_`|~0-9a-z-]+$/i
const valueForm = /^[\t\u0020-\u007e\u00a0-\u00ff]*$/u
/** Names that hold what opens a door: those belong where keys are kept, never into the settings file. */
const keyForm = /(?:^|[-_])(?:authorization|cookie2?|api[-_]?key|(?:auth|access|api|session|security)[-_]?token|secret(?:[-_]?key)?|subscription[-_]key|password)$/i

/** What is wrong with headers that a person adds to every request; null for nothing. */
export function headersFault(headers: Readonly<Record<string, string>>): Said | null {
  for (const [name, value] of Object.entries(headers)) {
    if (!nameForm.test(name)) return said('provider.header-bad-name', { name: plain(name) })
    if (isKeyHeader(name)) return said('provider.header-is-key', { name })
    if (!valueForm.test(value)) return said('provider.header-bad-value', { name })
  }
  return null
}

/** Whether what a header of this name holds opens a door. */
export function isKeyHeader(name: string): boolean {
  return keyForm.test(name)
}

/** The headers that hold no key: no other is sent, or shown. */
export function withoutKeys(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !isKeyHeader(name)))
}

/** Fit for a sentence. */
function plain(name: string): string {
  return JSON.stringify(name).slice(1, -1)
}
