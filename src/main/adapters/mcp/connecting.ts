import type { McpConnection, McpEnd, McpEvents, McpStart, McpStep } from '../../core/ports/mcpConnections'
import { makeConnection } from './connection'
import { calledOff, failedBy } from './ends'
import { openHttpSession } from './httpSession'
import { makeNotices } from './notices'
import { makeServerLog, type ServerLog } from './serverLog'
import { handshakeTooLong, openSession, type Session, type SessionParts } from './session'
import { startStdioPeer, type Holding } from './stdioPeer'
import { makeWorkClock } from './workClock'

/** One connection to make. */
export interface Connecting {
  readonly start: McpStart
  readonly events: McpEvents
  readonly version: string
  readonly holding: () => Promise<Holding>
  readonly signal: AbortSignal
  readonly onStep: (step: McpStep) => void
  /** Told when the connection has come to its end by itself. */
  readonly onOver: () => void
}

type Opened = { readonly ok: true; readonly session: Session } | { readonly ok: false; readonly end: McpEnd }

/** Starts or reaches a server and shakes hands with it. What fails leaves nothing behind. */
export async function connectTo({ start, events, version, holding, signal, onStep, onOver }: Connecting): Promise<{ readonly ok: true; readonly value: McpConnection } | { readonly ok: false; readonly end: McpEnd }> {
  const log = makeServerLog((line) => events.log(line))
  const told: McpEvents = {
    log: (line) => events.log(line),
    toolsChanged: () => events.toolsChanged(),
    resourcesChanged: () => events.resourcesChanged(),
    resourceUpdated: (uri) => events.resourceUpdated(uri),
    promptsChanged: () => events.promptsChanged(),
    question: (question, stop) => events.question(question, stop),
    closed(end) {
      onOver()
      events.closed(end)
    },
  }
  const parts: SessionParts = { start, events: told, notices: makeNotices(told, log), clock: makeWorkClock(), version }
  onStep('start')
  const opened = await open(parts, holding, log, signal, onStep)
  if (!opened.ok) {
    parts.notices.stop()
    log.close()
    return opened
  }
  const connection = makeConnection(opened.session, { ...parts, log, reopen: (stop) => limited(start.handshakeMs, stop, (limit) => openHttp(parts, limit)) })
  return { ok: true, value: connection }
}

async function open(parts: SessionParts, holding: () => Promise<Holding>, log: ServerLog, signal: AbortSignal, onStep: (step: McpStep) => void): Promise<Opened> {
  const { endpoint, handshakeMs } = parts.start
  if (endpoint.kind === 'http') {
    onStep('handshake')
    return limited(handshakeMs, signal, (limit) => openHttp(parts, limit))
  }
  const started = await startStdioPeer(endpoint, await holding(), log)
  if (!started.ok) return started
  onStep('handshake')
  return limited(handshakeMs, signal, (limit) => openSession(started.peer, parts, limit))
}

function openHttp(parts: SessionParts, signal: AbortSignal): Promise<Opened> {
  const { endpoint } = parts.start
  // Only an address has sessions that can be forgotten.
  return endpoint.kind === 'http' ? openHttpSession(endpoint, parts, signal) : Promise.resolve(failedBy(calledOff()))
}

/** Calls it off after a time. */
async function limited(limitMs: number, signal: AbortSignal, run: (limit: AbortSignal) => Promise<Opened>): Promise<Opened> {
  const stop = new AbortController()
  const abort = (): void => stop.abort()
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    abort()
  }, limitMs)
  signal.addEventListener('abort', abort, { once: true })
  if (signal.aborted) abort()
  try {
    const opened = await run(stop.signal)
    return !opened.ok && isLate ? failedBy(handshakeTooLong(limitMs)) : opened
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', abort)
  }
}
