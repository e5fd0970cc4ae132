import type { CallChange } from '../../../shared/domain/call'
import { asId } from '../../../shared/domain/ids'
import { readEvent } from '../../../shared/domain/readEvent'
import { said } from '../../../shared/domain/result'
import { StorageFault } from '../../core/ports/storageFault'
import { lifeOf, type ProcessIdentity } from '../../native/processIdentity'
import { actingCalls } from './actingCalls'
import type { Db } from './driver'
import { memoryOperations } from './memory/memoryOperations'
import { nextCall } from './nextCall'
import { projectSession, refuseSecondWorker, runsElsewhere } from './projectSession'
import type { EventToStore, Operations, OperationTable } from './protocol'
import { rebuildSessions } from './rebuildSessions'
import { ruleOperations } from './rules/ruleOperations'
import type { SearchIndex } from './sessions/searchIndex'
import { sessionOperations } from './sessions/sessionOperations'
import { auditHeadTable } from './tables/auditHeadTable'
import { callTable } from './tables/callTable'
import { eventTable } from './tables/eventTable'
import { laneTable, type Ticket } from './tables/laneTable'
import { mcpPinTable } from './tables/mcpPinTable'
import { mcpSwitchTable } from './tables/mcpSwitchTable'
import { rollbackPathTable } from './tables/rollbackPathTable'
import { rollbackTable } from './tables/rollbackTable'
import { rollbackTargetTable } from './tables/rollbackTargetTable'
import { sessionTable, type SessionRow } from './tables/sessionTable'
import { skillSwitchTable } from './tables/skillSwitchTable'
import { skillUseTable } from './tables/skillUseTable'
import { snapshotForgottenTable } from './tables/snapshotForgottenTable'
import { snapshotSummaryTable } from './tables/snapshotSummaryTable'
import { snapshotTable } from './tables/snapshotTable'
import { trustTable } from './tables/trustTable'
import { workspaceTable } from './tables/workspaceTable'
import { usageOperations } from './usage/usageOperations'
import { usageProjection } from './usage/projectUsage'

/** One answer to `readEvents` holds about this much, so that the main thread never parses long at a time. */
const pageCharacters = 256 * 1024

/** A ticket of a process that cannot be seen from here is kept as long as its heart beats. */
const silentMs = 30_000

/** The worker's side of every operation. Those that write are called inside a transaction. */
export function operationsOf(db: Db, self: ProcessIdentity, index: SearchIndex): OperationTable {
  const record = recordOperations(db, self, index)
  return { ...record, ...sessionOperations(db, index, (args) => record.append(args)), ...timelineOperations(db), ...rollbackOperations(db), ...laneOperations(db, self), ...mcpOperations(db), ...skillOperations(db), ...trustOperations(db), ...memoryOperations(db), ...ruleOperations(db), ...usageOperations(db) }
}

function recordOperations(db: Db, self: ProcessIdentity, index: SearchIndex) {
  const events = eventTable(db)
  const sessions = sessionTable(db)
  const calls = callTable(db)
  const acting = actingCalls(db)
  const heads = auditHeadTable(db)
  const usage = usageProjection(db)

  function appendEvent(row: SessionRow | null, sessionId: string, seq: number, atMs: number, { type, v, turnId, step, payload }: EventToStore): SessionRow {
    const stored = { sessionId: asId<SessionRow['id']>(sessionId), seq, type, v, atMs, payload }
    const event = readEvent(stored)
    refuseSecondWorker(row, event, self)
    events.insert({ ...stored, turnId, step })
    if (event.type === 'turn-ended' && event.auditHead !== null) heads.put(event.auditHead)
    if (row !== null) usage.project(event, row.workspaceId)
    return projectSession(row, event, self)
  }

  function change(one: CallChange): void {
    calls.put(nextCall(calls.get(one.to === 'intent' ? one.call.callId : one.callId), one))
  }

  return {
    append({ sessionId, atMs, events: drafts, changes }: Operations['append']['args']) {
      const firstSeq = events.lastSeq(sessionId) + 1
      let row = sessions.get(sessionId)
      drafts.forEach((draft, index) => {
        row = appendEvent(row, sessionId, firstSeq + index, atMs, draft)
        // Written at once: a call of the same append refers to its session.
        if (index === 0 && firstSeq === 1) sessions.put(row)
      })
      if (row === null) throw new Error(`session ${sessionId} was never opened`)
      if (drafts.length > 0) sessions.put(row)
      changes.forEach(change)
      return { firstSeq }
    },
    readEvents({ sessionId, fromSeq, toSeq }: Operations['readEvents']['args']) {
      const rows = events.range(sessionId, fromSeq, toSeq, pageCharacters)
      const last = rows.at(-1)
      return { rows, isWhole: last === undefined || last.seq >= toSeq || last.seq >= events.lastSeq(sessionId) }
    },
    sessions: ({ workspaceId }: Operations['sessions']['args']) => sessions.list(workspaceId),
    unfinished: () => sessions.withOpenTurn().filter((row) => !runsElsewhere(row, self)).map((row) => row.id),
    rebuildSessions() {
      index.clear()
      return rebuildSessions(db)
    },
    call: ({ callId }: Operations['call']['args']) => calls.get(callId),
    calls: ({ sessionId }: Operations['calls']['args']) => calls.list(sessionId),
    callLines: ({ callIds }: Operations['callLines']['args']) => calls.lines(callIds),
    actingCalls: (ask: Operations['actingCalls']['args']) => acting(ask),
    auditHead: () => heads.get(),
  }
}

function timelineOperations(db: Db) {
  const workspaces = workspaceTable(db)
  const snapshots = snapshotTable(db)
  const summaries = snapshotSummaryTable(db)
  const forgotten = snapshotForgottenTable(db)
  return {
    workspace({ root, name, newId, atMs }: Operations['workspace']['args']) {
      const known = workspaces.byRoot(root)
      if (known !== null) return known
      const made = { id: asId<SessionRow['workspaceId']>(newId), root, name }
      workspaces.insert(made, atMs)
      return made
    },
    addSnapshot(snapshot: Operations['addSnapshot']['args']) {
      snapshots.insert(snapshot)
      return null
    },
    snapshots: ({ workspaceId, since }: Operations['snapshots']['args']) => snapshots.list(workspaceId, since),
    points: ({ workspaceId, since, limit }: Operations['points']['args']) => ({ rows: snapshots.page(workspaceId, since, limit), forgotten: forgotten.get(workspaceId) }),
    skippedOf({ id }: Operations['skippedOf']['args']) {
      const skipped = snapshots.skipped(id)
      if (skipped === null) throw new StorageFault(said('snapshot.unknown', { id }))
      return skipped
    },
    summaries: ({ ids }: Operations['summaries']['args']) => ids.map((id) => summaries.get(id)),
    keepSummaries({ known }: Operations['keepSummaries']['args']) {
      known.forEach(summaries.put)
      return null
    },
    forgetSnapshots({ workspaceId, ids }: Operations['forgetSnapshots']['args']) {
      summaries.remove(ids)
      const removed = snapshots.remove(workspaceId, ids)
      if (removed.length > 0) forgotten.add(workspaceId, removed)
      return null
    },
  }
}

function rollbackOperations(db: Db) {
  const rollbacks = rollbackTable(db)
  const targets = rollbackTargetTable(db)
  const paths = rollbackPathTable(db)
  return {
    addRollback(record: Operations['addRollback']['args']) {
      rollbacks.insert(record)
      targets.insert(record)
      paths.replace(record)
      return null
    },
    updateRollback(record: Operations['updateRollback']['args']) {
      if (!rollbacks.update(record)) throw new Error(`no rollback ${record.id}`)
      paths.replace(record)
      return null
    },
    markRollbackPaths({ id, settled }: Operations['markRollbackPaths']['args']) {
      for (const { path, fault } of settled) paths.put(id, path, fault)
      return null
    },
    rollbacks: ({ workspaceId }: Operations['rollbacks']['args']) => rollbacks.list(workspaceId).map((row) => ({ ...row, ...paths.of(row.id) })),
    rollback({ id }: Operations['rollback']['args']) {
      const found = rollbacks.get(id)
      return found === null ? null : { ...found, ...paths.of(id) }
    },
    rollbackRows: ({ workspaceId }: Operations['rollbackRows']['args']) => rollbacks.rows(workspaceId),
  }
}

function laneOperations(db: Db, self: ProcessIdentity) {
  const lane = laneTable(db)
  return {
    joinLane: ({ workspaceId, nowMs }: Operations['joinLane']['args']) => lane.join(workspaceId, self, nowMs),
    askLane({ workspaceId, ticket, nowMs }: Operations['askLane']['args']): Operations['askLane']['answer'] {
      if (!lane.has(ticket)) return 'lost'
      const living = lane.before(workspaceId, ticket).filter((one) => {
        if (!isDead(one, nowMs)) return true
        lane.leave(one.ticket)
        return false
      })
      return living.length === 0 ? 'held' : 'waiting'
    },
    leaveLane({ ticket }: Operations['leaveLane']['args']) {
      lane.leave(ticket)
      return null
    },
    beatLane({ tickets, nowMs }: Operations['beatLane']['args']) {
      for (const ticket of tickets) lane.beat(ticket, nowMs)
      return null
    },
  }
}

function mcpOperations(db: Db) {
  const pins = mcpPinTable(db)
  const switches = mcpSwitchTable(db)

  function forget(server: string): null {
    pins.forget(server)
    switches.forget(server)
    return null
  }

  return {
    mcpPins: () => pins.list(),
    pinMcp({ pins: accepted }: Operations['pinMcp']['args']) {
      for (const pin of accepted) pins.put(pin)
      return null
    },
    unpinMcp({ server, tool }: Operations['unpinMcp']['args']) {
      pins.remove(server, tool)
      return null
    },
    mcpSwitches: () => switches.list(),
    setMcpSwitch(change: Operations['setMcpSwitch']['args']) {
      switches.put(change)
      return null
    },
    renameMcp({ from, to }: Operations['renameMcp']['args']) {
      if (from === to) return null
      // What is left of an earlier server of that name was never accepted of this one.
      forget(to)
      pins.rename(from, to)
      switches.rename(from, to)
      return null
    },
    forgetMcp: ({ server }: Operations['forgetMcp']['args']) => forget(server),
  }
}

function skillOperations(db: Db) {
  const switches = skillSwitchTable(db)
  const uses = skillUseTable(db)
  return {
    skillSwitches: () => switches.list(),
    setSkillSwitch(change: Operations['setSkillSwitch']['args']) {
      switches.put(change)
      return null
    },
    skillUses: ({ sinceMs }: Operations['skillUses']['args']) => uses.list(sinceMs),
    addSkillUses({ skills, atMs }: Operations['addSkillUses']['args']) {
      for (const { origin, path } of skills) uses.insert(origin, path, atMs)
      return null
    },
  }
}

function trustOperations(db: Db) {
  const trust = trustTable(db)
  return {
    trustDecisions: ({ workspaceId }: Operations['trustDecisions']['args']) => trust.list(workspaceId),
    decideTrust({ workspaceId, decisions }: Operations['decideTrust']['args']) {
      for (const decision of decisions) trust.put(workspaceId, decision)
      return null
    },
  }
}

function isDead(ticket: Ticket, nowMs: number): boolean {
  const life = lifeOf(ticket)
  return life === 'elsewhere' ? nowMs - ticket.heartbeatAtMs > silentMs : life === 'dead'
}
