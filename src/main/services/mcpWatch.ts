import type { AgentEvent, EventDraft } from '../../shared/domain/event'
import type { CallId, SessionId, TurnId } from '../../shared/domain/ids'
import { said } from '../../shared/domain/result'
import type { McpRoster } from './mcpRoster'
import type { Sessions } from './sessions'

/** Watches attached resources: when one changes, the session that attached it is told once (R48). */
export interface McpWatch {
  updated(server: string, uri: string): void
  close(): void
}

interface Watching {
  /** The turn that a note belongs to. */
  at: { turnId: TurnId; step: number } | null
  /** Calls without a result: a note between them and their results would part what belongs together. */
  readonly open: Set<CallId>
  /** Attached resources by key; true once the session waits to be told. */
  readonly attached: Map<string, { readonly server: string; readonly uri: string; isUpdated: boolean }>
}

/** Makes it; it follows the events of all sessions. */
export function makeMcpWatch(sessions: Pick<Sessions, 'append' | 'onEvents'>, roster: Pick<McpRoster, 'life'>): McpWatch {
  const watching = new Map<SessionId, Watching>()

  const tell = (id: SessionId, session: Watching): void => {
    if (session.open.size > 0 || session.at === null) return
    const at = session.at
    const due = [...session.attached].filter(([, one]) => one.isUpdated)
    if (due.length === 0) return
    for (const [key, { server, uri }] of due) {
      session.attached.delete(key)
      if (![...watching.values()].some((other) => other.attached.has(key))) void roster.life(server)?.connection()?.unsubscribe(uri)
    }
    const notes = due.map(([, { server, uri }]): EventDraft => ({ type: 'note-added', ...at, say: said('mcp.resource-updated', { server, uri }), isForModel: true }))
    // A session that another process runs, or a store at fault: the note is only news.
    sessions.append(id, notes).catch(() => undefined)
  }
  const take = (event: AgentEvent): void => {
    const session = watching.get(event.sessionId)
    if (event.type === 'user-message-added' && event.attachments) attach(event.sessionId, event.attachments)
    if (!session) return
    if ('turnId' in event && 'step' in event && event.turnId !== null && event.step !== null) session.at = { turnId: event.turnId, step: event.step }
    if (event.type === 'turn-started') session.at = { turnId: event.turnId, step: 0 }
    if (event.type === 'assistant-message-added') event.calls.forEach((call) => session.open.add(call.callId))
    if (event.type === 'turn-ended') session.open.clear()
    if (event.type === 'tool-finished') session.open.delete(event.callId)
    if (event.type === 'tool-finished' || event.type === 'turn-ended') tell(event.sessionId, session)
  }
  const attach = (id: SessionId, attachments: readonly { readonly server: string; readonly uri: string }[]): void => {
    const session = watching.get(id) ?? { at: null, open: new Set(), attached: new Map() }
    watching.set(id, session)
    for (const { server, uri } of attachments) {
      session.attached.set(keyOf(server, uri), { server, uri, isUpdated: false })
      const connection = roster.life(server)?.connection()
      if (connection?.can.subscribe === true) void connection.subscribe(uri)
    }
  }
  const stop = sessions.onEvents((events) => events.forEach(take))

  return {
    updated(server, uri) {
      for (const [id, session] of watching) {
        const one = session.attached.get(keyOf(server, uri))
        if (!one) continue
        one.isUpdated = true
        tell(id, session)
      }
    },
    close: stop,
  }
}

function keyOf(server: string, uri: string): string {
  return JSON.stringify([server, uri])
}
