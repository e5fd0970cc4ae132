import { BrowserWindow } from 'electron'
import type { PushName } from '../../shared/ipc/channels'
import type { PushBodies } from '../../shared/ipc/schemas'
import type { HostServices } from '../services/hostServices'
import { makeFrameBatch } from './frameBatch'
import { makeProgramPushes } from './programPushes'
import { pushTo } from './register'

/** Sends a push to every window. */
export function pushToAll<Name extends PushName>(name: Name, body: PushBodies[Name]): void {
  for (const window of BrowserWindow.getAllWindows()) pushTo(window.webContents, name, body)
}

/**
 * Forwards what happens in the services to the windows: stream parts in batches a frame, events at once behind the parts
 * that came before them, so that the page sees both in order. Returns what ends it.
 */
export function forwardPushes(host: HostServices): () => void {
  const parts = makeFrameBatch<PushBodies['session/parts'][number]>((items) => pushToAll('session/parts', items))
  const pushHead = (): void => {
    const head = host.auditHead()
    if (head !== null) pushToAll('audit/changed', head)
  }
  const isSeen = (): boolean => BrowserWindow.getAllWindows().some((window) => window.isVisible() && !window.isMinimized())
  const programs = makeProgramPushes({ commands: host.commands, isSeen, push: (rows) => pushToAll('program/changed', rows) })
  const stops = [
    programs.stop,
    host.sessions.onParts((part) => parts.add(part)),
    host.sessions.onEvents((events) => {
      parts.flush()
      pushToAll('session/events', events)
      if (events.some((event) => event.type === 'tool-finished')) void programs.look()
    }),
    host.runs.onBroken((fault) => pushToAll('app/fault', fault)),
    host.mcp.onChange((page) => pushToAll('mcp/changed', page)),
    host.onAudit(pushHead),
    host.memories.onChange((counts) => pushToAll('memory/changed', counts)),
    host.skills.onChange((page) => pushToAll('skill/changed', page)),
    host.retrieval.onChange((state) => pushToAll('retrieval/changed', state)),
    host.permissions.onChange((page) => pushToAll('permission/changed', page)),
    host.trust.onChange((findings) => pushToAll('trust/changed', findings)),
    host.onSandbox((facts) => pushToAll('sandbox/changed', facts)),
    host.runs.onRecoveries((open) => pushToAll('recovery/changed', open)),
    host.desk.onChange((open) => pushToAll('approval/changed', open)),
  ]
  return () => {
    parts.flush()
    stops.forEach((stop) => stop())
  }
}
