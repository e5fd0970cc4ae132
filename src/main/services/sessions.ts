import type { CallChange } from '../../shared/domain/call'
import type { AgentEvent, EventDraft, LivePart } from '../../shared/domain/event'
import { asId, type SessionId, type WorkspaceId } from '../../shared/domain/ids'
import type { AskingLevel, SessionSummary } from '../../shared/domain/session'
import { isDeletedNow } from '../../shared/domain/sessionList'
import type { EventStore } from '../core/ports/eventStore'
import type { Clock } from '../core/ports/clock'
import type { IdSource } from '../core/ports/idSource'

/** A loaded session: its events in memory, in order, complete up to the last committed one. */
export interface OpenSession {
  readonly id: SessionId
  readonly workspaceId: WorkspaceId
  readonly level: AskingLevel
  readonly title: string
  readonly events: readonly AgentEvent[]
}

export interface SessionsPorts {
  readonly events: EventStore
  readonly clock: Clock
  readonly ids: IdSource
}

type EventListener = (events: readonly AgentEvent[]) => void
type PartListener = (part: LivePart) => void

/** Sessions of all workspaces: reads come from memory, then the database; writes go to the database first, then memory, then listeners (R94). */
export interface Sessions {
  create(workspaceId: WorkspaceId, title: string, level: AskingLevel): Promise<OpenSession>
  /** Loaded once, also when asked for by several at the same time. Rejects for an id that was never opened. */
  open(id: SessionId): Promise<OpenSession>
  /** Reads what another process has added since. */
  refresh(id: SessionId): Promise<void>
  list(workspaceId: WorkspaceId): Promise<readonly SessionSummary[]>
  append(id: SessionId, drafts: readonly EventDraft[], changes?: readonly CallChange[]): Promise<readonly AgentEvent[]>
  /** Pushes a piece that is not stored, numbered within its step. */
  show(part: Pick<LivePart, 'sessionId' | 'turnId' | 'step' | 'body'>): void
  onEvents(listener: EventListener): () => void
  onParts(listener: PartListener): () => void
}

interface Loaded {
  readonly id: SessionId
  readonly events: AgentEvent[]
  /** What was committed comes into memory one after another. */
  taken: Promise<unknown>
  workspaceId: WorkspaceId
  level: AskingLevel
  title: string
}

/** Makes the service. */
export function makeSessions(ports: SessionsPorts): Sessions {
  const loaded = new Map<SessionId, Promise<Loaded>>()
  const ready = new Map<SessionId, Loaded>()
  const eventListeners = new Set<EventListener>()
  const partListeners = new Set<PartListener>()
  const partNumbers = new Map<SessionId, { readonly step: string; part: number }>()

  const load = async (id: SessionId): Promise<Loaded> => {
    const events = await ports.events.read(id)
    const session: Loaded = { id, events: [...events], taken: Promise.resolve(), workspaceId: asId<WorkspaceId>(''), level: 'writes', title: '' }
    if (events[0]?.type !== 'session-opened') throw new Error(`no such session: ${id}`)
    events.forEach((event) => note(session, event))
    ready.set(id, session)
    return session
  }

  const open = (id: SessionId): Promise<Loaded> => {
    const known = loaded.get(id)
    if (known) return known
    const loading = load(id)
    loaded.set(id, loading)
    loading.catch(() => loaded.delete(id))
    return loading
  }

  /** What another process added meanwhile; the memory has no gap either. */
  const missedBefore = async (session: Loaded, events: readonly AgentEvent[]): Promise<readonly AgentEvent[]> => {
    const last = session.events.at(-1)?.seq ?? 0
    const next = events[0]?.seq ?? last + 1
    return next > last + 1 ? ports.events.read(session.id, last + 1, next - 1) : []
  }

  return {
    async create(workspaceId, title, level) {
      const id = asId<SessionId>(ports.ids.next())
      const events = await ports.events.append(id, [{ type: 'session-opened', workspaceId, title, level }])
      eventListeners.forEach((listener) => listener(events))
      return open(id)
    },
    open,
    async refresh(id) {
      const session = await open(id)
      const added = await ports.events.read(id, (session.events.at(-1)?.seq ?? 0) + 1)
      added.forEach((event) => take(session, event))
    },
    list: (workspaceId) => ports.events.sessions(workspaceId),
    async append(id, drafts, changes) {
      const session = await open(id)
      // Whoever writes into a deleted session wants it back: none may run where nobody sees it.
      const isBack = drafts.some(({ type }) => type === 'user-message-added' || type === 'message-queued') && isDeletedNow(session.events)
      const events = await ports.events.append(id, isBack ? [{ type: 'session-restored' }, ...drafts] : drafts, changes)
      const told = session.taken.then(async () => {
        const fresh = [...(await missedBefore(session, events)), ...events]
        fresh.forEach((event) => take(session, event))
        if (fresh.length > 0) eventListeners.forEach((listener) => listener(fresh))
      })
      session.taken = told.catch(() => undefined) // whoever appends is told
      await told
      return events
    },
    show(body) {
      const step = `${body.turnId}/${body.step}`
      const last = partNumbers.get(body.sessionId)
      const part = last?.step === step ? last.part + 1 : 1
      partNumbers.set(body.sessionId, { step, part })
      const seq = ready.get(body.sessionId)?.events.at(-1)?.seq ?? 0
      const pushed: LivePart = { ...body, seq, part, atMs: ports.clock.nowMs() }
      partListeners.forEach((listener) => listener(pushed))
    },
    onEvents: (listener) => subscribe(eventListeners, listener),
    onParts: (listener) => subscribe(partListeners, listener),
  }
}

/** Keeps the memory in step with the database: each event once, in order, also when another process appended between. */
function take(session: Loaded, event: AgentEvent): void {
  if (event.seq <= (session.events.at(-1)?.seq ?? 0)) return
  session.events.push(event)
  note(session, event)
}

function note(session: Loaded, event: AgentEvent): void {
  if (event.type === 'session-opened') Object.assign(session, { workspaceId: event.workspaceId, level: event.level, title: event.title })
  if (event.type === 'session-renamed') session.title = event.title
  if (event.type === 'level-changed') session.level = event.level
}

/** Adds a listener; the disposer removes it. */
export function subscribe<Listener>(listeners: Set<Listener>, listener: Listener): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
