import type { ReactNode } from 'react'
import { Button } from './Button'
import { useWords } from './words'

interface ChangeBarProps {
  /** From 0, and of how many. */
  readonly number: number
  readonly count: number
  /** What it does, in one line. */
  readonly summary: string
  readonly isKept: boolean
  readonly onKeep: (isKept: boolean) => void
  /** Names of the tick, and of the button in either state. */
  readonly names: { readonly tick: string; readonly keep: string; readonly reject: string }
  /** What becomes of it, as a chip. */
  readonly state: ReactNode
  readonly isFixed?: boolean
  /** Whether its lines are shown; absent where they always are. */
  readonly folding?: { readonly isOpen: boolean; readonly onToggle: () => void }
}

/** One change of a file: whether it is made, what it does, and the tick that decides. */
export function ChangeBar({ number, count, summary, isKept, onKeep, names, state, isFixed = false, folding }: ChangeBarProps) {
  const say = useWords()
  const name = say('approval.review.change', { at: number + 1, count })
  return (
    <div className="chbar" role="group" aria-label={name} data-change={number}>
      <input type="checkbox" className="cb" aria-label={names.tick} checked={isKept} disabled={isFixed} onChange={(event) => onKeep(event.target.checked)} />
      <span className="med small nowrap" aria-hidden>{name}</span>
      <span className="small dim cut grow">{summary}</span>
      {folding && <Button size="small" look="quiet" aria-expanded={folding.isOpen} onClick={folding.onToggle}>{say(folding.isOpen ? 'approval.review.hide' : 'approval.review.show')}</Button>}
      <Button size="small" look="quiet" disabled={isFixed} onClick={() => onKeep(!isKept)}>{isKept ? names.reject : names.keep}</Button>
      {state}
    </div>
  )
}
