import type { AgentEvent } from '../../../shared/domain/event'
import type { SeenFile } from '../../../shared/domain/tool'
import type { ReadLog } from './defineTool'

/** What the agent had read when these events were over (R103): it goes on knowing after a restart. */
export function readLogAfter(events: readonly AgentEvent[]): ReadLog {
  const log = new Map<string, string>()
  const kept: ReadLog = { get: (path) => log.get(path), set: (path, hash) => void log.set(path, hash), forget: (path) => void log.delete(path) }
  for (const event of events) if (event.type === 'tool-finished') event.seen?.forEach((file) => note(kept, file))
  return kept
}

/** A log that also notes what one call adds to it, for the call's own event. */
export function notingReadLog(log: ReadLog): { readonly log: ReadLog; readonly seen: readonly SeenFile[] } {
  const seen: SeenFile[] = []
  const take = (file: SeenFile): void => {
    seen.push(file)
    note(log, file)
  }
  return { seen, log: { get: (path) => log.get(path), set: (path, hash) => take({ path, hash }), forget: (path) => take({ path, hash: null }) } }
}

function note(log: ReadLog, { path, hash }: SeenFile): void {
  if (hash === null) log.forget(path)
  else log.set(path, hash)
}
