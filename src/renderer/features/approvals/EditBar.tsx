import { Check, X } from 'lucide-react'
import { summaryOf, type TextPart } from '../../../shared/domain/changedText'
import { ChangeBar } from '../../ui/ChangeBar'
import { AuthorMark } from '../../ui/marks'
import { Chip } from '../../ui/parts'
import { useWords } from '../../ui/words'
import type { ChangeState } from './editChanges'

interface EditBarProps {
  readonly part: TextPart
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
export function EditBar({ part, state, line, ...rest }: EditBarProps) {
  const say = useWords()
  const isKept = state !== 'rejected'
  const names = { tick: say('approval.review.write'), keep: say('approval.review.keep'), reject: say('approval.review.reject') }
  return <ChangeBar {...rest} summary={say.fact(summaryOf(part, !isKept, line))} isKept={isKept} names={names} state={<StateChip state={state} />} />
}

function StateChip({ state }: { readonly state: ChangeState }) {
  const say = useWords()
  switch (state) {
    case 'kept': return <Chip tone="ok"><Check className="i" size={14} aria-hidden />{say('approval.review.kept')}</Chip>
    case 'own': return <Chip tone="you"><AuthorMark kind="you" />{say('approval.review.own')}</Chip>
    case 'rejected': return <Chip tone="bad"><X className="i" size={14} aria-hidden />{say('approval.review.rejected')}</Chip>
  }
}
