import { memoryCharacters } from '../../../shared/domain/memory'
import { Exact } from '../../ui/Exact'
import { useWords } from '../../ui/words'
import type { Reading } from './cardText'
import { HiddenNote } from './HiddenNote'
import { Origins, Related, type MemoryPreview } from './memoryFacts'
import { ReadBox } from './ReadBox'

interface MemoryThingProps {
  readonly preview: MemoryPreview
  readonly edited: string | null
  readonly onEdit: (text: string) => void
  readonly onRead: (how: Reading) => void
}

/** A proposed fact: its whole text, for whom it would be kept, where the wish came from, and what is remembered already (g02). */
export function MemoryThing({ preview, edited, onEdit, onRead }: MemoryThingProps) {
  const say = useWords()
  const shown = edited ?? preview.text
  return (
    <>
      <div className="memthing">
        {edited === null
          ? <ReadBox name={say('approval.memory.fact')} className="factbox wrap-any" onRead={onRead}><Exact text={preview.text} /></ReadBox>
          : <textarea className="input" data-esc="own" autoFocus aria-label={say('approval.memory.fact')} aria-invalid={edited.length > memoryCharacters} rows={Math.min(8, shown.split('\n').length + 1)} value={edited} onChange={(event) => onEdit(event.target.value)} />}
        {shown.length > memoryCharacters && <p className="small t-bad" role="status">{say('approval.memory.long', { limit: memoryCharacters })}</p>}
      </div>
      <HiddenNote text={shown}>{edited !== null && <> <Exact text={shown} className="wrap-any" /></>}</HiddenNote>
      <div className="memfacts">
        <div><span className="chip">{say(`approval.memory.scope.${preview.scope}`)}</span></div>
        <Origins preview={preview} />
        <Related related={preview.related} />
      </div>
    </>
  )
}
