import type { Call } from '../../../shared/domain/call'
import type { AgentEvent } from '../../../shared/domain/event'
import type { CallId, TurnId } from '../../../shared/domain/ids'
import type { ModelChoice } from '../../../shared/domain/model'
import { said, type Said } from '../../../shared/domain/result'
import type { AskingLevel } from '../../../shared/domain/session'
import type { ToolStatus } from '../../../shared/domain/tool'
import type { CalledOnce } from './runCalls'

/** A turn that a crash or an exit left without its end, and what its last step still owes. */
export interface UnfinishedTurn {
  readonly turnId: TurnId
  readonly choice: ModelChoice
  readonly level: AskingLevel
  readonly step: number
  /** Calls of the last step without a result, in order. */
  readonly open: readonly CalledOnce[]
}

/** Finds the turn that has no end; null when the session is whole. Pure over the events. */
export function findUnfinishedTurn(events: readonly AgentEvent[]): UnfinishedTurn | null {
  const started = events.filter((event) => event.type === 'turn-started').at(-1)
  if (started?.type !== 'turn-started') return null
  const own = events.filter((event) => 'turnId' in event && event.turnId === started.turnId)
  if (own.some((event) => event.type === 'turn-ended')) return null

  const finished = new Set(own.flatMap((event) => (event.type === 'tool-finished' ? [event.callId] : [])))
  const reply = own.filter((event) => event.type === 'assistant-message-added').at(-1)
  const calls = reply?.type === 'assistant-message-added' ? reply.calls : []
  const step = own.reduce((highest, event) => ('step' in event && event.step !== null && event.step > highest ? event.step : highest), 0)
  return { turnId: started.turnId, choice: started.choice, level: started.level, step, open: calls.filter((call) => !finished.has(call.callId)) }
}

/**
 * What is to be done with a call that has no result: it can be taken up again because nothing of it happened; it is settled with
 * a status and a sentence that the model reads; or only the person can say, and the sentence stands where nobody is asked.
 */
export type OpenCallFate =
  | { readonly kind: 'again'; readonly callId: CallId }
  | { readonly kind: 'settled' | 'unknown'; readonly callId: CallId; readonly status: ToolStatus; readonly say: Said }

/** Content hashes now, by path; null for no file. */
export type HashesNow = (paths: readonly string[]) => Promise<Readonly<Record<string, string | null>>>

/** Decides one open call by its journal row. A started command, network or MCP call is unknown and never repeated by itself (R84). */
export async function fateOf(row: Call, hashesNow: HashesNow): Promise<OpenCallFate> {
  const callId = row.callId
  if (row.state !== 'started' || row.effect === 'read') return { kind: 'again', callId }
  if (row.effect !== 'write') return { kind: 'unknown', callId, status: 'unknown', say: said('call.unknown') }

  const now = await hashesNow(row.writes.map((write) => write.path))
  if (row.writes.length > 0 && row.writes.every((write) => now[write.path] === write.after)) return { kind: 'settled', callId, status: 'ok', say: said('call.was-done') }
  if (row.writes.every((write) => now[write.path] === write.before)) return { kind: 'settled', callId, status: 'failed', say: said('call.was-not-done') }
  return { kind: 'settled', callId, status: 'unknown', say: said('call.conflict', { paths: row.writes.map((write) => write.path) }) }
}
