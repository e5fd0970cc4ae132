import { CircleCheck, OctagonX, X } from 'lucide-react'
import { Button, IconButton } from '../../ui/Button'
import { Exact } from '../../ui/Exact'
import { useWords } from '../../ui/words'
import { restoreSession, tellSession, useSessionList } from './sessionStore'

/** What was done with a session, with the way back; it goes by itself after ten seconds. */
export function SessionToast() {
  const say = useWords()
  const notice = useSessionList((state) => state.notice)
  if (!notice) return null
  const { tone, undo } = notice
  const Icon = tone === 'ok' ? CircleCheck : OctagonX
  return (
    <div className="toast" role={tone === 'ok' ? 'status' : 'alert'}>
      <Icon className={tone === 'ok' ? 'i t-ok' : 'i t-bad'} size={14} aria-hidden style={{ marginTop: 5 }} />
      <span className="grow toastwords"><Exact text={say.fact(notice.say)} /></span>
      {undo !== null && <Button size="small" onClick={() => void restoreSession(undo)}>{say('session.undo')}</Button>}
      <IconButton icon={X} label={say('ui.close')} onClick={() => tellSession(null)} />
    </div>
  )
}
