import type { ApprovalAnswer, DecidedBy } from '../../../shared/domain/approval'
import type { CallArgs } from '../../../shared/domain/call'
import { said, type Result, type Said } from '../../../shared/domain/result'
import type { CallForecast } from '../tools/defineTool'
import type { Judgement } from './judgeCall'

/** A call on its way through the gate, with everything the person would see. */
export interface GateQuestion {
  readonly args: CallArgs
  readonly judgement: Judgement
  readonly forecast: CallForecast
}

/** A remembered or standing answer: who gave it, and the rule when one did. */
export interface StandingAnswer {
  readonly by: Extract<DecidedBy, 'rule' | 'level'>
  readonly ruleId: string | null
}

/** What the gate needs; each is bound to one call. */
export interface GatePorts {
  /** Parses arguments by the tool's schema; used on what the person edited. */
  parse(args: unknown): Result<CallArgs>
  judge(args: CallArgs): Promise<Judgement>
  forecast(args: CallArgs, judgement: Judgement): Promise<Result<CallForecast>>
  /** An answer that needs no person, for `allowable` calls only. */
  standing(question: GateQuestion): StandingAnswer | null
  /** The person's answer, or null when the turn was cancelled while it waited. */
  ask(question: GateQuestion): Promise<ApprovalAnswer | null>
  withEdit(args: CallArgs, text: string, forecast: CallForecast): CallArgs | null
}

/** How a call came out of the gate. `granted` carries what the guards judged last: exactly that may run. */
export type GateOutcome =
  | { readonly kind: 'granted'; readonly args: CallArgs; readonly approved: CallArgs; readonly judgement: Judgement; readonly forecast: CallForecast; readonly by: DecidedBy; readonly ruleId: string | null; readonly answer: 'allow' | 'edited' }
  | { readonly kind: 'refused'; readonly by: 'policy' | 'person'; readonly reason: Said }
  | { readonly kind: 'skipped' }
  | { readonly kind: 'failed'; readonly fault: Said }
  | { readonly kind: 'cancelled' }

/**
 * Lets one call through, or says why not (R62).
 *
 * The guards judge twice: before asking, so nobody is asked to approve what policy refuses; and after the answer, on the
 * arguments that will run and on the disk as it is then. When what was shown is no longer what would happen (other base
 * content, or a rule's answer no longer fits), it asks again.
 */
export async function passGate(proposed: CallArgs, ports: GatePorts): Promise<GateOutcome> {
  const judgement = await ports.judge(proposed)
  if (judgement.verdict.kind === 'deny') return { kind: 'refused', by: 'policy', reason: judgement.verdict.reason }
  const forecast = await ports.forecast(proposed, judgement)
  if (!forecast.ok) return { kind: 'failed', fault: forecast.fault }
  const question: GateQuestion = { args: proposed, judgement, forecast: forecast.value }

  const standing = judgement.verdict.kind === 'allowable' ? ports.standing(question) : null
  const answer: ApprovalAnswer | null = standing ? { kind: 'allow' } : await ports.ask(question)
  if (answer === null) return { kind: 'cancelled' }
  if (answer.kind === 'skip') return { kind: 'skipped' }
  if (answer.kind === 'deny') return { kind: 'refused', by: 'person', reason: denialOf(answer.reason) }

  const args = argsOf(answer, question, ports)
  if (!args.ok) return { kind: 'failed', fault: args.fault }
  return settle(args.value, question, standing, answer.kind === 'allow' ? 'allow' : 'edited', ports)
}

/** The second look: what will run is judged and forecast again; only the same as was approved, or edited by the person, goes on. */
async function settle(args: CallArgs, question: GateQuestion, standing: StandingAnswer | null, answer: 'allow' | 'edited', ports: GatePorts): Promise<GateOutcome> {
  const judgement = await ports.judge(args)
  if (judgement.verdict.kind === 'deny') return { kind: 'refused', by: 'policy', reason: judgement.verdict.reason }
  if (judgement.verdict.kind === 'ask' && standing) return passGate(args, ports)
  const forecast = await ports.forecast(args, judgement)
  if (!forecast.ok) return { kind: 'failed', fault: forecast.fault }
  if (!standing && !sameBase(question.forecast.base, forecast.value.base)) return passGate(args, ports)
  return { kind: 'granted', args, approved: args, judgement, forecast: forecast.value, by: standing?.by ?? 'person', ruleId: standing?.ruleId ?? null, answer }
}

function argsOf(answer: ApprovalAnswer, question: GateQuestion, ports: GatePorts): Result<CallArgs> {
  if (answer.kind === 'edited') return ports.parse(answer.args)
  if (answer.kind !== 'edited-text') return { ok: true, value: question.args }
  const edited = ports.withEdit(question.args, answer.text, question.forecast)
  return edited === null ? { ok: false, fault: said('tool.not-editable') } : ports.parse(edited)
}

function denialOf(reason: string): Said {
  return reason.trim() === '' ? said('tool.denied') : said('tool.denied-reason', { reason: reason.trim() })
}

function sameBase(shown: CallForecast['base'], now: CallForecast['base']): boolean {
  const paths = Object.keys(shown)
  return paths.length === Object.keys(now).length && paths.every((path) => shown[path] === now[path])
}
