import type { SessionId } from '../../../shared/domain/ids'
import { Button } from '../../ui/Button'
import { Note } from '../../ui/parts'
import { useWords } from '../../ui/words'
import { leaveEditing, restoreSession } from './sessionStore'
import { useWork } from './workStore'

/** What a person must know above the box: that an earlier message is edited, or that the session is deleted. */
export function SessionNotes({ sessionId }: { readonly sessionId: SessionId }) {
  const say = useWords()
  const isEditing = useWork((state) => state.editing[sessionId] !== undefined)
  const isDeleted = useWork((state) => state.sessions.some((row) => row.id === sessionId && row.deletedAtMs !== null))
  return (
    <>
      {isDeleted && <div className="lane pb-3"><Note tone="warn" actions={<Button size="small" onClick={() => void restoreSession(sessionId)}>{say('session.restore')}</Button>}>{say('session.is-deleted')}</Note></div>}
      {isEditing && <div className="lane pb-3"><Note tone="info" role="status" actions={<Button size="small" onClick={() => leaveEditing(sessionId)}>{say('session.editing-leave')}</Button>}>{say('session.editing')}</Note></div>}
    </>
  )
}
