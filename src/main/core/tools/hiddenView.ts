import { fail, succeed, type Result } from '../../../shared/domain/result'
import { withRedactions, type Redact, type Redaction } from '../policy/redaction'
import { restoreMarkers } from '../policy/redactionRestore'
import type { CurrentFile } from './fileChange'
import { newMarker } from './redactionMarkers'
import type { TextFile } from './textFile'

/** Larger files are not looked through for this: it would hold up everything else. */
const longestText = 512 * 1024

/**
 * A new text for a file, written by someone who saw markers where the file has secrets (DATA, invariant 8).
 *
 * `plain` is the change made to the file as it is. When that would write a marker, or does not fit since it names one, the
 * change is made to what was seen of the file instead, and the values are put back. Refused when it cannot be said for which
 * value a marker stands, and when a value would come to stand where nothing hides it any more.
 */
export function settleMarkers(file: CurrentFile, plain: Result<TextFile>, onView: (view: TextFile) => Result<TextFile>, redact: Redact): Result<TextFile> {
  const base = file.text
  if (base === null || (plain.ok && newMarker(base.text, plain.value.text) === null)) return plain
  if (!plain.ok && plain.fault.code !== 'file.old-text-redacted') return plain
  const places = redact.places
  const redactions = places === undefined || base.text.length > longestText ? [] : places(base.text)
  if (redactions.length === 0) return plain
  const seen = onView({ ...base, text: withRedactions(base.text, redactions) })
  if (!seen.ok || places === undefined) return seen
  const restored = restoreMarkers(base.text, redactions, seen.value.text)
  const path = file.facts.given
  if (restored.kind === 'unknown') return fail('file.redaction-marker', { path, marker: restored.marker })
  const hidden = places(restored.text)
  if (!restored.values.every((value) => isWithin(value, hidden))) return fail('file.marker-elsewhere', { path })
  return succeed({ ...seen.value, text: restored.text })
}

function isWithin(value: { readonly start: number; readonly end: number }, hidden: readonly Redaction[]): boolean {
  return hidden.some(({ start, end }) => start <= value.start && end >= value.end)
}
