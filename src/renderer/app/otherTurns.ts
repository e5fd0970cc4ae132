import type { ChatItem } from '../../shared/domain/chatView'
import type { SessionId } from '../../shared/domain/ids'
import type { TurnMark } from '../features/timeline/timelineRows'
import { useTimeline } from '../features/timeline/timelineStore'
import { readChats, useWork } from '../features/work/workStore'
import { useApp } from './appStore'
import { factsOf } from './pastFacts'

/** So many other sessions are read for their headings: those that changed the folder last. */
const mostRead = 8

/** Other sessions that changed the folder, newest first. */
function others(): readonly SessionId[] {
  const { current, sessions } = useWork.getState()
  const known = new Set(sessions.map(({ id }) => id))
  const ids = useTimeline.getState().timeline.rows.flatMap(({ sessionId }) => (sessionId !== null && sessionId !== current && known.has(sessionId) ? [sessionId] : []))
  return [...new Set(ids.reverse())].slice(0, mostRead)
}

/** While the timeline shows all sessions, the turns of the others are known too. Returns a stop. */
export function followOtherTurns(): () => void {
  const read = (): void => {
    const { scopes } = useTimeline.getState()
    const { page } = useApp.getState()
    if ((page === 'timeline' && scopes.page === 'all') || (page === 'work' && scopes.pane === 'all')) void readChats(others())
  }
  const stops = [
    useApp.subscribe((now, before) => { if (now.page !== before.page) read() }),
    useTimeline.subscribe((now, before) => { if (now.scopes !== before.scopes || now.timeline !== before.timeline) read() }),
  ]
  return () => stops.forEach((stop) => stop())
}

/** The turns of a conversation, found out once for the same rows: a growing reply changes nothing here. */
const known = new WeakMap<readonly ChatItem[], readonly TurnMark[]>()
let last: readonly TurnMark[] = []

/** The turns of the sessions that are not on screen, as far as they are read; the same list as long as they are the same. */
export function otherTurns({ chats, current, sessions }: ReturnType<typeof useWork.getState>): readonly TurnMark[] {
  const titles = new Map(sessions.map(({ id, title }) => [id, title]))
  const turns = Object.values(chats).flatMap((chat) => {
    if (chat.sessionId === current || chat.items.length === 0) return []
    const marks = known.get(chat.items) ?? factsOf(chat).turns.map((turn) => ({ ...turn, session: titles.get(chat.sessionId) ?? '' }))
    known.set(chat.items, marks)
    return marks
  })
  if (turns.length !== last.length || turns.some((turn, at) => turn !== last[at])) last = turns
  return last
}
