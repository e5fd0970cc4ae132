import type { ApprovalAnswer, DecidedBy } from '../../../shared/domain/approval'
import type { CallArgs } from '../../../shared/domain/call'
import { said, type Result, type Said } from '../../../shared/domain/result'
import type { CallForecast } from '../tools/defineTool'
import type { Judgement } from './judgeCall'
import type { LivePermission } from './permissions'

/** A call on its way through the gate, with everything the person would see. */
export interface GateQuestion {
  readonly args: CallArgs
  readonly judgement: Judgement
  readonly forecast: CallForecast
}

/** A remembered or standing answer: who gave it, and the rule when one did. */
export interface StandingAnswer {
  readonly by: Extract<DecidedBy, 'rule' | 'grant' | 'level'>
  readonly ruleId: string | null
  /** What it rests on: each is counted once before the call runs. */
  readonly used: readonly LivePermission[]
}

/** What the gate needs; each is bound to one call. */
export interface GatePorts {
  /** Parses arguments by the tool's schema; used on what the person edited. */
  parse(args: unknown): Result<CallArgs>
  judge(args: CallArgs): Promise<Judgement>
  forecast(args: CallArgs, judgement: Judgement): Promise<Result<CallForecast>>
  /** An answer that needs no person, for `allowable` calls only. */
  standing(question: GateQuestion): StandingAnswer | null
  /** Counts what a standing answer rests on; false when one of it was revoked, has ended, or was used up by another call. */
  spend(standing: StandingAnswer): Promise<boolean>
  /** The person's answer, or null when the turn was cancelled while it waited. */
  ask(question: GateQuestion): Promise<ApprovalAnswer | null>
  withEdit(args: CallArgs, text: string, forecast: CallForecast): CallArgs | null
}

/** A call that may run, with what the guards judged last: exactly that may run. */
export interface Granted extends GateQuestion {
  readonly kind: 'granted'
  readonly approved: CallArgs
  readonly by: DecidedBy
  readonly ruleId: string | null
  readonly answer: 'allow' | 'edited'
}

/** How a call came out of the gate. */
export type GateOutcome =
  | Granted
  | { readonly kind: 'refused'; readonly by: 'policy' | 'person'; readonly reason: Said }
  | { readonly kind: 'skipped' }
  | { readonly kind: 'failed'; readonly fault: Said }
  | { readonly kind: 'cancelled' }

/**
 * Lets one call through, or says why not (R62).
 *
 * The guards judge twice: before asking, so nobody is asked to approve what policy refuses; and after the answer, on the
 * arguments that will run and on the disk as it is then. When what was shown is no longer what would happen (other base
 * content, another preview, another word of the guards, or a rule's answer that no longer fits), it asks again.
 */
export async function passGate(proposed: CallArgs, ports: GatePorts): Promise<GateOutcome> {
  return pass(proposed, ports, true)
}

/** `mayStand` false: a person answers, since what would have answered is no more. */
async function pass(proposed: CallArgs, ports: GatePorts, mayStand: boolean): Promise<GateOutcome> {
  const judgement = await ports.judge(proposed)
  if (judgement.verdict.kind === 'deny') return { kind: 'refused', by: 'policy', reason: judgement.verdict.reason }
  const forecast = await ports.forecast(proposed, judgement)
  if (!forecast.ok) return { kind: 'failed', fault: forecast.fault }
  const question: GateQuestion = { args: proposed, judgement, forecast: forecast.value }

  const standing = mayStand && judgement.verdict.kind === 'allowable' ? ports.standing(question) : null
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
  const now: GateQuestion = { args, judgement, forecast: forecast.value }
  if (standing && !(await ports.spend(standing))) return pass(args, ports, false)
  // What the person edited looks different because of them: of it only the base must be what they saw.
  if (!standing && !(answer === 'edited' ? sameBase(question, now) : showsSame(question, now))) return passGate(args, ports)
  return { kind: 'granted', args, approved: args, judgement, forecast: forecast.value, by: standing?.by ?? 'person', ruleId: standing?.ruleId ?? null, answer }
}

/**
 * The last look, after a wait in which the disk may have moved (another session's call held the lane): the fault that ends
 * the call, null when what was granted is still what would happen.
 */
export async function lookAgain(granted: Granted, ports: Pick<GatePorts, 'judge' | 'forecast'>): Promise<Said | null> {
  const judgement = await ports.judge(granted.args)
  if (judgement.verdict.kind === 'deny') return said('tool.denied-policy', { reason: judgement.verdict.reason })
  const forecast = await ports.forecast(granted.args, judgement)
  if (!forecast.ok) return forecast.fault
  const now: GateQuestion = { args: granted.args, judgement, forecast: forecast.value }
  const isSame = granted.by === 'person' ? showsSame(granted, now) : judgement.verdict.kind === granted.judgement.verdict.kind
  return isSame ? null : said('tool.changed-meanwhile')
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

/** Whether a card made now would say the same. */
function showsSame(shown: GateQuestion, now: GateQuestion): boolean {
  const face = ({ forecast: { preview }, judgement: { verdict, parts } }: GateQuestion): string => JSON.stringify([preview, verdict.kind, verdict.reason, parts])
  return sameBase(shown, now) && face(shown) === face(now)
}

function sameBase(shown: GateQuestion, now: GateQuestion): boolean {
  const [before, after] = [shown.forecast.base, now.forecast.base]
  const paths = Object.keys(before)
  return paths.length === Object.keys(after).length && paths.every((path) => before[path] === after[path])
}
