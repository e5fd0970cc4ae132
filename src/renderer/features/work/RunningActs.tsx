import { CornerDownRight, Square } from 'lucide-react'
import type { CallView } from '../../../shared/domain/chatView'
import { Button } from '../../ui/Button'
import { useNow } from '../../ui/useNow'
import { useWords } from '../../ui/words'
import { leaveCommand } from './programStore'
import { stopTurn } from './workStore'

/** Most commands end before anybody could want to do something about them. */
const longMs = 3000

/** What the person can do about a command that takes long (D02). */
export function RunningActs({ call }: { readonly call: CallView }) {
  const say = useWords()
  const now = useNow()
  if (call.startedAtMs === null || now - call.startedAtMs < longMs) return null
  return (
    <div className="callacts">
      <Button size="small" icon={CornerDownRight} title={say('session.leave-command-about')} onClick={() => leaveCommand(call.callId)}>{say('session.leave-command')}</Button>
      <Button size="small" icon={Square} onClick={stopTurn}>{say('session.stop-turn')}</Button>
    </div>
  )
}
