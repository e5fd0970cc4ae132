import type { AuditDraft } from '../../../shared/domain/audit'
import type { CallArgs } from '../../../shared/domain/call'
import type { CallId, SnapshotId } from '../../../shared/domain/ids'
import type { AnsweredCall } from '../ports/permissionDesk'
import type { JudgedPath, Tool } from '../tools/defineTool'
import type { Turn, TurnPorts } from './turnPorts'

/** A call whose arguments fit its tool; `step` is where it was made. */
export interface ReadyCall {
  readonly callId: CallId
  readonly step: number
  readonly tool: Tool
  readonly args: CallArgs
}

/** The fields every audit entry of a call has. */
export function auditOf(call: Pick<ReadyCall, 'callId' | 'tool'>, turn: Turn, ports: Pick<TurnPorts, 'clock'>) {
  return { atMs: ports.clock.nowMs(), sessionId: turn.sessionId, turnId: turn.turnId, callId: call.callId, tool: call.tool.name, effect: call.tool.effect }
}

/** Where a call is made that a permission answers. */
export function answeredAt({ callId, step }: Pick<ReadyCall, 'callId' | 'step'>, { sessionId, turnId }: Turn): AnsweredCall {
  return { sessionId, turnId, step, callId }
}

/** Places inside the project, relative to it. */
export function placesOf(places: readonly JudgedPath[]): readonly string[] {
  return places.flatMap(({ facts }) => (facts.relative === null ? [] : [facts.relative]))
}

/** A moment of the folder in an audit entry, with the commit that holds it. */
export async function snapshotFacts(snapshotId: SnapshotId | null, { snapshots }: Pick<TurnPorts, 'snapshots'>): Promise<Pick<AuditDraft, 'snapshotId' | 'commit'>> {
  if (snapshotId === null) return {}
  const commit = await snapshots.commitOf(snapshotId)
  return { snapshotId, ...(commit === null ? {} : { commit }) }
}
