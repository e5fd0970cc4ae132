import { Check, ChevronDown, FilePen, FlaskConical, X } from 'lucide-react'
import { useRef, type ReactNode } from 'react'
import type { ArmState } from '../../ui/armingClock'
import { Button, IconButton } from '../../ui/Button'
import { keyName } from '../../ui/keys'
import { useWords } from '../../ui/words'
import { useAnswers } from './useAnswers'

interface AnswersProps {
  readonly arm: ArmState
  readonly content: string
  /** Null where the change is not seen whole: it can be signed beside its diff only. `more` stands behind its arrow. `isDeny`: nothing is left to allow. */
  readonly allow: { readonly label: string; readonly isInert: boolean; readonly onChoose: () => void; readonly more: ReactNode; readonly isDeny?: boolean; readonly isPlain?: boolean } | null
  /** Null where it cannot be tried on a copy: then nothing is promised. */
  readonly onTry: (() => void) | null
  readonly onSkip: () => void
  readonly onDeny: () => void
  readonly onEdit: (() => void) | null
  readonly reason: { readonly isOpen: boolean; readonly onToggle: () => void }
  /** Stands at the left. */
  readonly children: ReactNode
}

/** Try, Skip, Deny, Edit, Allow once: inert until the card is armed, and never under a pointer that was there before it. */
export function Answers({ arm, content, allow, onTry, onSkip, onDeny, onEdit, reason, children }: AnswersProps) {
  const say = useWords()
  const box = useRef<HTMLDivElement>(null)
  const { inert, answer } = useAnswers(box, content, arm)
  const isAllowInert = inert['aria-disabled'] || allow?.isInert === true
  return (
    <div className="foot" ref={box}>
      {onTry && <><Button icon={FlaskConical} {...inert} onClick={answer(onTry)} aria-describedby="approval-try">{say('approval.try')}</Button><span id="approval-try" className="small faint tryhint">{say('approval.try-about')}</span></>}
      {children}
      <span className="end row">
        <Button look="quiet" {...inert} onClick={answer(onSkip)}>{say('approval.skip')}</Button>
        {allow?.isDeny !== true && <Button icon={X} {...inert} onClick={answer(onDeny)} aria-keyshortcuts="Control+Shift+N">{say('approval.deny')}</Button>}
        <IconButton icon={ChevronDown} label={say('approval.tell-why')} aria-expanded={reason.isOpen} onClick={reason.onToggle} />
        {onEdit && <Button icon={FilePen} {...inert} onClick={answer(onEdit)} aria-keyshortcuts="Control+Shift+M">{say('approval.edit')}</Button>}
        {allow && (
          <span className={allow.more ? 'armline split' : 'armline'} data-arm={arm}>
            <Button look={allow.isPlain === true ? 'plain' : 'primary'} icon={allow.isDeny ? X : Check} aria-disabled={isAllowInert} className={allow.isInert ? 'off' : ''} onClick={answer(() => { if (!allow.isInert) allow.onChoose() })} aria-keyshortcuts={`Control+Shift+${allow.isDeny ? 'N' : 'Y'}`} title={keyName(`Mod+Shift+${allow.isDeny ? 'N' : 'Y'}`)}>{allow.label}</Button>
            {allow.more}
          </span>
        )}
      </span>
    </div>
  )
}
