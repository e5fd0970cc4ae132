import type { Compaction, TrimmedResult } from '../../shared/domain/compaction'
import type { AgentEvent, EventDraft } from '../../shared/domain/event'
import { asId, type CompactionId, type TurnId } from '../../shared/domain/ids'
import type { ModelChoice, ModelFacts, ModelMessage, ToolSpec, Usage } from '../../shared/domain/model'
import { fail, said, succeed, type Result, type Said } from '../../shared/domain/result'
import type { CompactionSettings } from '../../shared/domain/settings'
import type { NextRequest, Turn, TurnPorts } from '../core/agent/turnPorts'
import { repairRequest, requestProblems } from '../core/context/checkRequest'
import { budgetOf, type ContextBudget } from '../core/context/contextBudget'
import { estimateTokens } from '../core/context/estimate'
import type { History } from '../core/context/history'
import type { HistoryPart } from '../core/context/historyPart'
import { messageTokens, specTokens, tokensOf } from '../core/context/messageTokens'
import { planByPerson, planContext, type ContextPlan, type PlanFacts, type TrimWish } from '../core/context/planCompaction'
import { summarise, type Summary, type SummaryPrompts } from '../core/context/summarise'
import { summaryMessage } from '../core/context/summaryMessage'
import type { BlobStore } from '../core/ports/blobStore'
import type { CancelSignal } from '../core/ports/cancelSignal'
import type { OpenSession, Sessions } from './sessions'

/** A session's history as the opened folder has it. */
export interface SessionContext {
  readonly history: History
  readonly systemText: string
  readonly repairs: readonly Said[]
  readonly memoryFault: Said | null
}

/** What making room needs. */
export interface CompactionPorts extends Pick<TurnPorts, 'model' | 'spending' | 'ids' | 'clock' | 'redact' | 'withoutKnown'> {
  readonly sessions: Pick<Sessions, 'append' | 'show'>
  readonly blobs: Pick<BlobStore, 'put'>
  readonly prompts: SummaryPrompts
  context(session: OpenSession): Promise<SessionContext>
  facts(choice: ModelChoice): Promise<ModelFacts>
  settings(): Promise<CompactionSettings>
  /** Whether a text may be kept as a memory: it is not too long and holds no secret. */
  isFitMemory(text: string): boolean
  /** A request that providers would refuse is a fault of ours: thrown where it is developed, else repaired and told to `log`. */
  readonly isDevelopment: boolean
  log(problem: string): void
}

/** The next request of a turn, with what there is to tell of it. */
export interface PreparedRequest {
  readonly next: NextRequest
  readonly repairs: readonly Said[]
  readonly memoryFault: Said | null
}

/** Makes room in the model's window. */
export interface Compacting {
  /**
   * The next request (R22): as it is when it fits, else with older results cut, else with old turns summarised. A summary that
   * fails leaves the history whole, byte for byte, and is told once a turn (R26); what still does not fit ends the turn in words.
   */
  prepare(session: OpenSession, turn: Turn, step: number, tools: readonly ToolSpec[], signal: CancelSignal): Promise<PreparedRequest>
  /** Summarises up to the last turns now, as a person asks for; `words` say what to keep in mind, `latestSeq` how far at most. */
  compact(session: OpenSession, asked: { readonly tools: readonly ToolSpec[]; readonly choice: ModelChoice; readonly words: string; readonly latestSeq?: number }, signal: CancelSignal): Promise<Result<CompactionId>>
}

/** Rounds of making room for one request. Each must bring some; this is a stop for a fault of ours. */
const mostRounds = 3

interface Seen {
  readonly context: SessionContext
  readonly facts: PlanFacts
  readonly messages: readonly ModelMessage[]
  readonly expectedTokens: number
}

interface Work {
  readonly session: OpenSession
  readonly turnId: TurnId
  readonly step: number
  readonly choice: ModelChoice
  readonly settings: CompactionSettings
  readonly words: string
  readonly by: Compaction['by']
  spent: { input: number; output: number }
}

/** Makes the service. */
export function makeCompacting(ports: CompactionPorts): Compacting {
  return {
    async prepare(session, turn, step, tools, signal) {
      const settings = await ports.settings()
      const budget = budgetOf(await ports.facts(turn.choice), settings)
      const work: Work = { session, turnId: turn.turnId, step, choice: turn.choice, settings, words: '', by: 'limit', spent: { input: 0, output: 0 } }
      const repairs: Said[] = []
      for (let round = 1; ; round += 1) {
        const seen = await look(work, tools, budget, ports)
        repairs.push(...seen.context.repairs)
        const ended = round > mostRounds || isSurelySmall(seen) ? ready(seen, work, ports) : await makeRoom(seen, work, signal, ports)
        if (ended !== 'again') return { next: ended, repairs, memoryFault: seen.context.memoryFault }
      }
    },
    async compact(session, { tools, choice, words, latestSeq }, signal) {
      const settings = await ports.settings()
      const last = session.events.findLast((event) => event.type === 'turn-started')
      const work: Work = { session, turnId: last?.type === 'turn-started' ? last.turnId : asId<TurnId>(''), step: 0, choice, settings, words, by: 'person', spent: { input: 0, output: 0 } }
      const seen = await look(work, tools, budgetOf(await ports.facts(choice), settings), ports)
      const plan = planByPerson(seen.facts, latestSeq)
      if (plan === null) return fail('compaction.nothing', { turns: settings.keepTurns })
      return summariseNow(plan, seen, work, signal, ports)
    },
  }
}

async function look({ session, choice, settings }: Work, tools: readonly ToolSpec[], budget: ContextBudget, ports: CompactionPorts): Promise<Seen> {
  const context = await ports.context(session)
  const { history, systemText } = context
  const messages = history.messages(systemText)
  const outside = tools.reduce((sum, tool) => sum + specTokens(tool), 0)
  const expectedTokens = tokensOf(messages) + outside
  const held = history.compaction()
  const facts: PlanFacts = {
    // Asked for only where it may matter: it costs a look at every message.
    get parts() { return history.parts() },
    fixedTokens: (messages[0]?.role === 'system' ? messageTokens(messages[0]) : 0) + outside + (held && held.compaction.beforeSeq > 0 ? tokensOf(messages.slice(1, 2)) : 0),
    ratio: history.ratio(choice), budget, keepTurns: settings.keepTurns,
  }
  return { context, facts, messages, expectedTokens }
}

/** Below the limit, and no result above its share: then nothing is planned. */
function isSurelySmall({ facts: { ratio, budget }, messages, expectedTokens }: Seen): boolean {
  if (expectedTokens * ratio > budget.limitTokens) return false
  return messages.every((message) => message.role !== 'tool' || messageTokens(message) * ratio <= budget.resultTokens)
}

function ready({ messages, expectedTokens }: Seen, { spent }: Work, ports: CompactionPorts): NextRequest {
  const problems = requestProblems(messages)
  if (problems.length === 0) return { kind: 'ready', messages, expectedTokens, spent }
  if (ports.isDevelopment) throw new Error(`a request that providers refuse: ${problems.join('; ')}`)
  ports.log(`a request was repaired: ${problems.join('; ')}`)
  return { kind: 'ready', messages: repairRequest(messages).messages, expectedTokens, spent }
}

async function makeRoom(seen: Seen, work: Work, signal: CancelSignal, ports: CompactionPorts): Promise<NextRequest | 'again'> {
  const { budget } = seen.facts
  const plan = planContext(seen.facts)
  switch (plan.kind) {
    case 'fits': return ready(seen, work, ports)
    case 'too-large': return { kind: 'ended', say: said(plan.isFirst ? 'compaction.message-too-large' : 'compaction.full', { tokens: plan.isFirst ? plan.largest : plan.tokens, window: budget.windowTokens }) }
    case 'trim':
      await record(trimming(plan, seen, work), plan.trims, work, ports)
      return 'again'
    case 'summarise': {
      const isFull = plan.tokens > budget.mostTokens
      if (!isFull && isLeftAlone(work)) return ready(seen, work, ports)
      const failedBefore = failureOf(work)
      const done = failedBefore === null ? await summariseNow(plan, seen, work, signal, ports) : { ok: false as const, fault: failedBefore }
      if (done.ok) return 'again'
      if (signal.aborted) return { kind: 'ended', say: done.fault }
      if (isFull) return { kind: 'ended', say: said('compaction.failed-full', { tokens: plan.tokens, window: budget.windowTokens, why: done.fault }) }
      if (failedBefore === null) await ports.sessions.append(work.session.id, [{ type: 'note-added', turnId: work.turnId, step: work.step, say: said('compaction.failed', { why: done.fault }), isForModel: false }])
      return ready(seen, work, ports)
    }
  }
}

/** The person undid the last one, and no turn has ended since: it is not done again over their head while it need not be. */
function isLeftAlone({ session }: Work): boolean {
  const last = session.events.findLast((event) => event.type === 'compaction-undone' || event.type === 'history-compacted' || event.type === 'turn-ended')
  return last?.type === 'compaction-undone'
}

/** Why a summary failed in this turn already: it is not tried at every step. */
function failureOf({ session, turnId }: Work): Said | null {
  const note = session.events.findLast((event: AgentEvent) => event.type === 'note-added' && event.turnId === turnId && event.say.code === 'compaction.failed')
  const why = note?.type === 'note-added' ? note.say.values['why'] : undefined
  return typeof why === 'object' && 'code' in why ? why : null
}

type Summarising = Extract<ContextPlan, { readonly kind: 'summarise' }>

async function summariseNow(plan: Summarising, seen: Seen, work: Work, signal: CancelSignal, ports: CompactionPorts): Promise<Result<CompactionId>> {
  const held = seen.context.history.compaction()?.compaction ?? null
  const choice = work.settings.choice ?? work.choice
  const facts = await ports.facts(choice)
  const messages = plan.covered.reduce((sum, part) => sum + part.messages.length, 0)
  if (work.by === 'limit') ports.sessions.show({ sessionId: work.session.id, turnId: work.turnId, step: work.step, body: { type: 'retrying', say: said('compaction.running', { messages }), attempt: 0, waitMs: 0 } })
  const startedAtMs = ports.clock.nowMs()
  const used = (usage: Usage, expectedTokens: number): Promise<void> => tellUsage(usage, { choice, expectedTokens, durationMs: ports.clock.nowMs() - startedAtMs }, work, ports)
  const job = { parts: plan.covered, earlier: held?.summary ?? null, strategy: work.settings.strategy, words: work.words, choice, roomTokens: Math.floor(budgetOf(facts, work.settings).mostTokens / seen.context.history.ratio(choice)), maxOutputTokens: facts.maxOutputTokens, prompts: ports.prompts }
  const summary = await summarise(job, { model: ports.model, clean: (text) => ports.withoutKnown(ports.redact(text)), used }, signal)
  if (!summary.ok) return summary
  if (signal.aborted) return fail('tool.cancelled')
  const compaction = summarising(plan, summary.value, seen, { ...work, choice })
  if (compaction === null) return fail('compaction.no-gain')
  const isOffered = work.settings.proposesMemory && summary.value.proposal !== null && ports.isFitMemory(summary.value.proposal)
  return record(compaction, plan.trims, work, ports, isOffered ? summary.value.proposal : null)
}

async function tellUsage(usage: Usage, { choice, expectedTokens, durationMs }: { readonly choice: ModelChoice; readonly expectedTokens: number; readonly durationMs: number }, work: Work, ports: CompactionPorts): Promise<void> {
  work.spent = { input: work.spent.input + usage.inputTokens, output: work.spent.output + usage.outputTokens }
  const cost = await ports.spending.costOf(choice, usage)
  await ports.sessions.append(work.session.id, [{ type: 'usage-reported', turnId: work.turnId, step: work.step, usage, choice, purpose: 'summary', cost, durationMs, expectedTokens }])
}

type Unkept = Omit<Compaction, 'compactionId' | 'trimmed'> & { readonly carried: readonly TrimmedResult[] }

/** Results are cut; what an earlier compaction says stays. */
function trimming(plan: Extract<ContextPlan, { readonly kind: 'trim' }>, { context, facts }: Seen, { settings, by, choice }: Work): Unkept {
  const held = context.history.compaction()?.compaction
  return {
    strategy: settings.strategy, by, choice: held?.choice ?? choice, beforeSeq: held?.beforeSeq ?? 0, summary: held?.summary ?? '', pinned: held?.pinned ?? [], carried: held?.trimmed ?? [],
    summarisedMessages: held?.summarisedMessages ?? 0, keptTurns: turnsIn(facts.parts.filter((part) => !part.isCovered)), tokensBefore: plan.tokens, tokensAfter: plan.tokensAfter,
  }
}

/** Null when the summary is no shorter than what it is to stand for. */
function summarising(plan: Summarising, { text }: Summary, { context, facts, expectedTokens }: Seen, { settings, by, choice }: Work): Unkept | null {
  const held = context.history.compaction()?.compaction
  const before = facts.parts.filter((part) => part.seq < plan.beforeSeq)
  const pinned = before.filter((part) => part.isPinned).map((part) => part.seq)
  const covered = plan.covered.reduce((sum, part) => sum + part.messages.length, 0)
  const summarisedMessages = (held?.summarisedMessages ?? 0) + covered
  const earlier = held && held.beforeSeq > 0 ? messageTokens(summaryMessage(held, [])) : 0
  const gone = plan.covered.reduce((sum, part) => sum + tokensOf(part.messages), 0) + earlier
  const cost = messageTokens(summaryMessage({ summary: text, summarisedMessages, pinned }, []))
  // A person's wish is done as long as the text is shorter; its frame is not their doing.
  if ((by === 'person' ? estimateTokens(text) : cost) >= gone) return null
  const trimmedAway = plan.trims.reduce((sum, trim) => sum + trim.saves, 0)
  const still = new Set(facts.parts.filter((part) => part.seq >= plan.beforeSeq).flatMap((part) => part.results.map(({ callId }) => callId)))
  return {
    strategy: settings.strategy, by, choice, beforeSeq: plan.beforeSeq, summary: text, pinned, carried: (held?.trimmed ?? []).filter(({ callId }) => still.has(callId)),
    summarisedMessages, keptTurns: plan.keptTurns, tokensBefore: plan.tokens, tokensAfter: Math.max(0, Math.round((expectedTokens - gone + cost) * facts.ratio) - trimmedAway),
  }
}

function turnsIn(parts: readonly HistoryPart[]): number {
  return new Set(parts.map((part) => part.turn)).size
}

/** The whole of each cut result is kept before the record says where. */
async function record({ carried, ...rest }: Unkept, trims: readonly TrimWish[], { session, turnId, by }: Work, ports: CompactionPorts, proposal: string | null = null): Promise<Result<CompactionId>> {
  const compactionId = asId<CompactionId>(ports.ids.next())
  const trimmed: TrimmedResult[] = [...carried]
  for (const { callId, text, outputRef, headCharacters, tailCharacters } of trims) trimmed.push({ callId, headCharacters, tailCharacters, outputRef: outputRef ?? (await ports.blobs.put(new TextEncoder().encode(text))) })
  const drafts: EventDraft[] = [{ type: 'history-compacted', turnId: by === 'limit' ? turnId : null, compactionId, trimmed, ...rest }]
  if (proposal !== null) drafts.push({ type: 'memory-proposed', compactionId, text: proposal })
  await ports.sessions.append(session.id, drafts)
  return succeed(compactionId)
}
