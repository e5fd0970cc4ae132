import type { UsagePurpose } from './budget'

/** One call of a model and what it used, in the record's order of `sessionId` and `seq` (R93). */
export interface UsedCall {
  readonly sessionId: string
  readonly seq: number
  readonly atMs: number
  readonly turnId: string
  readonly step: number
  readonly provider: string
  readonly model: string
  readonly purpose: UsagePurpose
  readonly inputTokens: number
  /** Of the input, what came from the provider's cache. */
  readonly cachedTokens: number
  readonly outputTokens: number
  /** The provider reported nothing: counted here (R31). */
  readonly isEstimated: boolean
  readonly durationMs: number | null
  /** Null: nobody said the price. */
  readonly currency: string | null
}

/** Calls of models, added up. */
export interface UsageTotals {
  readonly calls: number
  readonly inputTokens: number
  /** Of the input, what came from the provider's cache. */
  readonly cachedTokens: number
  readonly outputTokens: number
  /** Of all tokens, those that were counted here because the provider reported none (R31). */
  readonly estimatedTokens: number
  readonly durationMs: number
}

/** How calls were decided. */
export interface Signatures {
  readonly person: number
  /** By rules, and by grants for a turn or session. */
  readonly rule: number
  /** By the person or by policy. */
  readonly denied: number
  /** The time a person took, in the middle; null when nobody was asked. */
  readonly medianMs: number | null
}
