import type { CompactionStrategy } from '../domain/compaction'
import type { CompactionId } from '../domain/ids'
import type { Said } from '../domain/result'

/** What becomes of a part of a conversation (R29). `dropped` never means deleted: head and tail are sent, and `cat` reads the rest. */
export const contextStates = ['fixed', 'pinned', 'kept', 'summarised', 'dropped'] as const
export type ContextState = (typeof contextStates)[number]

/** Tokens by what becomes of them. */
export type ContextBar = Readonly<Record<ContextState, number>>

/** A row of the page: a part of the next request, or what a summary stands for. Tokens are corrected estimates. */
export interface ContextRow {
  readonly id: string
  readonly state: ContextState
  readonly what: Said
  readonly why: Said
  readonly before: number
  readonly after: number
  /** The message that a pin would keep whole; null where there is nothing to pin. */
  readonly pin: { readonly messageSeq: number; readonly isPinned: boolean } | null
}

/** What the model is sent of a conversation, before and after its compaction. */
export interface ContextPage {
  readonly windowTokens: number
  /** Nobody says how large the window is; then this one is assumed for that model. */
  readonly assumedFor: string | null
  readonly limitTokens: number
  readonly keepTurns: number
  /** Null while no compaction holds. */
  readonly before: ContextBar | null
  readonly now: ContextBar
  readonly rows: readonly ContextRow[]
  /** When each turn of the conversation began; summaries name turns by number. */
  readonly turns: readonly { readonly turn: number; readonly atMs: number }[]
  readonly compaction: ShownCompaction | null
  /** A sentence offered as a memory, not answered yet. */
  readonly proposal: string | null
  /** A person's compaction is under way. */
  readonly isCompacting: boolean
  readonly canCompact: boolean
  /** Why the newest summary failed, when nothing was summarised since. */
  readonly failure: Said | null
}

/** The compaction that holds. */
export interface ShownCompaction {
  readonly compactionId: CompactionId
  readonly atMs: number
  readonly by: 'limit' | 'person'
  readonly strategy: CompactionStrategy
  readonly model: string
  readonly summary: string
  /** The person edited the summary since the model wrote it. */
  readonly isEdited: boolean
  readonly summaryTokens: number
  readonly summarisedMessages: number
  readonly keptTurns: number
  readonly results: number
}
