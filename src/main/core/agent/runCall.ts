import type { ApprovalPreview } from '../../../shared/domain/approval'
import type { CallArgs } from '../../../shared/domain/call'
import type { EventDraft } from '../../../shared/domain/event'
import type { SnapshotId } from '../../../shared/domain/ids'
import { fail, said, type Said } from '../../../shared/domain/result'
import type { LoadedSkill } from '../../../shared/domain/skill'
import type { ChangedFile, TaintSource, ToolContent, ToolOutput, ToolStatus } from '../../../shared/domain/tool'
import { say } from '../../../shared/words/say'
import { isAsShown, lookAgain, passAgain, passGate, type GateOutcome, type GatePorts, type Granted, type StandingAnswer } from '../policy/gate'
import { redactedSaid } from '../policy/redactedSaid'
import { judgeCall, type Judgement } from '../policy/judgeCall'
import { outsideOf } from '../skills/narrow'
import type { LaneStay } from '../ports/callSnapshots'
import type { OpenTrial } from '../ports/trialDesk'
import type { CancelSignal } from '../ports/cancelSignal'
import { notingReadLog } from '../tools/readLog'
import { markerIn } from '../tools/redactionMarkers'
import { askPerson, type KeptTrial } from './askPerson'
import { bothStored } from './bothStored'
import { answeredAt, auditOf, placesOf, snapshotFacts, type ReadyCall } from './callFacts'
import { contextOf } from './callContext'
import { toldOfChanges } from './editTold'
import { keepTrial } from './keepTrial'
import { ruledBy, standingOf, stillStands } from './standing'
import { parseForTool } from './parseCall'
import { narrowingAt } from './narrowing'
import { canonicalJson } from './repeatDetector'
import type { Turn, TurnPorts } from './turnPorts'

/** What the person said of a call on its way: a trial to keep, and the change as it was proposed, once their own text came in its place. */
interface Kept extends KeptTrial {
  proposed: ApprovalPreview | null
  /** Why the call was not run although it was allowed. */
  notRun: Said | null
}

/** So often a call is asked again because no snapshot could be taken before it; then it ends as not run. */
const mostRepeats = 20

/** A call's end, not yet recorded: the caller records ends in the order of the calls (R5). */
export interface CallEnd {
  readonly status: ToolStatus
  readonly say: Said
  readonly text: string
  readonly event: EventDraft & { readonly type: 'tool-finished' }
  /** Set when the text is from outside: that is recorded before the text is. */
  readonly taint: TaintSource | null
  /** A skill whose text is to follow, unless the conversation holds it. */
  readonly loaded: LoadedSkill | null
  readonly afterSnapshot: SnapshotId | null
  /** What the journal still has to be told: it was started, it never was, or it is settled already. */
  readonly journal: 'started' | 'not-started' | 'settled'
}

/**
 * Takes one call through the gate and, when granted, runs it: journal `approved` before the run, `started` before anything
 * happens, a snapshot on both sides when it can change files. Never throws for what a tool does (R6); the end is returned,
 * with exactly one status.
 */
export async function runCall(call: ReadyCall, turn: Turn, ports: TurnPorts, signal: CancelSignal): Promise<CallEnd> {
  const kept: Kept = { trial: null, proposed: null, notRun: null }
  try {
    return await runThrough(call, kept, turn, ports, signal)
  } finally {
    ports.permissions.letGo(call.callId)
    await kept.trial?.discard()
  }
}

/** What was allowed and could not be run, since nothing would have taken it back, is asked again: a signature is for a run, and is not used up by none. */
async function runThrough(call: ReadyCall, kept: Kept, turn: Turn, ports: TurnPorts, signal: CancelSignal): Promise<CallEnd> {
  const gate = gateOf(call, kept, turn, ports, signal)
  let outcome = await passGate(call.args, gate)
  for (let repeats = 0; ; repeats += 1) {
    const end = await endOfGate(call, outcome, kept, gate, turn, ports, signal)
    if (!('notRun' in end)) return end
    kept.notRun = end.notRun
    ports.permissions.letGo(call.callId)
    if (repeats === mostRepeats || signal.aborted) return endOf(call, signal.aborted ? 'cancelled' : 'failed', signal.aborted ? said('tool.cancelled') : end.notRun, turn, ports)
    outcome = await passAgain(end.approved, gate)
  }
}

/** A call that was allowed and not run: no snapshot could be taken. */
interface NotRun {
  readonly notRun: Said
  readonly approved: CallArgs
}

async function endOfGate(call: ReadyCall, outcome: GateOutcome, kept: Kept, gate: GatePorts, turn: Turn, ports: TurnPorts, signal: CancelSignal): Promise<CallEnd | NotRun> {
  if (signal.aborted) return endOf(call, 'cancelled', said('tool.cancelled'), turn, ports)
  switch (outcome.kind) {
    case 'granted':
      return runGranted(call, { ...outcome, trial: kept.trial, proposed: kept.proposed }, gate, turn, ports, signal)
    case 'refused':
      return refuse(call, outcome.by, outcome.reason, turn, ports)
    case 'skipped':
      // The model is told what kept it from running, which was not the person.
      return kept.notRun === null ? decide(call, 'skip', 'skipped', said('tool.skipped'), turn, ports) : decide(call, 'skip', 'failed', kept.notRun, turn, ports)
    case 'failed':
      return endOf(call, 'failed', outcome.fault, turn, ports)
    case 'cancelled':
      return endOf(call, 'cancelled', said('tool.cancelled'), turn, ports)
  }
}

function gateOf(call: ReadyCall, kept: Kept, turn: Turn, ports: TurnPorts, signal: CancelSignal): GatePorts {
  const gate: GatePorts = {
    parse: (args) => parseForTool(call.tool, args),
    judge: async (args) => {
      if (call.tool.effect === 'execute') await ports.sandboxTested()
      return ruledBy(call, args, within(call, args, await judgeCall(call.tool, args, { ...ports.judge, level: ports.record.level(turn) }), turn, ports), turn, ports)
    },
    forecast: async (args, judgement) => {
      const marker = mayPutBack(call.tool) ? null : markerIn(args)
      return marker === null ? call.tool.forecast(args, contextOf(call, judgement, null, turn, ports, signal)) : fail('tool.redaction-marker', { marker })
    },
    // Whoever said that a trial is to be kept says so again when it is no longer what was shown.
    standing: (question) => (kept.trial === null ? standingOf(call, question, turn, ports).answer : null),
    hold: (standing) => hold(standing, call, turn, ports),
    stands: (standing, question) => stillStands(call, question, standing, turn, ports),
    sandbox: () => ports.sandbox(),
    ask: (question) => askPerson({ call, question, kept, isAsShown: () => isAsShown(question, gate), notRun: kept.notRun }, turn, ports, signal),
    withEdit: (args, text, forecast) => {
      kept.proposed ??= forecast.preview
      const before = forecast.preview.kind === 'edit' ? forecast.preview.before : null
      return call.tool.withEdit?.(args, text, before) ?? null
    },
  }
  return gate
}

/** A file tool knows what a marker in its text stands for, and what only reads does no harm with one; elsewhere it would be taken for the value (DATA, invariant 8). */
function mayPutBack({ effect, isHiddenReadOnly }: ReadyCall['tool']): boolean {
  return effect === 'write' || (effect === 'read' && isHiddenReadOnly !== true)
}

function hold({ used }: StandingAnswer, call: ReadyCall, turn: Turn, ports: TurnPorts): boolean {
  if (used.every((permission) => ports.permissions.hold(permission, answeredAt(call, turn)))) return true
  ports.permissions.letGo(call.callId)
  return false
}

/** Counts what is held; a call that cannot run takes no use. Null when the call may run. */
async function count({ standing }: Granted, call: ReadyCall, turn: Turn, ports: TurnPorts): Promise<Said | null> {
  for (const permission of standing?.used ?? []) {
    if (!(await ports.permissions.used(permission, answeredAt(call, turn)))) return said('tool.no-longer-allowed')
  }
  return null
}

/** What the skills of the turn leave of the tools: it only ever turns a judgement into a refusal (R59). */
function within(call: ReadyCall, args: CallArgs, judgement: Judgement, turn: Turn, ports: TurnPorts): Judgement {
  const narrowing = narrowingAt(call.step, turn, ports)
  if (narrowing === null || judgement.verdict.kind === 'deny') return judgement
  const reason = outsideOf(narrowing, { tool: call.tool.name, command: call.tool.command?.(args).command ?? null, parts: judgement.parts })
  return reason === null ? judgement : { ...judgement, verdict: { kind: 'deny', reason } }
}

async function runGranted(call: ReadyCall, granted: GrantedCall, gate: GatePorts, turn: Turn, ports: TurnPorts, signal: CancelSignal): Promise<CallEnd | NotRun> {
  const canChange = call.tool.effect === 'write' || call.tool.effect === 'execute'
  await recordDecision(call, granted, turn, ports)
  if (!canChange) {
    const gone = await count(granted, call, turn, ports)
    return gone === null ? perform(call, granted, null, turn, ports, signal) : { notRun: gone, approved: granted.approved }
  }

  const author = call.tool.effect === 'execute' ? 'command' : 'agent'
  const touches = call.tool.effect === 'write' ? placesOf(granted.judgement.places) : null
  const stay = await ports.snapshots.enter({ callId: call.callId, sessionId: turn.sessionId, turnId: turn.turnId, step: call.step, author, touches }, signal)
  if (stay === null || signal.aborted) {
    if (stay?.ok) await stay.value.leave()
    return endOf(call, 'cancelled', said('tool.cancelled'), turn, ports)
  }
  if (!stay.ok) return { notRun: stay.fault, approved: granted.approved }
  return runInLane(call, granted, stay.value, gate, turn, ports, signal)
}

/** A call that may run, the trial whose result is written instead of running it, and the change in whose place the person's text came. */
type GrantedCall = Granted & { readonly trial: OpenTrial | null; readonly proposed: ApprovalPreview | null }

/** Leaves the lane whatever happens: a record that cannot be kept ends the turn, and must not hold up everybody else. */
async function runInLane(call: ReadyCall, granted: GrantedCall, stay: LaneStay, gate: GatePorts, turn: Turn, ports: TurnPorts, signal: CancelSignal): Promise<CallEnd | NotRun> {
  const run = async (): Promise<CallEnd | NotRun> => {
    const changed = await lookAgain(granted, gate)
    if (changed !== null) return endOf(call, 'failed', changed, turn, ports)
    const gone = await count(granted, call, turn, ports)
    return gone === null ? perform(call, granted, stay.before, turn, ports, signal) : { notRun: gone, approved: granted.approved }
  }
  const end = await run().catch(async (error: unknown) => {
    await stay.leave()
    throw error
  })
  const afterSnapshot = await stay.leave()
  return 'notRun' in end ? end : { ...end, afterSnapshot }
}

async function recordDecision(call: ReadyCall, granted: GrantedCall, turn: Turn, ports: TurnPorts): Promise<void> {
  const decidedAtMs = ports.clock.nowMs()
  const argsHash = ports.hasher.ofText(canonicalJson(granted.approved))
  const decision = granted.trial !== null ? 'keep' : granted.by === 'person' && isOther(call, granted) ? 'edited' : granted.answer
  const at = { turnId: turn.turnId, step: call.step, callId: call.callId }
  const stored = ports.record.append(
    [{ type: 'approval-decided', ...at, decision, by: granted.by, args: granted.answer === 'edited' || isOther(call, granted) ? granted.approved : null, reason: null, ...(granted.by === 'rule' && granted.ruleId !== null ? { ruleId: granted.ruleId } : {}) }],
    [{ to: 'approved', callId: call.callId, approved: granted.approved, argsHash, decidedBy: granted.by, ruleId: granted.ruleId, decidedAtMs }],
  )
  await bothStored(stored, ports.audit.append({ fact: 'decided', ...auditOf(call, turn, ports), actor: granted.by, args: granted.approved, outcome: decision, ...(granted.ruleId === null ? {} : { ruleId: granted.ruleId }) }))
}

async function perform(call: ReadyCall, granted: GrantedCall, before: SnapshotId | null, turn: Turn, ports: TurnPorts, signal: CancelSignal): Promise<CallEnd> {
  const startedAtMs = ports.clock.nowMs()
  const at = { turnId: turn.turnId, step: call.step, callId: call.callId }
  await ports.record.append(
    [{ type: 'tool-started', ...at, args: granted.args }],
    [{ to: 'started', callId: call.callId, effective: granted.args, startedAtMs, beforeSnapshot: before, writes: granted.forecast.writes }],
  )
  if (call.tool.effect !== 'read') await ports.audit.append({ fact: 'started', ...auditOf(call, turn, ports), actor: 'agent', args: granted.args, ...(await snapshotFacts(before, ports)) })
  if (signal.aborted) return { ...endOf(call, 'cancelled', said('tool.cancelled'), turn, ports), journal: 'started' }
  const { log, seen } = notingReadLog(ports.readLog, () => ports.clock.nowMs())
  const output = marked(await runSafely(call, granted, turn, { ...ports, readLog: log }, signal), call, granted)
  const end = toldOfEdit(endOf(call, output.status, output.say, turn, ports, output), call, granted, ports)
  const durationMs = ports.clock.nowMs() - startedAtMs
  return { ...end, journal: 'started', event: { ...end.event, durationMs, ...(seen.length > 0 ? { seen } : {}) } }
}

/** Whether the person changed it; the card may have come again since, and then the last answer to it was a plain yes. */
function isOther(call: ReadyCall, granted: GrantedCall): boolean {
  return canonicalJson(granted.approved) !== canonicalJson(call.args)
}

/** The model asked for something else than what happened; without a word it would take the person's edit for its own. */
function toldOfEdit(end: CallEnd, call: ReadyCall, granted: GrantedCall, ports: Pick<TurnPorts, 'redact'>): CallEnd {
  if (!isOther(call, granted) || call.tool.effect === 'read') return end
  const sentences = call.tool.effect === 'write' ? toldOfText(granted) : [said('tool.edited-call', { args: canonicalJson(granted.approved) })]
  const text = `${ports.redact(sentences.map((sentence) => say('en', sentence)).join(' '))}\n${end.text}`
  return { ...end, text, event: { ...end.event, text } }
}

/** Of a file that was there, which of the proposed changes it has now. */
function toldOfText({ proposed, forecast: { preview } }: GrantedCall): readonly Said[] {
  const isKnown = proposed?.kind === 'edit' && preview.kind === 'edit' && proposed.before === preview.before
  if (!isKnown || preview.before === null || proposed.after === null || preview.after === null) return [said('tool.edited-change')]
  return toldOfChanges(preview.before, proposed.after, preview.after)
}

/** Text of files outside the project is text from outside, whichever tool read it (R71). */
function marked(output: ToolOutput, { tool }: ReadyCall, { judgement }: Granted): ToolOutput {
  const outside = tool.effect === 'read' && output.status === 'ok' && output.taint === undefined ? judgement.places.find(({ facts }) => facts.relative === null) : undefined
  return outside === undefined ? output : { ...output, taint: { kind: 'file', path: outside.facts.realPath } }
}

/** A handler that throws has a fault of its own; the model is told and the loop goes on (R6). */
async function runSafely(call: ReadyCall, granted: GrantedCall, turn: Turn, ports: TurnPorts, signal: CancelSignal): Promise<ToolOutput> {
  const context = contextOf(call, granted.judgement, granted.forecast.preview, turn, ports, signal)
  try {
    if (granted.trial !== null && call.tool.trial !== undefined) return await keepTrial(granted.trial, call.tool.trial.output(granted.args, granted.trial.end, context), ports)
    return await call.tool.run(granted.args, context)
  } catch (error) {
    return { status: 'failed', say: said('tool.failed', { problem: error instanceof Error ? error.message : String(error) }) }
  }
}


/** The end of a call as the model and the record see it. The model's text is English: it is the tools' language. */
export function endOf(call: Pick<ReadyCall, 'callId' | 'step'>, status: ToolStatus, fact: Said, turn: Turn, ports: Pick<TurnPorts, 'redact'>, output?: ToolOutput): CallEnd {
  const sentence = redactedSaid(fact, (text) => ports.redact(text))
  const body = output?.body === undefined || output.body === '' ? '' : `\n${ports.redact(output.body)}`
  const text = `${ports.redact(say('en', sentence))}${body}`
  const changed: readonly ChangedFile[] = output?.changed ?? []
  const event = {
    type: 'tool-finished' as const,
    turnId: turn.turnId,
    step: call.step,
    callId: call.callId,
    status,
    say: sentence,
    text,
    changed,
    exitCode: output?.exitCode ?? null,
    outputRef: output?.outputRef ?? null,
    ...(output?.confined === undefined ? {} : { confined: output.confined }),
    ...(output?.content?.length ? { content: output.content.map((part) => redacted(part, ports)) } : {}),
    durationMs: 0,
  }
  return { status, say: sentence, text, event, taint: output?.taint ?? null, loaded: output?.loaded ?? null, afterSnapshot: null, journal: 'not-started' }
}

/** Names and addresses that came with a result are text like the rest of it. */
function redacted(part: ToolContent, { redact }: Pick<TurnPorts, 'redact'>): ToolContent {
  if (part.kind !== 'link') return { ...part, name: redact(part.name) }
  return { ...part, uri: redact(part.uri), name: redact(part.name), description: redact(part.description) }
}

function refuse(call: ReadyCall, by: 'policy' | 'person', reason: Said, turn: Turn, ports: TurnPorts): Promise<CallEnd> {
  if (by === 'person') return decide(call, 'deny', 'denied', reason, turn, ports)
  return decide(call, 'deny', 'denied', said('tool.denied-policy', { reason }), turn, ports, 'policy')
}

async function decide(call: ReadyCall, decision: 'deny' | 'skip', status: ToolStatus, reason: Said, turn: Turn, ports: TurnPorts, by: 'person' | 'policy' = 'person'): Promise<CallEnd> {
  const decidedAtMs = ports.clock.nowMs()
  const at = { turnId: turn.turnId, step: call.step, callId: call.callId }
  const stored = ports.record.append(
    [{ type: 'approval-decided', ...at, decision, by, args: null, reason }],
    [{ to: 'refused', callId: call.callId, decidedBy: by, decidedAtMs, outcome: status }],
  )
  await bothStored(stored, ports.audit.append({ fact: 'decided', ...auditOf(call, turn, ports), actor: by, args: call.args, outcome: decision, say: say('en', reason) }))
  return { ...endOf(call, status, reason, turn, ports), journal: 'settled' }
}
