import type { AgentEvent } from '../../../shared/domain/event'
import type { SeenFile } from '../../../shared/domain/tool'
import type { ReadLog } from './defineTool'

/** A read log that also knows when: a time of `set` left out is not known. */
export interface TimedReadLog extends ReadLog {
  readAtMs(relative: string): number | undefined
  set(relative: string, hash: string, atMs?: number): void
}

/** What the agent had read when these events were over (R103): it goes on knowing after a restart. */
export function readLogAfter(events: readonly AgentEvent[]): TimedReadLog {
  return readLogOver(() => events)
}

/**
 * A log over the events of a session that goes on: what calls read is noted as they run, and what the person attached counts
 * as read from the event on that brings it to the model. `events` gives all of them, in order; none is ever taken away.
 */
export function readLogOver(events: () => readonly AgentEvent[]): TimedReadLog {
  const log = new Map<string, { readonly hash: string; readonly atMs: number | undefined }>()
  const kept: TimedReadLog = {
    get: (path) => upToNow().get(path)?.hash,
    readAtMs: (path) => upToNow().get(path)?.atMs,
    set: (path, hash, atMs) => void upToNow().set(path, { hash, atMs }),
    forget: (path) => void upToNow().delete(path),
  }
  const first = events()
  for (const event of first) seenIn(event, true).forEach(({ path, hash }) => (hash === null ? log.delete(path) : log.set(path, { hash, atMs: event.atMs })))
  let taken = first.length
  const upToNow = (): typeof log => {
    const all = events()
    for (; taken < all.length; taken += 1) {
      const event = all[taken]
      if (event) seenIn(event, false).forEach(({ path, hash }) => hash !== null && log.set(path, { hash, atMs: event.atMs }))
    }
    return log
  }
  return kept
}

/** What an event says the agent saw. A call of this run has noted its own already. */
function seenIn(event: AgentEvent, isPast: boolean): readonly SeenFile[] {
  if (event.type === 'tool-finished') return isPast ? (event.seen ?? []) : []
  if (event.type !== 'user-message-added') return []
  return (event.files ?? []).flatMap(({ path, hash }) => (path === null || hash === undefined ? [] : [{ path, hash }]))
}

/** A log that also notes what one call adds to it, for the call's own event, and when. */
export function notingReadLog(log: TimedReadLog, nowMs: () => number): { readonly log: TimedReadLog; readonly seen: readonly SeenFile[] } {
  const seen: SeenFile[] = []
  const take = (file: SeenFile, atMs: number): void => {
    seen.push(file)
    note(log, file, atMs)
  }
  return {
    seen,
    log: {
      get: (path) => log.get(path),
      readAtMs: (path) => log.readAtMs(path),
      set: (path, hash) => take({ path, hash }, nowMs()),
      forget: (path) => take({ path, hash: null }, 0),
    },
  }
}

function note(log: TimedReadLog, { path, hash }: SeenFile, atMs: number): void {
  if (hash === null) log.forget(path)
  else log.set(path, hash, atMs)
}
