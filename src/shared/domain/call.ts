import type { CallId, SessionId, SnapshotId, TurnId } from './ids'
import type { DecidedBy } from './approval'
import type { Effect, ToolStatus } from './tool'

/** intent → approved | refused → started → finished; a transition is committed before what it announces happens. */
export type CallState = 'intent' | 'approved' | 'refused' | 'started' | 'finished'

/** Arguments as a plain object, as the tool's schema parsed them. */
export type CallArgs = Readonly<Record<string, unknown>>

/**
 * A call's journal row. `proposed` is the text the model sent, `approved` what the person or rule agreed to,
 * `effective` what ran.
 */
export interface Call {
  readonly callId: CallId
  readonly providerCallId: string
  readonly sessionId: SessionId
  readonly turnId: TurnId
  readonly step: number
  readonly index: number
  readonly tool: string
  readonly effect: Effect
  readonly proposed: string
  readonly approved: CallArgs | null
  readonly effective: CallArgs | null
  readonly argsHash: string | null
  readonly state: CallState
  readonly decidedBy: DecidedBy | null
  readonly ruleId: string | null
  readonly askedAtMs: number | null
  readonly decidedAtMs: number | null
  readonly startedAtMs: number | null
  readonly finishedAtMs: number | null
  readonly beforeSnapshot: SnapshotId | null
  readonly afterSnapshot: SnapshotId | null
  /** Process id of the command's first process, with its start time, so that it is found again after a crash. */
  readonly pid: number | null
  /** Content hashes of the files the call writes, before and expected after; decides a write's fate after a crash. */
  readonly writes: readonly { readonly path: string; readonly before: string | null; readonly after: string | null }[]
  readonly outcome: ToolStatus | null
}

/**
 * A transition of one call; `again` takes one that a crash cut short back to its beginning, because a person said so: it is judged
 * and asked anew. Fields given are set, others stay. `to: 'intent'` creates the row. `refused` is also where a
 * call ends that never started: bad arguments, a fault before it, a cancelled turn (then nobody decided: null).
 */
export type CallChange =
  | { readonly to: 'intent'; readonly call: Pick<Call, 'callId' | 'providerCallId' | 'sessionId' | 'turnId' | 'step' | 'index' | 'tool' | 'effect' | 'proposed'> }
  | { readonly to: 'asked'; readonly callId: CallId; readonly askedAtMs: number; readonly argsHash: string }
  | { readonly to: 'approved'; readonly callId: CallId; readonly approved: CallArgs; readonly argsHash: string; readonly decidedBy: DecidedBy; readonly ruleId: string | null; readonly decidedAtMs: number }
  | { readonly to: 'refused'; readonly callId: CallId; readonly decidedBy: DecidedBy | null; readonly decidedAtMs: number; readonly outcome: ToolStatus }
  | { readonly to: 'started'; readonly callId: CallId; readonly effective: CallArgs; readonly startedAtMs: number; readonly beforeSnapshot: SnapshotId | null; readonly writes: Call['writes'] }
  | { readonly to: 'again'; readonly callId: CallId; readonly decidedAtMs: number }
  | { readonly to: 'running'; readonly callId: CallId; readonly pid: number }
  | { readonly to: 'finished'; readonly callId: CallId; readonly finishedAtMs: number; readonly afterSnapshot: SnapshotId | null; readonly outcome: ToolStatus }
