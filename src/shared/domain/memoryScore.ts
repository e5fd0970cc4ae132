import type { Memory, MemoryScore } from './memory'

/** The score from which an entry is injected (R39). */
export const injectedFrom = 0.2

const hourMs = 3_600_000

/** How much of an entry's match still counts: from 1 down to exactly 0.5 at 24 hours, and no less after that. 1 when pinned or said in the future (R38). */
export function decayOf({ atMs, isPinned }: Pick<Memory, 'atMs' | 'isPinned'>, nowMs: number): number {
  if (isPinned) return 1
  const ageHours = Math.max(0, nowMs - atMs) / hourMs
  return Math.max(0.5, 1 - ageHours / 48)
}

/** The parts of a score, of an entry that holds `found` of `total` distinct terms (R39). A query without terms matches nothing. */
export function scoreOf(memory: Pick<Memory, 'atMs' | 'isPinned'>, found: number, total: number, nowMs: number): Pick<MemoryScore, 'match' | 'decay' | 'score'> {
  const match = total === 0 ? 0 : found / total
  const decay = decayOf(memory, nowMs)
  return { match, decay, score: match * decay }
}

/** An entry with its score, as far as their order goes. */
export interface Scored {
  readonly score: number
  readonly atMs: number
  readonly id: string
}

/** Best first: score, then the newer, then the id. */
export function byScore(a: Scored, b: Scored): number {
  if (a.score !== b.score) return b.score - a.score
  if (a.atMs !== b.atMs) return b.atMs - a.atMs
  return a.id < b.id ? -1 : a.id > b.id ? 1 : 0
}
