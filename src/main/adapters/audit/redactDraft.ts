import type { AuditDraft } from '../../../shared/domain/audit'

/** Longer texts are cut in the log: the whole stands in the events, and the hash binds the two. */
const longestText = 16_384

/** What `redactDraft` works with. */
export interface Redactor {
  /** Masks secrets in a text; a `name: value` pair also by its name. */
  redact(text: string): string
  hash(text: string): string
}

/** A draft in which every text that a person, the model or a tool wrote is masked, before it is written anywhere. */
export function redactDraft(draft: AuditDraft, redactor: Redactor): AuditDraft {
  const text = (value: string) => shortened(redactor.redact(value), redactor)
  return {
    ...draft,
    ...(draft.args === undefined ? {} : { args: redactValue(draft.args, redactor) }),
    ...(draft.outcome === undefined ? {} : { outcome: text(draft.outcome) }),
    ...(draft.say === undefined ? {} : { say: text(draft.say) }),
    ...(draft.changed === undefined ? {} : { changed: draft.changed.map((one) => ({ ...one, path: text(one.path) })) }),
  }
}

function redactValue(value: unknown, redactor: Redactor): unknown {
  if (typeof value === 'string') return shortened(redactor.redact(value), redactor)
  if (Array.isArray(value)) return value.map((one) => redactValue(one, redactor))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [redactor.redact(name), redactNamed(name, one, redactor)]))
}

/** A value may be secret by its name alone (`password`), which the text by itself does not show. */
function redactNamed(name: string, value: unknown, redactor: Redactor): unknown {
  if (typeof value !== 'string') return redactValue(value, redactor)
  const lead = `${name}: `
  const pair = redactor.redact(lead + value)
  const masked = pair.startsWith(lead) ? pair.slice(lead.length) : value
  return shortened(redactor.redact(masked), redactor)
}

function shortened(text: string, redactor: Redactor): string {
  if (text.length <= longestText) return text
  return `${text.slice(0, longestText)}… [cut: ${text.length} characters, SHA-256 ${redactor.hash(text)}]`
}
