import type { ApprovalAnswer, DecidedBy, SandboxState } from '../../../shared/domain/approval'
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
  /** What would hold a command then. */
  readonly sandbox: SandboxState
}

/** A person's word on the call itself: of all answers only these end the question. */
export type PersonAnswer = Extract<ApprovalAnswer, { readonly kind: 'allow' | 'edited' | 'edited-text' | 'deny' | 'skip' }>

/** A remembered or standing answer: who gave it, and the rule when one did. */
export interface StandingAnswer {
  readonly by: Extract<DecidedBy, 'rule' | 'grant' | 'level'>
  readonly ruleId: string | null
  /** What it rests on: each is held when it answers, and counted once when the call runs. */
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
  /** Holds a use of what a standing answer rests on; false when one of it was revoked, has ended, or was used up by another call. */
  hold(standing: StandingAnswer): boolean
  /** Whether what answered before a wait, and is held since, still lets the call run. */
  stands(standing: StandingAnswer, question: GateQuestion): boolean
  /** The person's answer; `again`: the question is to be put anew, to the person; null when the turn was cancelled while it waited. */
  ask(question: GateQuestion): Promise<PersonAnswer | 'again' | null>
  /** Of the moment: whether a sandbox holds commands. */
  sandbox(): SandboxState
  withEdit(args: CallArgs, text: string, forecast: CallForecast): CallArgs | null
}

/** A call that may run, with what the guards judged last: exactly that may run. */
export interface Granted extends GateQuestion {
  readonly kind: 'granted'
  readonly approved: CallArgs
  readonly by: DecidedBy
  readonly ruleId: string | null
  /** What answered without a person, when something did. */
  readonly standing: StandingAnswer | null
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

/** A call that was let run and then could not be: it is put to the person anew, with what was approved. Nothing but a person answers. */
export async function passAgain(approved: CallArgs, ports: GatePorts): Promise<GateOutcome> {
  return pass(approved, ports, false)
}

/** `mayStand` false: a person answers, since what would have answered is no more, or since it is the person's question already. */
async function pass(proposed: CallArgs, ports: GatePorts, mayStand: boolean): Promise<GateOutcome> {
  const looked = await look(proposed, ports)
  if (looked.kind !== 'question') return looked
  const { question } = looked

  const standing = mayStand ? standingFor(question, ports) : null
  const answer = standing ? ({ kind: 'allow' } as const) : await ports.ask(question)
  if (answer === null) return { kind: 'cancelled' }
  if (answer === 'again') return pass(proposed, ports, false)
  if (answer.kind === 'skip') return { kind: 'skipped' }
  if (answer.kind === 'deny') return { kind: 'refused', by: 'person', reason: denialOf(answer.reason) }

  const args = argsOf(answer, question, ports)
  if (!args.ok) return { kind: 'failed', fault: args.fault }
  const written = answer.kind === 'edited-text' && question.forecast.preview.kind === 'edit' ? answer.text : null
  return settle(args.value, { question, written }, standing, answer.kind === 'allow' ? 'allow' : 'edited', ports)
}

/** What was answered; `written`: the very text the person signed for a file, where they signed another than was proposed. */
interface Signed {
  readonly question: GateQuestion
  readonly written: string | null
}

/** The second look: what will run is judged and forecast again; only the same as was approved, or edited by the person, goes on. */
async function settle(args: CallArgs, { question, written }: Signed, standing: StandingAnswer | null, answer: 'allow' | 'edited', ports: GatePorts): Promise<GateOutcome> {
  // What the person edited looks different because of them, but what they edited it in must still look as they saw it.
  const isOwnChange = answer === 'edited' && (await isAsShown(question, ports))
  const looked = await look(args, ports)
  // The row and the model know what was proposed: a refusal of the person's own words must not read as one of those.
  if (looked.kind === 'refused' && answer === 'edited') return { ...looked, reason: said('tool.edited-refused', { reason: looked.reason }) }
  if (looked.kind !== 'question') return looked
  const now = looked.question
  const granted = { ...now, kind: 'granted', approved: args, answer } as const
  if (standing) {
    // What answered for the first look must answer for this one too: a folder may have become a link, or a mark may have come.
    const still = standingFor(now, ports)
    if (still === null) return pass(args, ports, true)
    return ports.hold(still) ? { ...granted, by: still.by, ruleId: still.ruleId, standing: still } : pass(args, ports, false)
  }
  // What a tool makes of the person's text is theirs only to the byte: line ends of a mixed file may come out otherwise.
  if (written !== null && now.forecast.preview.kind === 'edit' && now.forecast.preview.after !== written) return pass(args, ports, false)
  if (!(isOwnChange ? sameBase(question, now) && holdsAsShown(question, now) : showsSame(question, now))) return passGate(args, ports)
  return { ...granted, by: 'person', ruleId: null, standing: null }
}

/** Only what the guards call allowable is answered without a person. */
function standingFor(question: GateQuestion, ports: GatePorts): StandingAnswer | null {
  return question.judgement.verdict.kind === 'allowable' ? ports.standing(question) : null
}

type Looked = { readonly kind: 'question'; readonly question: GateQuestion } | Extract<GateOutcome, { readonly kind: 'refused' | 'failed' }>

/** A call as it stands at this moment. */
async function look(args: CallArgs, ports: Pick<GatePorts, 'judge' | 'forecast' | 'sandbox'>): Promise<Looked> {
  const judgement = await ports.judge(args)
  if (judgement.verdict.kind === 'deny') return { kind: 'refused', by: 'policy', reason: judgement.verdict.reason }
  const forecast = await ports.forecast(args, judgement)
  if (!forecast.ok) return { kind: 'failed', fault: forecast.fault }
  return { kind: 'question', question: { args, judgement, forecast: forecast.value, sandbox: ports.sandbox() } }
}

/** Whether a question that was put to the person would be put in the same words now. */
export async function isAsShown(shown: GateQuestion, ports: Pick<GatePorts, 'judge' | 'forecast' | 'sandbox'>): Promise<boolean> {
  const looked = await look(shown.args, ports)
  return looked.kind === 'question' && showsSame(shown, looked.question)
}

/**
 * The last look, after a wait in which the disk may have moved (another session's call held the lane) and a permission may have
 * been taken back: the fault that ends the call, null when what was granted is still what would happen.
 */
export async function lookAgain(granted: Granted, ports: Pick<GatePorts, 'judge' | 'forecast' | 'sandbox' | 'stands'>): Promise<Said | null> {
  const looked = await look(granted.args, ports)
  if (looked.kind === 'refused') return said('tool.denied-policy', { reason: looked.reason })
  if (looked.kind === 'failed') return looked.fault
  const { question } = looked
  if (granted.standing === null) return showsSame(granted, question) ? null : said('tool.changed-meanwhile')
  if (question.judgement.verdict.kind !== 'allowable') return said('tool.changed-meanwhile')
  return ports.stands(granted.standing, question) ? null : said('tool.no-longer-allowed')
}

function argsOf(answer: PersonAnswer, question: GateQuestion, ports: GatePorts): Result<CallArgs> {
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
  return sameBase(shown, now) && holdsAsShown(shown, now) && face(shown) === face(now)
}

/** A command that was to be held must not run free; one that was shown as free may well be held. */
function holdsAsShown(shown: GateQuestion, now: GateQuestion): boolean {
  return now.forecast.preview.kind !== 'command' || shown.sandbox === 'none' || now.sandbox === 'on'
}

function sameBase(shown: GateQuestion, now: GateQuestion): boolean {
  const [before, after] = [shown.forecast.base, now.forecast.base]
  const paths = Object.keys(before)
  return paths.length === Object.keys(after).length && paths.every((path) => before[path] === after[path])
}
