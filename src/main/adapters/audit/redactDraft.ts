import type { AuditDraft } from '../../../shared/domain/audit'
import { redactedValue } from '../../../shared/domain/redactedValue'

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
    ...(draft.args === undefined ? {} : { args: redactedValue(draft.args, (one) => redactor.redact(one), (one) => shortened(one, redactor)) }),
    ...(draft.outcome === undefined ? {} : { outcome: text(draft.outcome) }),
    ...(draft.say === undefined ? {} : { say: text(draft.say) }),
    ...(draft.changed === undefined ? {} : { changed: draft.changed.map((one) => ({ ...one, path: text(one.path) })) }),
  }
}

function shortened(text: string, redactor: Redactor): string {
  if (text.length <= longestText) return text
  return `${text.slice(0, longestText)}… [cut: ${text.length} characters, SHA-256 ${redactor.hash(text)}]`
}
