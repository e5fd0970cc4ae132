import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { McpEnd } from '../../core/ports/mcpConnections'

/** The other side of one session, however it is reached. */
export interface Peer {
  /** What the library talks through. */
  readonly transport: Transport
  /** Resolves when it ended by itself; never after `close`. */
  readonly over: Promise<McpEnd>
  /** Called when it may be gone without anybody having said so. */
  onTrouble: () => void
  /** True when the error says that the other side has forgotten the session, and so has not carried out what was asked. */
  hasForgotten(error: unknown): boolean
  /** An error of the transport as an end; null for what it knows nothing about. */
  explain(error: unknown): McpEnd | null
  /** Ends it; resolves when nothing of it is left. May be called again. */
  close(): Promise<void>
}
