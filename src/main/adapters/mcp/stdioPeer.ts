import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { McpEnd, McpEndpoint } from '../../core/ports/mcpConnections'
import { startHeld, type HeldProcess } from '../../native/heldProcess'
import { newMark } from '../../native/processMark'
import type { Isolation } from '../../native/processTreeIsolation'
import { makeDelivery, type Delivery } from './delivery'
import { endOf, failedBy, problemOf } from './ends'
import { makeLineReader } from './lineReader'
import { messagesOf } from './messages'
import type { Peer } from './peer'
import { findProgramFile } from './programFile'
import type { ServerLog } from './serverLog'

/** One answer may be as large as this; a line without end would fill the memory. */
export const lineLimitBytes = 64 * 1024 * 1024
/** After its input has ended a server may tidy up for so long, and again after it was asked. */
const closeGraceMs = { input: 500, asked: 500 } as const
/** Its output is given so long to be read to the end when its process is gone. */
const drainMs = 500

/** How programs are held on this system. */
export interface Holding {
  readonly bash: string
  readonly isolation: Isolation
}

/** Starts the program of a server and speaks with it over its pipes, a message a line. */
export async function startStdioPeer(endpoint: McpEndpoint & { readonly kind: 'stdio' }, holding: Holding, log: ServerLog): Promise<{ readonly ok: true; readonly peer: Peer } | { readonly ok: false; readonly end: McpEnd }> {
  const found = await findProgramFile(endpoint)
  if (!found.ok) return found
  let held: HeldProcess
  try {
    held = startHeld({ ...holding, file: found.file, args: endpoint.args, cwd: endpoint.cwd, env: endpoint.env, mark: newMark() })
  } catch (error) {
    return failedBy(notStarted(error))
  }
  const problem = await new Promise<Error | null>((resolve) => {
    held.child.once('spawn', () => resolve(null))
    held.child.once('error', resolve)
  })
  if (problem !== null) return failedBy(notStarted(problem))
  return { ok: true, peer: speakWith(held, log) }
}

function notStarted(error: unknown): McpEnd {
  return endOf('mcp.not-started', { problem: problemOf(error) }, 'mcp.not-started-advice')
}

function speakWith(held: HeldProcess, log: ServerLog): Peer {
  const transport: Transport = {
    start: () => Promise.resolve(),
    send: (message) => write(held, message),
    close: () => close(),
  }
  const delivery = makeDelivery((message) => transport.onmessage?.(message), { hold: () => held.stdout.pause(), letGo: () => held.stdout.resume() })
  const life = watch(held, log)
  let closing: Promise<void> | undefined
  const close = (): Promise<void> => {
    closing ??= life.end().finally(() => {
      delivery.stop()
      transport.onclose?.()
    })
    return closing
  }
  read(held, log, delivery, (end) => life.reach(end))
  const over = new Promise<McpEnd>((resolve) => {
    void life.over.then((end) => {
      if (closing !== undefined) return
      resolve(end)
      void close()
    })
  })
  return { transport, over, onTrouble: () => {}, hasForgotten: () => false, explain: () => null, close }
}

function read(held: HeldProcess, log: ServerLog, delivery: Delivery, end: (reason: McpEnd) => void): void {
  const takeLine = (line: Buffer): void => {
    const messages = messagesOf(line)
    if (messages !== null) return delivery.push(messages)
    const text = line.toString('utf8', 0, Math.min(line.length, 16_000)).replace(/^\uFEFF/, '')
    if (text.trim() !== '') log.line('stdout', text)
  }
  const lines = makeLineReader(lineLimitBytes, takeLine, () => end(endOf('mcp.line-too-long', { limitBytes: lineLimitBytes }, 'mcp.line-too-long-advice')))
  held.stdout.on('data', (bytes: Buffer) => lines.push(bytes))
  held.stdout.once('end', () => takeLine(lines.rest()))
  held.stderr.on('data', (bytes: Buffer) => log.stderr(bytes))
}

/** Follows the process to its end, and ends it. */
function watch(held: HeldProcess, log: ServerLog): { readonly over: Promise<McpEnd>; reach(end: McpEnd): void; end(): Promise<void> } {
  const { child, tree } = held
  let reach = (_end: McpEnd): void => {}
  const over = new Promise<McpEnd>((resolve) => {
    reach = resolve
  })
  const exited = new Promise<void>((resolve) => {
    child.once('exit', () => resolve())
  })
  const drained = new Promise<void>((resolve) => {
    child.once('close', () => resolve())
  })
  const gone = exited.then(async () => {
    // What it left behind may hold its pipes.
    await tree.end(0)
    await Promise.race([drained, pause(drainMs)])
    log.flush()
    reach(exitOf(held))
  })
  // A server that will never say anything again is over, also when its process stays.
  held.stdout.once('end', () => void Promise.race([gone, pause(drainMs)]).then(() => reach(endOf('mcp.output-closed', {}, 'mcp.exited-advice'))))
  return {
    over,
    reach: (end) => reach(end),
    async end() {
      held.stdin.end()
      await Promise.race([exited, pause(closeGraceMs.input)])
      await tree.end(closeGraceMs.asked)
      await Promise.race([gone, pause(drainMs)])
      for (const stream of child.stdio) stream?.destroy()
    },
  }
}

function exitOf({ child }: HeldProcess): McpEnd {
  const { exitCode, signalCode } = child
  if (exitCode === null) return endOf('mcp.killed', { signal: signalCode ?? '' }, 'mcp.exited-advice')
  return endOf('mcp.exited', { exitCode }, exitCode === 127 ? 'mcp.not-on-path-advice' : 'mcp.exited-advice', { exitCode })
}

/** Resolves when the pipe has taken it. A pipe that is closed is seen by the end of the process. */
function write({ stdin }: HeldProcess, message: JSONRPCMessage): Promise<void> {
  return new Promise((resolve, reject) => {
    stdin.write(`${JSON.stringify(message)}\n`, (error) => {
      if (error) reject(error)
      else resolve()
    })
  })
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
