import type { EventDraft } from '../../shared/domain/event'
import type { RollbackId, SessionId, TurnId } from '../../shared/domain/ids'
import { fail, type Result } from '../../shared/domain/result'
import type { Workspace } from '../../shared/domain/session'
import { orFault } from '../core/ports/storageFault'
import { resendFrom } from '../core/sessions/forkRules'
import type { MessageParts } from './runMessages'
import type { RunningTurn, Runs } from './runs'
import type { OpenSession, Sessions } from './sessions'
import type { Snapshots } from './snapshots'

/** A message of the person that is said anew. */
export interface SaidAnew extends MessageParts {
  readonly messageSeq: number
  readonly text: string
}

/** What it needs. */
export interface ResendPorts {
  readonly sessions: Sessions
  readonly runs: () => Pick<Runs, 'prompt'>
  current(): { readonly workspace: Workspace; readonly snapshots: Pick<Snapshots, 'replaceTurn'> } | null
}

/**
 * Says a message anew: its turn and what follows go out of sight, as a rollback of the conversation that can be undone, in the
 * same commit as the new message. Where the snapshots or the database fail, everything stays as it was (b07).
 */
export function resender(ports: ResendPorts): (id: SessionId, message: SaidAnew) => Promise<Result<RunningTurn>> {
  return (id, { messageSeq, text, ...parts }) =>
    orFault(async () => {
      const session = await ports.sessions.open(id)
      await ports.sessions.refresh(id)
      const from = resendFrom(session.events, messageSeq)
      if (!from.ok) return from
      const open = ports.current()
      if (open?.workspace.id !== session.workspaceId) return fail('session.other-folder', { root: open?.workspace.root ?? '' })
      return open.snapshots.replaceTurn(id, from.value.turnId, (rollbackId) => ports.runs().prompt(id, text, { ...parts, before: () => [hiding(session, rollbackId, from.value)] }))
    })
}

/** Decided when the message is stored: what came meanwhile goes too. */
function hiding({ events }: OpenSession, rollbackId: RollbackId, { fromSeq }: { readonly turnId: TurnId; readonly fromSeq: number }): EventDraft {
  return { type: 'rolled-back', rollbackId, scope: 'conversation', hidden: { fromSeq, toSeq: events.at(-1)?.seq ?? fromSeq }, paths: [], failed: [] }
}
