import type { TrimmedResult } from '../../../shared/domain/compaction'
import type { ContextBudget } from './contextBudget'
import { messageTokens, tokensOf } from './messageTokens'
import type { HistoryPart, PartResult } from './historyPart'
import { trimPlaces } from './trimResult'

/** A result that is to be cut; where the whole lies is decided by whoever keeps it. */
export interface TrimWish extends Omit<TrimmedResult, 'outputRef'> {
  readonly text: string
  readonly outputRef: string | null
  /** Tokens that it makes room for, corrected. */
  readonly saves: number
}

/**
 * What is to be done before the next request: nothing; results cut to head and tail; old turns summarised up to a user message;
 * or nothing helps. Token figures are of the whole request, corrected.
 */
export type ContextPlan =
  | { readonly kind: 'fits'; readonly tokens: number }
  | { readonly kind: 'trim'; readonly trims: readonly TrimWish[]; readonly tokens: number; readonly tokensAfter: number }
  | { readonly kind: 'summarise'; readonly beforeSeq: number; readonly covered: readonly HistoryPart[]; readonly keptTurns: number; readonly trims: readonly TrimWish[]; readonly tokens: number; readonly tokensAfter: number }
  /** `largest`: what the largest single message costs. */
  | { readonly kind: 'too-large'; readonly tokens: number; readonly largest: number; readonly isFirst: boolean }

/** What a plan is made from. */
export interface PlanFacts {
  readonly parts: readonly HistoryPart[]
  /** Of everything before the conversation: prompt, tools, and the summary that holds now. Uncorrected. */
  readonly fixedTokens: number
  /** How many tokens the model counts for one that is estimated. */
  readonly ratio: number
  readonly budget: ContextBudget
  readonly keepTurns: number
}

/** What a summary is taken to cost before there is one. */
const summaryTokens = 1_500
/** Older results are cut to this many characters: enough to see what they were. */
const oldCharacters = 1_200
/** A result that costs less is not worth cutting. */
const leastTokens = 450
/** Room that is worth a change of the request's beginning. */
const worthShare = 0.08
/** A cut keeps a little less than it may, since characters differ in what they cost. */
const safeShare = 0.9
/** The line between head and tail. */
const noteTokens = 40

/**
 * Plans the next request (R22, R24, R25, R28). Pure. Results too large for their share are cut at once. When the limit is met,
 * older results give way first, oldest first; only when that makes too little room are old turns summarised, all but the last
 * `keepTurns`, cut at a user message, and what was pinned stays. When even that is too little, results of the kept turns are cut,
 * those that the model has not read yet last. What brings no room is not done, so that nothing is done again and again.
 */
export function planContext(facts: PlanFacts): ContextPlan {
  const { parts, fixedTokens, budget } = facts
  const sent = parts.filter((part) => !part.isCovered)
  const total = corrected(fixedTokens + sent.reduce((sum, part) => sum + tokensOf(part.messages), 0), facts)
  const oversized = cutOversized(sent, facts)
  const tokens = total - oversized.saved
  if (tokens <= budget.limitTokens) return oversized.trims.length === 0 ? { kind: 'fits', tokens } : { kind: 'trim', trims: oversized.trims, tokens: total, tokensAfter: tokens }
  return makeRoom({ ...facts, sent, total, tokens, oversized }, cutIndex(sent, facts.keepTurns))
}

/**
 * The plan of a person who asks for it: up to the last turns, however full the window is, and no further than the last turn that
 * begins at or before `latestSeq`. Null: there is nothing to summarise.
 */
export function planByPerson(facts: PlanFacts, latestSeq = Number.POSITIVE_INFINITY): Extract<ContextPlan, { readonly kind: 'summarise' }> | null {
  const sent = facts.parts.filter((part) => !part.isCovered)
  const tokens = corrected(facts.fixedTokens + sent.reduce((sum, part) => sum + tokensOf(part.messages), 0), facts)
  return summarised({ ...facts, sent, total: tokens, tokens, oversized: { trims: [], saved: 0 } }, cutBefore(sent, facts.keepTurns, latestSeq))
}

interface Room extends PlanFacts {
  readonly sent: readonly HistoryPart[]
  readonly total: number
  readonly tokens: number
  readonly oversized: Cut
}

interface Cut {
  readonly trims: readonly TrimWish[]
  readonly saved: number
}

function makeRoom(room: Room, at: number): ContextPlan {
  const { sent, tokens, total, budget, oversized } = room
  const over = Math.max(tokens - budget.targetTokens, resultsIn(room) - budget.resultsTokens)
  const old = oldestFirst(sent.slice(0, at), over, oversized, room)
  if (tokens - old.saved <= budget.targetTokens) return trimPlan(total, tokens - old.saved, [...oversized.trims, ...old.trims])

  const summary = summarised(room, at)
  if (summary && tokens - summary.tokensAfter >= worthOf(budget)) return summary.tokensAfter <= budget.limitTokens ? summary : withMoreTrims(summary, at, room)

  const unread = unreadFrom(sent)
  const more = oldestFirst(sent.slice(0, unread), tokens - budget.targetTokens, oversized, room)
  const last = newest(sent.slice(unread), tokens - more.saved, room)
  const trims = [...oversized.trims, ...more.trims, ...last.trims]
  const after = tokens - more.saved - last.saved
  if (after > budget.mostTokens) return tooLarge(room, after)
  return trims.length > 0 && (total - after >= worthOf(budget) || total > budget.mostTokens) ? trimPlan(total, after, trims) : { kind: 'fits', tokens }
}

function withMoreTrims(summary: Extract<ContextPlan, { readonly kind: 'summarise' }>, at: number, room: Room): ContextPlan {
  const kept = room.sent.slice(at)
  const unread = unreadFrom(kept)
  const more = oldestFirst(kept.slice(0, unread), summary.tokensAfter - room.budget.limitTokens, room.oversized, room)
  const last = newest(kept.slice(unread), summary.tokensAfter - more.saved, room)
  return { ...summary, trims: [...summary.trims, ...more.trims, ...last.trims], tokensAfter: summary.tokensAfter - more.saved - last.saved }
}

function trimPlan(tokens: number, tokensAfter: number, trims: readonly TrimWish[]): ContextPlan {
  return { kind: 'trim', trims, tokens, tokensAfter }
}

/** Where the last turns begin: the first user message of the turn that is the `keepTurns`th from the end; 0: there are no more. */
function cutIndex(sent: readonly HistoryPart[], keepTurns: number): number {
  const turns = [...new Set(sent.filter((part) => part.kind === 'user').map((part) => part.turn))]
  const first = turns.at(-keepTurns)
  if (turns.length <= keepTurns || first === undefined) return 0
  return Math.max(0, sent.findIndex((part) => part.kind === 'user' && part.turn === first))
}

function cutBefore(sent: readonly HistoryPart[], keepTurns: number, latestSeq: number): number {
  const last = cutIndex(sent, keepTurns)
  const starts = sent.flatMap((part, at) => (part.kind === 'user' && sent.findIndex((one) => one.kind === 'user' && one.turn === part.turn) === at && part.seq <= latestSeq ? [at] : []))
  return Math.min(last, starts.at(-1) ?? 0)
}

function summarised(room: Room, at: number): Extract<ContextPlan, { readonly kind: 'summarise' }> | null {
  const { sent, oversized, total } = room
  const covered = sent.slice(0, at).filter((part) => !part.isPinned)
  const first = sent[at]
  if (covered.length === 0 || first === undefined) return null
  const keptTrims = oversized.trims.filter(({ callId }) => sent.slice(at).some((part) => part.results.some((result) => result.callId === callId)))
  const gone = corrected(covered.reduce((sum, part) => sum + tokensOf(part.messages), 0), room)
  const tokensAfter = total - gone - savedBy(keptTrims) + corrected(summaryTokens, room)
  const keptTurns = new Set(sent.slice(at).map((part) => part.turn)).size
  return { kind: 'summarise', beforeSeq: first.seq, covered, keptTurns, trims: keptTrims, tokens: total, tokensAfter }
}

function savedBy(trims: readonly TrimWish[]): number {
  return trims.reduce((sum, trim) => sum + trim.saves, 0)
}

/** Cuts older results, oldest first, until so many tokens are saved. */
function oldestFirst(parts: readonly HistoryPart[], wanted: number, before: Cut, facts: PlanFacts): Cut {
  const done = new Set(before.trims.map(({ callId }) => callId))
  const trims: TrimWish[] = []
  let saved = 0
  for (const result of loose(parts)) {
    if (saved >= wanted) break
    if (done.has(result.callId) || costOf(result, facts) < leastTokens) continue
    const trim = wishFor(result, oldCharacters, facts)
    saved += trim.saves
    trims.push(trim)
  }
  return { trims, saved }
}

/** What the model has not read yet is cut last, and evenly, so that the request can be sent at all. */
function newest(parts: readonly HistoryPart[], tokens: number, facts: PlanFacts): Cut {
  const over = tokens - facts.budget.mostTokens
  const last = loose(parts).filter((result) => costOf(result, facts) >= leastTokens)
  if (over <= 0 || last.length === 0) return { trims: [], saved: 0 }
  const cost = last.reduce((sum, result) => sum + costOf(result, facts), 0)
  const share = Math.max(0, (cost - over) / cost)
  const trims = last.map((result) => wishFor(result, Math.max(oldCharacters, Math.floor(result.text.length * share * safeShare)), facts))
  return { trims, saved: savedBy(trims) }
}

/** From the last reply on: its results are what the next request tells. */
function unreadFrom(parts: readonly HistoryPart[]): number {
  for (let at = parts.length - 1; at >= 0; at -= 1) if (parts[at]?.kind === 'reply') return at
  return parts.length
}

function cutOversized(parts: readonly HistoryPart[], facts: PlanFacts): Cut {
  const { resultTokens } = facts.budget
  const trims = loose(parts).flatMap((result) => {
    const cost = costOf(result, facts)
    return cost > resultTokens ? [wishFor(result, Math.floor((result.text.length * resultTokens * safeShare) / cost), facts)] : []
  })
  return { trims, saved: savedBy(trims) }
}

/** Results that may be cut: not pinned, not cut already. */
function loose(parts: readonly HistoryPart[]): readonly PartResult[] {
  return parts.flatMap((part) => (part.isPinned ? [] : part.results.filter((result) => !result.isTrimmed && result.text !== '')))
}

function wishFor(result: PartResult, characters: number, facts: PlanFacts): TrimWish {
  const { callId, text, outputRef } = result
  const places = trimPlaces(text, characters)
  const gone = Math.max(0, text.length - places.headCharacters - places.tailCharacters) / Math.max(1, text.length)
  return { callId, text, outputRef, ...places, saves: Math.max(0, Math.floor(costOf(result, facts) * gone) - noteTokens) }
}

function resultsIn({ sent, oversized, ...facts }: Room): number {
  return loose(sent).reduce((sum, result) => sum + costOf(result, facts), 0) - oversized.saved
}

function costOf({ message }: PartResult, facts: Pick<PlanFacts, 'ratio'>): number {
  return corrected(messageTokens(message), facts)
}

function worthOf({ limitTokens }: ContextBudget): number {
  return limitTokens * worthShare
}

function corrected(tokens: number, { ratio }: Pick<PlanFacts, 'ratio'>): number {
  return Math.round(tokens * ratio)
}

function tooLarge({ sent, budget: _budget, ...facts }: Room, tokens: number): ContextPlan {
  const costs = sent.map((part) => corrected(Math.max(0, ...part.messages.map(messageTokens)), facts))
  const largest = Math.max(0, ...costs)
  return { kind: 'too-large', tokens, largest, isFirst: sent.length <= 2 || costs.indexOf(largest) === 0 }
}
