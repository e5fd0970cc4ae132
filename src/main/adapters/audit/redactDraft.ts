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
  if (Array.isArray(value)) return value.map((one, at) => redactListed(value[at - 1], one, redactor))
  if (typeof value !== 'object' || value === null) return value
  const label = labelIn(value)
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [redactor.redact(name), redactNamed(name === 'value' && label !== null ? label : name, one, redactor)]))
}

/** `{ name: 'DB_PASSWORD', value: '…' }`: the value is secret by what stands beside it. */
function labelIn(value: object): string | null {
  const label = 'name' in value ? value.name : 'key' in value ? value.key : null
  return typeof label === 'string' && label.length <= 128 ? label : null
}

/** A value may be secret by its name alone (`password`), which the text by itself does not show. */
function redactNamed(name: string, value: unknown, redactor: Redactor): unknown {
  if (typeof value !== 'string') return redactValue(value, redactor)
  return shortened(behind(`${name}: `, behind(`${name}=`, value, redactor), redactor), redactor)
}

/** An argument may be secret by the option before it. */
function redactListed(before: unknown, value: unknown, redactor: Redactor): unknown {
  if (typeof value !== 'string' || typeof before !== 'string' || !/^--?[A-Za-z]/u.test(before) || value.startsWith('-')) return redactValue(value, redactor)
  return shortened(behind(`${before} `, value, redactor), redactor)
}

/** The value, masked by itself and by what leads to it. */
function behind(lead: string, value: string, redactor: Redactor): string {
  const pair = redactor.redact(lead + value)
  const masked = pair.startsWith(lead) ? pair.slice(lead.length) : value
  return redactor.redact(masked)
}

function shortened(text: string, redactor: Redactor): string {
  if (text.length <= longestText) return text
  return `${text.slice(0, longestText)}… [cut: ${text.length} characters, SHA-256 ${redactor.hash(text)}]`
}
