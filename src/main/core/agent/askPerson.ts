import type { ApprovalAnswer, ApprovalPreview, ApprovalRequest } from '../../../shared/domain/approval'
import { said, type Said } from '../../../shared/domain/result'
import { isSkippedBy, type Coverage, type SkippedPath } from '../../../shared/domain/snapshot'
import { say } from '../../../shared/words/say'
import { sourceName } from '../../../shared/domain/sourceName'
import type { GateQuestion, PersonAnswer } from '../policy/gate'
import type { CancelSignal } from '../ports/cancelSignal'
import type { OpenTrial } from '../ports/trialDesk'
import { placesMadeBy } from '../snapshot/placesMade'
import { proposedShapes } from '../policy/permissionShapes'
import { whyNotKept } from './keepTrial'
import { contextOf } from './callContext'
import { questionOf, standingOf } from './standing'
import { canonicalJson } from './repeatDetector'
import { auditOf, placesOf, type ReadyCall } from './callFacts'
import type { Turn, TurnPorts } from './turnPorts'

/** A trial whose result the person may keep; empty until they say so. */
export interface KeptTrial {
  trial: OpenTrial | null
}

/** Of the output of a trial, so much is shown on its card. */
const shownOutput = 20_000

/** A question to the person on its way. */
export interface Asking {
  readonly call: ReadyCall
  readonly question: GateQuestion
  readonly kept: KeptTrial
  /** Whether it would be put in the same words now. */
  readonly isAsShown: () => Promise<boolean>
  /** Why it was not run although it was allowed: then it is asked again. */
  readonly notRun: Said | null
}

/**
 * Asks the person. A trial that is kept stays in `kept` and answers as a plain yes: then its result is written instead of running
 * the command. `again`: there is no word about the call itself yet, and what was shown may be old by now. Null when the turn was
 * cancelled.
 */
export async function askPerson(asking: Asking, turn: Turn, ports: TurnPorts, signal: CancelSignal): Promise<PersonAnswer | 'again' | null> {
  const { call, question, kept } = asking
  // What was kept was kept of another question.
  await discard(kept)
  const first = await requestOf(call, question, turn, ports)
  const request = asking.notRun === null ? first : { ...first, notRun: asking.notRun }
  const answer = await ask(call, request, question, turn, ports, signal, asking.isAsShown)
  switch (answer?.kind) {
    case 'try': return request.canTry ? tryOut(asking, turn, ports, signal) : 'again'
    case 'look':
    case 'keep':
    case 'discard': return 'again'
    default: return remembered(request, answer ?? null, call, turn, ports)
  }
}

/** Runs it on a copy and asks what to do with the result. What is tried must be what was shown, like what is run. */
async function tryOut({ call, question, kept, isAsShown }: Asking, turn: Turn, ports: TurnPorts, signal: CancelSignal): Promise<PersonAnswer | 'again' | null> {
  const context = contextOf(call, question.judgement, null, turn, ports, signal)
  const start = call.tool.trial?.start(question.args, context)
  if (start === undefined || !(await isAsShown())) return 'again'
  await ports.audit.append({ fact: 'trial-begun', ...auditOf(call, turn, ports), actor: 'person', args: question.args })
  const startedAtMs = ports.clock.nowMs()
  const ran = await ports.trials.run(start, (text) => context.emit(text), signal)
  if (ran.ok) kept.trial = ran.value
  await ports.audit.append({ fact: 'tried', ...auditOf(call, turn, ports), actor: 'person', args: question.args, outcome: ran.ok ? `${ran.value.files.length} files` : ran.fault.code, exitCode: ran.ok ? ran.value.end.exitCode : null })
  if (signal.aborted) return null
  if (!ran.ok) {
    await ports.record.append([{ type: 'note-added', turnId: turn.turnId, step: call.step, say: ran.fault, isForModel: false }])
    return 'again'
  }
  const answer = await askToKeep(call, question, ran.value, ports.clock.nowMs() - startedAtMs, turn, ports, signal)
  if (answer?.kind === 'keep') {
    await ports.audit.append({ fact: 'trial-kept', ...auditOf(call, turn, ports), actor: 'person' })
    return { kind: 'allow' }
  }
  await discard(kept)
  if (answer === null || answer.kind === 'deny' || answer.kind === 'skip') return answer
  // It changed nothing: then a plain yes runs it, since there is nothing to keep.
  if (answer.kind === 'allow' && ran.value.files.length === 0) return { kind: 'allow' }
  await ports.audit.append({ fact: 'trial-discarded', ...auditOf(call, turn, ports), actor: 'person' })
  return 'again'
}

/** Keeping is refused while a file is no longer what the copy was made of: then the card says which, and only the rest is answered. */
async function askToKeep(call: ReadyCall, question: GateQuestion, trial: OpenTrial, durationMs: number, turn: Turn, ports: TurnPorts, signal: CancelSignal): Promise<ApprovalAnswer | null> {
  // Of the very paths it would write: some of them may be such as no snapshot holds, and were not there before.
  const coverage = await ports.snapshots.coverageOf(trial.files.map(({ path }) => path))
  for (;;) {
    const changedSince = await trial.changedSince()
    const base = await requestOf(call, question, turn, ports)
    const text = ports.redact(trial.end.text)
    const preview: ApprovalPreview = {
      kind: 'trial', trialId: trial.id, command: question.forecast.preview.kind === 'command' ? question.forecast.preview.command : '', cwd: question.forecast.preview.kind === 'command' ? question.forecast.preview.cwd : '',
      takenAtMs: trial.takenAtMs, exitCode: trial.end.exitCode, durationMs, files: trial.rows, refused: trial.refused.map((one) => ({ ...one, what: ports.redact(one.what) })), changedSince,
      output: text.slice(-shownOutput), isOutputCut: text.length > shownOutput || trial.end.outputRef !== null,
    }
    const answer = await ask(call, { ...base, preview, coverage, canTry: false, remembered: null }, question, turn, ports, signal)
    if (answer?.kind !== 'keep') return answer
    if ((await trial.changedSince()).length > 0) continue
    const reason = await whyNotKept(trial, ports)
    if (reason === null) return answer
    await ports.record.append([{ type: 'note-added', turnId: turn.turnId, step: call.step, say: said('trial.cannot-keep', { reason }), isForModel: false }])
  }
}

async function discard(kept: KeptTrial): Promise<void> {
  await kept.trial?.discard()
  kept.trial = null
}

/** What the person lets be answered for longer is kept before the call goes on. */
async function remembered(request: ApprovalRequest, answer: PersonAnswer | null, call: ReadyCall, turn: Turn, ports: TurnPorts): Promise<PersonAnswer | null> {
  if (answer?.kind !== 'allow' || answer.remember === undefined) return answer
  const done = await ports.permissions.remember(request, answer.remember)
  if (!done.ok) await ports.record.append([{ type: 'note-added', turnId: turn.turnId, step: call.step, say: said('approval.not-remembered', { reason: done.fault }), isForModel: false }])
  return { kind: 'allow' }
}

async function requestOf(call: ReadyCall, question: GateQuestion, turn: Turn, ports: TurnPorts): Promise<ApprovalRequest> {
  const { judgement, forecast, args } = question
  const preview = shownWith(question)
  const taint = ports.record.taint(turn, preview.kind === 'command' ? preview.command : canonicalJson(args))
  const standing = standingOf(call, question, turn, ports)
  const before = ports.record.askedBefore(call.callId)
  const readAtMs = preview.kind === 'edit' && preview.before !== null ? ports.readLog.readAtMs(preview.path) : undefined
  return {
    turnId: turn.turnId, step: call.step, callId: call.callId, sessionId: turn.sessionId,
    tool: call.tool.name,
    effect: call.tool.effect,
    args,
    argsHash: ports.hasher.ofText(canonicalJson(args)),
    baseHashes: forecast.base,
    nonce: ports.ids.nonce(),
    reason: judgement.verdict.reason,
    preview,
    coverage: await coverageFor(call, question, ports),
    sandbox: question.sandbox,
    ...(taint.length > 0 ? { taint } : {}),
    ...(readAtMs === undefined ? {} : { readAtMs }),
    ...(preview.kind === 'command' ? { partAnswers: standing.parts } : {}),
    remembered: judgement.verdict.kind === 'allowable' ? proposedShapes(questionOf(call, args, judgement, turn, ports), standing.parts) : null,
    canTry: canTry(call, question, ports),
    ...(before === null ? {} : { askedBefore: { atMs: before.askedAtMs, isSame: isSameQuestion(before, { args, base: forecast.base, reason: judgement.verdict.reason }) } }),
    askedAtMs: ports.clock.nowMs(),
  }
}

/** Same verdict, same bytes: what the person may have read before the app was closed is what they are asked now. */
function isSameQuestion(before: ApprovalRequest, now: { readonly args: ReadyCall['args']; readonly base: ApprovalRequest['baseHashes']; readonly reason: Said }): boolean {
  return canonicalJson([before.args, before.baseHashes, before.reason]) === canonicalJson([now.args, now.base, now.reason])
}

/** Only what the sandbox would hold is tried: a copy is no copy of what lies outside, and without network it has failed already. */
function canTry({ tool }: ReadyCall, { forecast: { preview } }: GateQuestion, ports: TurnPorts): boolean {
  const confinement = preview.kind === 'command' ? preview.confinement : undefined
  return tool.trial !== undefined && ports.trials.canTry() && confinement?.outside !== true && !(confinement?.network === true && confinement.after === 'network')
}

async function ask(call: ReadyCall, request: ApprovalRequest, question: GateQuestion, turn: Turn, ports: TurnPorts, signal: CancelSignal, isAsShown?: () => Promise<boolean>): Promise<ApprovalAnswer | null> {
  if (signal.aborted) return null
  const at = { turnId: turn.turnId, step: call.step, callId: call.callId }
  await ports.record.append([{ type: 'approval-asked', ...at, request }], [{ to: 'asked', callId: call.callId, askedAtMs: request.askedAtMs, argsHash: request.argsHash }])
  await ports.audit.append({ fact: 'asked', ...auditOf(call, turn, ports), actor: 'agent', args: question.args, ...(request.notRun === undefined ? {} : { say: say('en', request.notRun) }), ...(request.taint ? { taint: request.taint.map(({ source }) => sourceName(source)) } : {}) })
  const answer = await ports.desk.ask(request, signal, isAsShown)
  if (answer === null) await ports.record.append([{ type: 'approval-withdrawn', ...at }])
  return answer
}

/** A file tool changes the places it claims; a command may change anything in the folder, and make what no snapshot would hold. */
async function coverageFor(call: ReadyCall, { judgement }: GateQuestion, ports: TurnPorts): Promise<Coverage> {
  if (call.tool.effect === 'read' || call.tool.effect === 'network') return { kind: 'full', skipped: [] }
  if (call.tool.effect !== 'execute') return ports.snapshots.coverageOf(placesOf(judgement.places))
  const now = await ports.snapshots.coverageOf(null)
  const made = placesMadeBy(judgement.parts)
  return made.length === 0 ? now : withMade(now, (await ports.snapshots.coverageOf(made)).skipped)
}

/** What is not there yet is in no list of what was left out. */
function withMade(now: Coverage, made: readonly SkippedPath[]): Coverage {
  const isNew = ({ path }: SkippedPath): boolean => !now.skipped.some((line) => isSkippedBy(line.path, path))
  const more = made.map((one) => ({ ...one, path: one.path.replace(/\/$/u, '') })).filter(isNew)
  return more.length === 0 ? now : { ...now, kind: now.kind === 'none' ? 'none' : 'partial', skipped: [...now.skipped, ...more] }
}

/** A command's card shows its parts as they were judged; no tool judges itself. */
function shownWith({ forecast: { preview }, judgement }: GateQuestion): ApprovalPreview {
  return preview.kind === 'command' ? { ...preview, parts: judgement.parts } : preview
}
