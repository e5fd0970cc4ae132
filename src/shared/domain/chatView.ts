import type { ApprovalAnswer, DecidedBy } from './approval'
import type { CallArgs } from './call'
import { addCosts, isSameBudget, type BudgetReached, type Cost } from './budget'
import type { AgentEvent, AttachedFile, GrowingCall, LivePart, MessageAttachment, TurnEndReason } from './event'
import { afterRollback, isHiddenBy, type StandingRollback } from './hiddenRanges'
import type { CallId, CompactionId, RollbackId, SessionId, TurnId } from './ids'
import { applyToQueue, type QueuedMessage } from './messageQueue'
import type { ModelChoice } from './model'
import { assertNever, said, type Said } from './result'
import type { RollbackScope } from './rollback'
import type { AskingLevel } from './session'
import type { McpOrigin } from './mcp'
import type { InjectedMemory } from './memory'
import type { SkillRef } from './skill'
import type { Coverage } from './snapshot'
import type { ChangedFile, Confined, Effect, TaintSource, ToolContent, ToolStatus } from './tool'

/** How far a call is. `judged`: known, not yet let through; `approved`: let through, not yet started. */
type CallProgress = 'judged' | 'waiting' | 'approved' | 'running' | 'finished'

/** A call as the conversation draws it. Null means "not known yet". */
export interface CallView {
  readonly callId: CallId
  readonly tool: string
  readonly effect: Effect
  readonly argumentsText: string
  /** What ran where that is known, else what was approved, else what was proposed. */
  readonly args: CallArgs | null
  readonly progress: CallProgress
  readonly decision: ApprovalAnswer['kind'] | null
  readonly decidedBy: DecidedBy | null
  /** The rule that answered it, by its number. */
  readonly ruleId?: string
  /** The permission for a turn or session that answered it, and for which of them it was given, where that is known. */
  readonly grantId?: string
  readonly grantedFor?: 'turn' | 'session'
  readonly reason: Said | null
  readonly startedAtMs: number | null
  readonly status: ToolStatus | null
  readonly say: Said | null
  /** What the model was told. */
  readonly text: string
  readonly changed: readonly ChangedFile[]
  readonly exitCode: number | null
  readonly outputRef: string | null
  readonly content: readonly ToolContent[]
  /** The server and the tool's own name, for a tool of an MCP server. */
  readonly mcp: McpOrigin | null
  readonly durationMs: number | null
  /** Where its result came from, when that is text from outside; absent otherwise. */
  readonly outside?: TaintSource
  /** Of a command that ran: what held it. */
  readonly confined?: Confined
  /** It was allowed and not run, for this reason; it is asked again. */
  readonly notRun?: Said
  /** Where it was asked: whether what it changes could be taken back, as the card said. */
  readonly coverage?: Coverage['kind']
}

/** A row of the conversation. `seq` is the event it began with. */
export type ChatItem =
  | { readonly kind: 'user'; readonly seq: number; readonly atMs: number; readonly turnId: TurnId; readonly text: string; readonly attachments: readonly MessageAttachment[]; readonly files: readonly AttachedFile[] }
  | { readonly kind: 'thinking'; readonly seq: number; readonly text: string; readonly durationMs: number | null }
  | { readonly kind: 'agent'; readonly seq: number; readonly atMs: number; readonly text: string; readonly choice: ModelChoice; readonly isComplete: boolean }
  | { readonly kind: 'calls'; readonly seq: number; readonly step: number; readonly calls: readonly CallView[] }
  /** A skill's text entered the conversation here; `isAgain`: it stood in it already, and only its turn is narrowed by it. */
  | { readonly kind: 'skill'; readonly seq: number; readonly skill: SkillRef; readonly isByAgent: boolean; readonly isAgain: boolean; readonly text: string }
  /** What the prompt of the turn holds of the long-term memory. */
  | { readonly kind: 'memories'; readonly seq: number; readonly memories: readonly InjectedMemory[] }
  | { readonly kind: 'note'; readonly seq: number; readonly say: Said }
  /** Old turns were replaced by a summary, or, with no summarised message, long results by head and tail. */
  | { readonly kind: 'compacted'; readonly seq: number; readonly compactionId: CompactionId; readonly messages: number; readonly keptTurns: number; readonly results: number; readonly isUndone: boolean }
  /** A ceiling that was met (R2): it asks, was raised (`raisedTo` null: taken away in the settings), or its turn has ended. */
  | { readonly kind: 'budget'; readonly seq: number; readonly turnId: TurnId; readonly reached: BudgetReached; readonly state: 'asking' | 'raised' | 'over'; readonly raisedTo: number | null }
  | { readonly kind: 'ended'; readonly seq: number; readonly reason: TurnEndReason; readonly say: Said }
  | { readonly kind: 'rolled-back'; readonly seq: number; readonly scope: RollbackScope; readonly files: number; readonly isUndone: boolean; readonly rollbackId: RollbackId }

/** The reply that is being made. Never stored: the message it becomes is. */
export interface LiveReply {
  readonly turnId: TurnId
  readonly step: number
  readonly part: number
  readonly startedAtMs: number
  /** When the first text came after thinking; null while it still thinks. */
  readonly textAtMs: number | null
  readonly text: string
  readonly thinking: string
  /** Text of an attempt that broke off; a new attempt is on its way (R20). */
  readonly brokenText: string
  readonly growing: readonly GrowingCall[]
  readonly retrying: Said | null
}

/** The turn that is under way. */
interface TurnView {
  readonly turnId: TurnId
  readonly step: number
  readonly startedAtMs: number
}

/** A session as it is drawn: a fold over its events (R95), with the live reply beside. */
export interface ChatView {
  readonly sessionId: SessionId
  readonly lastSeq: number
  readonly title: string
  readonly level: AskingLevel
  /** Of the last turn. */
  readonly choice: ModelChoice | null
  /** What the person chose for this session; null: it follows the model of new sessions. */
  readonly chosen: ModelChoice | null
  readonly items: readonly ChatItem[]
  /** The rollbacks of this session: what of the conversation those that stand hide. */
  readonly hidden: readonly StandingRollback[]
  readonly turn: TurnView | null
  /** How many turns are in sight; a message that was delivered while one ran is a part of it. */
  readonly turns: number
  /** Of this session's own calls of models: what a fork took over counts in its origin. */
  readonly tokens: { readonly input: number; readonly output: number }
  readonly costs: readonly Cost[]
  /** Up to here a fork's events are its origin's; 0 for any other session. */
  readonly takenSeq: number
  readonly live: LiveReply | null
  /** Messages that wait for the next step, or for the person (R10). */
  readonly queued: readonly QueuedMessage[]
  /** For how long each permission of this session was given; absent while there was none. */
  readonly grants?: Readonly<Record<string, 'turn' | 'session'>>
}

/** The view of a session of which no event is known yet. */
export function emptyChat(sessionId: SessionId): ChatView {
  return { sessionId, lastSeq: 0, title: '', level: 'writes', choice: null, chosen: null, items: [], hidden: [], turn: null, turns: 0, tokens: { input: 0, output: 0 }, costs: [], takenSeq: 0, live: null, queued: [] }
}

/** Where an event stands to a view: the next one, one it already holds, or one after a gap that must be asked for. */
export function orderOf(view: ChatView, event: AgentEvent): 'next' | 'known' | 'gap' {
  if (event.seq <= view.lastSeq) return 'known'
  return event.seq === view.lastSeq + 1 ? 'next' : 'gap'
}

/** The rows to draw: all but what a rollback of the conversation hides. */
export function visibleItems(view: Pick<ChatView, 'items' | 'hidden'>): readonly ChatItem[] {
  if (view.hidden.length === 0) return view.items
  return view.items.filter((item) => !isHidden(view, item))
}

function isHidden({ hidden }: Pick<ChatView, 'hidden'>, { seq }: ChatItem): boolean {
  return isHiddenBy(hidden, seq)
}

/** The view after one more event. An event that is not the next one changes nothing; ask `orderOf` first. */
export function applyEvent(view: ChatView, event: AgentEvent): ChatView {
  if (orderOf(view, event) !== 'next') return view
  return { ...fold(view, event), lastSeq: event.seq }
}

function fold(view: ChatView, event: AgentEvent): ChatView {
  switch (event.type) {
    case 'session-opened': return { ...view, title: event.title, level: event.level, takenSeq: event.forkedFrom?.seq ?? 0 }
    case 'session-renamed': return { ...view, title: event.title }
    case 'session-pinned': return view
    case 'session-deleted': return view
    case 'session-restored': return view
    case 'message-queued':
    case 'message-withdrawn': return { ...view, queued: applyToQueue(view.queued, event) }
    case 'message-pinned': return view
    case 'history-compacted': return withCompaction(view, event)
    case 'compaction-undone': return { ...view, items: view.items.map((item) => (item.kind === 'compacted' && item.compactionId === event.compactionId ? { ...item, isUndone: true } : item)) }
    case 'memory-proposed': return view
    case 'memory-decided': return view
    case 'budget-reached': return withItem(view, { kind: 'budget', seq: event.seq, turnId: event.turnId, reached: event.reached, state: 'asking', raisedTo: null })
    case 'budget-raised': return changeBudgets(view, (item) => (item.turnId === event.turnId && isSameBudget(item.reached, event.raise) ? { ...item, state: 'raised', raisedTo: event.raise.limit } : item))
    case 'level-changed': return { ...view, level: event.level }
    case 'model-changed': return withItem({ ...view, chosen: event.choice }, { kind: 'note', seq: event.seq, say: said(view.items.some((item) => item.kind === 'thinking') ? 'session.model-changed-thinking' : 'session.model-changed', { ...event.choice }) })
    case 'user-message-added': return withItem({ ...view, turns: view.turns + (isOfLastTurn(view, event.turnId) ? 0 : 1), queued: applyToQueue(view.queued, event) }, { kind: 'user', seq: event.seq, atMs: event.atMs, turnId: event.turnId, text: event.text, attachments: event.attachments ?? [], files: event.files ?? [] })
    case 'turn-started': return withMemories({ ...view, choice: event.choice, level: event.level, turn: { turnId: event.turnId, step: 1, startedAtMs: event.atMs }, live: null }, event)
    case 'assistant-message-added': return withMessage(view, event)
    case 'usage-reported': return withUsage(view, event)
    case 'tool-called': return withCall(view, event)
    case 'approval-asked': return changeCall(view, event.callId, (call) => ({ ...call, progress: 'waiting', coverage: event.request.coverage.kind, ...(event.request.notRun === undefined ? {} : { notRun: event.request.notRun }) }))
    case 'approval-withdrawn': return changeCall(view, event.callId, (call) => ({ ...call, progress: 'judged' }))
    case 'approval-decided': return changeCall(view, event.callId, (call) => ({ ...call, progress: 'approved', decision: event.decision, decidedBy: event.by, reason: event.reason, args: event.args ?? call.args, ...(event.ruleId === undefined ? {} : { ruleId: event.ruleId }) }))
    case 'tool-started': return changeCall(view, event.callId, (call) => ({ ...call, progress: 'running', startedAtMs: event.atMs, args: event.args }))
    case 'tool-finished': return changeCall(view, event.callId, (call) => ({ ...call, progress: 'finished', status: event.status, say: event.say, text: event.text, changed: event.changed, exitCode: event.exitCode, outputRef: event.outputRef, content: event.content ?? [], durationMs: event.durationMs, ...(event.confined === undefined ? {} : { confined: event.confined }) }))
    case 'skill-loaded': return withItem(view, { kind: 'skill', seq: event.seq, skill: event.skill, isByAgent: event.callId !== null, isAgain: isThere(view, event), text: event.text })
    case 'command-input-sent': return view
    case 'snapshot-taken': return view
    case 'grant-given': return withItem({ ...view, grants: { ...view.grants, [event.grant.id]: event.grant.turnId === null ? 'session' : 'turn' } }, { kind: 'note', seq: event.seq, say: said(event.grant.turnId === null ? 'approval.granted-session' : 'approval.granted-turn') })
    case 'grant-revoked': return view
    case 'grant-used': return changeCall(view, event.callId, (call) => ({ ...call, grantId: event.grantId, ...grantedFor(view, event.grantId) }))
    case 'taint-marked': return event.callId === null ? view : changeCall(view, event.callId, (call) => ({ ...call, outside: event.source }))
    case 'event-unread': return view
    case 'history-repaired': return event.repairs.reduce((folded, say) => withItem(folded, { kind: 'note', seq: event.seq, say }), view)
    case 'note-added': return withItem(view, { kind: 'note', seq: event.seq, say: event.say })
    case 'turn-ended': return withItem({ ...changeBudgets(view, (item) => (item.turnId === event.turnId ? { ...item, state: 'over' } : item)), turn: null, live: null }, { kind: 'ended', seq: event.seq, reason: event.reason, say: event.say })
    case 'rolled-back': return withRollback(view, event)
    case 'rollback-undone': return withoutRollback(view, event)
    default: return assertNever(event)
  }
}

function grantedFor(view: ChatView, grantId: string): Pick<CallView, 'grantedFor'> {
  const lifetime = view.grants?.[grantId]
  return lifetime === undefined ? {} : { grantedFor: lifetime }
}

type Of<Type extends AgentEvent['type']> = Extract<AgentEvent, { readonly type: Type }>

function withMemories(view: ChatView, { seq, memories = [] }: Extract<AgentEvent, { readonly type: 'turn-started' }>): ChatView {
  return memories.length === 0 ? view : withItem(view, { kind: 'memories', seq, memories })
}

/** As the history counts: the text of a skill is told once, where it stood first. */
function isThere(view: ChatView, { skill, text }: Of<'skill-loaded'>): boolean {
  return visibleItems(view).some((item) => item.kind === 'skill' && item.text === text && item.skill.origin === skill.origin && item.skill.path === skill.path)
}

function withItem(view: ChatView, item: ChatItem): ChatView {
  return { ...view, items: [...view.items, item] }
}

function withMessage(view: ChatView, event: Of<'assistant-message-added'>): ChatView {
  const live = view.live?.turnId === event.turnId && view.live.step === event.step ? view.live : null
  let next: ChatView = { ...view, live: null, turn: view.turn && { ...view.turn, step: event.step } }
  if (event.reasoning !== '') {
    const durationMs = live ? (live.textAtMs ?? event.atMs) - live.startedAtMs : null
    next = withItem(next, { kind: 'thinking', seq: event.seq, text: event.reasoning, durationMs })
  }
  if (event.text === '') return next
  return withItem(next, { kind: 'agent', seq: event.seq, atMs: event.atMs, text: event.text, choice: event.choice, isComplete: event.isComplete })
}

/** Recorded again under the same id, its summary was edited: the row stays where it is. */
function withCompaction(view: ChatView, { seq, compactionId, summarisedMessages, keptTurns, trimmed }: Of<'history-compacted'>): ChatView {
  if (view.items.some((item) => item.kind === 'compacted' && item.compactionId === compactionId)) return view
  return withItem(view, { kind: 'compacted', seq, compactionId, messages: summarisedMessages, keptTurns, results: trimmed.length, isUndone: false })
}

/** Calls of one step stand in one block, in call order. */
function withCall(view: ChatView, event: Of<'tool-called'>): ChatView {
  const call: CallView = {
    callId: event.callId, tool: event.tool, effect: event.effect, argumentsText: event.argumentsText, args: event.args, progress: 'judged',
    decision: null, decidedBy: null, reason: null, startedAtMs: null, status: null, say: null, text: '', changed: [], exitCode: null, outputRef: null, content: [], mcp: event.mcp ?? null, durationMs: null,
  }
  const last = view.items.at(-1)
  if (last?.kind !== 'calls' || last.step !== event.step) return withItem(view, { kind: 'calls', seq: event.seq, step: event.step, calls: [call] })
  return { ...view, items: [...view.items.slice(0, -1), { ...last, calls: [...last.calls, call] }] }
}

/** Searched from the end: what changes is nearly always among the newest rows. */
function changeCall(view: ChatView, callId: CallId, change: (call: CallView) => CallView): ChatView {
  for (let at = view.items.length - 1; at >= 0; at -= 1) {
    const item = view.items[at]
    if (item?.kind !== 'calls' || !item.calls.some((call) => call.callId === callId)) continue
    const items = [...view.items]
    items[at] = { ...item, calls: item.calls.map((call) => (call.callId === callId ? change(call) : call)) }
    return { ...view, items }
  }
  return view
}

function withUsage(view: ChatView, { seq, usage, cost }: Of<'usage-reported'>): ChatView {
  if (seq <= view.takenSeq) return view
  return { ...view, tokens: { input: view.tokens.input + usage.inputTokens, output: view.tokens.output + usage.outputTokens }, costs: cost ? addCosts(view.costs, [cost]) : view.costs }
}

/** Only what still asks changes. */
function changeBudgets(view: ChatView, change: (item: Extract<ChatItem, { readonly kind: 'budget' }>) => ChatItem): ChatView {
  if (!view.items.some((item) => item.kind === 'budget' && item.state === 'asking')) return view
  return { ...view, items: view.items.map((item) => (item.kind === 'budget' && item.state === 'asking' ? change(item) : item)) }
}

function withRollback(view: ChatView, event: Of<'rolled-back'>): ChatView {
  const row: ChatItem = { kind: 'rolled-back', seq: event.seq, scope: event.scope, files: event.paths.length, isUndone: false, rollbackId: event.rollbackId }
  const next = { ...withItem(view, row), hidden: afterRollback(view.hidden, event) }
  return event.hidden === null ? next : counted(next)
}

/** Undoing an undo lets the rollback stand again. */
function withoutRollback(view: ChatView, event: Of<'rollback-undone'>): ChatView {
  const hidden = afterRollback(view.hidden, event)
  const isUndone = new Map(hidden.flatMap(({ names, isOn }) => (names[0] === undefined ? [] : [[names[0], !isOn] as const])))
  const items = view.items.map((item) => (item.kind === 'rolled-back' && isUndone.get(item.rollbackId) === !item.isUndone ? { ...item, isUndone: !item.isUndone } : item))
  return counted({ ...view, hidden, items })
}

function isOfLastTurn(view: ChatView, turnId: TurnId): boolean {
  for (let at = view.items.length - 1; at >= 0; at -= 1) {
    const item = view.items[at]
    if (item?.kind === 'user' && !isHidden(view, item)) return item.turnId === turnId
  }
  return false
}

function counted(view: ChatView): ChatView {
  return { ...view, turns: new Set(visibleItems(view).flatMap((item) => (item.kind === 'user' ? [item.turnId] : []))).size }
}

/**
 * The view after one more piece of the reply that is being made; touches only `live`.
 * A piece of a turn or step that is over, and one that already came, changes nothing. Output of tools is not held here.
 */
export function applyPart(view: ChatView, part: LivePart): ChatView {
  if (part.body.type === 'tool-output' || view.turn?.turnId !== part.turnId || isOver(view, part)) return view
  const known = view.live?.turnId === part.turnId && view.live.step === part.step ? view.live : null
  if (known && part.part <= known.part) return view
  const live = known ?? { turnId: part.turnId, step: part.step, part: 0, startedAtMs: part.atMs, textAtMs: null, text: '', thinking: '', brokenText: '', growing: [], retrying: null }
  return { ...view, turn: { ...view.turn, step: part.step }, live: { ...grow(live, part), part: part.part } }
}

/** The step's message is stored already: a calls row or an answer of that step stands at the end. */
function isOver(view: ChatView, part: LivePart): boolean {
  for (let at = view.items.length - 1; at >= 0; at -= 1) {
    const item = view.items[at]
    if (item?.kind === 'agent' || item?.kind === 'calls' || item?.kind === 'thinking') return part.seq < item.seq
  }
  return false
}

function grow(live: LiveReply, part: LivePart): LiveReply {
  const { body } = part
  switch (body.type) {
    case 'text-delta': return { ...live, text: live.text + body.text, textAtMs: live.textAtMs ?? part.atMs, retrying: null }
    case 'thinking-delta': return { ...live, thinking: live.thinking + body.text, retrying: null }
    case 'call-growing': {
      const call = { index: body.index, name: body.name, tail: body.tail, characters: body.characters }
      const others = live.growing.filter((one) => one.index !== body.index)
      return { ...live, retrying: null, textAtMs: live.textAtMs ?? part.atMs, growing: [...others, call].sort((a, b) => a.index - b.index) }
    }
    case 'retrying': return { ...live, text: '', thinking: '', growing: [], brokenText: live.text || live.brokenText, retrying: body.say }
    case 'tool-output': return live
    default: return assertNever(body)
  }
}
