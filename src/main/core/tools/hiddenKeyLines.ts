import type { Result } from '../../../shared/domain/result'
import type { TextHit } from '../ports/textSearch'

/** Looks for where private keys begin and end: a hit alone does not show that its line belongs to one. */
export const keyMarks = '-----(BEGIN|END) ([A-Z0-9]+ ){0,4}PRIVATE KEY'

const likeKey = /^[\s"'>|+-]*[A-Za-z0-9+/=_-]{16,}[\s"',\\+;n]*$/u
const marker = '[redacted:private-key]'

/** Hits whose line stands inside a private key say only that. `findMarks` is asked when a line looks like one; where it fails, such lines are hidden. */
export async function withoutKeyLines(hits: readonly TextHit[], findMarks: () => Promise<Result<{ readonly hits: readonly TextHit[] }>>): Promise<readonly TextHit[]> {
  if (!hits.some(({ text }) => likeKey.test(text))) return hits
  const marks = await findMarks()
  return hits.map((hit) => (likeKey.test(hit.text) && (!marks.ok || isInside(hit, marks.value.hits)) ? { ...hit, text: marker } : hit))
}

function isInside(hit: TextHit, marks: readonly TextHit[]): boolean {
  const before = marks.filter((mark) => mark.path === hit.path && mark.line < hit.line)
  return before.at(-1)?.text.includes('BEGIN') ?? false
}
