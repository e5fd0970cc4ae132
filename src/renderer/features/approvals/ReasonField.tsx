import type { KeyboardEvent as ReactKeyboardEvent } from 'react'
import type { CallId } from '../../../shared/domain/ids'
import { isComposing } from '../../ui/keys'
import { useWords } from '../../ui/words'
import { setReason } from './approvalStore'

interface ReasonFieldProps {
  readonly callId: CallId
  readonly isArmed: boolean
  readonly text: string
  readonly onClose: () => void
  readonly onDeny: () => void
}

/** Why not: typed in the place of the answers, and kept while its question waits. */
export function ReasonField({ callId, isArmed, text, onClose, onDeny }: ReasonFieldProps) {
  const say = useWords()
  const onKey = (event: ReactKeyboardEvent): void => {
    if (isComposing(event) || event.repeat) return
    if (event.key === 'Escape') onClose()
    // A no that was typed is meant; it is the narrow answer, so its own field may give it.
    if (event.key === 'Enter' && isArmed && text.trim() !== '') onDeny()
  }
  return <div className="foot"><input className="input" data-esc="own" autoFocus aria-label={say('approval.reason')} placeholder={say('approval.tell-why')} value={text} onChange={(event) => setReason(callId, event.target.value)} onKeyDown={onKey} /></div>
}
