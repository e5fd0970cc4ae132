import type { Call } from '../../shared/domain/call'
import type { EventDraft } from '../../shared/domain/event'
import type { CallId } from '../../shared/domain/ids'
import { said, type Said } from '../../shared/domain/result'
import type { TaintSource, ToolStatus } from '../../shared/domain/tool'
import type { UnknownAnswer, UnknownCall } from '../../shared/ipc/recoveryViews'
import { say } from '../../shared/words/say'
import { snapshotFacts } from '../core/agent/callFacts'
import { finishCalls, prepareCall, runCalls, type CalledOnce } from '../core/agent/runCalls'
import type { Turn, TurnBefore, TurnPorts } from '../core/agent/turnPorts'
import { fateOf, type HashesNow, type UnfinishedTurn } from '../core/agent/unfinishedTurn'
import { commandSource } from '../core/policy/commandSource'
import type { CancelSignal } from '../core/ports/cancelSignal'
import type { CallJournal } from '../core/ports/eventStore'
import type { OpenSession, Sessions } from './sessions'
import type { UnknownCalls } from './unknownCalls'

/** What taking up a turn needs besides the loop's ports. */
export interface RecoveryPorts {
  readonly sessions: Pick<Sessions, 'append'>
  readonly journal: Pick<CallJournal, 'get' | 'list'>
  hashesNow(session: OpenSession): HashesNow
  /** What a command had printed when the app was killed; a name in the outputs store, or null. */
  recoverOutput(callId: CallId): Promise<string | null>
  /** The end of it, as long as it was not recovered, and when the last of it came. */
  lastOutput(callId: CallId): Promise<{ readonly text: string; readonly atMs: number } | null>
  readonly unknown: Pick<UnknownCalls, 'ask'>
}

/** A turn that a crash or an exit left. `asks`: the person is asked about what is unknown; else the model is told that it is. */
export interface TakenUp {
  readonly session: OpenSession
  readonly unfinished: UnfinishedTurn
  readonly turn: Turn
  readonly turnPorts: TurnPorts
  readonly asks: boolean
}

/**
 * Gives every open call of the last step its one result (R84): what did not start is asked again, a finished one is never
 * repeated, a write is decided by hashes, and of what is unknown the person says what becomes of it before anything else runs.
 */
export async function settleOpen(taken: TakenUp, ports: RecoveryPorts, signal: CancelSignal): Promise<void> {
  const { unfinished, turn, turnPorts } = taken
  const again: { readonly source: CalledOnce; readonly isNew: boolean }[] = []
  for (const source of unfinished.open) {
    const row = await ports.journal.get(source.callId)
    if (!row || !(await isSettled(row, source, taken, ports, signal))) again.push({ source, isNew: !row })
  }
  const ofStep = turnPorts.stepSignal(signal)
  const known = again.filter((call) => !call.isNew).map((call) => prepareCall(call.source, unfinished.step, turnPorts).stepCall)
  await finishCalls(known, turn, turnPorts, ofStep)
  const fresh = again.filter((call) => call.isNew).map((call) => call.source)
  if (fresh.length > 0) await runCalls(fresh, turn, unfinished.step, turnPorts, ofStep)
}

/** What the turn did before it is taken up again, however much of that was in an earlier process: its end is to tell it too. */
export async function doneBefore({ session, turn }: Pick<TakenUp, 'session' | 'turn'>, { journal }: Pick<RecoveryPorts, 'journal'>): Promise<TurnBefore> {
  const named = new Set(session.events.flatMap((event) => (event.type === 'tool-finished' && event.turnId === turn.turnId && event.changed.length > 0 ? [event.callId] : [])))
  const ran = (await journal.list(session.id)).filter((row) => row.turnId === turn.turnId && row.startedAtMs !== null && row.beforeSnapshot !== null)
  return { changes: named.size, hasRun: ran.some((row) => !named.has(row.callId)) }
}

/** False for a call that is to go through the gate again. */
async function isSettled(row: Call, source: CalledOnce, taken: TakenUp, ports: RecoveryPorts, signal: CancelSignal): Promise<boolean> {
  const fate = await fateOf(row, ports.hashesNow(taken.session))
  if (fate.kind === 'again') return false
  const answer = fate.kind === 'unknown' && taken.asks ? await ports.unknown.ask(taken.session.id, await shownCall(row, taken, ports), signal) : null
  if (answer !== null) await auditAnswer(row, answer, taken)
  if (answer === 'again') {
    await takeUpAgain(row, taken, ports)
    return false
  }
  const [status, fact] = answer === null ? [fate.status, fate.say] as const : answered[answer]
  await finish(row, source, status, fact, taken, ports)
  return true
}

/** The agent is told which. */
const answered: Readonly<Record<Exclude<UnknownAnswer, 'again'>, readonly [ToolStatus, Said]>> = {
  'done': ['ok', said('call.said-done')],
  'rolled-back': ['failed', said('call.said-rolled-back')],
}

async function takeUpAgain(row: Call, { session, unfinished, turnPorts }: TakenUp, ports: RecoveryPorts): Promise<void> {
  const at = { turnId: unfinished.turnId, step: unfinished.step }
  // What the first run had printed goes; its files are in the snapshots.
  await ports.recoverOutput(row.callId)
  await ports.sessions.append(session.id, [{ type: 'note-added', ...at, say: said('call.said-again', { tool: row.tool }), isForModel: true }], [{ to: 'again', callId: row.callId, decidedAtMs: turnPorts.clock.nowMs() }])
}

async function finish(row: Call, source: CalledOnce, status: ToolStatus, fact: Said, { session, unfinished, turnPorts }: TakenUp, ports: RecoveryPorts): Promise<void> {
  const at = { turnId: unfinished.turnId, step: unfinished.step, callId: source.callId }
  const outputRef = row.effect === 'execute' ? await ports.recoverOutput(row.callId) : null
  const taint = outputRef === null ? null : sourceOf(row, turnPorts)
  const afterSnapshot = row.beforeSnapshot === null ? null : await turnPorts.snapshots.endOf(row.callId)
  const marks: readonly EventDraft[] = taint === null ? [] : [{ type: 'taint-marked', ...at, source: taint }]
  await ports.sessions.append(
    session.id,
    [...marks, { type: 'tool-finished', ...at, status, say: fact, text: turnPorts.redact(say('en', fact)), changed: [], exitCode: null, outputRef, durationMs: 0 }],
    [{ to: 'finished', callId: source.callId, finishedAtMs: turnPorts.clock.nowMs(), afterSnapshot, outcome: status }],
  )
  await turnPorts.audit.append({ fact: 'finished', ...auditOf(row, session, turnPorts), actor: 'app', outcome: status, ...(await snapshotFacts(afterSnapshot, turnPorts)) })
}

async function auditAnswer(row: Call, answer: UnknownAnswer, { session, turnPorts }: TakenUp): Promise<void> {
  await turnPorts.audit.append({ fact: 'call-settled', ...auditOf(row, session, turnPorts), actor: 'person', outcome: answer })
}

function auditOf(row: Call, session: OpenSession, { clock }: Pick<TurnPorts, 'clock'>) {
  return { atMs: clock.nowMs(), sessionId: session.id, turnId: row.turnId, callId: row.callId, tool: row.tool }
}

async function shownCall(row: Call, { turnPorts }: TakenUp, ports: RecoveryPorts): Promise<UnknownCall> {
  const last = row.effect === 'execute' ? await ports.lastOutput(row.callId) : null
  return {
    callId: row.callId, tool: row.tool, effect: row.effect, args: row.effective ?? row.approved ?? {},
    startedAtMs: row.startedAtMs ?? 0, lastSignAtMs: last?.atMs ?? null, output: turnPorts.redact(last?.text ?? ''), beforeSnapshot: row.beforeSnapshot,
  }
}

/** Where the recovered output of a command may come from (R71). Nobody knows any more what held it, so nothing is taken to have. */
function sourceOf({ tool, effective }: Call, { judge, root }: TurnPorts): TaintSource | null {
  const { command, network, outside } = effective ?? {}
  if (tool !== 'run_command' || typeof command !== 'string') return null
  return commandSource({ parts: judge.judgeCommand(command, root).parts, root, isOpened: network === true || outside === true, isFree: true })
}
