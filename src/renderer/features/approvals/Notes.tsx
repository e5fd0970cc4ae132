import type { Said } from '../../../shared/domain/result'
import { useWords } from '../../ui/words'

/** What of a change is no line of it: a line of words each. */
export function Notes({ notes }: { readonly notes: readonly Said[] }) {
  const say = useWords()
  if (notes.length === 0) return null
  return <ul className="small dim notes">{notes.map((note, at) => <li key={at}>{say.fact(note)}</li>)}</ul>
}
