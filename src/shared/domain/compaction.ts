import type { CallId, CompactionId } from './ids'
import type { ModelChoice } from './model'

/** How old turns are summarised (R27): all at once, or in groups of whole turns whose summaries are merged. */
export const compactionStrategies = ['once', 'groups'] as const
export type CompactionStrategy = (typeof compactionStrategies)[number]

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
  /** The seq of the user message that the kept turns begin with (R25). */
  readonly beforeSeq: number
  readonly summary: string
  /** Messages before `beforeSeq` that stay whole: the seq of each user message, or of each reply, which takes its results along. */
  readonly pinned: readonly number[]
  /** Results that are sent as head and tail, with their size and where the whole lies (R28). */
  readonly trimmed: readonly { readonly callId: CallId; readonly headCharacters: number; readonly tailCharacters: number }[]
  /** Messages that the summary stands for, and turns kept whole. */
  readonly summarisedMessages: number
  readonly keptTurns: number
  /** Estimates of the whole request before and after. */
  readonly tokensBefore: number
  readonly tokensAfter: number
  /** Which model wrote the summary. */
  readonly choice: ModelChoice
}
