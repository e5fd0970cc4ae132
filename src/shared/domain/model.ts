import type { Prices } from './catalogue'
import type { Said } from './result'

/** Which model of which provider serves a session. */
export interface ModelChoice {
  readonly provider: string
  readonly model: string
}

/** Tokens of one model call; `inputTokens` holds all input, cached or not. `estimated` says that the provider reported none and these were counted here (R31). */
export interface Usage {
  readonly inputTokens: number
  readonly outputTokens: number
  /** Of the input, what the provider had in its cache. */
  readonly cachedTokens?: number
  /** Of the input, what was written to its cache. */
  readonly cacheWriteTokens?: number
  readonly estimated: boolean
}

/** One requested call inside an assistant message, as the provider sent it (R91). `argumentsText` is raw. */
export interface ModelCall {
  readonly providerCallId: string
  readonly name: string
  readonly argumentsText: string
}

/**
 * A piece of thinking as the provider sent it, kept beside the plain text (R88). It is sent back to the model that made it and to
 * no other, in the form its protocol demands, and is never changed: a signature covers it.
 * `field`: the text of one field of the message; `item`: one entry of a list of the message; `signed` and `redacted`: blocks
 * that stand among the text and the calls: `textBefore` characters and `callsBefore` calls came before it.
 */
export type ThinkingBlock =
  | { readonly kind: 'field'; readonly field: string; readonly text: string }
  | { readonly kind: 'item'; readonly field: string; readonly item: Readonly<Record<string, unknown>> }
  | ({ readonly kind: 'signed'; readonly text: string; readonly signature: string } & BlockPlace)
  | ({ readonly kind: 'redacted'; readonly data: string } & BlockPlace)

interface BlockPlace {
  readonly textBefore: number
  readonly callsBefore: number
}

/** The neutral form of a message on its way to a provider; an adapter turns it into its protocol's. `from` made the message, with its `thinking`. */
export type ModelMessage =
  | { readonly role: 'system'; readonly text: string }
  | { readonly role: 'user'; readonly text: string; readonly images?: readonly ModelImage[] }
  | { readonly role: 'assistant'; readonly text: string; readonly reasoning?: string; readonly thinking?: readonly ThinkingBlock[]; readonly from?: ModelChoice; readonly calls: readonly ModelCall[] }
  | { readonly role: 'tool'; readonly providerCallId: string; readonly name: string; readonly text: string; readonly images?: readonly ModelImage[] }

/** A picture in the outputs store; a model that takes none gets a notice in its place (R90). */
export interface ModelImage {
  readonly ref: string
  readonly mimeType: string
  readonly sizeBytes: number
}

/** What is known of a model where it is served. Null: nobody says. */
export interface ModelFacts {
  readonly windowTokens: number | null
  readonly maxOutputTokens: number | null
  readonly seesImages: boolean | null
  readonly callsTools: boolean | null
  readonly thinks: boolean | null
  readonly prices: Prices | null
}

/** Of a model that nobody says anything of. */
export const unknownFacts: ModelFacts = { windowTokens: null, maxOutputTokens: null, seesImages: null, callsTools: null, thinks: null, prices: null }

/** A tool as the model sees it; `parameters` is JSON Schema. */
export interface ToolSpec {
  readonly name: string
  readonly description: string
  readonly parameters: Readonly<Record<string, unknown>>
}

/** One request to a model. The order of messages is sent as it is. */
export interface ModelRequest {
  readonly choice: ModelChoice
  readonly messages: readonly ModelMessage[]
  readonly tools: readonly ToolSpec[]
  /** Most tokens of the answer; the provider's own limit when left out. Whoever needs it kept looks at the answer too. */
  readonly maxOutputTokens?: number
}

/** Why a model call failed, in words, and whether the same request may be sent again. */
export interface ModelFault {
  readonly kind: 'auth' | 'network' | 'rate-limit' | 'refused' | 'server' | 'protocol' | 'cut' | 'stalled' | 'empty'
  readonly say: Said
  readonly canRetry: boolean
  readonly retryAfterMs?: number
}

/** Why the model stopped, as the provider said it; `length` means cut at its output limit. */
export type StopReason = 'stop' | 'tool-calls' | 'length' | 'filtered' | 'other'

/**
 * A piece of a reply on its way; shown, never stored (R16).
 * A `call-piece` holds raw text as it came (R17): `index`, `id` and `name` may be missing, late, repeated or empty.
 * A `thinking-block` comes when the block is whole; its text was shown as `thinking-delta` before.
 * A stream ends with exactly one of `stopped` or `failed`; pieces after it are not sent.
 */
export type StreamPart =
  | { readonly kind: 'text-delta'; readonly text: string }
  | { readonly kind: 'thinking-delta'; readonly text: string }
  | { readonly kind: 'thinking-block'; readonly block: ThinkingBlock }
  | { readonly kind: 'call-piece'; readonly index?: number; readonly id?: string; readonly name?: string; readonly argumentsText?: string }
  | { readonly kind: 'usage'; readonly usage: Usage }
  | { readonly kind: 'retrying'; readonly fault: ModelFault; readonly attempt: number; readonly waitMs: number }
  | { readonly kind: 'stopped'; readonly reason: StopReason }
  | { readonly kind: 'failed'; readonly fault: ModelFault }

/** A reply put together from its parts. Only `complete` may go on to approval and execution. */
export interface AssembledReply {
  readonly status: 'complete' | 'incomplete' | 'error'
  readonly text: string
  readonly reasoning: string
  /** As it came, in order; empty when the provider sent none that may go back. */
  readonly thinking: readonly ThinkingBlock[]
  readonly calls: readonly ModelCall[]
  readonly usage: Usage | null
  readonly stop: StopReason | null
  readonly fault: ModelFault | null
}
