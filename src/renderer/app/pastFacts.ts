import { useMemo } from 'react'
import { visibleItems, type CallView, type ChatView } from '../../shared/domain/chatView'
import type { CallId, SessionId } from '../../shared/domain/ids'
import type { TimelineRow } from '../../shared/ipc/timelineViews'
import type { OtherCall } from '../features/rollback/planState'
import { useRollback } from '../features/rollback/rollbackStore'
import type { TimelinePlace } from '../features/timeline/shownScope'
import { callsIn, isTagged, type OpenCall, type TurnMark } from '../features/timeline/timelineRows'
import { useTimeline } from '../features/timeline/timelineStore'
import type { TimelineFacts } from '../features/timeline/timelineWishes'
import type { CallSaid } from '../features/timeline/timelineWorld'
import { labelOf, sealOf, spanText } from '../features/work/callWords'
import { unknownCalls, useRecovery } from '../features/work/recoveryStore'
import { useWork } from '../features/work/workStore'
import { useWords } from '../ui/words'

const nothing: TimelineFacts = { sessionId: null, turns: [], open: [], commands: new Map() }

/** The parts of a conversation that the timeline is told of. */
type Told = Pick<ChatView, 'sessionId' | 'items' | 'hidden'> & { readonly isRunning: boolean }

/** What the timeline needs to know of the conversation: its turns, the call under way, and the commands by name. */
export function factsOf(chat: ChatView): TimelineFacts {
  return factsOfTold({ sessionId: chat.sessionId, items: chat.items, hidden: chat.hidden, isRunning: chat.turn !== null }, unknownCalls(useRecovery.getState()))
}

function factsOfTold(chat: Told, unknown: readonly CallId[]): TimelineFacts {
  const turns: { -readonly [Key in keyof TurnMark]: TurnMark[Key] }[] = []
  const open: OpenCall[] = []
  const commands = new Map<CallId, string>()
  let number = 0
  // Also of what a rollback of the conversation hides: its calls still stand in the timeline.
  for (const item of chat.items) if (item.kind === 'calls') for (const call of item.calls) if (call.effect === 'execute') commands.set(call.callId, labelOf(call))
  for (const item of visibleItems(chat)) {
    // A message that was delivered while a turn ran is a part of it.
    if (item.kind === 'user' && item.turnId !== turns.at(-1)?.turnId) {
      number += 1
      turns.push({ turnId: item.turnId, sessionId: chat.sessionId, number, title: item.text.split('\n', 1)[0] ?? '', atMs: item.atMs, callIds: new Set() })
    }
    if (item.kind !== 'calls') continue
    const turn = turns.at(-1)
    if (turn) turn.callIds = new Set([...turn.callIds, ...item.calls.map((call) => call.callId)])
    for (const call of item.calls) {
      if (isUnderWay(call)) open.push({ callId: call.callId, label: labelOf(call) || call.tool, isCommand: call.effect === 'execute', state: unknown.includes(call.callId) ? 'unknown' : call.progress === 'waiting' ? 'waiting' : 'running' })
    }
  }
  return { sessionId: chat.sessionId, turns, open: chat.isRunning ? open.reverse() : [], commands }
}

function isUnderWay(call: CallView): boolean {
  return call.effect !== 'read' && (call.progress === 'waiting' || call.progress === 'running')
}

/** The same, kept until the messages change: a growing reply changes nothing here. */
export function useFacts(): TimelineFacts {
  const chat = useWork((state) => (state.current === null ? undefined : state.chats[state.current]))
  const { sessionId, items, hidden } = chat ?? {}
  const isRunning = chat?.turn != null
  const unknown = useRecovery(unknownCalls)
  return useMemo(() => (sessionId && items && hidden ? factsOfTold({ sessionId, items, hidden, isRunning }, unknown) : nothing), [sessionId, items, hidden, isRunning, unknown])
}

/** What the conversation on screen knows of a call; null for calls of others. */
export function useCallSaid(): (callId: CallId) => CallSaid | null {
  const say = useWords()
  const items = useWork((state) => (state.current === null ? undefined : state.chats[state.current]?.items))
  const { turns } = useFacts()
  return useMemo(() => {
    const calls = new Map((items ?? []).flatMap((item) => (item.kind === 'calls' ? item.calls.map((call) => [call.callId, call] as const) : [])))
    return (callId) => {
      const call = calls.get(callId)
      if (!call) return null
      return { turn: turns.find((turn) => turn.callIds.has(callId))?.number ?? null, span: call.durationMs === null ? null : spanText(call.durationMs, say), exitCode: call.exitCode, seal: sealOf(call, say) }
    }
  }, [items, turns, say])
}

/** A session's name as its list has it; one that is no longer there is another session. */
function useTitle(): (id: SessionId) => string {
  const say = useWords()
  const sessions = useWork((state) => state.sessions)
  return useMemo(() => {
    const titles = new Map(sessions.map((session) => [session.id, session.title]))
    return (id) => titles.get(id) || say(titles.has(id) ? 'session.untitled' : 'timeline.other-session')
  }, [sessions, say])
}

/** The session that a row of the timeline names; null where there is no doubt whose it is. */
export function useWhose(here: SessionId | null, place: TimelinePlace): (row: TimelineRow) => string | null {
  const title = useTitle()
  const timeline = useTimeline((state) => state.timeline)
  const scope = useTimeline((state) => state.scopes[place])
  return useMemo(() => (row) => (row.sessionId !== null && isTagged(row, timeline, { scope, here }) ? title(row.sessionId) : null), [timeline, scope, here, title])
}

/** The calls of other sessions that the plan on screen would take back too. */
export function useOtherCalls(): readonly OtherCall[] {
  const title = useTitle()
  const wish = useRollback((state) => state.wish)
  const timeline = useTimeline((state) => state.timeline)
  return useMemo(() => (wish === null ? [] : callsIn(timeline, wish.target)).flatMap(({ sessionId, changed }) => (sessionId === null || sessionId === wish?.sessionId ? [] : [{ sessionId, session: title(sessionId), paths: changed.map((change) => change.path) }])), [wish, timeline, title])
}
