import type { CallId, CompactionId } from './ids'
import type { ModelChoice } from './model'

/** How old turns are summarised (R27): all at once, or in groups of whole turns whose summaries are merged. */
export const compactionStrategies = ['once', 'groups'] as const
export type CompactionStrategy = (typeof compactionStrategies)[number]

/**
 * A result that is sent as head and tail, with its size and where the whole lies (R28). The lengths are of the text as it is
 * stored, so that the same record gives the same bytes again.
 */
export interface TrimmedResult {
  readonly callId: CallId
  readonly headCharacters: number
  readonly tailCharacters: number
  /** The whole, a name in the outputs store for `cat`. */
  readonly outputRef: string
}

/**
 * Old turns replaced by a summary in what the model is sent (R25 to R30). The record keeps every word: the fold over the events
 * leaves out what stands before `beforeSeq`, puts the summary in its place, and keeps what was pinned. The newest one that was
 * not undone holds; recorded again under the same id, it is the same compaction with its summary edited by the person.
 */
export interface Compaction {
  readonly compactionId: CompactionId
  readonly strategy: CompactionStrategy
  /** `limit`: the window was nearly full; `person`: asked for. */
  readonly by: 'limit' | 'person'
  /** The seq of the user message that the kept turns begin with (R25); 0 when only results were trimmed and nothing is summarised. */
  readonly beforeSeq: number
  /** Empty when nothing is summarised. An earlier compaction's summary and trimming are part of this one. */
  readonly summary: string
  /** Messages before `beforeSeq` that stay whole: the seq of each user message, or of each reply, which takes its results along. */
  readonly pinned: readonly number[]
  readonly trimmed: readonly TrimmedResult[]
  /** Messages that the summary stands for, and turns kept whole. */
  readonly summarisedMessages: number
  readonly keptTurns: number
  /** Estimates of the whole request before and after, corrected by what the provider counted (R31). */
  readonly tokensBefore: number
  readonly tokensAfter: number
  /** Which model wrote the summary. */
  readonly choice: ModelChoice
}
