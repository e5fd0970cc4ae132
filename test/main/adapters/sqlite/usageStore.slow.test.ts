import { readFileSync } from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { UsageScope } from '../../../../src/main/core/ports/usageStore'
import { dayEdges, dayStart } from '../../../../src/main/core/usage/localDays'
import { byDay, byModel, bySession, noUse, sumOf } from '../../../../src/main/core/usage/sums'
import { addCosts } from '../../../../src/shared/domain/budget'
import type { AgentEvent, EventDraft } from '../../../../src/shared/domain/event'
import { asId, type CallId, type SessionId, type WorkspaceId } from '../../../../src/shared/domain/ids'
import type { UsageSum } from '../../../../src/shared/ipc/usageViews'
import { intent, opened, turnBegun } from '../../../support/drafts'
import { migrationsDir, openIn, rawOpen, scratchFolder } from '../../../support/scratchDatabase'

const everything: UsageScope = { workspaceId: null, sessionId: null }
const day = 24 * 3_600_000
const start = new Date(2026, 9, 20).getTime()

type Reported = Extract<EventDraft, { readonly type: 'usage-reported' }>

function used(turn: string, more: Partial<Reported> = {}): Reported {
  return { type: 'usage-reported', turnId: asId(turn), step: 1, usage: { inputTokens: 100, outputTokens: 10, cachedTokens: 40, estimated: false }, choice: { provider: 'main', model: 'large' }, purpose: 'turn', cost: { currency: 'USD', micros: 1000 }, durationMs: 500, ...more }
}

/** A database with a clock of its own and two projects. */
async function world(dataDir = scratchFolder()) {
  const clock = { now: start, nowMs: () => clock.now }
  const database = await openIn(dataDir, clock)
  const here = await database.timeline.workspace('/home/me/project', 'project')
  const other = await database.timeline.workspace('/home/me/other', 'other')
  const begin = async (id: string, workspaceId: WorkspaceId = here.id): Promise<SessionId> => {
    const session = asId<SessionId>(id)
    await database.events.append(session, [opened(workspaceId, id), ...turnBegun(`${id}-turn`)])
    return session
  }
  return { dataDir, clock, database, here, other, begin }
}

function rowsOf(dataDir: string): readonly unknown[] {
  const raw = rawOpen(path.join(dataDir, 'countersign.db'), true)
  const rows = raw.prepare('SELECT * FROM usage ORDER BY session_id, seq').all()
  raw.close()
  return rows
}

/** The plain fold that every sum must agree with. */
function foldOf(events: readonly AgentEvent[]): UsageSum {
  return events.reduce<UsageSum>((sum, event) => {
    if (event.type !== 'usage-reported') return sum
    const { inputTokens, outputTokens, cachedTokens = 0, estimated } = event.usage
    return {
      calls: sum.calls + 1, inputTokens: sum.inputTokens + inputTokens, outputTokens: sum.outputTokens + outputTokens, cachedTokens: sum.cachedTokens + cachedTokens,
      estimatedTokens: sum.estimatedTokens + (estimated ? inputTokens + outputTokens : 0), durationMs: sum.durationMs + (event.durationMs ?? 0),
      unpricedCalls: sum.unpricedCalls + (event.cost ? 0 : 1), costs: event.cost ? addCosts(sum.costs, [event.cost]) : sum.costs,
    }
  }, noUse)
}

function together(sums: readonly UsageSum[]): UsageSum {
  return sums.reduce((all, one) => ({
    calls: all.calls + one.calls, inputTokens: all.inputTokens + one.inputTokens, outputTokens: all.outputTokens + one.outputTokens, cachedTokens: all.cachedTokens + one.cachedTokens, estimatedTokens: all.estimatedTokens + one.estimatedTokens,
    durationMs: all.durationMs + one.durationMs, unpricedCalls: all.unpricedCalls + one.unpricedCalls, costs: addCosts(all.costs, one.costs),
  }), noUse)
}

const call = fc.record({
  session: fc.integer({ min: 0, max: 3 }),
  afterMs: fc.integer({ min: 0, max: day }),
  model: fc.constantFrom('large', 'small'),
  usage: fc.record({ inputTokens: fc.nat(100_000), outputTokens: fc.nat(5000), cachedTokens: fc.nat(50_000), estimated: fc.boolean() }),
  cost: fc.option(fc.record({ currency: fc.constantFrom('USD', 'CNY'), micros: fc.nat(9_000_000) })),
  durationMs: fc.nat(60_000),
})

test('R93: sums by day, model and session agree, and are the fold over the events; rebuilding gives the same rows', async () => {
  await fc.assert(fc.asyncProperty(fc.array(call, { maxLength: 40 }), async (calls) => {
    const { dataDir, clock, database, here, other, begin } = await world()
    const sessions = [await begin('a'), await begin('b'), await begin('c', other.id), await begin('d', other.id)]
    for (const { session, afterMs, model, ...rest } of calls) {
      clock.now += afterMs
      await database.events.append(sessions[session] ?? asId<SessionId>('a'), [used('t', { choice: { provider: 'main', model }, ...rest })])
    }
    const fold = foldOf((await Promise.all(sessions.map((id) => database.events.read(id)))).flat())
    const edges = dayEdges(start, clock.now)
    const cells = await database.usage.cells(everything, edges)
    const days = byDay(cells, edges, here.id)
    expect(sumOf(cells)).toEqual(fold)
    expect(together(days.flatMap((one) => [one.here, one.elsewhere]))).toEqual(fold)
    expect(together(byModel(cells))).toMatchObject({ ...fold })
    expect(together(bySession(cells, here.id, 10).rows)).toMatchObject({ ...fold })
    expect(await database.usage.costsSince(0)).toEqual(fold.costs)
    expect(sumOf(await database.usage.cells({ workspaceId: here.id, sessionId: null }, edges))).toEqual(together(days.map((one) => one.here)))
    const before = rowsOf(dataDir)
    await database.rebuildSessions()
    expect(rowsOf(dataDir)).toEqual(before)
    await database.close()
  }), { numRuns: 8 })
})

describe('R93: what counts where', () => {
  test('a call belongs to its local day, also over the moment on which one begins', async () => {
    const { clock, database, begin } = await world()
    const session = await begin('a')
    const midnight = dayStart(start + 1.5 * day)
    for (const at of [midnight - 1, midnight, midnight + day - 1]) {
      clock.now = at
      await database.events.append(session, [used('t')])
    }
    const edges = dayEdges(start, midnight)
    expect((await database.usage.cells(everything, edges)).map(({ dayMs, calls }) => [dayMs, calls])).toEqual([[edges[0], 1], [midnight, 2]])
    expect(await database.usage.costsSince(midnight)).toEqual([{ currency: 'USD', micros: 2000 }])
  })

  test('what a fork took over counts in the session that it came from, once', async () => {
    const { dataDir, database, here, begin } = await world()
    const origin = await begin('a')
    await database.events.append(origin, [used('a-turn'), used('a-turn')])
    const copied = (await database.events.read(origin)).slice(1).map(({ v: _v, sessionId: _s, seq: _q, atMs: _a, ...draft }) => draft as EventDraft)
    const fork = asId<SessionId>('fork')
    await database.events.append(fork, [{ ...opened(here.id), forkedFrom: { sessionId: origin, seq: 5 } } as EventDraft, ...copied, used('own', { durationMs: 7 })])
    const counted = async () => (await database.usage.rows(everything, 0, null, 100)).map(({ sessionId, seq }) => [sessionId, seq])
    expect(await counted()).toEqual([['a', 4], ['a', 5], ['fork', 6]])
    await database.rebuildSessions()
    expect(await counted()).toEqual([['a', 4], ['a', 5], ['fork', 6]])
    expect(rowsOf(dataDir)).toHaveLength(3)
  })

  test('a conversation that was rolled back was paid for all the same', async () => {
    const { database, begin } = await world()
    const session = await begin('a')
    await database.events.append(session, [used('a-turn'), { type: 'rolled-back', rollbackId: asId('r'), scope: 'conversation', hidden: { fromSeq: 2, toSeq: 4 }, paths: [], failed: [] }])
    expect(await database.usage.costsSince(0)).toEqual([{ currency: 'USD', micros: 1000 }])
  })

  test('a later price changes nothing, and a call of an unknown price is none of nothing', async () => {
    const { database, begin } = await world()
    await database.events.append(await begin('a'), [used('t', { cost: null }), used('t', { cost: { currency: 'USD', micros: 0 } })])
    expect(sumOf(await database.usage.cells(everything, [start, start + day]))).toMatchObject({ calls: 2, unpricedCalls: 1, costs: [{ currency: 'USD', micros: 0 }] })
  })

  test('rows are read page by page, in the order of time', async () => {
    const { clock, database, begin } = await world()
    const sessions = [await begin('a'), await begin('b')]
    for (let at = 0; at < 10; at += 1) {
      clock.now += at % 3 === 0 ? 0 : 5
      await database.events.append(sessions[at % 2] ?? asId('a'), [used('t', { durationMs: at })])
    }
    const all = await database.usage.rows(everything, 0, null, 100)
    const paged = []
    for (let after = null as (typeof all)[number] | null; ; ) {
      const page = await database.usage.rows(everything, 0, after, 3)
      paged.push(...page)
      after = page.at(-1) ?? null
      if (page.length < 3) break
    }
    expect(paged).toEqual(all)
    expect(all).toHaveLength(10)
    expect(all[0]).toMatchObject({ project: 'project', title: 'a', provider: 'main', isEstimated: false })
  })

  test('the highest ceiling that was raised for a day is known to every session', async () => {
    const { clock, database, begin } = await world()
    const session = await begin('a')
    const raise = (limit: number | null): EventDraft => ({ type: 'budget-raised', turnId: asId('t'), step: 1, raise: { kind: 'day-cost', currency: 'USD', limit }, by: 'person' })
    await database.events.append(session, [raise(9_000_000)])
    clock.now += day
    await database.events.append(session, [raise(4_000_000), raise(3_000_000), raise(null)])
    expect(await database.usage.raisesSince(start + day)).toEqual([{ kind: 'day-cost', currency: 'USD', limit: 4_000_000 }])
    await database.rebuildSessions()
    expect(await database.usage.raisesSince(start + day)).toEqual([{ kind: 'day-cost', currency: 'USD', limit: 4_000_000 }])
  })
})

test('R93: signatures are counted by who decided, with the time in the middle that a person took', async () => {
  const { database, here, other, begin } = await world()
  const session = await begin('a')
  const elsewhere = await begin('b', other.id)
  const decide = async (id: SessionId, call: string, by: 'person' | 'rule' | 'grant' | 'policy', tookMs: number, isRefused = false): Promise<void> => {
    const { drafts, changes } = intent(id, 't', call, 'read')
    const callId = asId<CallId>(call)
    await database.events.append(id, drafts, [
      ...changes, { to: 'asked', callId, askedAtMs: start, argsHash: 'h' },
      isRefused ? { to: 'refused', callId, decidedBy: by, decidedAtMs: start + tookMs, outcome: 'denied' } : { to: 'approved', callId, approved: {}, argsHash: 'h', decidedBy: by, ruleId: null, decidedAtMs: start + tookMs },
    ])
  }
  await decide(session, 'c1', 'person', 3000)
  await decide(session, 'c2', 'person', 9000)
  await decide(session, 'c3', 'person', 5000, true)
  await decide(session, 'c4', 'rule', 1)
  await decide(session, 'c5', 'grant', 1)
  await decide(session, 'c6', 'policy', 1, true)
  await decide(elsewhere, 'c7', 'person', 20_000)
  await decide(session, 'c8', 'person', day)
  expect(await database.usage.signatures({ workspaceId: here.id, sessionId: null }, start, start + day)).toEqual({ person: 2, rule: 2, denied: 2, medianMs: 5000 })
  expect(await database.usage.signatures(everything, start, start + day)).toMatchObject({ person: 3 })
  expect(await database.usage.signatures(everything, 0, start)).toEqual({ person: 0, rule: 0, denied: 0, medianMs: null })
})

test('R93, R95: a database of before there was usage gets its rows from its events, by the migration and by rebuilding alike', async () => {
  const dataDir = scratchFolder()
  const old = rawOpen(path.join(dataDir, 'countersign.db'))
  old.exec(readFileSync(path.resolve(migrationsDir, '../../test/fixtures/db/version-6.sql'), 'utf8'))
  old.close()
  const database = await openIn(dataDir)
  const rows = await database.usage.rows(everything, 0, null, 100)
  const reported = (await database.events.read(asId('session-1'))).filter((event) => event.type === 'usage-reported')
  expect(rows).toHaveLength(reported.length)
  expect(rows[0]).toMatchObject({ sessionId: 'session-1', inputTokens: 10, outputTokens: 5, currency: null, purpose: 'turn' })
  const before = rowsOf(dataDir)
  await database.rebuildSessions()
  expect(rowsOf(dataDir)).toEqual(before)
})
