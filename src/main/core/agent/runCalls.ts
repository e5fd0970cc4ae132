import type { CallChange } from '../../../shared/domain/call'
import type { EventDraft } from '../../../shared/domain/event'
import { asId, type CallId } from '../../../shared/domain/ids'
import type { ModelCall } from '../../../shared/domain/model'
import { said, type Said } from '../../../shared/domain/result'
import type { CancelSignal } from '../ports/cancelSignal'
import { knownMarker } from '../policy/redactionKnown'
import { say } from '../../../shared/words/say'
import { redactedSkill, skillKey } from '../skills/loadedSkills'
import { parseArguments } from '../stream/parseArguments'
import { parseForTool } from './parseCall'
import { auditOf, snapshotFacts, type ReadyCall } from './callFacts'
import { endOf, runCall, type CallEnd } from './runCall'
import { runInLanes } from './scheduler'
import type { Turn, TurnPorts } from './turnPorts'

/** A call of a step: ready for the gate, or ended before it for a reason the model is told. */
export type StepCall =
  | { readonly kind: 'ready'; readonly call: ReadyCall; readonly source: ModelCall }
  | { readonly kind: 'bad'; readonly callId: CallId; readonly step: number; readonly fault: Said; readonly source: ModelCall }

/** Calls of one reply with their ids given; the ids are stored in the assistant message first. */
export interface CalledOnce extends ModelCall {
  readonly callId: CallId
}

/** Gives each call its own id, unique for ever. */
export function nameCalls(calls: readonly ModelCall[], ports: Pick<TurnPorts, 'ids'>): readonly CalledOnce[] {
  return calls.map((call) => ({ ...call, callId: asId<CallId>(ports.ids.next()) }))
}

/**
 * Runs the calls of one step: records all as intent first, then runs reads in parallel (4 at most) and everything else
 * alone, and records the ends in the order of the calls, one each (R4, R5). After a cancel, calls that did not start end as
 * cancelled.
 */
export async function runCalls(calls: readonly CalledOnce[], turn: Turn, step: number, ports: TurnPorts, signal: CancelSignal): Promise<readonly CallEnd[]> {
  const prepared = calls.map((call) => prepareCall(call, step, ports))
  await recordIntents(prepared, turn, step, ports)
  return finishCalls(prepared.map((entry) => entry.stepCall), turn, ports, signal)
}

/** Runs calls whose intent is recorded already; also the way back in after a crash. */
export async function finishCalls(stepCalls: readonly StepCall[], turn: Turn, ports: TurnPorts, signal: CancelSignal): Promise<readonly CallEnd[]> {
  const run = async (stepCall: StepCall): Promise<CallEnd> => {
    if (stepCall.kind === 'bad') return endOf(stepCall, 'failed', stepCall.fault, turn, ports)
    if (signal.aborted) return endOf(stepCall.call, 'cancelled', said('tool.cancelled'), turn, ports)
    return runCall(stepCall.call, turn, ports, signal)
  }
  const jobs = stepCalls.map((stepCall) => ({
    canOverlap: stepCall.kind === 'bad' || (stepCall.call.tool.effect === 'read' && stepCall.call.tool.verdict?.(stepCall.call.args).kind !== 'ask'),
    places: () => realPlaces(stepCall, ports),
    run: () => run(stepCall),
  }))
  return runInLanes(jobs, (end, index) => recordEnd(end, stepCalls[index], turn, ports))
}

async function realPlaces(stepCall: StepCall, ports: TurnPorts): Promise<readonly string[]> {
  if (stepCall.kind === 'bad') return []
  const claims = stepCall.call.tool.paths(stepCall.call.args)
  const facts = await Promise.all(claims.map((claim) => ports.judge.fs.locate(claim.path, claim.use)))
  return facts.map((fact) => fact.realPath)
}

/** A call as its tool takes it, or the fault that ends it before the gate. */
export interface Prepared {
  readonly stepCall: StepCall
  readonly repair: Said | null
  readonly tool: string
}

/** Finds the tool and reads the arguments of one call. */
export function prepareCall(source: CalledOnce, step: number, ports: Pick<TurnPorts, 'tools'>): Prepared {
  const bad = (fault: Said): Prepared => ({ stepCall: { kind: 'bad', callId: source.callId, step, fault, source }, repair: null, tool: source.name })
  const tool = ports.tools.get(source.name)
  if (!tool) return bad(said('tool.unknown', { tool: source.name }))
  if (source.argumentsText.includes(knownMarker)) return bad(said('tool.holds-secret'))
  const read = parseArguments(source.argumentsText)
  if (!read.ok) return bad(read.fault)
  const args = parseForTool(tool, read.value.args)
  if (!args.ok) return bad(args.fault)
  return { stepCall: { kind: 'ready', call: { callId: source.callId, step, tool, args: args.value }, source }, repair: read.value.repair, tool: tool.name }
}

async function recordIntents(prepared: readonly Prepared[], turn: Turn, step: number, ports: TurnPorts): Promise<void> {
  const drafts: EventDraft[] = []
  const changes: CallChange[] = []
  prepared.forEach(({ stepCall, repair, tool }, index) => {
    const callId = stepCall.kind === 'ready' ? stepCall.call.callId : stepCall.callId
    const effect = stepCall.kind === 'ready' ? stepCall.call.tool.effect : 'read'
    const { providerCallId, argumentsText } = stepCall.source
    const args = stepCall.kind === 'ready' ? stepCall.call.args : null
    const origin = ports.tools.get(tool)?.origin
    drafts.push({ type: 'tool-called', turnId: turn.turnId, step, callId, providerCallId, index, tool, effect, argumentsText, ...(origin ? { mcp: origin } : {}), args, ...(repair ? { repair } : {}) })
    changes.push({ to: 'intent', call: { callId, providerCallId, sessionId: turn.sessionId, turnId: turn.turnId, step, index, tool, effect, proposed: argumentsText } })
  })
  await ports.record.append(drafts, changes)
}

/**
 * A skill that was loaded follows its call's result (R58). One that this turn has loaded already is not recorded again; one of
 * an earlier turn is, for it narrows this one too, and the history tells its text once.
 */
function withSkill(end: CallEnd, turn: Turn, ports: TurnPorts): { readonly event: CallEnd['event']; readonly skills: readonly EventDraft[] } {
  const { event, loaded } = end
  if (loaded === null || end.status !== 'ok') return { event, skills: [] }
  const skill = redactedSkill(loaded, ports.redact)
  const same = ports.record.skills(turn).loaded.filter((one) => skillKey(one) === skillKey(skill))
  const already = said('skill.loaded-already', { skill: skill.skill.name })
  const { turnId, step, callId } = event
  return {
    event: same.length === 0 ? event : { ...event, say: already, text: say('en', already) },
    skills: same.some((one) => one.turnId === turnId) ? [] : [{ type: 'skill-loaded', turnId, step, callId, ...skill }],
  }
}

async function recordEnd(end: CallEnd, stepCall: StepCall | undefined, turn: Turn, ports: TurnPorts): Promise<void> {
  const nowMs = ports.clock.nowMs()
  const { turnId, step, callId } = end.event
  const tainted = end.taint === null ? [] : [{ type: 'taint-marked' as const, turnId, step, callId, source: end.taint }]
  const { event, skills } = withSkill(end, turn, ports)
  await ports.record.append([...tainted, event, ...skills], journalEnd(end, nowMs))
  if (stepCall?.kind !== 'ready') return
  await ports.audit.append({
    fact: 'finished',
    ...auditOf(stepCall.call, turn, ports),
    actor: 'agent',
    outcome: end.status,
    exitCode: end.event.exitCode,
    changed: end.event.changed,
    ...(end.event.confined === undefined ? {} : { confined: end.event.confined }),
    ...(await snapshotFacts(end.afterSnapshot, ports)),
  })
}

function journalEnd(end: CallEnd, nowMs: number): readonly CallChange[] {
  const callId = end.event.callId
  if (end.journal === 'settled') return []
  if (end.journal === 'started') return [{ to: 'finished', callId, finishedAtMs: nowMs, afterSnapshot: end.afterSnapshot, outcome: end.status }]
  return [{ to: 'refused', callId, decidedBy: null, decidedAtMs: nowMs, outcome: end.status }]
}
