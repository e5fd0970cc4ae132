import { Check, ChevronDown, FilePen, X } from 'lucide-react'
import { useRef, type MouseEvent, type ReactNode } from 'react'
import { Button, IconButton } from '../../ui/Button'
import { keyName } from '../../ui/keys'
import { useWords } from '../../ui/words'
import type { ArmState } from '../../ui/armingClock'
import { usePointerGuard } from '../../ui/pointerGuard'

interface AnswersProps {
  readonly arm: ArmState
  readonly content: string
  /** Null where the change is not seen whole: it can be signed beside its diff only. */
  readonly allow: { readonly label: string; readonly isInert: boolean; readonly onChoose: () => void } | null
  readonly onSkip: () => void
  readonly onDeny: () => void
  readonly onEdit: (() => void) | null
  readonly onReason: () => void
  readonly isReasonOpen: boolean
  /** Stands at the left. */
  readonly children: ReactNode
}

/** Skip, Deny, Edit, Allow once: inert until the card is armed, and never under a pointer that was there before it. */
export function Answers({ arm, content, allow, onSkip, onDeny, onEdit, onReason, isReasonOpen, children }: AnswersProps) {
  const say = useWords()
  const box = useRef<HTMLSpanElement>(null)
  const isArmed = arm === 'armed'
  const pointerCounts = usePointerGuard(box, content, isArmed)
  // `detail` is 0 for a click that a key made.
  const answer = (act: () => void) => (event: MouseEvent): void => {
    if (isArmed && (event.detail === 0 || pointerCounts())) act()
  }
  const inert = { 'aria-disabled': !isArmed }
  return (
    <div className="foot">
      {children}
      <span className="end row" ref={box}>
        <Button look="quiet" {...inert} onClick={answer(onSkip)}>{say('approval.skip')}</Button>
        <Button icon={X} {...inert} onClick={answer(onDeny)} aria-keyshortcuts="Control+Shift+N">{say('approval.deny')}</Button>
        <IconButton icon={ChevronDown} label={say('approval.tell-why')} aria-expanded={isReasonOpen} onClick={onReason} />
        {onEdit && <Button icon={FilePen} {...inert} onClick={answer(onEdit)} aria-keyshortcuts="Control+Shift+M">{say('approval.edit')}</Button>}
        {allow && (
          <span className="armline" data-arm={arm}>
            <Button look="primary" icon={Check} aria-disabled={!isArmed || allow.isInert} className={allow.isInert ? 'off' : ''} onClick={answer(() => { if (!allow.isInert) allow.onChoose() })} aria-keyshortcuts="Control+Shift+Y" title={keyName('Mod+Shift+Y')}>{allow.label}</Button>
          </span>
        )}
      </span>
    </div>
  )
}
