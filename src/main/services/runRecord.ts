import type { EventDraft } from '../../shared/domain/event'
import type { ApprovalRequest } from '../../shared/domain/approval'
import type { CallId, TurnId } from '../../shared/domain/ids'
import type { ToolSpec } from '../../shared/domain/model'
import type { Said } from '../../shared/domain/result'
import { modelOfTurn } from '../../shared/domain/sessionModel'
import type { NextRequest, Turn, TurnPorts } from '../core/agent/turnPorts'
import type { CancelSignal } from '../core/ports/cancelSignal'
import { originsOf } from '../core/memory/originsOf'
import { levelOfTurn } from '../core/policy/askingLevel'
import { isTainted, taintMarks } from '../core/policy/taint'
import { skillsOf } from '../core/skills/loadedSkills'
import { outputNamed } from '../core/tools/namedOutput'
import type { MessageQueues } from './messageQueues'
import type { OpenSession, Sessions } from './sessions'

/** What a turn's record is kept with. */
export interface RecordPorts {
  readonly sessions: Pick<Sessions, 'append' | 'show'>
  readonly queues: Pick<MessageQueues, 'deliver'>
  /** The last event that an earlier process left; left out for a turn that began in this one. */
  readonly leftSeq?: number
  /** The next request, with room made for it; what had to be made up in it since the last time, and why it lacks the memory that the turn began with. */
  history(session: OpenSession, turn: Turn, step: number, tools: readonly ToolSpec[], signal: CancelSignal): Promise<{ readonly next: NextRequest; readonly repairs: readonly Said[]; readonly memoryFault: Said | null }>
}

/** The record of a turn: its session's events, read from memory and written to the database first. */
export function recordOf(session: OpenSession, { turnId }: Pick<Turn, 'turnId'>, ports: RecordPorts): TurnPorts['record'] {
  return {
    append: (drafts, changes) => ports.sessions.append(session.id, drafts, changes),
    show: (_turn, step, body) => ports.sessions.show({ sessionId: session.id, turnId, step, body }),
    history: async (turn, step, tools, signal) => {
      const { next, repairs, memoryFault } = await ports.history(session, turn, step, tools, signal)
      if (repairs.length > 0) await ports.sessions.append(session.id, [{ type: 'history-repaired', turnId, repairs }])
      if (memoryFault && !isTold(session, turnId, memoryFault)) await ports.sessions.append(session.id, [noteOf(turnId, memoryFault)])
      return next
    },
    deliver: (turn, step) => ports.queues.deliver(session, turn, step),
    output: (ref) => outputNamed(session.events, ref),
    skills: (of) => skillsOf(session.events, of.turnId),
    origins: (text) => originsOf(session.events, text, turnId),
    askedBefore: (callId) => questionLeft(session.events, callId, ports.leftSeq ?? 0),
    level: (of) => levelOfTurn(session.events, of),
    choice: (of) => modelOfTurn(session.events, of),
    isTainted: (of) => isTainted(session.events, of.turnId),
    taint: (of, text) => taintMarks(session.events, of.turnId, text),
  }
}

/** The question that stood open when the process before ended. */
function questionLeft(events: OpenSession['events'], callId: CallId, leftSeq: number): ApprovalRequest | null {
  const last = events.findLast((event) => event.seq <= leftSeq && (event.type === 'approval-asked' || event.type === 'approval-decided' || event.type === 'approval-withdrawn') && event.callId === callId)
  return last?.type === 'approval-asked' ? last.request : null
}

/** For the person: the model needs no word of what it never saw. */
export function noteOf(turnId: TurnId, fact: Said): EventDraft {
  return { type: 'note-added', turnId, step: 0, say: fact, isForModel: false }
}

function isTold(session: OpenSession, turnId: TurnId, fact: Said): boolean {
  return session.events.some((event) => event.type === 'note-added' && event.turnId === turnId && event.say.code === fact.code)
}
