import type { PromptPartCost, PromptPartName } from '../../../shared/domain/promptPart'
import { said, type Said } from '../../../shared/domain/result'
import type { ContextBar, ContextRow, ContextState } from '../../../shared/ipc/contextViews'
import { estimateTokens } from './estimate'
import type { HeldCompaction } from './compactions'
import type { HistoryPart } from './historyPart'
import { messageTokens, tokensOf } from './messageTokens'
import { summaryMessage } from './summaryMessage'

/** What the page of a conversation's context is made from. */
export interface ContextFacts {
  readonly costs: readonly PromptPartCost[]
  readonly parts: readonly HistoryPart[]
  readonly held: HeldCompaction | null
  readonly ratio: number
}

/** Turns and results that are shown one by one, newest kept. */
const mostRows = 200
const shownCharacters = 120

/** The rows of the page, and the sums of its bars (R29). Pure; tokens are corrected by the model's ratio. */
export function contextRows(facts: ContextFacts): { readonly rows: readonly ContextRow[]; readonly before: ContextBar; readonly now: ContextBar } {
  const rows = [...fixedRows(facts), ...pinnedRows(facts), ...keptRows(facts), ...summaryRows(facts), ...trimmedRows(facts)]
  return { rows, before: barOf(rows, 'before'), now: barOf(rows, 'after') }
}

function barOf(rows: readonly ContextRow[], side: 'before' | 'after'): ContextBar {
  const bar: Record<ContextState, number> = { fixed: 0, pinned: 0, kept: 0, summarised: 0, dropped: 0 }
  for (const row of rows) bar[row.state] += row[side]
  return bar
}

function fixedRows({ costs, ratio }: ContextFacts): readonly ContextRow[] {
  const of = (...names: readonly PromptPartName[]): number => Math.round(costs.filter(({ part }) => names.includes(part)).reduce((sum, { tokens }) => sum + tokens, 0) * ratio)
  const count = (name: PromptPartName): number => costs.find(({ part }) => part === name)?.count ?? 0
  const row = (id: string, state: ContextState, tokens: number, what: Said, why: Said): readonly ContextRow[] => (tokens === 0 ? [] : [{ id, state, what, why, before: tokens, after: tokens, pin: null }])
  return [
    ...row('prompt', 'fixed', of('base', 'mode', 'safety', 'tools', 'session', 'skills'), said('compaction.what.prompt'), said('compaction.why.prompt')),
    ...row('memory', 'fixed', of('memory'), said('compaction.what.memory'), said('compaction.why.memory', { count: count('memory') })),
    ...row('project', 'pinned', of('project'), said('compaction.what.project'), said('compaction.why.project', { count: count('project') })),
  ]
}

function pinnedRows({ parts, ratio }: ContextFacts): readonly ContextRow[] {
  return parts.filter((part) => part.isPinned).map((part) => {
    const tokens = corrected(tokensOf(part.messages), ratio)
    const why = said(part.kind === 'user' ? 'compaction.why.pinned' : 'compaction.why.pinned-reply', { turn: part.turn })
    return { id: `pin ${part.seq}`, state: 'pinned', what: wordsOf(part), why, before: tokens, after: tokens, pin: { messageSeq: part.seq, isPinned: true } }
  })
}

/** One row for each turn that is sent word for word. */
function keptRows({ parts, ratio }: ContextFacts): readonly ContextRow[] {
  return turnsOf(parts.filter((part) => !part.isCovered && !part.isPinned)).slice(-mostRows).map(([turn, own]) => {
    const trimmed = own.flatMap((part) => part.results.filter((result) => result.isTrimmed)).reduce((sum, result) => sum + messageTokens(result.message), 0)
    const tokens = corrected(own.reduce((sum, part) => sum + tokensOf(part.messages), 0) - trimmed, ratio)
    const first = own.find((part) => part.kind === 'user')
    return { id: `turn ${turn}`, state: 'kept', what: first ? wordsOf(first) : said('compaction.what.turn', { from: turn }), why: said('compaction.why.turn', { turn, ...countsOf(own) }), before: tokens, after: tokens, pin: first ? { messageSeq: first.seq, isPinned: false } : null }
  })
}

function summaryRows({ parts, held, ratio }: ContextFacts): readonly ContextRow[] {
  const covered = parts.filter((part) => part.isCovered)
  if (held === null || held.compaction.beforeSeq === 0) return []
  const turns = covered.map((part) => part.turn)
  const [from, to] = [Math.max(1, Math.min(...turns, Number.POSITIVE_INFINITY)), Math.max(1, ...turns)]
  const what = from === to || turns.length === 0 ? said('compaction.what.turn', { from: to }) : said('compaction.what.turns', { from, to })
  const before = corrected(covered.reduce((sum, part) => sum + tokensOf(part.messages), 0), ratio)
  return [{ id: 'summary', state: 'summarised', what, why: said('compaction.why.summary', countsOf(covered)), before, after: corrected(messageTokens(summaryMessage(held.compaction, [])), ratio), pin: null }]
}

function trimmedRows({ parts, ratio }: ContextFacts): readonly ContextRow[] {
  return parts.filter((part) => !part.isCovered).flatMap((part) => part.results.filter((result) => result.isTrimmed).map((result): ContextRow => ({
    id: `result ${result.callId}`, state: 'dropped', what: said('compaction.what.result', { tool: result.tool, turn: part.turn }), why: said('compaction.why.result'),
    before: corrected(estimateTokens(result.text), ratio), after: corrected(messageTokens(result.message), ratio), pin: { messageSeq: part.seq, isPinned: false },
  }))).slice(-mostRows)
}

function turnsOf(parts: readonly HistoryPart[]): readonly (readonly [number, readonly HistoryPart[]])[] {
  const turns = new Map<number, HistoryPart[]>()
  for (const part of parts) turns.set(part.turn, [...(turns.get(part.turn) ?? []), part])
  return [...turns]
}

function countsOf(parts: readonly HistoryPart[]): { readonly messages: number; readonly calls: number } {
  return { messages: parts.reduce((sum, part) => sum + part.messages.length, 0), calls: parts.reduce((sum, part) => sum + part.results.length, 0) }
}

function wordsOf(part: HistoryPart): Said {
  const text = (part.messages[0]?.text ?? '').replace(/\s+/g, ' ').trim()
  return said('compaction.what.words', { text: text.length <= shownCharacters ? text : `${text.slice(0, shownCharacters).replace(/[\ud800-\udbff]$/u, '')}…` })
}

function corrected(tokens: number, ratio: number): number {
  return Math.round(tokens * ratio)
}
