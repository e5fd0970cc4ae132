import { asId, type CallId, type MessageId, type SessionId, type TurnId } from '../../shared/domain/ids'
import type { Call } from '../../shared/domain/call'
import type { EventDraft, MessageAttachment } from '../../shared/domain/event'
import type { InjectedMemory } from '../../shared/domain/memory'
import type { ModelChoice, ModelMessage } from '../../shared/domain/model'
import type { LoadedSkill } from '../../shared/domain/skill'
import { fail, said, succeed, type Result, type Said } from '../../shared/domain/result'
import type { TaintSource } from '../../shared/domain/tool'
import { say } from '../../shared/words/say'
import { fateOf, findUnfinishedTurn, type HashesNow, type UnfinishedTurn } from '../core/agent/unfinishedTurn'
import { finishCalls, prepareCall, runCalls, type CalledOnce } from '../core/agent/runCalls'
import { runTurn, type TurnEnd } from '../core/agent/runTurn'
import type { Turn, TurnPorts } from '../core/agent/turnPorts'
import { redactedSkill, skillsOf, withoutSame } from '../core/skills/loadedSkills'
import { originsOf } from '../core/memory/originsOf'
import { commandSource } from '../core/policy/commandSource'
import { levelOfTurn } from '../core/policy/askingLevel'
import { isTainted, taintMarks } from '../core/policy/taint'
import { outputNamed } from '../core/tools/namedOutput'
import type { RunningCommand } from '../core/ports/commandRunner'
import type { CallJournal } from '../core/ports/eventStore'
import { StorageFault } from '../core/ports/storageFault'
import { endAfterFault } from './endAfterFault'
import { subscribe, type OpenSession, type Sessions } from './sessions'
import { memoriesFor } from './turnMemories'

/** What a run needs that the loop does not already name. */
export interface RunsPorts {
  readonly sessions: Sessions
  readonly journal: Pick<CallJournal, 'get' | 'list'>
  /** The loop's ports for a session of its workspace; a fault when the folder is gone. */
  turnPorts(session: OpenSession): Promise<Result<Omit<TurnPorts, 'record' | 'running'>>>
  /** The messages of the next request, what had to be made up in them since the last time, and why they lack the memory that the turn began with. */
  history(session: OpenSession): Promise<{ readonly messages: readonly ModelMessage[]; readonly repairs: readonly Said[]; readonly memoryFault: Said | null }>
  /** What the prompt of a turn that begins with these words is to hold of the long-term memory. */
  inject(session: OpenSession, text: string, choice: ModelChoice): Promise<readonly InjectedMemory[]>
  hashesNow(session: OpenSession): HashesNow
  /** What a command had printed when the app was killed; a name in the outputs store, or null. */
  recoverOutput(callId: CallId): Promise<string | null>
  /** Sessions with an open turn that no living process runs. */
  leftOpen(): Promise<readonly SessionId[]>
  /** The model that a new turn is to use. */
  choice(): Promise<Result<ModelChoice>>
  maxSteps(): Promise<number>
  readonly ids: TurnPorts['ids']
}

/** What a prompt may say besides its text. Attachments are outside text: they are marked as such before they are stored. */
export interface PromptOptions {
  readonly maxSteps?: number
  readonly level?: Turn['level']
  readonly attachments?: readonly MessageAttachment[]
  /** Skills that the person chose for this message, made ready; of two that say the same, one. */
  readonly skills?: readonly LoadedSkill[]
}

/** A turn that was accepted; `ended` never rejects for what a model or a tool does. */
export interface RunningTurn {
  readonly turnId: TurnId
  readonly ended: Promise<TurnEnd>
}

/** Runs turns: one at a time a session, over all processes. */
export interface Runs {
  /**
   * Stores the message, then starts the turn. Refused while the session runs, or without a model; then nothing is stored.
   * Refused too over a turn that a crash or an exit left open: that one is taken up first, so that no question of it is lost.
   */
  prompt(id: SessionId, text: string, options?: PromptOptions): Promise<Result<RunningTurn>>
  /** Cancels as Esc does (R11); without a running turn it does nothing. */
  cancel(id: SessionId): void
  /**
   * Takes up what a crash left: calls that did not start are asked again, finished ones are never repeated, an unknown one
   * is said to be so. `goOn: false` ends the turn after an unknown call, for the person to decide.
   */
  recover(id: SessionId, goOn: boolean): Promise<TurnEnd | null>
  /** A store at fault broke a turn off and even its end could not be recorded: no event will tell it. */
  onBroken(listener: (fault: Said) => void): () => void
  isRunning(id: SessionId): boolean
  /** Whether any session runs, or is about to. */
  isBusy(): boolean
  sendInput(callId: CallId, text: string): Promise<void>
  resize(callId: CallId, columns: number, rows: number): void
  /** For leaving the app: cancels what runs and waits for its end. A turn whose question waits is kept as it is for the next start. */
  closeAll(isWaiting: (id: SessionId) => boolean): Promise<void>
}

const titleCharacters = 80

interface Running {
  readonly cancel: AbortController
  ended: Promise<unknown>
}

/** Makes the service. */
export function makeRuns(ports: RunsPorts): Runs {
  const running = new Map<SessionId, Running>()
  const starting = new Set<SessionId>()
  const brokenListeners = new Set<(fault: Said) => void>()
  const commands = new Map<CallId, { readonly command: RunningCommand; readonly sessionId: SessionId; readonly turnId: TurnId; readonly step: number }>()

  const portsFor = (base: Omit<TurnPorts, 'record' | 'running'>, session: OpenSession, turn: Turn): TurnPorts => ({
    ...base,
    record: {
      append: (drafts, changes) => ports.sessions.append(session.id, drafts, changes),
      show: (_turn, step, body) => ports.sessions.show({ sessionId: session.id, turnId: turn.turnId, step, body }),
      history: async () => {
        const { messages, repairs, memoryFault } = await ports.history(session)
        if (repairs.length > 0) await ports.sessions.append(session.id, [{ type: 'history-repaired', turnId: turn.turnId, repairs }])
        if (memoryFault && !isTold(session, turn.turnId, memoryFault)) await ports.sessions.append(session.id, [noteOf(turn.turnId, memoryFault)])
        return messages
      },
      output: (ref) => outputNamed(session.events, ref),
      skills: (of) => skillsOf(session.events, of.turnId),
      origins: (text) => originsOf(session.events, text, turn.turnId),
      level: (of) => levelOfTurn(session.events, of),
      isTainted: (of) => isTainted(session.events, of.turnId),
      taint: (of, text) => taintMarks(session.events, of.turnId, text),
    },
    running: (callId, command) => {
      if (command) commands.set(callId, { command, sessionId: session.id, turnId: turn.turnId, step: turn.step })
      else commands.delete(callId)
    },
  })

  /** Holds the session for one piece of work in this process; over all processes the record sees to it. */
  const hold = <Outcome>(id: SessionId, work: (signal: AbortSignal) => Promise<Outcome>): Promise<Outcome> => {
    const cancel = new AbortController()
    const entry: Running = { cancel, ended: Promise.resolve() }
    running.set(id, entry)
    const done = (async () => {
      try {
        await ports.sessions.refresh(id)
        return await work(cancel.signal)
      } finally {
        running.delete(id)
      }
    })()
    entry.ended = done.catch((error: unknown) => {
      if (error instanceof StorageFault) brokenListeners.forEach((listener) => listener(error.fault))
    })
    return done
  }

  /** A turn that a store at fault breaks off still ends, in words, where they can be kept. */
  const wholly = async (session: OpenSession, turn: Turn, base: Pick<TurnPorts, 'clock'>, run: () => Promise<TurnEnd>): Promise<TurnEnd> => {
    try {
      return await run()
    } catch (error) {
      const ended = await endAfterFault(session, turn, error, { sessions: ports.sessions, journal: ports.journal, hashesNow: ports.hashesNow(session), nowMs: () => base.clock.nowMs() })
      if (ended === null) throw error
      return ended
    }
  }

  const start = async (id: SessionId, text: string, options: PromptOptions): Promise<Result<RunningTurn>> => {
    const session = await ports.sessions.open(id)
    const choice = await ports.choice()
    if (!choice.ok) return choice
    const base = await ports.turnPorts(session)
    if (!base.ok) return base
    await ports.sessions.refresh(id)
    if (findUnfinishedTurn(session.events) && (await ports.leftOpen()).includes(id)) {
      // Its end, a fault included, is told by its events.
      recover(id, false).catch(() => undefined)
      return fail('turn.resumed')
    }
    const turnId = asId<TurnId>(ports.ids.next())
    const turn: Turn = { sessionId: id, turnId, choice: choice.value, level: options.level ?? session.level, maxSteps: options.maxSteps ?? (await ports.maxSteps()), step: 0 }
    let accept: (result: Result<null>) => void = () => undefined
    const accepted = new Promise<Result<null>>((resolve) => (accept = resolve))
    const stored = base.value.withoutKnown(text)
    const attachments = (options.attachments ?? []).map((one) => ({ ...one, name: base.value.redact(one.name), text: base.value.redact(one.text) }))
    const skills = withoutSame((options.skills ?? []).map((one) => redactedSkill(one, base.value.redact)))
    const memory = await memoriesFor(() => ports.inject(session, stored, choice.value))
    const ended = hold(id, async (signal) => {
      await ports.sessions.append(id, [
        ...(session.title === '' ? [{ type: 'session-renamed' as const, title: titleOf(stored) }] : []),
        ...taintsOf(attachments).map((source) => ({ type: 'taint-marked' as const, turnId, step: 0, callId: null, source })),
        ...skills.map((one) => ({ type: 'skill-loaded' as const, turnId, step: 0, callId: null, ...one })),
        { type: 'user-message-added', turnId, messageId: asId<MessageId>(ports.ids.next()), text: stored, ...(attachments.length > 0 ? { attachments } : {}) },
        { type: 'turn-started', turnId, choice: turn.choice, level: turn.level, ...(memory.memories.length > 0 ? { memories: memory.memories } : {}) },
        ...(memory.fault ? [noteOf(turnId, memory.fault)] : []),
      ])
      accept(succeed(null))
      return wholly(session, turn, base.value, () => runTurn(turn, portsFor(base.value, session, turn), signal))
    })
    await Promise.race([accepted, ended])
    return succeed({ turnId, ended })
  }

  const settleOpen = async (session: OpenSession, unfinished: UnfinishedTurn, turn: Turn, base: Omit<TurnPorts, 'record' | 'running'>, signal: AbortSignal): Promise<boolean> => {
    const turnPorts = portsFor(base, session, turn)
    const { again, isUnknown } = await settleCalls(session, unfinished, turnPorts, ports)
    const fresh = again.filter((call) => call.isNew).map((call) => call.source)
    const known = again.filter((call) => !call.isNew).map((call) => prepareCall(call.source, unfinished.step, turnPorts).stepCall)
    await finishCalls(known, turn, turnPorts, signal)
    if (fresh.length > 0) await runCalls(fresh, turn, unfinished.step, turnPorts, signal)
    return isUnknown
  }

  const recover = async (id: SessionId, goOn: boolean): Promise<TurnEnd | null> => {
    if (running.has(id)) return null
    const session = await ports.sessions.open(id)
    if (!findUnfinishedTurn(session.events)) return null
    const base = await ports.turnPorts(session)
    if (!base.ok || running.has(id)) return null
    return hold(id, async (signal) => {
      const unfinished = findUnfinishedTurn(session.events)
      if (!unfinished) return null
      const turn: Turn = { sessionId: id, turnId: unfinished.turnId, choice: unfinished.choice, level: unfinished.level, maxSteps: await ports.maxSteps(), step: unfinished.step }
      return wholly(session, turn, base.value, async () => {
        const isUnknown = await settleOpen(session, unfinished, turn, base.value, signal)
        if (!isUnknown || goOn) return runTurn(turn, portsFor(base.value, session, turn), signal)
        return endInterrupted(session, turn, base.value, ports)
      })
    })
  }

  return {
    onBroken: (listener) => subscribe(brokenListeners, listener),
    isRunning: (id) => running.has(id),
    isBusy: () => running.size + starting.size > 0,
    async prompt(id, text, options = {}) {
      if (running.has(id) || starting.has(id)) return fail('turn.running')
      starting.add(id)
      try {
        return await start(id, text, options)
      } catch (error) {
        if (error instanceof StorageFault) return { ok: false, fault: error.fault }
        throw error
      } finally {
        starting.delete(id)
      }
    },
    cancel: (id) => running.get(id)?.cancel.abort(),
    recover,
    async sendInput(callId, text) {
      const entry = commands.get(callId)
      if (!entry) return
      // Nobody can know whether a prompt asked for a password: that something was typed is recorded, not what.
      await ports.sessions.append(entry.sessionId, [{ type: 'command-input-sent', turnId: entry.turnId, step: entry.step, callId, text: text.replace(/[^\r\n]/g, '•') }])
      entry.command.write(text)
    },
    resize: (callId, columns, rows) => commands.get(callId)?.command.resize(columns, rows),
    async closeAll(isWaiting) {
      const entries = [...running].filter(([id]) => !isWaiting(id)).map(([, entry]) => entry)
      entries.forEach((entry) => entry.cancel.abort())
      await Promise.all(entries.map((entry) => entry.ended))
    },
  }
}

/** For the person: the model needs no word of what it never saw. */
function noteOf(turnId: TurnId, fact: Said): EventDraft {
  return { type: 'note-added', turnId, step: 0, say: fact, isForModel: false }
}

function isTold(session: OpenSession, turnId: TurnId, fact: Said): boolean {
  return session.events.some((event) => event.type === 'note-added' && event.turnId === turnId && event.say.code === fact.code)
}

function taintsOf(attachments: readonly MessageAttachment[]): readonly TaintSource[] {
  return [...new Set(attachments.map((one) => one.server))].map((server) => ({ kind: 'mcp', server }))
}

/** A session is named after its first message until somebody renames it. */
function titleOf(text: string): string {
  return text.trim().split('\n')[0]?.slice(0, titleCharacters) ?? ''
}

interface AgainCall {
  readonly source: CalledOnce
  /** True when not even its intent was recorded. */
  readonly isNew: boolean
}

async function settleCalls(session: OpenSession, unfinished: UnfinishedTurn, turnPorts: TurnPorts, ports: RunsPorts): Promise<{ readonly again: readonly AgainCall[]; readonly isUnknown: boolean }> {
  const again: AgainCall[] = []
  let isUnknown = false
  for (const source of unfinished.open) {
    const row = await ports.journal.get(source.callId)
    const fate = row ? await fateOf(row, ports.hashesNow(session)) : null
    if (!row || !fate || fate.kind === 'again') {
      again.push({ source, isNew: !row })
      continue
    }
    isUnknown ||= fate.status === 'unknown'
    const outputRef = row.effect === 'execute' ? await ports.recoverOutput(row.callId) : null
    const taint = outputRef === null ? null : sourceOf(row, turnPorts)
    await ports.sessions.append(
      session.id,
      [...(taint === null ? [] : [{ type: 'taint-marked' as const, turnId: unfinished.turnId, step: unfinished.step, callId: source.callId, source: taint }]), { type: 'tool-finished', turnId: unfinished.turnId, step: unfinished.step, callId: source.callId, status: fate.status, say: fate.say, text: turnPorts.redact(say('en', fate.say)), changed: [], exitCode: null, outputRef, durationMs: 0 }],
      [{ to: 'finished', callId: source.callId, finishedAtMs: turnPorts.clock.nowMs(), afterSnapshot: null, outcome: fate.status }],
    )
    await turnPorts.audit.append({ fact: 'finished', atMs: turnPorts.clock.nowMs(), sessionId: session.id, turnId: unfinished.turnId, callId: source.callId, actor: 'app', tool: source.name, outcome: fate.status })
  }
  return { again, isUnknown }
}

/** Where the recovered output of a command may come from (R71). Nobody knows any more what held it, so nothing is taken to have. */
function sourceOf({ tool, effective }: Call, { judge, root }: TurnPorts): TaintSource | null {
  const { command, network, outside } = effective ?? {}
  if (tool !== 'run_command' || typeof command !== 'string') return null
  return commandSource({ parts: judge.judgeCommand(command, root).parts, root, isOpened: network === true || outside === true, isFree: true })
}

async function endInterrupted(session: OpenSession, turn: Turn, base: Omit<TurnPorts, 'record' | 'running'>, ports: RunsPorts): Promise<TurnEnd> {
  const end: TurnEnd = { reason: 'incomplete', say: said('turn.interrupted'), text: '', tokens: { input: 0, output: 0 } }
  await ports.sessions.append(session.id, [{ type: 'turn-ended', turnId: turn.turnId, step: turn.step, ...end, auditHead: base.audit.head() }])
  return end
}
