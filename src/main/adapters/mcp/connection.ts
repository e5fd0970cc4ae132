import { ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js'
import { fail, succeed, type Result } from '../../../shared/domain/result'
import type { McpCallOptions, McpConnection, McpEnd } from '../../core/ports/mcpConnections'
import { cutTo, mostOf, sizeOf } from './bounds'
import { promptOf, resourceOf, templateOf, toolOf } from './definitions'
import { endOf, problemOf, secondsOf } from './ends'
import { isObject, listOf, textOf, type Json } from './messages'
import { callResultOf, contentsOf, promptMessagesOf } from './parts'
import { answerQuestion } from './questions'
import { answerLost, ask, type Asked, type Limits } from './requests'
import type { ServerLog } from './serverLog'
import type { Session, SessionParts } from './session'

/** What a connection is made of besides its first session. */
export interface ConnectionParts extends SessionParts {
  readonly log: ServerLog
  /** A new session in place of one that the other side has forgotten. */
  readonly reopen: (signal: AbortSignal) => Promise<{ readonly ok: true; readonly session: Session } | { readonly ok: false; readonly end: McpEnd }>
}

/** A list ends after so many pages, whatever they hold. */
const mostPages = 100
/** A server that is alive answers a ping within this. */
const pingMs = 10_000
const lateEndMs = 2000
const mostAddresses = 5

/** A connection over its present session; see the port for what it promises. */
export function makeConnection(first: Session, parts: ConnectionParts): McpConnection {
  const { start, log } = parts
  const limits: Limits = { silenceMs: start.callMs, ceilingMs: start.ceilingMs }
  const line = makeLine(first, parts)

  const request = async (method: string, params: Json, options: Partial<McpCallOptions> = {}): Promise<Result<Json>> => {
    const asked = await line.ask(method, params, limits, options)
    return asked.kind === 'answer' ? succeed(asked.result) : faultOf(asked, line, parts)
  }
  const list = async <T>(method: string, key: string, read: (value: unknown) => T | null, most: number = mostOf.items): Promise<Result<readonly T[]>> => {
    const found: T[] = []
    const seen = new Set<string>()
    let cursor: string | null = null
    let left: number = mostOf.listCharacters
    for (let page = 0; page < mostPages; page++) {
      const given: Result<Json> = await request(method, cursor === null ? {} : { cursor })
      if (!given.ok) return given
      const values = listOf(given.value[key]).slice(0, most)
      const usable = values.map(read).filter((one) => one !== null)
      if (usable.length < values.length) log.line('app', `${method}: ${values.length - usable.length} × ?`)
      for (const one of usable) if ((left -= sizeOf(one) ?? mostOf.schemaCharacters) > 0) found.push(one)
      cursor = textOf(given.value['nextCursor']) || null
      if (cursor === null && found.length <= most && left > 0 && values.length === listOf(given.value[key]).length) return succeed(found)
      if (cursor === null || seen.has(cursor) || found.length > most || left <= 0) break
      seen.add(cursor)
    }
    log.line('app', `${method}: ${Math.min(found.length, most)} …`)
    return succeed(found.slice(0, most))
  }
  return {
    server: serverOf(first),
    can: capabilitiesOf(first),
    listTools: async () => {
      const tools = await list('tools/list', 'tools', toolOf, mostOf.tools)
      return tools.ok ? succeed(withoutDoubles(tools.value, log)) : tools
    },
    listResources: () => list('resources/list', 'resources', resourceOf),
    listTemplates: () => list('resources/templates/list', 'resourceTemplates', templateOf),
    listPrompts: () => list('prompts/list', 'prompts', promptOf),
    async call(tool, args, options) {
      const asked = await line.ask('tools/call', { name: tool, arguments: args }, limits, options)
      if (asked.kind === 'answer') return succeed(callResultOf(asked.result))
      const addresses = addressesOf(asked)
      return addresses.length > 0 && start.offersElicitation ? openFirst(addresses, parts, options) : faultOf(asked, line, parts)
    },
    async read(uri, signal) {
      const given = await request('resources/read', { uri }, { signal })
      return given.ok ? succeed(contentsOf(given.value)) : given
    },
    async subscribe(uri) {
      const given = await request('resources/subscribe', { uri })
      if (given.ok) line.subscribed.add(uri)
      return given.ok ? succeed(null) : given
    },
    async unsubscribe(uri) {
      line.subscribed.delete(uri)
      const given = await request('resources/unsubscribe', { uri })
      return given.ok ? succeed(null) : given
    },
    async prompt(name, args) {
      const given = await request('prompts/get', { name, arguments: args })
      return given.ok ? succeed(promptMessagesOf(given.value)) : given
    },
    async complete(of, argument, value, known) {
      const ref = 'prompt' in of ? { type: 'ref/prompt', name: of.prompt } : { type: 'ref/resource', uri: of.template }
      const given = await request('completion/complete', { ref, argument: { name: argument, value }, context: { arguments: known } })
      const completion = given.ok ? given.value['completion'] : null
      return isObject(completion) ? listOf(completion['values']).filter((one) => typeof one === 'string') : []
    },
    close: () => line.close(),
  }
}

/** The present session, replaced by a new one when the other side has forgotten it. */
interface Line {
  ask(method: string, params: Json, limits: Limits, options: Partial<McpCallOptions>): Promise<Asked>
  isOver(): boolean
  /** Why it is over; null while it is not, and when it was closed from here. */
  end(): McpEnd | null
  /** What is told to a new session again. */
  readonly subscribed: Set<string>
  close(): Promise<void>
}

function makeLine(first: Session, parts: ConnectionParts): Line {
  let session = first
  let isOver = false
  let ended: McpEnd | null = null
  let renewing: Promise<boolean> | undefined
  let checking: Promise<void> | undefined
  const closing = new AbortController()
  const subscribed = new Set<string>()

  const finish = (end: McpEnd): void => {
    if (isOver) return
    isOver = true
    ended = end
    parts.notices.stop()
    parts.log.flush()
    // A moment later: whoever is just getting this connection has it first.
    setImmediate(() => parts.events.closed(end))
    void session.peer.close().then(() => parts.log.close())
  }
  const follow = (followed: Session): void => {
    void followed.peer.over.then((end) => {
      if (followed === session) finish(end)
    })
    followed.peer.onTrouble = () => void check()
  }
  /** Asks whether anybody is still there. An error that the server itself gives is a sign of life. */
  const check = (): Promise<void> => {
    checking ??= ask(session, 'ping', {}, { silenceMs: pingMs, ceilingMs: pingMs }).then(async (asked) => {
      checking = undefined
      if (isOver || asked.kind === 'answer' || (asked.kind === 'error' && isFromServer(asked.error))) return
      if (asked.kind === 'error' && session.peer.hasForgotten(asked.error)) return void (await renew(session))
      const known = asked.kind === 'error' ? session.peer.explain(asked.error) : null
      // The end of a program may come a moment after its pipe broke.
      finish(known ?? (await Promise.race([session.peer.over, pause(lateEndMs)])) ?? endOf('mcp.no-answer', {}, 'mcp.no-answer-advice'))
    })
    return checking
  }
  const renew = (forgotten: Session): Promise<boolean> => {
    if (forgotten !== session) return Promise.resolve(!isOver)
    renewing ??= parts.reopen(closing.signal).then(async (opened) => {
      renewing = undefined
      if (!opened.ok) {
        finish(opened.end)
        return false
      }
      session = opened.session
      void forgotten.peer.close()
      if (isOver) {
        await session.peer.close()
        return false
      }
      follow(session)
      for (const uri of subscribed) void ask(session, 'resources/subscribe', { uri }, { silenceMs: pingMs, ceilingMs: pingMs })
      parts.notices.allChanged()
      return true
    })
    return renewing
  }
  follow(first)
  return {
    subscribed,
    isOver: () => isOver,
    end: () => ended,
    async ask(method, params, limits, options) {
      if (isOver) return { kind: 'error', error: null }
      const used = session
      const asked = await ask(used, method, params, limits, options)
      if (asked.kind !== 'error' || isOver) return asked
      if (used.peer.hasForgotten(asked.error)) return (await renew(used)) ? ask(session, method, params, limits, options) : asked
      const known = used.peer.explain(asked.error)
      // A ping may still be let through where a call is not.
      if (known?.wantsSignIn === true) finish(known)
      else if (!isFromServer(asked.error)) await check()
      return asked
    },
    async close() {
      isOver = true
      closing.abort()
      parts.notices.stop()
      await session.peer.close()
      await renewing
      parts.log.close()
    },
  }
}

function pause(ms: number): Promise<null> {
  return new Promise((resolve) => setTimeout(resolve, ms, null))
}

/** Servers use the code of the library's own end of a connection for errors of their own; only the words tell them apart. */
function isFromServer(error: unknown): boolean {
  if (!(error instanceof McpError) || error.code === answerLost) return false
  return error.code !== Number(ErrorCode.ConnectionClosed) || !error.message.endsWith(': Connection closed')
}

function faultOf(asked: Exclude<Asked, { kind: 'answer' }>, line: Line, { start }: ConnectionParts): { readonly ok: false; readonly fault: ReturnType<typeof fail>['fault'] } {
  const server = start.name
  switch (asked.kind) {
    case 'cancelled': return fail('mcp.cancelled', { server })
    case 'silent': return fail('mcp.silent', { server, seconds: secondsOf(start.callMs) })
    case 'ceiling': return fail('mcp.ceiling', { server, seconds: secondsOf(start.ceilingMs) })
    case 'error': {
      const { error } = asked
      if (isFromServer(error) && error instanceof McpError) return fail('mcp.server-error', { server, number: String(error.code), problem: problemOf(error).replace(/^MCP error -?\d+: /, '') })
      const end = line.end()
      if (end?.wantsSignIn === true) return { ok: false, fault: end.say }
      if (line.isOver()) return fail('mcp.gone', { server })
      return fail('mcp.answer-lost', { server, problem: problemOf(error).replace(/^MCP error -?\d+: /, '') })
    }
  }
}

function serverOf({ client, protocol }: Session): McpConnection['server'] {
  const { name, version } = client.getServerVersion() ?? { name: '', version: '' }
  return { name: cutTo(name, mostOf.name), version: cutTo(version, mostOf.name), protocol, instructions: cutTo(client.getInstructions() ?? '', mostOf.description) }
}

function capabilitiesOf({ client }: Session): McpConnection['can'] {
  const { tools, resources, prompts, completions } = client.getServerCapabilities() ?? {}
  return { tools: tools !== undefined, resources: resources !== undefined, subscribe: resources?.subscribe === true, prompts: prompts !== undefined, complete: completions !== undefined }
}

/** Two tools of one name could not be told apart, by nobody: the first stays. */
function withoutDoubles<T extends { readonly name: string }>(tools: readonly T[], log: ServerLog): readonly T[] {
  const byName = new Map<string, T>()
  for (const tool of tools) if (!byName.has(tool.name)) byName.set(tool.name, tool)
  if (byName.size < tools.length) log.line('app', `tools/list: ${tools.length - byName.size} × 2`)
  return [...byName.values()]
}

/** What a person has to do at an address before a call can be carried out (URL elicitation, error -32042). */
function addressesOf(asked: Asked): readonly Json[] {
  if (asked.kind !== 'error' || !(asked.error instanceof McpError) || asked.error.code !== Number(ErrorCode.UrlElicitationRequired)) return []
  const data: unknown = asked.error.data
  return isObject(data) ? listOf(data['elicitations']).filter(isObject).slice(0, mostAddresses) : []
}

/** The call was not carried out. It is not tried again by itself: only the person knows when they are done there. */
async function openFirst(addresses: readonly Json[], { start, events }: ConnectionParts, { signal }: McpCallOptions): Promise<Result<never>> {
  for (const one of addresses) {
    const answer = await answerQuestion('elicitation/create', { ...one, mode: 'url' }, start, (question) => events.question(question, signal))
    if (answer?.['action'] !== 'accept') return fail('mcp.address-refused', { server: start.name })
  }
  return fail('mcp.address-opened', { server: start.name })
}
