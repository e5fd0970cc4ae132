import { said } from '../../../shared/domain/result'
import type { PartAnswer } from '../../../shared/domain/rule'
import { severest } from '../../../shared/domain/verdict'
import { levelLets } from '../policy/askingLevel'
import type { GateQuestion, StandingAnswer } from '../policy/gate'
import type { Judgement } from '../policy/judgeCall'
import { answersOf, type PermissionAnswers } from '../policy/permissions'
import type { PermissionQuestion } from '../policy/permissionQuestion'
import { answeredAt, type ReadyCall } from './callFacts'
import type { Turn, TurnPorts } from './turnPorts'

/** What may answer a call without a person, and what of it the card tells. */
export interface Standing {
  readonly answer: StandingAnswer | null
  /** For each part of a command; null where a person is needed. */
  readonly parts: readonly (PartAnswer | null)[]
}

/**
 * What answers a call without a person: rules and grants, the built-in readers, the asking level. While text from outside
 * marks the turn (R71) only reading inside the project goes on by itself, as the level says: it changes and sends nothing.
 */
export function standingOf(call: ReadyCall, question: Pick<GateQuestion, 'args' | 'judgement'>, turn: Turn, ports: TurnPorts): Standing {
  const found = permissionsFor(call, question.args, question.judgement, turn, ports)
  const isMarked = ports.record.isTainted(turn)
  if (question.judgement.verdict.kind !== 'allowable') return { answer: null, parts: found.parts.map(() => null) }
  if (levelLets(ports.record.level(turn), call.tool.effect) && (!isMarked || call.tool.effect === 'read')) return { answer: { by: 'level', ruleId: null, used: [] }, parts: found.parts }
  if (isMarked) return { answer: null, parts: found.parts.map(() => null) }
  return { answer: answerOf(found), parts: found.parts }
}

/**
 * Whether what answered before a wait still does: it is held since, but it must not have been revoked or have run out, no mark
 * may have come, and it must fit what would happen now.
 */
export function stillStands(call: ReadyCall, question: Pick<GateQuestion, 'args' | 'judgement'>, { by, used }: StandingAnswer, turn: Turn, ports: TurnPorts): boolean {
  if (by === 'level') return standingOf(call, question, turn, ports).answer?.by === 'level'
  if (ports.record.isTainted(turn)) return false
  const kept = used.filter((each) => ports.permissions.holds(each, answeredAt(call, turn)))
  return answersOf(questionOf(call, question.args, question.judgement, turn, ports), kept, ports.clock.nowMs()).whole !== null
}

/** A rule that forbids or asks makes a judgement more severe, and nothing makes it milder. */
export function ruledBy(call: ReadyCall, args: GateQuestion['args'], judgement: Judgement, turn: Turn, ports: TurnPorts): Judgement {
  if (judgement.verdict.kind === 'deny') return judgement
  const { denies, asks } = permissionsFor(call, args, judgement, turn, ports)
  if (denies !== null) return { ...judgement, verdict: { kind: 'deny', reason: said('guard.rule-denies', { rule: denies }) } }
  if (asks !== null) return { ...judgement, verdict: severest(judgement.verdict, { kind: 'ask', reason: said('guard.rule-asks', { rule: asks }) }) }
  return judgement
}

/** A judged call as permissions are asked about it. */
export function questionOf(call: ReadyCall, args: GateQuestion['args'], { verdict, parts, places }: Judgement, turn: Turn, ports: Pick<TurnPorts, 'root' | 'record'>): PermissionQuestion {
  const level = ports.record.level(turn)
  return { tool: call.tool.name, args, root: ports.root, verdict, parts, places, readersAnswer: level === 'writes' || level === 'commands' }
}

function permissionsFor(call: ReadyCall, args: GateQuestion['args'], judgement: Judgement, turn: Turn, ports: TurnPorts): PermissionAnswers {
  return answersOf(questionOf(call, args, judgement, turn, ports), ports.permissions.live(turn.sessionId, turn.turnId), ports.clock.nowMs())
}

function answerOf({ whole, used }: PermissionAnswers): StandingAnswer | null {
  if (whole === null) return null
  return whole.by === 'readers' ? { by: 'rule', ruleId: 'built-in readers', used } : { by: whole.by, ruleId: whole.id, used }
}
