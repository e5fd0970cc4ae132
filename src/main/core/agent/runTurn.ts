import type { TurnEndReason } from '../../../shared/domain/event'
import { asId, type MessageId } from '../../../shared/domain/ids'
import type { AssembledReply, ModelFault, ModelRequest, Usage } from '../../../shared/domain/model'
import { said, type Said } from '../../../shared/domain/result'
import type { CancelSignal } from '../ports/cancelSignal'
import { parseArguments } from '../stream/parseArguments'
import { estimateTokens } from '../context/estimate'
import { checkAnswer } from '../skills/checkAnswer'
import { leaves } from '../skills/narrow'
import { narrowingAt } from './narrowing'
import { readReply } from './readReply'
import { canonicalJson, makeRepeatDetector, type RepeatDetector } from './repeatDetector'
import type { CallEnd } from './runCall'
import { nameCalls, runCalls, type CalledOnce } from './runCalls'
import type { Turn, TurnPorts } from './turnPorts'

/** How a turn ended, with the tokens of all its calls (R9). */
export interface TurnEnd {
  readonly reason: TurnEndReason
  readonly say: Said
  readonly text: string
  readonly tokens: { readonly input: number; readonly output: number }
}

/** Replies in a row that may be cut at the output limit in the middle of a call before the turn gives up. */
const cutLimit = 3

/** Replies in a row that may fall silent, or be torn off by the network, before the turn gives up; each is asked for again (R20). */
const stallLimit = 3

/** What a turn carries from step to step. */
interface Progress {
  step: number
  cuts: number
  stalls: number
  changes: number
  /** A call ran that does not say what it changed, as commands do not. */
  hasRun: boolean
  text: string
  tokens: { input: number; output: number }
  repeats: RepeatDetector
}

/**
 * The loop (R1): asks the model, runs the calls it makes, feeds the results back, until it asks for no tool. Every way out
 * records exactly one `turn-ended` with a sentence (R2). Cancelling ends it as `cancelled` at the next await; it never
 * throws for what a model or tool does.
 */
export async function runTurn(turn: Turn, ports: TurnPorts, signal: CancelSignal): Promise<TurnEnd> {
  const progress: Progress = { step: turn.step, cuts: 0, stalls: 0, changes: turn.before?.changes ?? 0, hasRun: turn.before?.hasRun ?? false, text: '', tokens: { input: 0, output: 0 }, repeats: makeRepeatDetector() }
  let ended: Pick<TurnEnd, 'reason' | 'say'> | null = null
  while (ended === null) ended = await runStep({ ...turn, choice: ports.record.choice(turn) }, progress, ports, signal)
  const end: TurnEnd = { ...ended, text: progress.text, tokens: progress.tokens }
  const { reason, text, tokens } = end
  await ports.record.append([{ type: 'turn-ended', turnId: turn.turnId, step: progress.step, reason, say: end.say, text, tokens, auditHead: ports.audit.head() }])
  return end
}

type Ending = Pick<TurnEnd, 'reason' | 'say'>

async function runStep(turn: Turn, progress: Progress, ports: TurnPorts, signal: CancelSignal): Promise<Ending | null> {
  if (signal.aborted) return cancelled(progress)
  if (progress.step >= turn.maxSteps) return { reason: 'step-limit', say: said('turn.step-limit', { steps: turn.maxSteps }) }
  const ceiling = await ports.spending.pass(turn, progress.step, signal)
  if (signal.aborted) return cancelled(progress)
  if (ceiling !== null) return { reason: 'budget', say: ceiling }
  progress.step++
  // Before the waiting messages are taken: whoever interrupts from here on is heard, in this step or by the next one.
  const ofStep = ports.stepSignal(signal)
  await deliver(turn, progress, ports)
  const tools = await offered(turn, progress.step, ports)
  const next = await ports.record.history(turn, progress.step, tools, ofStep)
  if (ofStep.aborted) return null
  if (next.kind === 'ended') return { reason: 'error', say: next.say }
  progress.tokens = { input: progress.tokens.input + next.spent.input, output: progress.tokens.output + next.spent.output }
  const { messages, expectedTokens } = next
  const request = { choice: turn.choice, messages, tools }
  const beganAtMs = ports.clock.nowMs()
  const { reply, isRepeating } = await readReply(request, turn, progress.step, ports, ofStep)

  const isCut = ofStep.aborted
  const calls = reply.status === 'complete' && !isCut && !isRepeating ? nameCalls(reply.calls, ports) : []
  await recordReply(isCut ? brokenOff(reply) : reply, calls, { expectedTokens, beganAtMs }, turn, progress, ports)
  // Cancelled ends the turn above; interrupted, the next step reads what the person wrote.
  if (isCut) return null
  if (isRepeating) return { reason: 'repeat', say: said('turn.repeat-text') }
  if (reply.status !== 'complete') return broken(reply, turn, progress, ports)
  progress.cuts = 0
  progress.stalls = 0
  if (calls.length === 0) return checked(finished(reply), turn, progress, ports)

  const ends = await runCalls(calls, turn, progress.step, ports, ofStep)
  progress.changes += ends.filter((end) => end.event.changed.length > 0).length
  progress.hasRun ||= ends.some((end) => end.journal === 'started' && end.afterSnapshot !== null && end.event.changed.length === 0)
  if (signal.aborted) return cancelled(progress)
  if (progress.repeats.addStep({ calls: traceOf(calls, ends) })) return { reason: 'repeat', say: said('turn.repeat') }
  return null
}

/** Between two steps only: what is typed while the first one runs waits for its end (R10). Whoever was spoken to is no longer in a loop. */
async function deliver(turn: Turn, progress: Progress, ports: TurnPorts): Promise<void> {
  if (progress.step > 1 && (await ports.record.deliver(turn, progress.step)) > 0) progress.repeats = makeRepeatDetector()
}

/** A reply that was interrupted is text that broke off, even where its last word had come. */
function brokenOff(reply: AssembledReply): AssembledReply {
  return { ...reply, status: 'incomplete' }
}

async function offered(turn: Turn, step: number, ports: TurnPorts): Promise<ModelRequest['tools']> {
  const narrowing = narrowingAt(step, turn, ports)
  const specs = await ports.tools.specs({ ...turn, level: ports.record.level(turn) })
  return narrowing === null ? specs : specs.filter((spec) => leaves(narrowing, spec.name))
}

/**
 * An answer that does not have the form that a skill of the turn asks for is asked for once more, and only once, a crash
 * included (R59); then the person is told. The tools stay offered meanwhile: providers refuse a history with calls but without
 * tools, and the request before it stays the beginning of this one.
 */
async function checked(ending: Ending, turn: Turn, progress: Progress, ports: TurnPorts): Promise<Ending | null> {
  if (ending.reason !== 'done') return ending
  const { loaded, isAskedAgain } = ports.record.skills(turn)
  const check = checkAnswer(progress.text, loaded.filter((one) => one.turnId === turn.turnId))
  if (check.kind === 'fits') return ending
  const note = (say: Said, isForModel: boolean) => ports.record.append([{ type: 'note-added', turnId: turn.turnId, step: progress.step, say, isForModel }])
  const { skill } = check
  if (check.kind === 'unjudged') {
    await note(said('skill.answer-unjudged', { skill }), false)
    return ending
  }
  const { problem } = check
  if (!isAskedAgain && progress.step < turn.maxSteps) {
    await note(said('skill.answer-again', { skill, problem }), true)
    return null
  }
  await note(said(isAskedAgain ? 'skill.answer-unfit' : 'skill.answer-unfit-last', { skill, problem }), false)
  return ending
}

async function recordReply(reply: AssembledReply, calls: readonly CalledOnce[], { expectedTokens, beganAtMs }: { readonly expectedTokens: number; readonly beganAtMs: number }, turn: Turn, progress: Progress, ports: TurnPorts): Promise<void> {
  const durationMs = ports.clock.nowMs() - beganAtMs
  const usage = reply.usage ?? estimated(reply, expectedTokens)
  const cost = await ports.spending.costOf(turn.choice, usage)
  progress.tokens = { input: progress.tokens.input + usage.inputTokens, output: progress.tokens.output + usage.outputTokens }
  progress.text = reply.text
  const at = { turnId: turn.turnId, step: progress.step }
  const isComplete = reply.status === 'complete'
  const isWorthKeeping = isComplete || reply.text !== '' || reply.reasoning !== ''
  await ports.record.append([
    ...(isWorthKeeping
      ? [{ type: 'assistant-message-added' as const, ...at, messageId: asId<MessageId>(ports.ids.next()), text: reply.text, reasoning: reply.reasoning, ...(isComplete && reply.thinking.length > 0 ? { thinking: reply.thinking } : {}), choice: turn.choice, calls, stop: reply.stop, isComplete }]
      : []),
    { type: 'usage-reported', ...at, usage, choice: turn.choice, purpose: 'turn', cost, durationMs, expectedTokens },
  ])
}

/** No usage in the stream: estimate (R19, R31). A request of which nothing came back, refused or never arrived, is counted by nobody. */
function estimated(reply: AssembledReply, expectedTokens: number): Usage {
  if (reply.status === 'error' && !hasShown(reply)) return { inputTokens: 0, outputTokens: 0, estimated: true }
  const made = estimateTokens(reply.text) + estimateTokens(reply.reasoning) + reply.calls.reduce((sum, call) => sum + estimateTokens(call.argumentsText), 0)
  return { inputTokens: expectedTokens, outputTokens: made, estimated: true }
}

/** A reply that must not be acted on. Cut at the output limit in the middle of a call, the model is told and may go on. */
async function broken(reply: AssembledReply, turn: Turn, progress: Progress, ports: TurnPorts): Promise<Ending | null> {
  if (reply.stop === 'length' && ++progress.cuts < cutLimit) {
    const cut = said(reply.text === '' ? 'tool.cut-arguments' : 'turn.cut-call')
    await ports.record.append([{ type: 'note-added', turnId: turn.turnId, step: progress.step, say: cut, isForModel: true }])
    return null
  }
  if (reply.stop === 'length') return { reason: 'incomplete', say: said('turn.cut') }
  if (reply.stop === 'filtered') return { reason: 'refused', say: said('turn.refused') }
  // What was shown is stored as broken off; the same request goes out again, and its answer replaces it in the history.
  // Where nothing was shown, the model client has tried again itself.
  if (reply.fault && isLost(reply.fault) && hasShown(reply) && ++progress.stalls < stallLimit) {
    ports.record.show(turn, progress.step, { type: 'retrying', say: reply.fault.say, attempt: progress.stalls, waitMs: 0 })
    return null
  }
  if (reply.status === 'incomplete') return { reason: 'incomplete', say: reply.fault?.say ?? said('turn.incomplete') }
  return { reason: 'error', say: reply.fault?.say ?? said('turn.empty') }
}

function hasShown({ text, reasoning, calls }: AssembledReply): boolean {
  return text !== '' || reasoning !== '' || calls.length > 0
}

/** Fallen silent, or torn by the network: the machine slept, or changed its network (R112). A server that closes in the middle is neither. */
function isLost({ kind, canRetry }: ModelFault): boolean {
  return kind === 'stalled' || (kind === 'network' && canRetry)
}

function finished(reply: AssembledReply): Ending {
  if (reply.stop === 'filtered') return { reason: 'refused', say: said('turn.refused') }
  if (reply.stop === 'length') return { reason: 'incomplete', say: said('turn.cut') }
  return { reason: 'done', say: said('turn.done') }
}

/** A number is given only where it is known: nobody looks for changes that a sentence says are none. */
function cancelled({ hasRun, changes }: Progress): Ending {
  if (hasRun) return { reason: 'cancelled', say: said('turn.cancelled-ran') }
  return { reason: 'cancelled', say: changes === 0 ? said('turn.cancelled-none') : said('turn.cancelled', { changes }) }
}

function traceOf(calls: readonly CalledOnce[], ends: readonly CallEnd[]) {
  return calls.map((call, index) => {
    const read = parseArguments(call.argumentsText)
    return { tool: call.name, args: read.ok ? canonicalJson(read.value.args) : call.argumentsText, result: ends[index]?.text ?? '' }
  })
}
