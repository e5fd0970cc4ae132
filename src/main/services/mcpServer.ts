import type { McpServerState, McpToolDefinition } from '../../shared/domain/mcp'
import { fail, said, succeed, type Result, type Said } from '../../shared/domain/result'
import { say, type Locale } from '../../shared/words/say'
import type { CancelSignal } from '../core/ports/cancelSignal'
import type { McpAnswer, McpConnection, McpConnections, McpEnd, McpEvents, McpListedPrompt, McpListedResource, McpQuestion, McpStart } from '../core/ports/mcpConnections'
import { redactedSaid } from '../core/policy/redactedSaid'
import type { Clock } from '../core/ports/clock'
import { makeMcpLog, type McpLog } from './mcpLog'
import { maskedValue } from './mcpMasked'
import type { McpTimes } from './mcpPorts'
import { atMost, makeDebounced, type Slots } from './mcpTiming'

/** What a server listed last; also while it is not running. */
export interface McpLists {
  readonly tools: readonly McpToolDefinition[]
  readonly resources: readonly McpListedResource[]
  readonly templates: readonly McpListedResource[]
  readonly prompts: readonly McpListedPrompt[]
}

/** How a server's life goes, as far as it is not a switch. */
export type McpLifeState = Extract<McpServerState, { kind: 'idle' | 'starting' | 'ready' | 'failed' | 'sign-in' }>

/** What the life of one server needs. */
export interface McpLifePorts {
  readonly name: string
  readonly connections: Pick<McpConnections, 'connect'>
  readonly clock: Clock
  readonly times: McpTimes
  /** Shared by all servers: so many start at once. */
  readonly slots: Slots
  redact(text: string): string
  makeFilter(): { push(piece: string): string }
  /** Takes registered secrets out of what is stored. */
  withoutKnown(text: string): string
  /** The language of what the app writes in the log. */
  locale(): Locale
  /** How it is started now, with values filled in. */
  plan(): Promise<Result<McpStart>>
  /** Its tools were listed; resolves when they are known to the register. With a fault they count as not listed. */
  listed(tools: readonly McpToolDefinition[]): Promise<Result<null>>
  /** State or lists are others. */
  changed(): void
  resourceUpdated(uri: string): void
  question(question: McpQuestion, signal: CancelSignal): Promise<McpAnswer>
}

/** One server from its first use to its end: started once at a time, started again with growing waits, never by itself when unused (R46). */
export interface McpLife {
  readonly name: string
  readonly log: McpLog
  state(): McpLifeState
  /** The last lists; null when it never got so far. */
  lists(): McpLists | null
  /** What it said of itself at its last handshake. */
  about(): McpConnection['server'] | null
  connection(): McpConnection | null
  /** Somebody uses it: starts it in the background when it is not running and may be tried. */
  want(): void
  /** A connection, waited for as long as a handshake may take; what stands in the way otherwise. */
  connected(signal?: CancelSignal): Promise<Result<McpConnection>>
  /** A call said that this connection is gone: resolves when its end is known here too, soon at the latest. */
  noticed(gone: McpConnection): Promise<void>
  /** Resolves when it neither starts nor reads a list again. */
  settled(): Promise<void>
  /** The same, but at once for a server that says without end that its tools are others: it delays nobody but itself. */
  quiet(): Promise<void>
  /** Resolves when resources and prompts are read as well. */
  filled(): Promise<void>
  /** Tries now, whatever failed before. */
  tryNow(): Promise<Result<null>>
  stop(): Promise<void>
}

/** Longest time that a start keeps others waiting. */
const slotMs = 3_000

/** A try that is due by then is waited for. */
const soonMs = 5_000

/** A program that closed its output has ended by then. */
const noticedMs = 3_000

const nothing: McpLists = { tools: [], resources: [], templates: [], prompts: [] }

/** Makes the life of a server that was not started yet. */
export function makeMcpLife(ports: McpLifePorts): McpLife {
  const { clock, times } = ports
  const log = makeMcpLog(() => ports.makeFilter())
  const waiters = new Set<() => void>()
  let state: McpLifeState = { kind: 'idle' }
  let lists: McpLists | null = null
  let about: McpConnection['server'] | null = null
  let connection: McpConnection | null = null
  let starting: Promise<void> | null = null
  let closing: Promise<void> = Promise.resolve()
  let cancel = new AbortController()
  let timer: NodeJS.Timeout | null = null
  let tries = 0
  let usedAtMs = Number.NEGATIVE_INFINITY

  const set = (next: McpLifeState): void => {
    state = next
    for (const waiter of [...waiters]) waiter()
    waiters.clear()
    ports.changed()
  }
  const note = (fact: Said): void => log.add({ atMs: clock.nowMs(), from: 'app', text: say(ports.locale(), fact) })
  const isUsed = (): boolean => clock.nowMs() - usedAtMs < times.usedMs

  const noTimer = (): void => {
    if (timer) clearTimeout(timer)
    timer = null
  }
  const tryAt = (atMs: number): void => {
    noTimer()
    timer = setTimeout(() => void begin(), Math.max(0, atMs - clock.nowMs()))
    timer.unref()
  }

  const failed = (end: McpEnd, canRetry: boolean, sinceMs: number): void => {
    tries++
    const attempts = times.retryMs.length + 1
    const waitMs = canRetry ? times.retryMs[tries - 1] : undefined
    const nextTryAtMs = waitMs !== undefined && isUsed() ? clock.nowMs() + waitMs : null
    note(said('mcp.log-failed', { reason: end.say }))
    if (end.wantsSignIn) {
      set({ kind: 'sign-in' })
      return
    }
    const attempt = Math.min(tries, attempts)
    // What trying again cannot mend is not tried again; it was tried as often as it was.
    if (!canRetry) tries = attempts
    if (nextTryAtMs !== null) tryAt(nextTryAtMs)
    set({ kind: 'failed', say: redactedSaid(end.say, (text) => ports.redact(text)), advice: end.advice, lastLine: log.lastLine(sinceMs), exitCode: end.exitCode, nextTryAtMs, attempt, attempts })
  }

  const begin = (): Promise<void> => {
    if (starting) return starting
    noTimer()
    cancel = new AbortController()
    set({ kind: 'starting', sinceMs: clock.nowMs() })
    const run = startOnce(cancel.signal).finally(() => {
      if (starting === run) starting = null
    })
    starting = run
    return run
  }

  /** What was stopped is ended before it is started again, so that copies never pile up. */
  const startOnce = async (signal: AbortSignal): Promise<void> => {
    await closing
    const release = await ports.slots.take(signal)
    if (release === null) return
    // One that hangs gives its place to the next.
    const given = setTimeout(release, slotMs)
    try {
      const sinceMs = clock.nowMs()
      const plan = await ports.plan()
      if (signal.aborted) return
      if (!plan.ok) {
        failed({ say: plan.fault, advice: null, exitCode: null, wantsSignIn: false }, false, sinceMs)
        return
      }
      log.started()
      note(said('mcp.log-starting'))
      const end: { value: McpEnd | null } = { value: null }
      const made = await ports.connections.connect(plan.value, eventsOf(signal, end, sinceMs), signal)
      if (signal.aborted) {
        if (made.ok) await made.value.close()
        return
      }
      if (!made.ok) {
        failed(made.end, true, sinceMs)
        return
      }
      await opened(made.value, signal, end, sinceMs)
    } finally {
      clearTimeout(given)
      release()
    }
  }

  const opened = async (made: McpConnection, signal: AbortSignal, end: { value: McpEnd | null }, sinceMs: number): Promise<void> => {
    connection = made
    about = made.server
    await readTools()
    // It may have ended, or been stopped, while its tools were read.
    if (signal.aborted || connection !== made) return
    if (end.value !== null) {
      connection = null
      failed(end.value, true, sinceMs)
      return
    }
    note(said('mcp.log-ready', { name: made.server.name, version: made.server.version }))
    set({ kind: 'ready', sinceMs: clock.nowMs() })
    resources.poke()
    prompts.poke()
  }

  const eventsOf = (signal: AbortSignal, end: { value: McpEnd | null }, sinceMs: number): McpEvents => {
    const ifCurrent = (act: () => void) => (): void => {
      if (!signal.aborted) act()
    }
    return {
      log: (line) => log.add(line),
      toolsChanged: ifCurrent(() => tools.poke()),
      resourcesChanged: ifCurrent(() => resources.poke()),
      promptsChanged: ifCurrent(() => prompts.poke()),
      resourceUpdated: (uri) => ifCurrent(() => ports.resourceUpdated(uri))(),
      question: (question, asked) => (signal.aborted ? Promise.resolve({ kind: 'cancelled' }) : ports.question(question, asked)),
      closed(why) {
        if (signal.aborted) return
        end.value = why
        if (state.kind !== 'ready' || connection === null) return
        connection = null
        if (clock.nowMs() - state.sinceMs >= times.steadyMs) tries = 0
        failed(why, true, sinceMs)
      },
    }
  }

  const readTools = async (): Promise<void> => {
    const from = connection
    if (!from?.can.tools) return
    const read = await from.listTools()
    if (connection !== from) return
    if (!read.ok) {
      note(said('mcp.log-list-failed', { reason: read.fault }))
      return
    }
    // What the server was given may stand in its descriptions, which are stored and sent to the model.
    const listed = read.value.map((tool) => maskedValue(tool, (text) => ports.withoutKnown(text)))
    const known = await ports.listed(listed)
    if (!known.ok) {
      note(said('mcp.log-list-failed', { reason: known.fault }))
      return
    }
    lists = { ...(lists ?? nothing), tools: listed }
    ports.changed()
  }
  const readList = async <Item>(list: (from: McpConnection) => Promise<Result<readonly Item[]>> | null, keep: (items: readonly Item[]) => Partial<McpLists>): Promise<void> => {
    const from = connection
    const read = from === null ? null : await list(from)
    if (read === null || connection !== from) return
    if (read.ok) lists = { ...(lists ?? nothing), ...keep(read.value) }
    else note(said('mcp.log-list-failed', { reason: read.fault }))
    ports.changed()
  }
  const tools = makeDebounced(times.noticeMs, readTools)
  const resources = makeDebounced(0, async () => {
    await readList((from) => (from.can.resources ? from.listResources() : null), (items) => ({ resources: items }))
    await readList((from) => (from.can.resources ? from.listTemplates() : null), (items) => ({ templates: items }))
  })
  const prompts = makeDebounced(0, () => readList((from) => (from.can.prompts ? from.listPrompts() : null), (items) => ({ prompts: items })))

  const want = (): void => {
    usedAtMs = clock.nowMs()
    if (state.kind === 'idle') void begin()
    if (state.kind !== 'failed' || timer !== null || starting !== null) return
    const waitMs = times.retryMs[tries - 1]
    // It failed while nobody used it, and so waits for nothing yet.
    if (waitMs === undefined) return
    const atMs = clock.nowMs() + (times.retryMs[0] ?? 0)
    tryAt(atMs)
    set({ ...state, nextTryAtMs: atMs })
  }

  const stop = async (): Promise<void> => {
    noTimer()
    cancel.abort()
    tries = 0
    const [open, begun] = [connection, starting]
    connection = null
    starting = null
    closing = Promise.all([closing, begun, open?.close()]).then(() => undefined)
    if (state.kind !== 'idle') set({ kind: 'idle' })
    await closing
  }

  return {
    name: ports.name,
    log,
    state: () => state,
    lists: () => lists,
    about: () => about,
    connection: () => (state.kind === 'ready' ? connection : null),
    want,
    async connected(signal) {
      want()
      const untilMs = clock.nowMs() + times.handshakeMs
      let hasTried = false
      for (;;) {
        if (state.kind === 'ready' && connection) return succeed(connection)
        hasTried ||= state.kind === 'starting'
        if (signal?.aborted === true || state.kind === 'idle') return fail('mcp.gone', { server: ports.name })
        if (state.kind === 'sign-in') return fail('mcp.wants-sign-in', { server: ports.name })
        // Nobody waits through one try after the other: what stands in the way is said, and the next call finds what is then.
        if (state.kind === 'failed' && (hasTried || state.nextTryAtMs === null || state.nextTryAtMs - clock.nowMs() > soonMs)) return fail('mcp.not-started', { server: ports.name, reason: whyFailed(state) })
        if (clock.nowMs() >= untilMs) return fail('mcp.still-starting', { server: ports.name })
        await next(waiters, untilMs - clock.nowMs(), signal)
      }
    },
    async noticed(gone) {
      const untilMs = clock.nowMs() + noticedMs
      while (connection === gone && clock.nowMs() < untilMs) await next(waiters, untilMs - clock.nowMs(), undefined)
    },
    settled: () => Promise.all([starting, tools.idle()]).then(() => undefined),
    quiet: () => (tools.isFlooded() ? Promise.resolve() : Promise.all([starting, tools.idle()]).then(() => undefined)),
    async filled() {
      await starting
      await Promise.all([tools.idle(), resources.idle(), prompts.idle()])
    },
    async tryNow() {
      await stop()
      usedAtMs = clock.nowMs()
      await begin()
      if (state.kind === 'failed') return { ok: false, fault: state.say }
      return state.kind === 'sign-in' ? fail('mcp.wants-sign-in', { server: ports.name }) : succeed(null)
    },
    stop,
  }
}

/** Why a server is not there, with the last line that it printed about it. */
export function whyFailed({ say: reason, lastLine }: Pick<Extract<McpServerState, { kind: 'failed' }>, 'say' | 'lastLine'>): Said {
  return lastLine === '' ? reason : said('mcp.failed-last-line', { reason, line: lastLine })
}

/** The next change, the end of the time, or the signal, whichever comes first. */
async function next(waiters: Set<() => void>, ms: number, signal: CancelSignal | undefined): Promise<void> {
  let wake: () => void = () => undefined
  const changed = new Promise<void>((resolve) => (wake = resolve))
  waiters.add(wake)
  signal?.addEventListener('abort', wake, { once: true })
  await atMost(changed, ms)
  signal?.removeEventListener('abort', wake)
  waiters.delete(wake)
}
