import { describe, expect, test } from 'vitest'
import { makeIdSource } from '../../../src/main/adapters/system/idSource'
import { makeBudgets } from '../../../src/main/services/budgets'
import { makeSessions, type OpenSession } from '../../../src/main/services/sessions'
import type { BudgetOf } from '../../../src/shared/domain/budget'
import type { Prices } from '../../../src/shared/domain/catalogue'
import { applyEvent, emptyChat } from '../../../src/shared/domain/chatView'
import { asId, type TurnId } from '../../../src/shared/domain/ids'
import { defaultSettings, type BudgetSettings } from '../../../src/shared/domain/settings'
import { turnBegun } from '../../support/drafts'
import { openIn, scratchFolder } from '../../support/scratchDatabase'

const choice = { provider: 'main', model: 'large' }
const prices: Prices = { currency: 'USD', input: 1, cachedInput: null, cacheWrite: null, output: 1 }
const noon = new Date(2026, 9, 20, 12).getTime()
const day = 24 * 3_600_000
const turnCost: BudgetOf = { kind: 'turn-cost', currency: 'USD' }
const dayCost: BudgetOf = { kind: 'day-cost', currency: 'USD' }

/** A host's ceilings over a real database. A restart is a second one over the same folder. */
async function world(budget: Partial<BudgetSettings>, dataDir = scratchFolder(), known: Prices | null = prices) {
  const clock = { now: noon, nowMs: () => clock.now }
  const set = { budget: { ...defaultSettings.budget, ...budget } }
  const database = await openIn(dataDir, clock)
  const workspace = await database.timeline.workspace('/home/me/project', 'project')
  const sessions = makeSessions({ events: database.events, clock, ids: makeIdSource(clock) })
  const budgets = makeBudgets({ settings: { read: () => Promise.resolve({ settings: { ...defaultSettings, budget: set.budget }, faults: [] }) }, usage: database.usage, sessions, clock, facts: () => Promise.resolve({ prices: known }) })
  const stop = new AbortController()
  return {
    dataDir, clock, set, database, budgets, sessions, stop,
    /** A session with a turn that has begun. */
    begin: async (name: string): Promise<OpenSession> => {
      const session = await sessions.create(workspace.id, name, 'writes')
      await sessions.append(session.id, turnBegun(name))
      return session
    },
    spend: async (session: OpenSession, turn: string, micros: number, tokens = 10): Promise<void> => {
      await sessions.append(session.id, [{ type: 'usage-reported', turnId: asId(turn), step: 1, usage: { inputTokens: tokens, outputTokens: 0, estimated: false }, choice, cost: { currency: 'USD', micros } }])
    },
    pass: (session: OpenSession, turn: string) => budgets.pass({ sessionId: session.id, turnId: asId<TurnId>(turn), choice }, 1, stop.signal),
    waits: (count: number) => expect.poll(() => budgets.waiting().length).toBe(count),
  }
}

function told(session: OpenSession): readonly unknown[] {
  return session.events.flatMap((event) => (event.type === 'budget-reached' ? [['reached', event.reached.kind, event.reached.limit, event.reached.spent]] : event.type === 'budget-raised' ? [['raised', event.raise.kind, event.raise.limit, event.by]] : []))
}

describe('R2, R93: a ceiling pauses and asks', () => {
  test('below it nothing is asked; at it the turn waits until it is raised, and goes on', async () => {
    const { begin, spend, pass, waits, budgets } = await world({ turnCost: [{ currency: 'USD', amount: 2 }] })
    const session = await begin('a')
    await spend(session, 'a', 1_999_999)
    expect(await pass(session, 'a')).toBeNull()
    await spend(session, 'a', 1)
    const passed = pass(session, 'a')
    await waits(1)
    expect(await budgets.answer(session.id, turnCost, { kind: 'raise', limit: 2_000_000 })).toMatchObject({ ok: false, fault: { code: 'budget.too-low' } })
    expect(await budgets.answer(session.id, dayCost, { kind: 'stop' })).toMatchObject({ ok: false, fault: { code: 'budget.gone' } })
    expect((await budgets.answer(session.id, turnCost, { kind: 'raise', limit: 3_000_000 })).ok).toBe(true)
    expect(await passed).toBeNull()
    expect(told(session)).toEqual([['reached', 'turn-cost', 2_000_000, 2_000_000], ['raised', 'turn-cost', 3_000_000, 'person']])
    expect(budgets.waiting()).toEqual([])
  })

  test('a raise holds for its turn only', async () => {
    const { sessions, begin, spend, pass, waits, budgets } = await world({ turnTokens: 1000 })
    const session = await begin('a')
    await spend(session, 'a', 0, 1500)
    const passed = pass(session, 'a')
    await waits(1)
    await budgets.answer(session.id, { kind: 'turn-tokens', currency: null }, { kind: 'raise', limit: 5000 })
    expect(await passed).toBeNull()
    await sessions.append(session.id, turnBegun('b'))
    expect(await pass(session, 'b')).toBeNull()
    await spend(session, 'b', 0, 1500)
    void pass(session, 'b')
    await waits(1)
  })

  test('stopping ends the turn with a sentence', async () => {
    const { begin, spend, pass, waits, budgets } = await world({ turnCost: [{ currency: 'USD', amount: 2 }] })
    const session = await begin('a')
    await spend(session, 'a', 2_500_000)
    const passed = pass(session, 'a')
    await waits(1)
    await budgets.answer(session.id, turnCost, { kind: 'stop' })
    expect(await passed).toEqual({ code: 'budget.ended-turn', values: { spent: '2.50', limit: '2.00', currency: 'USD' } })
  })

  test('a cancel ends the waiting', async () => {
    const { begin, spend, pass, waits, budgets, stop } = await world({ turnCost: [{ currency: 'USD', amount: 2 }] })
    const session = await begin('a')
    await spend(session, 'a', 2_500_000)
    const passed = pass(session, 'a')
    await waits(1)
    stop.abort()
    expect(await passed).toBeNull()
    expect(budgets.waiting()).toEqual([])
  })

  test('a higher ceiling in the settings lets it go on, and the record says so', async () => {
    const { set, begin, spend, pass, waits, budgets } = await world({ turnCost: [{ currency: 'USD', amount: 2 }] })
    const session = await begin('a')
    await spend(session, 'a', 2_500_000)
    const passed = pass(session, 'a')
    await waits(1)
    set.budget = { ...set.budget, turnCost: [] }
    budgets.settingsChanged()
    expect(await passed).toBeNull()
    expect(told(session).at(-1)).toEqual(['raised', 'turn-cost', null, 'person'])
  })
})

describe('R93: the ceiling of a day', () => {
  test('pauses every session, and one raise lets all of them go on', async () => {
    const { begin, spend, pass, waits, budgets } = await world({ dayCost: [{ currency: 'USD', amount: 5 }] })
    const [one, two] = [await begin('a'), await begin('b')]
    await spend(one, 'a', 3_000_000)
    expect(await pass(two, 'b')).toBeNull()
    await spend(two, 'b', 2_000_000)
    const passed = Promise.all([pass(one, 'a'), pass(two, 'b')])
    await waits(2)
    await budgets.answer(two.id, dayCost, { kind: 'raise', limit: 8_000_000 })
    expect(await passed).toEqual([null, null])
    for (const session of [one, two]) expect(told(session)).toEqual([['reached', 'day-cost', 5_000_000, 5_000_000], ['raised', 'day-cost', 8_000_000, 'person']])
  })

  test('begins anew at midnight, and a raise does not outlive its day', async () => {
    const { clock, begin, spend, pass, waits, budgets } = await world({ dayCost: [{ currency: 'USD', amount: 5 }] })
    const session = await begin('a')
    await spend(session, 'a', 6_000_000)
    const passed = pass(session, 'a')
    await waits(1)
    await budgets.answer(session.id, dayCost, { kind: 'raise', limit: 20_000_000 })
    expect(await passed).toBeNull()
    clock.now = noon + day
    expect(await pass(session, 'a')).toBeNull()
    await spend(session, 'a', 6_000_000)
    void pass(session, 'a')
    await waits(1)
  })

  test('another currency has a ceiling of its own, or none', async () => {
    const { begin, spend, pass } = await world({ dayCost: [{ currency: 'CNY', amount: 1 }] })
    const session = await begin('a')
    await spend(session, 'a', 900_000_000)
    expect(await pass(session, 'a')).toBeNull()
    expect(session.events.at(-1)).toMatchObject({ type: 'note-added', say: { code: 'budget.other-currency', values: { model: 'large', currency: 'USD' } }, isForModel: false })
  })
})

test('R93: a model without a price is said to be so once a turn, and its tokens count all the same', async () => {
  const { begin, spend, pass, waits } = await world({ turnTokens: 1000, turnCost: [{ currency: 'USD', amount: 1 }] }, scratchFolder(), null)
  const session = await begin('a')
  expect([await pass(session, 'a'), await pass(session, 'a')]).toEqual([null, null])
  expect(session.events.filter((event) => event.type === 'note-added').map((event) => event.type === 'note-added' && event.say.code)).toEqual(['budget.no-price'])
  await spend(session, 'a', 0, 1000)
  void pass(session, 'a')
  await waits(1)
})

test('R84, R93: after a restart it asks again, and the record says it once', async () => {
  const first = await world({ turnCost: [{ currency: 'USD', amount: 2 }] })
  const session = await first.begin('a')
  await first.spend(session, 'a', 2_500_000)
  void first.pass(session, 'a').catch(() => undefined)
  await first.waits(1)
  await first.database.close()

  const second = await world({ turnCost: [{ currency: 'USD', amount: 2 }] }, first.dataDir)
  const again = await second.sessions.open(session.id)
  const shown = again.events.reduce(applyEvent, emptyChat(session.id))
  expect(shown.items.at(-1)).toMatchObject({ kind: 'budget', state: 'asking', reached: { limit: 2_000_000, spent: 2_500_000 } })
  expect((await second.sessions.list(again.workspaceId)).map(({ state }) => state)).toEqual(['waiting'])
  const passed = second.pass(again, 'a')
  await second.waits(1)
  await second.budgets.answer(session.id, turnCost, { kind: 'raise', limit: 3_000_000 })
  expect(await passed).toBeNull()
  expect(told(again)).toEqual([['reached', 'turn-cost', 2_000_000, 2_500_000], ['raised', 'turn-cost', 3_000_000, 'person']])
})
