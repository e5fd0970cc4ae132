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
  const log = new Map<string, { readonly hash: string; readonly atMs: number | undefined }>()
  const kept: TimedReadLog = {
    get: (path) => log.get(path)?.hash,
    readAtMs: (path) => log.get(path)?.atMs,
    set: (path, hash, atMs) => void log.set(path, { hash, atMs }),
    forget: (path) => void log.delete(path),
  }
  for (const event of events) if (event.type === 'tool-finished') event.seen?.forEach((file) => note(kept, file, event.atMs))
  return kept
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
