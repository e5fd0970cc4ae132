import type { EventDraft } from '../../shared/domain/event'
import { asId, type CallId, type MessageId, type SessionId, type TurnId } from '../../shared/domain/ids'
import type { InjectedMemory } from '../../shared/domain/memory'
import { queueOf, type QueuedMessage } from '../../shared/domain/messageQueue'
import type { ModelChoice } from '../../shared/domain/model'
import { fail, succeed, type Result, type Said } from '../../shared/domain/result'
import { pickedModel } from '../../shared/domain/sessionModel'
import type { Recovery, UnknownAnswer } from '../../shared/ipc/recoveryViews'
import { runTurn, type TurnEnd } from '../core/agent/runTurn'
import type { Turn, TurnPorts } from '../core/agent/turnPorts'
import { findUnfinishedTurn } from '../core/agent/unfinishedTurn'
import type { CancelSignal } from '../core/ports/cancelSignal'
import type { CallJournal } from '../core/ports/eventStore'
import { orFault, StorageFault } from '../core/ports/storageFault'
import { endAfterFault } from './endAfterFault'
import { makeHeldSessions } from './heldSessions'
import { makeMessageQueues } from './messageQueues'
import { messageDrafts, storableMessage, type MessageParts, type StorableMessage } from './runMessages'
import { makeRunningCommands, type RunningCommands } from './runningCommands'
import { noteOf, recordOf, type RecordPorts } from './runRecord'
import { doneBefore, settleOpen, type RecoveryPorts } from './runRecovery'
import { subscribe, type OpenSession, type Sessions } from './sessions'
import { memoriesFor } from './turnMemories'
import { makeUnknownCalls, type UnknownCalls } from './unknownCalls'

/** The loop's ports as the opened folder has them; the rest of them is the run's own. */
export type BenchPorts = Omit<TurnPorts, 'record' | 'running' | 'stepSignal'>

/** What a run needs that the loop does not already name. */
export interface RunsPorts extends Pick<RecordPorts, 'history'>, Pick<RecoveryPorts, 'hashesNow' | 'recoverOutput' | 'lastOutput'>, Pick<TurnPorts, 'ids' | 'redact' | 'withoutKnown'> {
  readonly sessions: Sessions
  readonly journal: Pick<CallJournal, 'get' | 'list'>
  /** The loop's ports for a session of its workspace; a fault when the folder is gone. */
  turnPorts(session: OpenSession): Promise<Result<BenchPorts>>
  /** A message came: what can wait stands still until the returned function is called. */
  giveWay(): () => void
  /** What the prompt of a turn that begins with these words is to hold of the long-term memory. */
  inject(session: OpenSession, text: string, choice: ModelChoice): Promise<readonly InjectedMemory[]>
  /** Sessions with an open turn that no living process runs. */
  leftOpen(): Promise<readonly SessionId[]>
  /** The model that a new turn is to use; `picked`: what the person chose for its session. */
  choice(picked: ModelChoice | null): Promise<Result<ModelChoice>>
  maxSteps(): Promise<number>
  /** Whether a message that waits begins a turn of its own once one has ended as `done`. */
  readonly followsQueue: boolean
}

/** What a prompt may say besides its text and what goes along with it. */
export interface PromptOptions extends MessageParts {
  /** Stored with the message, before it, in the same transaction: what it takes the place of goes when it is there. */
  readonly before?: () => readonly EventDraft[]
  readonly maxSteps?: number
  readonly level?: Turn['level']
}

/** A turn that was accepted; `ended` never rejects for what a model or a tool does. */
export interface RunningTurn {
  readonly turnId: TurnId
  readonly ended: Promise<TurnEnd>
}

/** Runs turns: one at a time a session, over all processes. */
export interface Runs extends Pick<RunningCommands, 'sendInput' | 'resize' | 'leave'> {
  /**
   * Stores the message, then starts the turn. Refused while the session runs, or without a model; then nothing is stored.
   * Refused too over a turn that a crash or an exit left open: that one is taken up first, so that no question of it is lost.
   */
  prompt(id: SessionId, text: string, options?: PromptOptions): Promise<Result<RunningTurn>>
  /**
   * Keeps a message for the next step boundary of the running turn (R10); with `messageId` one that waits says something else.
   * A new one whose turn went through in this very moment begins the next turn.
   */
  queue(id: SessionId, message: MessageParts & { readonly text: string; readonly messageId?: MessageId }): Promise<Result<{ readonly messageId: MessageId }>>
  /** Takes a waiting message out. */
  withdraw(id: SessionId, messageId: MessageId): Promise<Result<null>>
  /** At once: interrupts the running step as Esc would, and the turn goes on with the message; without a turn it begins one. */
  deliver(id: SessionId, messageId: MessageId): Promise<Result<null>>
  /** Cancels as Esc does (R11); without a running turn it does nothing. */
  cancel(id: SessionId): void
  /** Cancels every turn of this process and waits for their ends; which they were. What waits is kept and begins nothing. */
  stopAll(): Promise<readonly SessionId[]>
  /**
   * Takes up what a crash left: calls that did not start are asked again, finished ones are never repeated (R84). Of one that was
   * under way `ask` asks the person, before anything else of the session runs; `tell` tells the model that it is unknown.
   */
  recover(id: SessionId, unknown: 'ask' | 'tell'): Promise<TurnEnd | null>
  /** Turns that were taken up and are under way, with what is unknown in them. */
  recoveries(): readonly Recovery[]
  onRecoveries: UnknownCalls['onChange']
  /** The person's word on an unknown call; the first one counts. */
  settle(callId: CallId, answer: UnknownAnswer): Promise<Result<null>>
  /** A store at fault broke a turn off and even its end could not be recorded: no event will tell it. */
  onBroken(listener: (fault: Said) => void): () => void
  isRunning(id: SessionId): boolean
  /** Sessions that run in this process. */
  running(): readonly SessionId[]
  /** Whether any session runs, or is about to. */
  isBusy(): boolean
  /** Told when a session begins or ends to run. */
  onChange(listener: () => void): () => void
  /** For leaving the app: cancels what runs and waits for its end. A turn whose question waits is kept as it is for the next start. */
  closeAll(isWaiting: (id: SessionId) => boolean): Promise<void>
}

const titleCharacters = 80

/** Makes the service. */
export function makeRuns(ports: RunsPorts): Runs {
  const held = makeHeldSessions()
  const starting = new Map<SessionId, Promise<unknown>>()
  const brokenListeners = new Set<(fault: Said) => void>()
  const commands = makeRunningCommands(ports.sessions)
  const queues = makeMessageQueues(ports.sessions, ports.ids)
  const unknown = makeUnknownCalls()
  /** While everything is being stopped, nothing begins by itself. */
  let isStopping = false

  const portsFor = (base: BenchPorts, session: OpenSession, turn: Turn, leftSeq = 0): TurnPorts => ({
    ...base,
    record: recordOf(session, turn, { ...ports, queues, leftSeq }),
    running: (callId, command) => {
      if (command) commands.begin(callId, { command, sessionId: session.id, turnId: turn.turnId, step: turn.step })
      else commands.end(callId)
    },
    stepSignal: (ofTurn) => held.stepSignal(session.id, ofTurn),
  })

  const hold = <Outcome>(id: SessionId, work: (signal: CancelSignal) => Promise<Outcome>): Promise<Outcome> => {
    const done = held.hold(id, async (signal) => {
      await ports.sessions.refresh(id)
      return work(signal)
    })
    done.catch((error: unknown) => {
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

  /** After a turn that went through, the next waiting message begins a turn; after any other end it waits for the person. */
  const follow = (session: OpenSession): void => {
    const [next] = queueOf(session.events)
    const last = session.events.findLast((event) => event.type === 'turn-ended')
    if (next === undefined || last?.type !== 'turn-ended' || last.reason !== 'done' || !ports.followsQueue || isStopping) return
    // Where it cannot begin, the message waits, and its row says so.
    void begin(session.id, next, {}).catch(() => undefined)
  }

  const start = async (id: SessionId, typed: { readonly text: string } | QueuedMessage, options: PromptOptions): Promise<Result<RunningTurn>> => {
    const session = await ports.sessions.open(id)
    const choice = await ports.choice(pickedModel(session.events))
    if (!choice.ok) return choice
    const base = await ports.turnPorts(session)
    if (!base.ok) return base
    await ports.sessions.refresh(id)
    if (findUnfinishedTurn(session.events) && (await ports.leftOpen()).includes(id)) {
      // Its end, a fault included, is told by its events.
      recover(id, 'ask').catch(() => undefined)
      return fail('turn.resumed')
    }
    const turnId = asId<TurnId>(ports.ids.next())
    const turn: Turn = { sessionId: id, turnId, choice: choice.value, level: options.level ?? session.level, maxSteps: options.maxSteps ?? (await ports.maxSteps()), step: 0 }
    const message = 'messageId' in typed ? typed : storableMessage(typed.text, options, base.value)
    const memory = await memoriesFor(() => ports.inject(session, message.text, choice.value))
    const store = (one: StorableMessage, messageId: MessageId): Promise<unknown> =>
      ports.sessions.append(id, [
        ...(options.before?.() ?? []),
        ...(session.title === '' ? [{ type: 'session-renamed' as const, title: titleOf(one) }] : []),
        ...messageDrafts(one, { turnId, step: 0, messageId }),
        { type: 'turn-started', turnId, choice: turn.choice, level: turn.level, ...(memory.memories.length > 0 ? { memories: memory.memories } : {}) },
        ...(memory.fault ? [noteOf(turnId, memory.fault)] : []),
      ] satisfies readonly EventDraft[])
    let accept: (isStored: boolean) => void = () => undefined
    const accepted = new Promise<boolean>((resolve) => (accept = resolve))
    const ended = hold(id, async (signal) => {
      const isStored = 'messageId' in typed ? await queues.begin(session, typed.messageId, (now) => store(now, now.messageId)) : Boolean(await store(message, asId<MessageId>(ports.ids.next())))
      accept(isStored)
      return isStored ? wholly(session, turn, base.value, () => runTurn(turn, portsFor(base.value, session, turn), signal)) : null
    })
    const isStored = await Promise.race([accepted, ended.then(() => true)])
    if (!isStored) return fail('session.queued-gone')
    const whole = ended.then((end) => {
      if (end === null) throw new Error('a turn without its message')
      follow(session)
      return end
    })
    whole.catch(() => undefined) // told by `onBroken`
    return succeed({ turnId, ended: whole })
  }

  const begin = async (id: SessionId, typed: { readonly text: string } | QueuedMessage, options: PromptOptions): Promise<Result<RunningTurn>> => {
    if (held.has(id) || starting.has(id)) return fail('turn.running')
    const goOn = ports.giveWay()
    const started = orFault(() => start(id, typed, options))
    starting.set(id, started)
    try {
      return await started
    } finally {
      starting.delete(id)
      goOn()
    }
  }

  const recover = async (id: SessionId, unknownTo: 'ask' | 'tell'): Promise<TurnEnd | null> => {
    if (held.has(id)) return null
    const session = await ports.sessions.open(id)
    // One that another living process runs is nobody's to take up.
    if (!findUnfinishedTurn(session.events) || !(await ports.leftOpen()).includes(id)) return null
    const base = await ports.turnPorts(session)
    if (!base.ok || held.has(id)) return null
    const ended = await hold(id, async (signal) => {
      const unfinished = findUnfinishedTurn(session.events)
      if (!unfinished) return null
      const turn: Turn = { sessionId: id, turnId: unfinished.turnId, choice: unfinished.choice, level: unfinished.level, maxSteps: await ports.maxSteps(), step: unfinished.step }
      unknown.begin({ sessionId: id, turnId: turn.turnId, stoppedAtMs: session.events.at(-1)?.atMs ?? 0, startedAtMs: base.value.clock.nowMs(), unknown: null })
      try {
        return await wholly(session, turn, base.value, async () => {
          const turnPorts = portsFor(base.value, session, turn, session.events.at(-1)?.seq ?? 0)
          await settleOpen({ session, unfinished, turn, turnPorts, asks: unknownTo === 'ask' }, { ...ports, unknown }, signal)
          return runTurn({ ...turn, before: await doneBefore({ session, turn }, ports) }, turnPorts, signal)
        })
      } finally {
        unknown.end(id)
      }
    })
    follow(session)
    return ended
  }

  return {
    ...commands,
    onBroken: (listener) => subscribe(brokenListeners, listener),
    isRunning: (id) => held.has(id),
    running: () => held.list(),
    isBusy: () => held.list().length + starting.size > 0,
    onChange: (listener) => held.onChange(listener),
    prompt: (id, text, options = {}) => begin(id, { text }, options),
    queue: (id, { text, messageId, ...parts }) =>
      orFault(async () => {
        const session = await ports.sessions.open(id)
        const put = await queues.put(session, storableMessage(text, parts, ports), messageId ?? null)
        if (put.ok && messageId === undefined && !held.has(id) && !starting.has(id)) follow(session)
        return put
      }),
    withdraw: (id, messageId) => orFault(async () => queues.withdraw(await ports.sessions.open(id), messageId)),
    deliver: (id, messageId) =>
      orFault(async () => {
        const message = queueOf((await ports.sessions.open(id)).events).find((one) => one.messageId === messageId)
        if (message === undefined) return fail('session.queued-gone')
        if (held.has(id)) {
          held.interrupt(id)
          return succeed(null)
        }
        const begun = await begin(id, message, {})
        return begun.ok ? succeed(null) : begun
      }),
    cancel: (id) => held.cancel(id),
    async stopAll() {
      isStopping = true
      try {
        await Promise.allSettled(starting.values())
        const ids = held.list()
        await held.end(ids)
        return ids
      } finally {
        isStopping = false
      }
    },
    recover,
    recoveries: () => unknown.list(),
    onRecoveries: (listener) => unknown.onChange(listener),
    async settle(callId, answer) {
      const sessionId = unknown.list().find((one) => one.unknown?.callId === callId)?.sessionId
      const events = sessionId === undefined ? [] : (await ports.sessions.open(sessionId)).events
      const startedSeq = events.findLast((event) => event.type === 'tool-started' && event.callId === callId)?.seq ?? 0
      const wasRolledBack = events.some((event) => event.type === 'rolled-back' && event.seq > startedSeq && event.scope !== 'conversation')
      return unknown.settle(callId, answer, () => (answer === 'rolled-back' && !wasRolledBack ? { code: 'call.not-rolled-back', values: {} } : null))
    },
    async closeAll(isWaiting) {
      isStopping = true
      const asks = new Set(unknown.list().flatMap((one) => (one.unknown === null ? [] : [one.sessionId])))
      await held.end(held.list().filter((id) => !isWaiting(id) && !asks.has(id)))
    },
  }
}

/** A session is named after its first message until somebody renames it. */
/** The first line of what was said; without words, what was shown. */
function titleOf({ text, attachments = [], files = [] }: StorableMessage): string {
  const words = text.trim().split('\n')[0] ?? ''
  return (words === '' ? [...files, ...attachments].map(({ name }) => name).join(', ') : words).slice(0, titleCharacters)
}
