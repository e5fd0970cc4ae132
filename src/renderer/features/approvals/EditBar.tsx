import { Check, X } from 'lucide-react'
import { Button } from '../../ui/Button'
import { AuthorMark } from '../../ui/marks'
import { Chip } from '../../ui/parts'
import { useWords } from '../../ui/words'
import type { ChangeState, EditPart } from './editChanges'
import { summaryOf } from './editWords'

interface EditBarProps {
  readonly part: EditPart
  readonly state: ChangeState
  /** From 0, and of how many. */
  readonly number: number
  readonly count: number
  /** How many lines of the file on disk stand before it. */
  readonly line: number
  readonly onKeep: (isKept: boolean) => void
  /** Whether its lines are shown; absent where they always are. */
  readonly folding?: { readonly isOpen: boolean; readonly onToggle: () => void }
}

/** One change of a file: whether it is written, what it does, and the tick that decides. */
export function EditBar({ part, state, number, count, line, onKeep, folding }: EditBarProps) {
  const say = useWords()
  const name = say('approval.review.change', { at: number + 1, count })
  const isKept = state !== 'rejected'
  return (
    <div className="chbar" role="group" aria-label={name} data-change={number}>
      <input type="checkbox" className="cb" aria-label={say('approval.review.write')} checked={isKept} onChange={(event) => onKeep(event.target.checked)} />
      <span className="med small nowrap" aria-hidden>{name}</span>
      <span className="small dim cut grow">{say.fact(summaryOf(part, !isKept, line))}</span>
      {folding && <Button size="small" look="quiet" aria-expanded={folding.isOpen} onClick={folding.onToggle}>{say(folding.isOpen ? 'approval.review.hide' : 'approval.review.show')}</Button>}
      <Button size="small" look="quiet" onClick={() => onKeep(!isKept)}>{say(isKept ? 'approval.review.reject' : 'approval.review.keep')}</Button>
      <StateChip state={state} />
    </div>
  )
}

function StateChip({ state }: { readonly state: ChangeState }) {
  const say = useWords()
  switch (state) {
    case 'kept': return <Chip tone="ok"><Check className="i" size={14} aria-hidden />{say('approval.review.kept')}</Chip>
    case 'own': return <Chip tone="you"><AuthorMark kind="you" />{say('approval.review.own')}</Chip>
    case 'rejected': return <Chip tone="bad"><X className="i" size={14} aria-hidden />{say('approval.review.rejected')}</Chip>
  }
}
