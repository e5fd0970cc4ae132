import type { CallChange } from '../../shared/domain/call'
import type { EventDraft } from '../../shared/domain/event'
import type { CallId } from '../../shared/domain/ids'
import { said, type Said } from '../../shared/domain/result'
import { say } from '../../shared/words/say'
import type { TurnEnd } from '../core/agent/runTurn'
import type { Turn } from '../core/agent/turnPorts'
import { fateOf, findUnfinishedTurn, type HashesNow } from '../core/agent/unfinishedTurn'
import type { CallJournal } from '../core/ports/eventStore'
import { StorageFault } from '../core/ports/storageFault'
import type { OpenSession, Sessions } from './sessions'

/** What ending a broken turn needs. */
export interface EndPorts {
  readonly sessions: Pick<Sessions, 'append' | 'refresh'>
  readonly journal: Pick<CallJournal, 'get'>
  readonly hashesNow: HashesNow
  readonly nowMs: () => number
}

/**
 * Ends a turn that a store at fault broke off, so that nobody waits for it: one result a call, as after a crash, and the
 * fault in words. Null where the record still cannot be kept; then the next start takes the turn up.
 */
export async function endAfterFault(session: OpenSession, turn: Turn, error: unknown, ports: EndPorts): Promise<TurnEnd | null> {
  const fault = error instanceof StorageFault ? error.fault : said('turn.failed', { problem: error instanceof Error ? error.message : String(error) })
  const end: TurnEnd = { reason: 'error', say: fault, text: '', tokens: { input: 0, output: 0 } }
  try {
    await ports.sessions.refresh(session.id)
    const unfinished = findUnfinishedTurn(session.events)
    if (unfinished?.turnId !== turn.turnId) return null
    const { turnId, step } = unfinished
    const { drafts, changes } = await endsOf(unfinished.open.map(({ callId }) => callId), { turnId, step }, fault, ports)
    await ports.sessions.append(session.id, [...drafts, { type: 'turn-ended', turnId, step, ...end, auditHead: null }], changes)
    return end
  } catch {
    return null // what broke the turn off is told by the caller
  }
}

async function endsOf(open: readonly CallId[], at: Pick<Turn, 'turnId' | 'step'>, fault: Said, ports: EndPorts): Promise<{ readonly drafts: readonly EventDraft[]; readonly changes: readonly CallChange[] }> {
  const drafts: EventDraft[] = []
  const changes: CallChange[] = []
  for (const callId of open) {
    const row = await ports.journal.get(callId)
    // Not even its intent is recorded: the history says that it was interrupted.
    if (!row) continue
    const fate = await fateOf(row, ports.hashesNow)
    const [status, sentence] = fate.kind === 'again' ? (['failed', fault] as const) : ([fate.status, fate.say] as const)
    drafts.push({ type: 'tool-finished', ...at, callId, status, say: sentence, text: say('en', sentence), changed: [], exitCode: null, outputRef: null, durationMs: 0 })
    if (row.state === 'started') changes.push({ to: 'finished', callId, finishedAtMs: ports.nowMs(), afterSnapshot: null, outcome: status })
    if (row.state === 'intent' || row.state === 'approved') changes.push({ to: 'refused', callId, decidedBy: null, decidedAtMs: ports.nowMs(), outcome: status })
  }
  return { drafts, changes }
}
