import { findProgram, probeIsolation, type Isolation } from '../../native/processTreeIsolation'
import { endStraysOfDeadApps } from '../../native/processMark'
import { programFolders } from '../../native/searchPath'
import type { McpConnection, McpConnections } from '../../core/ports/mcpConnections'
import { calledOff, endOf, failedBy } from './ends'
import { turnsOver } from './oauthTurns'
import type { Holding } from './stdioPeer'

/** What connections are made with. */
export interface McpConnectionsParts {
  /** The app's own version, told to servers. */
  readonly version: string
  /** How programs are held together; found out by trying when absent. */
  readonly isolation?: Isolation
}

/**
 * Connections over the official SDK; see the port for what they promise. Nothing is loaded, started or tried before the first
 * connection. Proxies are not used: an address is reached directly.
 */
export function makeMcpConnections({ version, isolation }: McpConnectionsParts): McpConnections {
  const open = new Set<McpConnection>()
  const starting = new Map<AbortController, Promise<unknown>>()
  const bash = findProgram('bash', programFolders)
  let isClosed = false
  let holding: Promise<Holding> | undefined
  const hold = (shell: string): Promise<Holding> => {
    holding ??= (isolation ? Promise.resolve(isolation) : probeIsolation(shell, programFolders)).then((found) => {
      if (found.kind === 'mark') endStraysOfDeadApps()
      return { bash: shell, isolation: found }
    })
    return holding
  }
  return {
    transports: ['stdio', 'http'],
    async connect(start, events, signal, onStep) {
      if (isClosed || signal.aborted) return failedBy(calledOff())
      if (start.endpoint.kind === 'stdio' && bash === null) return failedBy(endOf('command.no-shell', { folders: programFolders }))
      const stop = new AbortController()
      let over = (): Promise<void> => Promise.resolve()
      const abort = (): void => stop.abort()
      signal.addEventListener('abort', abort, { once: true })
      // The library is large, and most starts of the app need no server.
      const connecting = import('./connecting').then(({ connectTo }) => connectTo({ start, events, version, holding: () => hold(bash ?? ''), signal: stop.signal, onStep: onStep ?? ((): void => {}), onOver: () => void over() }))
      starting.set(stop, connecting)
      try {
        const connected = await connecting
        if (!connected.ok) return connected
        if (stop.signal.aborted) {
          await connected.value.close()
          return failedBy(calledOff())
        }
        const connection: McpConnection = { ...connected.value, close: () => connected.value.close().finally(() => open.delete(connection)) }
        open.add(connection)
        over = () => connection.close()
        return { ok: true, value: connection }
      } finally {
        starting.delete(stop)
        signal.removeEventListener('abort', abort)
      }
    },
    async signIn(endpoint, openPage, signal) {
      const stop = new AbortController()
      const abort = (): void => stop.abort()
      signal.addEventListener('abort', abort, { once: true })
      if (isClosed || signal.aborted) abort()
      const signing = import('./signIn').then(({ signIn }) => signIn(endpoint, { open: openPage, cancel: stop.signal }))
      starting.set(stop, signing)
      try {
        return await signing
      } finally {
        starting.delete(stop)
        signal.removeEventListener('abort', abort)
      }
    },
    async closeAll() {
      isClosed = true
      for (const stop of starting.keys()) stop.abort()
      await Promise.all([...[...open].map((connection) => connection.close()), ...starting.values()])
      await turnsOver()
    },
  }
}
