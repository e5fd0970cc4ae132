import type { CompactionId, MemoryId, SessionId, WorkspaceId } from '../../shared/domain/ids'
import type { AgentEvent } from '../../shared/domain/event'
import type { ModelChoice, ModelFacts, ToolSpec } from '../../shared/domain/model'
import type { PromptPartCost } from '../../shared/domain/promptPart'
import { fail, succeed, type Result, type Said } from '../../shared/domain/result'
import { pickedModel } from '../../shared/domain/sessionModel'
import type { CompactionSettings } from '../../shared/domain/settings'
import type { TaintSource } from '../../shared/domain/tool'
import type { ContextPage, ShownCompaction } from '../../shared/ipc/contextViews'
import { budgetOf } from '../core/context/contextBudget'
import { contextRows } from '../core/context/contextRows'
import type { HeldCompaction } from '../core/context/compactions'
import type { HistoryPart } from '../core/context/historyPart'
import { messageTokens } from '../core/context/messageTokens'
import { planByPerson } from '../core/context/planCompaction'
import { summaryMessage } from '../core/context/summaryMessage'
import type { Compacting, SessionContext } from './compaction'
import type { OpenSession, Sessions } from './sessions'

/** What the page needs of the host. */
export interface ContextPagesPorts {
  readonly sessions: Pick<Sessions, 'open' | 'append'>
  readonly compacting: Pick<Compacting, 'compact'>
  context(session: OpenSession): Promise<SessionContext>
  offers(session: OpenSession, choice: ModelChoice): Promise<readonly ToolSpec[]>
  costs(session: OpenSession, choice: ModelChoice, windowTokens: number | null): Promise<readonly PromptPartCost[]>
  /** `picked`: what the person chose for the session. */
  choice(picked: ModelChoice | null): Promise<Result<ModelChoice>>
  facts(choice: ModelChoice): Promise<ModelFacts>
  settings(): Promise<CompactionSettings>
  isRunning(id: SessionId): boolean
  clean(text: string): string
  /** Keeps what the person accepted; `outside` when the summary is of text from outside. */
  remember(workspaceId: WorkspaceId, fact: { readonly text: string; readonly sessionId: SessionId; readonly outside: TaintSource | null }): Promise<Result<{ readonly memory: { readonly id: MemoryId } }>>
}

/** What a person sees of a conversation's context, and does to it (R29). */
export interface ContextPages {
  read(id: SessionId): Promise<ContextPage>
  /** Refused while a turn runs: that makes its own room. Cancelled by `cancel`. */
  compact(id: SessionId, words: string): Promise<Result<null>>
  cancel(id: SessionId): void
  undo(id: SessionId, compactionId: CompactionId): Promise<Result<null>>
  pin(id: SessionId, messageSeq: number, isPinned: boolean): Promise<Result<null>>
  editSummary(id: SessionId, compactionId: CompactionId, summary: string): Promise<Result<null>>
  /** The answer to the offered memory; `text` null refuses it. */
  remember(id: SessionId, compactionId: CompactionId, text: string | null): Promise<Result<null>>
}

const nobody: ModelChoice = { provider: '', model: '' }

/** Makes the service. */
export function makeContextPages(ports: ContextPagesPorts): ContextPages {
  const underWay = new Map<SessionId, AbortController>()
  const holding = async (id: SessionId): Promise<{ readonly session: OpenSession; readonly context: SessionContext; readonly held: HeldCompaction | null }> => {
    const session = await ports.sessions.open(id)
    const context = await ports.context(session)
    return { session, context, held: context.history.compaction() }
  }
  return {
    async read(id) {
      const { session, context, held } = await holding(id)
      const [settings, chosen] = [await ports.settings(), await ports.choice(pickedModel(session.events))]
      const choice = chosen.ok ? chosen.value : nobody
      const facts = await ports.facts(choice)
      return pageOf({ session, context, held, settings, choice, facts, costs: await ports.costs(session, choice, facts.windowTokens), isCompacting: underWay.has(id) })
    },
    async compact(id, words) {
      if (ports.isRunning(id) || underWay.has(id)) return fail('turn.running')
      const cancel = new AbortController()
      underWay.set(id, cancel)
      try {
        const session = await ports.sessions.open(id)
        const choice = await ports.choice(pickedModel(session.events))
        if (!choice.ok) return choice
        const done = await ports.compacting.compact(session, { tools: await ports.offers(session, choice.value), choice: choice.value, words: words.trim() }, cancel.signal)
        return done.ok ? succeed(null) : done
      } finally {
        underWay.delete(id)
      }
    },
    cancel: (id) => underWay.get(id)?.abort(),
    async undo(id, compactionId) {
      const { held } = await holding(id)
      if (held?.compaction.compactionId !== compactionId) return fail('compaction.gone')
      await ports.sessions.append(id, [{ type: 'compaction-undone', compactionId }])
      return succeed(null)
    },
    async pin(id, messageSeq, isPinned) {
      const { context } = await holding(id)
      const part = context.history.parts().find((one) => one.seq === messageSeq)
      if (!part) return fail('compaction.gone')
      if (part.isPinned !== isPinned) await ports.sessions.append(id, [{ type: 'message-pinned', messageSeq, isPinned }])
      return succeed(null)
    },
    async editSummary(id, compactionId, summary) {
      const { held } = await holding(id)
      if (held?.compaction.compactionId !== compactionId || held.compaction.beforeSeq === 0) return fail('compaction.gone')
      const text = ports.clean(summary).trim()
      if (text === '') return fail('compaction.empty')
      const { trimmed, strategy, by, beforeSeq, pinned, summarisedMessages, keptTurns, tokensBefore, tokensAfter, choice } = held.compaction
      await ports.sessions.append(id, [{ type: 'history-compacted', turnId: null, compactionId, trimmed, strategy, by, beforeSeq, pinned, summarisedMessages, keptTurns, tokensBefore, tokensAfter, choice, summary: text }])
      return succeed(null)
    },
    async remember(id, compactionId, text) {
      const session = await ports.sessions.open(id)
      const proposal = proposalOf(session.events)
      if (proposal?.compactionId !== compactionId) return fail('compaction.gone')
      if (text !== null) {
        const isOwn = text.trim() !== proposal.text.trim()
        // Who edits it makes it theirs, as on the Memory page.
        const kept = await ports.remember(session.workspaceId, { text, sessionId: id, outside: isOwn ? null : outsideOf(session.events) })
        if (!kept.ok) return kept
      }
      await ports.sessions.append(id, [{ type: 'memory-decided', compactionId, decision: text === null ? 'refused' : 'kept' }])
      return succeed(null)
    },
  }
}

interface PageFacts {
  readonly session: OpenSession
  readonly context: SessionContext
  readonly held: HeldCompaction | null
  readonly settings: CompactionSettings
  readonly choice: ModelChoice
  readonly facts: ModelFacts
  readonly costs: readonly PromptPartCost[]
  readonly isCompacting: boolean
}

function pageOf(of: PageFacts): ContextPage {
  const { session, context, held, settings, choice, facts, costs } = of
  const { history } = context
  const budget = budgetOf(facts, settings)
  const [parts, ratio] = [history.parts(), history.ratio(choice)]
  const { rows, before, now } = contextRows({ costs, parts, held, ratio })
  const proposal = proposalOf(session.events)
  return {
    windowTokens: budget.windowTokens, assumedFor: budget.isAssumed ? choice.model : null, limitTokens: budget.limitTokens, keepTurns: settings.keepTurns,
    before: held === null ? null : before, now, rows, turns: turnsOf(parts, session.events),
    compaction: held === null ? null : shown(held, session.events, ratio),
    proposal: proposal !== null && proposal.compactionId === held?.compaction.compactionId ? proposal.text : null,
    isCompacting: of.isCompacting,
    canCompact: planByPerson({ parts, fixedTokens: 0, ratio, budget, keepTurns: settings.keepTurns }) !== null,
    failure: failureOf(session.events),
  }
}

/** By the first message of each. */
function turnsOf(parts: readonly HistoryPart[], events: readonly AgentEvent[]): ContextPage['turns'] {
  const turns = new Map<number, number>()
  for (const { turn, seq, kind } of parts) if (kind === 'user' && !turns.has(turn)) turns.set(turn, events[seq - 1]?.atMs ?? 0)
  return [...turns].map(([turn, atMs]) => ({ turn, atMs }))
}

function shown({ seq, compaction, isEdited }: HeldCompaction, events: readonly AgentEvent[], ratio: number): ShownCompaction {
  const { compactionId, by, strategy, choice, summary, summarisedMessages, keptTurns, trimmed } = compaction
  const summaryTokens = summary === '' ? 0 : Math.round(messageTokens(summaryMessage(compaction, [])) * ratio)
  return { compactionId, atMs: events[seq - 1]?.atMs ?? 0, by, strategy, model: choice.model, summary, isEdited, summaryTokens, summarisedMessages, keptTurns, results: trimmed.length }
}

/** The newest offer that has no answer yet; it goes with the text it was made from, also when a person writes another. */
function proposalOf(events: readonly AgentEvent[]): { readonly compactionId: CompactionId; readonly text: string } | null {
  const last = events.findLast((event) => event.type === 'memory-proposed' || event.type === 'memory-decided' || event.type === 'history-compacted')
  return last?.type === 'memory-proposed' ? last : null
}

/** Why the newest summary failed; null when one went well since, or none failed. */
function failureOf(events: readonly AgentEvent[]): Said | null {
  const last = events.findLast((event) => event.type === 'history-compacted' || (event.type === 'note-added' && event.say.code === 'compaction.failed') || (event.type === 'turn-ended' && event.say.code === 'compaction.failed-full'))
  return last?.type === 'note-added' || last?.type === 'turn-ended' ? last.say : null
}

/** A summary of a conversation that held text from outside may repeat it in other words. */
function outsideOf(events: readonly AgentEvent[]): TaintSource | null {
  const last = events.findLast((event) => event.type === 'taint-marked')
  return last?.type === 'taint-marked' ? last.source : null
}
