import { Button } from '../../ui/Button'
import { NoticeToast } from '../../ui/NoticeToast'
import { useWords } from '../../ui/words'
import { restoreSession, tellSession, useSessionList } from './sessionStore'

/** What was done with a session, with the way back; it goes by itself after ten seconds. */
export function SessionToast() {
  const say = useWords()
  const notice = useSessionList((state) => state.notice)
  if (!notice) return null
  const { tone, undo } = notice
  return (
    <NoticeToast tone={tone} words={say.fact(notice.say)} onClose={() => tellSession(null)}>
      {undo !== null && <Button size="small" onClick={() => void restoreSession(undo)}>{say('session.undo')}</Button>}
    </NoticeToast>
  )
}
