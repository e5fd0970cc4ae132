import { said, type Said } from '../../../shared/domain/result'
import type { Rule, RuleDraft } from '../../../shared/domain/rule'
import type { BackTest, BackTestRow } from '../../../shared/ipc/views'
import type { PastCall } from '../ports/ruleStore'
import { fitsPart, restrictsQuestion } from './permissionFits'
import { isCommand, type PermissionQuestion } from './permissionQuestion'
import { answersOf, type LivePermission, type PermissionAnswers } from './permissions'
import { narrowed, type RanCall } from './permissionNarrowing'
import { shadows } from './permissionShadows'
import { isTooWide } from './permissionWidth'

/** A rule that was neither used nor made within this time is called unused. */
export const unusedAfterMs = 30 * 24 * 60 * 60 * 1000
/** So many rows are shown, and so many calls that would have run are looked at for narrowing. */
const maxRows = 200
const maxRan = 5000

/** What a rule is tried with. `others` are the rules that hold beside it. */
export interface BackTestSetting {
  readonly draft: RuleDraft
  readonly others: readonly Rule[]
  readonly nowMs: number
  /** What a past call was on, as it may be shown. */
  on(call: PastCall): string
}

/** Takes past calls one by one, the newest first, and tells what the rule would have done. */
export interface BackTester {
  /** `judge` is only called where the rule can have a say. */
  take(call: PastCall, judge: () => PermissionQuestion): void
  /** In small steps. */
  result(): Generator<undefined, BackTest>
}

/** The tool whose past calls a shape speaks of. */
export function toolOfShape(shape: RuleDraft['shape']): string {
  if (shape.kind === 'command') return 'run_command'
  return shape.kind === 'host' ? 'fetch_url' : shape.tool
}

/** Tries a draft on the past (R69). Ends by time and count are left out: the question is what it is about. */
export function backTester(setting: BackTestSetting): BackTester {
  const { draft, others, nowMs } = setting
  const own: Rule = { ...draft, expiresAtMs: null, usesLeft: null, id: '', createdAtMs: nowMs, lastUsedAtMs: null, uses: 0 }
  const permission: LivePermission = { by: 'rule', rule: own }
  const beside = others.map((rule): LivePermission => ({ by: 'rule', rule }))
  const rows: { readonly call: PastCall; readonly row: Omit<BackTestRow, 'on'> }[] = []
  const ran: RanCall[] = []
  let [total, wouldRun, deniedThen, isUnused] = [0, 0, 0, true]

  return {
    take(call, judge) {
      total += 1
      if (cannotName(own, call)) return
      const question = judge()
      if (!touches(own, question)) return
      const all = [permission, ...beside.filter((each) => holdsIn(each, call))]
      const answers = answersOf(question, all, nowMs)
      const now = answers.denies !== null || question.verdict.kind === 'deny' ? 'denied' : answers.used.includes(permission) ? 'runs' : 'asks'
      const wasDenied = call.decision === 'denied' && call.by === 'person'
      if (now === 'runs') {
        wouldRun += 1
        if (wasDenied) deniedThen += 1
        if (wasDenied || ran.length < maxRan) ran.push({ question, isDenied: wasDenied, isAllowed: call.decision === 'allowed', beside: all.slice(1) })
      }
      if ((now === 'runs' || own.effect !== 'allow') && call.atMs > nowMs - unusedAfterMs) isUnused = false
      rows.push({ call, row: { callId: call.callId, sessionId: call.sessionId, atMs: call.atMs, tool: call.tool, then: { by: call.by, decision: call.decision }, now, why: now === 'asks' ? whyAsks(question, answers, own) : null } })
    },
    *result() {
      return {
        total, wouldRun, deniedThen, isUnused,
        rows: [...rows.filter(isDenied), ...rows.filter((one) => !isDenied(one))].slice(0, maxRows).map(({ call, row }) => ({ ...row, on: setting.on(call) })),
        shadowedBy: others.find((rule) => shadows(rule, { ...own, expiresAtMs: draft.expiresAtMs, usesLeft: draft.usesLeft }))?.id ?? null,
        tooWide: draft.effect === 'allow' ? isTooWide(draft.shape) : null,
        narrowed: deniedThen === 0 ? null : yield* narrowed(draft.shape, ran, nowMs),
      }
    },
  }
}

function isDenied({ row }: { readonly row: Pick<BackTestRow, 'then' | 'now'> }): boolean {
  return row.then.decision === 'denied' && row.now !== 'denied'
}

function holdsIn(permission: LivePermission, call: PastCall): boolean {
  return permission.by === 'rule' && (permission.rule.workspaceId === null || permission.rule.workspaceId === call.workspaceId)
}

/** Without quotes, expansions and globs the words of a command stand in its text: then the program does, or none is started by that name. */
function cannotName({ effect, shape }: Rule, { asked }: PastCall): boolean {
  const program = shape.kind === 'command' ? shape.words[0] : undefined
  const text = asked['command'] ?? ''
  return effect === 'allow' && program?.kind === 'exact' && !text.includes(program.text) && !/["'\\$`*?[{]/u.test(text)
}

/** Whether the rule has a say in this call, or in one part of it. */
function touches(rule: Rule, question: PermissionQuestion): boolean {
  if (rule.effect !== 'allow') return restrictsQuestion(rule.shape, question) !== 'no'
  if (isCommand(question)) return question.parts.some((part) => fitsPart(rule.shape, part))
  return answersOf({ ...question, verdict: { ...question.verdict, kind: 'allowable' } }, [{ by: 'rule', rule }], rule.createdAtMs).whole !== null
}

function whyAsks({ verdict, parts }: PermissionQuestion, answers: PermissionAnswers, own: Rule): Said | null {
  if (answers.asks !== null) return answers.asks === own.id ? null : said('guard.rule-asks', { rule: answers.asks })
  const at = answers.parts.findIndex((answer) => answer === null)
  const part = parts[at]
  if (part) return said('guard.part-asks', { number: at + 1, command: part.argv.join(' ').slice(0, 200), reason: part.reason })
  return verdict.kind === 'ask' ? verdict.reason : null
}
