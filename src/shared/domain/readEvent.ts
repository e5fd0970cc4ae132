import { eventVersions, type AgentEvent, type EventDraft, type EventType } from './event'
import type { SessionId } from './ids'

/** A row of the event table, as far as reading needs it. `payload` is the draft as JSON, without its type. */
export interface StoredEvent {
  readonly sessionId: SessionId
  readonly seq: number
  readonly type: string
  readonly v: number
  readonly atMs: number
  readonly payload: string
}

/** A parsed payload; what is in it depends on type and version. */
export type Payload = Readonly<Record<string, unknown>>

/** Turns a payload of one version into the next one's. */
export type Upcast = (payload: Payload) => Payload

/** The steps of each type, the first from version 1 to 2. A raised version without its step does not pass the tests. */
export type Upcasts = Readonly<Partial<Record<EventType, readonly Upcast[]>>>

const upcasts: Upcasts = {}

/**
 * Turns a stored row into an event of today (R95). Old versions are brought up step by step. Never throws: what cannot be
 * read (a newer version, an unknown type, a damaged payload) becomes an `event-unread` in its place.
 */
export function readEvent(row: StoredEvent, steps: Upcasts = upcasts, versions: Readonly<Record<string, number>> = eventVersions): AgentEvent {
  const { sessionId, seq, type, v, atMs } = row
  const today = versions[type] ?? 0
  const draft = isKnown(type, versions) && v <= today ? readDraft(row, type, steps, today) : null
  if (draft === null) return { type: 'event-unread', storedType: type, payload: row.payload, v, sessionId, seq, atMs }
  return { ...draft, v: today, sessionId, seq, atMs }
}

/** The row's fields of a draft; reading it back gives the same event as living through it. */
export function storeEvent(draft: EventDraft): { readonly type: EventType; readonly v: number; readonly payload: string } {
  const { type, ...rest } = draft
  return { type, v: eventVersions[type], payload: JSON.stringify(rest) }
}

function isKnown(type: string, versions: Readonly<Record<string, number>>): type is EventType {
  return Object.hasOwn(versions, type)
}

function readDraft(row: StoredEvent, type: EventType, steps: Upcasts, wanted: number): EventDraft | null {
  let payload = parseObject(row.payload)
  for (let at = row.v; payload !== null && at < wanted; at += 1) {
    const step = steps[type]?.[at - 1]
    payload = step === undefined ? null : step(payload)
  }
  // Written by `storeEvent` or made by a step: what it says it is.
  return payload === null ? null : ({ ...payload, type } as unknown as EventDraft)
}

function parseObject(text: string): Payload | null {
  try {
    const parsed: unknown = JSON.parse(text)
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed) ? (parsed as Payload) : null
  } catch {
    return null // a damaged row: the caller keeps its text
  }
}
