import type { Grant, PartAnswer, Rule, RuleShape } from '../../../shared/domain/rule'
import { isBuiltinReader } from './commandGuard'
import { fitsHost, fitsPart, fitsPlaces, restrictsQuestion } from './permissionFits'
import { isCommand, type PermissionQuestion } from './permissionQuestion'

/** A rule or a grant that has not ended. */
export type LivePermission = { readonly by: 'rule'; readonly rule: Rule } | { readonly by: 'grant'; readonly grant: Grant }

/** What the permissions say to a call. */
export interface PermissionAnswers {
  /** For each part of a command, in order, who would answer it; null where a person is needed. Empty for other tools. */
  readonly parts: readonly (PartAnswer | null)[]
  /** Who lets the call run as a whole: a rule or grant where one was needed, else the readers; null when a person is needed. */
  readonly whole: PartAnswer | null
  /** Every rule and grant that `whole` rests on; each is to be counted once before the call runs. */
  readonly used: readonly LivePermission[]
  /** The rule that forbids the call. */
  readonly denies: string | null
  /** The rule that wants a person for it, where none forbids it. */
  readonly asks: string | null
}

/**
 * What permissions answer a call without a person (R69). Pure, so that it can be replayed over the past.
 *
 * A rule to deny beats one to ask, and that one beats every one to allow; grants only allow. Nothing answers what a guard
 * asks or denies, and nothing answers that has ended. To let a command run every one of its parts needs an answer of its
 * own. Whether the turn is marked by text from outside (R71) is the caller's to know: then it must not use `whole`.
 */
export function answersOf(question: PermissionQuestion, permissions: readonly LivePermission[], nowMs: number): PermissionAnswers {
  const live = permissions.filter((each) => isLive(each, nowMs))
  const { denies, asks } = restriction(question, live)
  const found = isCommand(question) ? answerParts(question, allowing(live)) : answerCall(question, allowing(live))
  const isOpen = denies === null && asks === null && question.verdict.kind === 'allowable'
  return { parts: found.parts, whole: isOpen ? found.whole : null, used: isOpen && found.whole !== null ? found.used : [], denies, asks }
}

/** Whether it has neither run out nor been used up. */
export function isLive(permission: LivePermission, nowMs: number): boolean {
  const { expiresAtMs, usesLeft } = permission.by === 'rule' ? permission.rule : permission.grant
  return (expiresAtMs === null || expiresAtMs > nowMs) && (usesLeft === null || usesLeft > 0)
}

/** What it is about. */
export function shapeOf(permission: LivePermission): RuleShape {
  return permission.by === 'rule' ? permission.rule.shape : permission.grant.shape
}

/** As it is recorded with a call. */
export function answerBy(permission: LivePermission): PartAnswer {
  return permission.by === 'rule' ? { by: 'rule', id: permission.rule.id } : { by: 'grant', id: permission.grant.id }
}

interface Found {
  readonly parts: readonly (PartAnswer | null)[]
  readonly whole: PartAnswer | null
  readonly used: readonly LivePermission[]
}

/** Those that allow; such as are not counted come first, so that a count is only taken where it is needed. */
function allowing(live: readonly LivePermission[]): readonly LivePermission[] {
  const all = live.filter((each) => each.by === 'grant' || each.rule.effect === 'allow')
  const isCounted = (each: LivePermission): boolean => (each.by === 'rule' ? each.rule.usesLeft : each.grant.usesLeft) !== null
  return [...all.filter((each) => !isCounted(each)), ...all.filter(isCounted)]
}

function restriction(question: PermissionQuestion, live: readonly LivePermission[]): { readonly denies: string | null; readonly asks: string | null } {
  let asks: string | null = null
  for (const each of live) {
    if (each.by === 'grant' || each.rule.effect === 'allow') continue
    const is = restrictsQuestion(each.rule.shape, question)
    if (is === 'yes' && each.rule.effect === 'deny') return { denies: each.rule.id, asks: null }
    // Where it is only known when it runs, a person looks.
    if (is !== 'no') asks ??= each.rule.id
  }
  return { denies: null, asks }
}

function answerParts(question: PermissionQuestion, permissions: readonly LivePermission[]): Found {
  const used: LivePermission[] = []
  const parts = question.parts.map((part): PartAnswer | null => {
    const permission = permissions.find((each) => fitsPart(shapeOf(each), part))
    if (permission && !used.includes(permission)) used.push(permission)
    if (permission) return answerBy(permission)
    return question.readersAnswer && isBuiltinReader({ kind: part.verdict, reason: part.reason, parts: [part] }) ? { by: 'readers' } : null
  })
  const isWhole = parts.length > 0 && parts.every((part) => part !== null)
  const [first] = used
  return { parts, used, whole: isWhole ? (first ? answerBy(first) : { by: 'readers' }) : null }
}

function answerCall(question: PermissionQuestion, permissions: readonly LivePermission[]): Found {
  const permission = permissions.find((each) => fitsCall(shapeOf(each), question))
  return permission ? { parts: [], used: [permission], whole: answerBy(permission) } : { parts: [], used: [], whole: null }
}

function fitsCall(shape: RuleShape, question: PermissionQuestion): boolean {
  if (shape.kind === 'files') return shape.tool === question.tool && fitsPlaces(shape.glob, question.places)
  if (shape.kind === 'tool') return shape.tool === question.tool && question.tool.startsWith('mcp__')
  return shape.kind === 'host' && fitsHost(shape.host, question)
}
