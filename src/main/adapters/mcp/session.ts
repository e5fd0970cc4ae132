import { pathToFileURL } from 'node:url'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { ErrorCode, McpError, SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/sdk/types.js'
import type { JsonSchemaValidator } from '@modelcontextprotocol/sdk/validation'
import type { McpEnd, McpEvents, McpStart } from '../../core/ports/mcpConnections'
import { calledOff, endOf, failedBy, problemOf, secondsOf } from './ends'
import { isObject, textOf } from './messages'
import type { Notices } from './notices'
import type { Peer } from './peer'
import { answerQuestion } from './questions'
import type { WorkClock } from './workClock'

/** A peer after its handshake. */
export interface Session {
  readonly peer: Peer
  readonly client: Client
  readonly protocol: string
  readonly clock: WorkClock
}

/** What a session is opened with. */
export interface SessionParts {
  readonly start: McpStart
  readonly events: McpEvents
  readonly notices: Notices
  readonly clock: WorkClock
  /** The app's own version, told to the server. */
  readonly version: string
}

/** The library would wait for its own time otherwise; time is kept here. */
export const noLimitMs = 2 ** 31 - 1

/** Shakes hands. When that fails the peer is closed. */
export async function openSession(peer: Peer, parts: SessionParts, signal: AbortSignal): Promise<{ readonly ok: true; readonly session: Session } | { readonly ok: false; readonly end: McpEnd; readonly error: unknown }> {
  const client = makeClient(parts)
  const version = watchVersion(peer)
  try {
    await Promise.race([client.connect(peer.transport, { timeout: noLimitMs, signal }), abortOf(signal)])
    return { ok: true, session: { peer, client, protocol: version(), clock: parts.clock } }
  } catch (error) {
    const end = signal.aborted ? calledOff() : await reasonOf(error, peer, version())
    await peer.close()
    return { ...failedBy(end), error }
  }
}

/** The handshake's answer as it comes by: the library does not keep the version, nor the one it refuses. */
function watchVersion({ transport }: Peer): () => string {
  let version = ''
  transport.onmessage = (message) => {
    if (version === '' && 'result' in message && isObject(message.result)) version = textOf(message.result['protocolVersion'])
  }
  return () => version
}

/** Rejects when it is aborted: not every way of connecting listens to a signal. */
function abortOf(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const abort = (): void => reject(new Error('aborted'))
    if (signal.aborted) abort()
    else signal.addEventListener('abort', abort, { once: true })
  })
}

async function reasonOf(error: unknown, peer: Peer, version: string): Promise<McpEnd> {
  const known = peer.explain(error)
  if (known !== null) return known
  // Whatever failed, the end of the program says more, and it may take a moment to come.
  const over = await Promise.race([peer.over, new Promise<null>((resolve) => setTimeout(resolve, isClosed(error) ? 2000 : 100, null))])
  if (over !== null) return over
  if (version !== '' && !SUPPORTED_PROTOCOL_VERSIONS.includes(version)) return endOf('mcp.protocol-unknown', { version, known: SUPPORTED_PROTOCOL_VERSIONS }, 'mcp.protocol-unknown-advice')
  return endOf('mcp.handshake-failed', { problem: problemOf(error) }, 'mcp.handshake-failed-advice')
}

function isClosed(error: unknown): boolean {
  return error instanceof McpError && error.code === Number(ErrorCode.ConnectionClosed)
}

/** The end of a handshake that took too long. */
export function handshakeTooLong(limitMs: number): McpEnd {
  return endOf('mcp.handshake-timeout', { seconds: secondsOf(limitMs) }, 'mcp.handshake-timeout-advice')
}

function makeClient({ start, events, notices, clock, version }: SessionParts): Client {
  const client = new Client(
    { name: 'countersign', title: 'Countersign', version },
    {
      capabilities: {
        ...(start.root === null ? {} : { roots: {} }),
        ...(start.offersSampling ? { sampling: {} } : {}),
        ...(start.offersElicitation ? { elicitation: { form: {}, url: {} } } : {}),
      },
      // The library's own would make code of schemas that come from outside; answers are judged by nobody here.
      jsonSchemaValidator: { getValidator: <T>(): JsonSchemaValidator<T> => (input) => ({ valid: true, data: input as T, errorMessage: undefined }) },
    },
  )
  // What comes is read by our own rules, which are more lenient than the library's and never lose an answer for a detail.
  client.fallbackNotificationHandler = ({ method, params }) => {
    notices.take(method, isObject(params) ? params : {})
    return Promise.resolve()
  }
  client.fallbackRequestHandler = async ({ method, params }, { signal }) => {
    if (method === 'roots/list' && start.root !== null) return { roots: [{ uri: pathToFileURL(start.root).href, name: start.root.split('/').pop() ?? '' }] }
    const answer = await answerQuestion(method, isObject(params) ? params : {}, start, (question) => clock.during(events.question(question, signal)))
    if (answer === null) throw new McpError(ErrorCode.MethodNotFound, 'Method not found')
    return answer
  }
  return client
}
