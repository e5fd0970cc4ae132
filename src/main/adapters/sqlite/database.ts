import path from 'node:path'
import type { Clock } from '../../core/ports/clock'
import type { CallJournal, EventStore } from '../../core/ports/eventStore'
import type { IdSource } from '../../core/ports/idSource'
import type { LaneLock } from '../../core/ports/laneLock'
import type { MemoryStore } from '../../core/ports/memoryStore'
import type { McpPins } from '../../core/ports/mcpPins'
import type { RuleStore } from '../../core/ports/ruleStore'
import type { DraftStore } from '../../core/ports/draftStore'
import type { SessionForks } from '../../core/ports/sessionForks'
import type { SessionSearch } from '../../core/ports/sessionSearch'
import type { SkillRecord } from '../../core/ports/skillRecord'
import type { TimelineStore } from '../../core/ports/timelineStore'
import type { TrustStore } from '../../core/ports/trustStore'
import type { UsageStore } from '../../core/ports/usageStore'
import type { AuditHead } from '../../../shared/domain/audit'
import type { AgentEvent } from '../../../shared/domain/event'
import { readEvent } from '../../../shared/domain/readEvent'
import { succeed, type Result, type Said } from '../../../shared/domain/result'
import { startWorker, type Client } from './client'
import { makeLaneLock } from './laneLock'
import { memoriesOver } from './memory/memoriesOver'
import { rulesOver } from './rules/rulesOver'
import { draftsOver, eventToStore, sessionForksOver, sessionSearchOver } from './sessions/sessionsOver'
import { usageOver } from './usage/usageOver'

/** What the database is opened with. */
export interface DatabaseOptions {
  /** The app's data folder; `countersign.db` lies in it. */
  readonly dataDir: string
  /** The folder of numbered SQL files (resources/migrations). */
  readonly migrationsDir: string
  /** The built worker (out/main/sqliteWorker.js). */
  readonly workerFile: string
  readonly clock: Clock
  readonly ids: IdSource
}

/** The open database: the ports over one worker thread. */
export interface Database {
  readonly events: EventStore
  readonly calls: CallJournal
  readonly timeline: TimelineStore
  readonly lane: LaneLock
  readonly mcpPins: McpPins
  readonly memories: MemoryStore
  readonly skills: SkillRecord
  readonly trust: TrustStore
  readonly rules: RuleStore
  readonly usage: UsageStore
  readonly search: SessionSearch
  readonly forks: SessionForks
  readonly drafts: DraftStore
  /** True for a file of a newer version: everything that writes rejects. */
  readonly isReadOnly: boolean
  /** What the person must be told of the opening: a newer file, a recovery. */
  readonly faults: readonly Said[]
  /** The end of the audit chain as it was at the last turn's end. */
  auditHead(): Promise<AuditHead | null>
  /** Makes the session list, the usage and the search index anew from the events; returns how many sessions there are. */
  rebuildSessions(): Promise<number>
  /** Ends after everything that was asked before; leaves a small log. */
  close(): Promise<void>
}

/** Opens or makes the database. A fault says in words why it cannot be; nothing was changed then. */
export async function openDatabase(options: DatabaseOptions): Promise<Result<Database>> {
  const file = path.join(options.dataDir, 'countersign.db')
  const started = await startWorker(options.workerFile, { file, migrationsDir: options.migrationsDir })
  if (!started.ok) return started
  const client = started.value
  const lane = makeLaneLock(client, options.clock)
  return succeed({
    events: eventsOver(client, options.clock),
    calls: {
      get: (callId) => client.ask('call', { callId }),
      list: (sessionId) => client.ask('calls', { sessionId }),
      lines: (callIds) => client.ask('callLines', { callIds }),
      acting: (ask) => client.ask('actingCalls', ask),
    },
    timeline: timelineOver(client, options),
    lane: { enter: (workspaceId, signal) => lane.enter(workspaceId, signal) },
    mcpPins: mcpPinsOver(client),
    memories: memoriesOver(client),
    skills: skillsOver(client),
    trust: trustOver(client),
    rules: rulesOver(client),
    usage: usageOver(client),
    search: sessionSearchOver(client),
    forks: sessionForksOver(client, options.clock),
    drafts: draftsOver(client, options.clock),
    isReadOnly: client.isReadOnly,
    faults: client.faults,
    auditHead: () => client.ask('auditHead', null),
    rebuildSessions: () => client.ask('rebuildSessions', null),
    async close() {
      lane.close()
      await client.close()
    },
  })
}

function eventsOver(client: Client, clock: Clock): EventStore {
  return {
    async append(sessionId, drafts, changes = []) {
      const atMs = clock.nowMs()
      const events = drafts.map(eventToStore)
      const { firstSeq } = await client.ask('append', { sessionId, atMs, events, changes })
      // Read from what was stored, so that living through an event and replaying it are the same.
      return events.map((event, index) => readEvent({ ...event, sessionId, seq: firstSeq + index, atMs }))
    },
    async read(sessionId, fromSeq = 1, toSeq = Number.MAX_SAFE_INTEGER) {
      const events: AgentEvent[] = []
      for (let next = fromSeq; next <= toSeq; ) {
        const { rows, isWhole } = await client.ask('readEvents', { sessionId, fromSeq: next, toSeq })
        for (const row of rows) events.push(readEvent(row))
        if (isWhole) break
        next = (rows.at(-1)?.seq ?? toSeq) + 1
      }
      return events
    },
    sessions: (workspaceId) => client.ask('sessions', { workspaceId }),
    unfinished: () => client.ask('unfinished', null),
  }
}

function timelineOver(client: Client, { clock, ids }: DatabaseOptions): TimelineStore {
  return {
    workspace: (root, name) => client.ask('workspace', { root, name, newId: ids.next(), atMs: clock.nowMs() }),
    async addSnapshot(snapshot) {
      await client.ask('addSnapshot', snapshot)
    },
    snapshots: (workspaceId, since) => client.ask('snapshots', { workspaceId, since: since ?? null }),
    points: (workspaceId, since, limit) => client.ask('points', { workspaceId, since, limit }),
    skippedOf: (id) => client.ask('skippedOf', { id }),
    summaries: (ids) => client.ask('summaries', { ids }),
    async keepSummaries(known) {
      await client.ask('keepSummaries', { known })
    },
    async forgetSnapshots(workspaceId, ids) {
      await client.ask('forgetSnapshots', { workspaceId, ids })
    },
    async addRollback(record) {
      await client.ask('addRollback', record)
    },
    async updateRollback(record) {
      await client.ask('updateRollback', record)
    },
    async markRollbackPaths(id, settled) {
      await client.ask('markRollbackPaths', { id, settled: settled.map(({ path, outcome }) => ({ path, fault: outcome.ok ? null : outcome.fault })) })
    },
    rollbacks: (workspaceId) => client.ask('rollbacks', { workspaceId }),
    rollback: (id) => client.ask('rollback', { id }),
    rollbackRows: (workspaceId) => client.ask('rollbackRows', { workspaceId }),
  }
}

function mcpPinsOver(client: Client): McpPins {
  return {
    pins: () => client.ask('mcpPins', null),
    async pin(pins) {
      await client.ask('pinMcp', { pins })
    },
    async unpin(server, tool) {
      await client.ask('unpinMcp', { server, tool })
    },
    switches: () => client.ask('mcpSwitches', null),
    async set(change) {
      await client.ask('setMcpSwitch', change)
    },
    async rename(from, to) {
      await client.ask('renameMcp', { from, to })
    },
    async forget(server) {
      await client.ask('forgetMcp', { server })
    },
  }
}

function skillsOver(client: Client): SkillRecord {
  return {
    switches: () => client.ask('skillSwitches', null),
    async set(change) {
      await client.ask('setSkillSwitch', change)
    },
    uses: (sinceMs) => client.ask('skillUses', { sinceMs }),
    async used(skills, atMs) {
      await client.ask('addSkillUses', { skills, atMs })
    },
  }
}

function trustOver(client: Client): TrustStore {
  return {
    decisions: (workspaceId) => client.ask('trustDecisions', { workspaceId }),
    async decide(workspaceId, decisions) {
      await client.ask('decideTrust', { workspaceId, decisions })
    },
  }
}
