import { describe, expect, test } from 'vitest'
import { budgetVerdict, openBudget, turnSpent, type Spent } from '../../../../src/main/core/usage/verdict'
import { applyEvent, emptyChat } from '../../../../src/shared/domain/chatView'
import type { AgentEvent, EventDraft } from '../../../../src/shared/domain/event'
import { asId, type SessionId, type TurnId, type WorkspaceId } from '../../../../src/shared/domain/ids'
import { opened, turnBegun, turnEnded } from '../../../support/drafts'

const session = asId<SessionId>('s')
const turn = asId<TurnId>('t')
const events = (...drafts: readonly EventDraft[]): readonly AgentEvent[] => drafts.map((draft, at) => ({ ...draft, v: 1, sessionId: session, seq: at + 1, atMs: at }))
const used = (turnId: string, tokens: number, currency: string | null, micros = 0): EventDraft => ({ type: 'usage-reported', turnId: asId(turnId), step: 1, usage: { inputTokens: tokens, outputTokens: 0, estimated: false }, cost: currency === null ? null : { currency, micros } })
const reached: EventDraft = { type: 'budget-reached', turnId: turn, step: 1, reached: { kind: 'turn-cost', currency: 'USD', limit: 2_000_000, spent: 2_000_001 } }
const raised: EventDraft = { type: 'budget-raised', turnId: turn, step: 1, raise: { kind: 'turn-cost', currency: 'USD', limit: 3_000_000 }, by: 'person' }
const nothing: Spent = { turnTokens: 0, turnCosts: [], dayCosts: [] }
const all = { turnTokens: 1000, turnCost: [{ currency: 'USD', amount: 0.1 }, { currency: 'CNY', amount: 2 }], dayCost: [{ currency: 'USD', amount: 5 }] }

describe('R2 R93 which ceiling is met', () => {
  test.each([
    ['nothing is spent', nothing, null],
    ['one token is left', { ...nothing, turnTokens: 999 }, null],
    ['the last token is gone', { ...nothing, turnTokens: 1000 }, { kind: 'turn-tokens', currency: null, limit: 1000, spent: 1000 }],
    ['a tenth of a dollar is met to the millionth', { ...nothing, turnCosts: [{ currency: 'USD', micros: 100_000 }] }, { kind: 'turn-cost', currency: 'USD', limit: 100_000, spent: 100_000 }],
    ['each currency has its own', { ...nothing, turnCosts: [{ currency: 'CNY', micros: 2_500_000 }, { currency: 'USD', micros: 99_999 }] }, { kind: 'turn-cost', currency: 'CNY', limit: 2_000_000, spent: 2_500_000 }],
    ['the day counts by itself', { ...nothing, dayCosts: [{ currency: 'USD', micros: 5_000_000 }] }, { kind: 'day-cost', currency: 'USD', limit: 5_000_000, spent: 5_000_000 }],
    ['a currency without a ceiling has none', { ...nothing, turnCosts: [{ currency: 'EUR', micros: 9e9 }], dayCosts: [{ currency: 'CNY', micros: 9e9 }] }, null],
  ])('%s', (_name, spent, verdict) => {
    expect(budgetVerdict(all, [], spent)).toEqual(verdict)
  })

  test('a raise counts for its own kind and currency alone, and only where it is higher', () => {
    const spent = { ...nothing, turnCosts: [{ currency: 'USD', micros: 150_000 }] }
    expect(budgetVerdict(all, [{ kind: 'turn-cost', currency: 'USD', limit: 200_000 }], spent)).toBeNull()
    for (const raise of [{ kind: 'turn-cost', currency: 'CNY', limit: 900_000 }, { kind: 'day-cost', currency: 'USD', limit: 900_000 }, { kind: 'turn-cost', currency: 'USD', limit: 50_000 }, { kind: 'turn-cost', currency: 'USD', limit: null }] as const) {
      expect(budgetVerdict(all, [raise], spent)).toMatchObject({ kind: 'turn-cost', limit: 100_000 })
    }
  })
})

test('R93 a turn has spent what its own calls of models cost, by currency, and tokens whether they have a price or not', () => {
  expect(turnSpent(events(used('t', 5, 'USD', 7), used('other', 100, 'USD', 100), used('t', 6, null), used('t', 1, 'CNY', 3)), turn)).toEqual({ turnTokens: 12, turnCosts: [{ currency: 'CNY', micros: 3 }, { currency: 'USD', micros: 7 }] })
})

test('R2 a turn asks until its ceiling is raised', () => {
  expect(openBudget(events(reached), turn)).toMatchObject({ limit: 2_000_000 })
  expect(openBudget(events(reached, raised), turn)).toBeNull()
  expect(openBudget(events(reached, raised, reached), turn)).not.toBeNull()
  expect(openBudget(events(reached), asId('other'))).toBeNull()
})

describe('R2 R93 what the conversation shows', () => {
  const shown = (...drafts: readonly EventDraft[]) => events(opened(asId<WorkspaceId>('w')), ...turnBegun('t'), ...drafts).reduce(applyEvent, emptyChat(session))

  test('a ceiling asks, was raised, or is over with its turn', () => {
    const states = (...drafts: readonly EventDraft[]) => shown(...drafts).items.flatMap((item) => (item.kind === 'budget' ? [[item.state, item.raisedTo]] : []))
    expect(states(reached)).toEqual([['asking', null]])
    expect(states(reached, raised)).toEqual([['raised', 3_000_000]])
    expect(states(reached, raised, reached, turnEnded('t', 'budget'))).toEqual([['raised', 3_000_000], ['over', null]])
  })

  test('costs of a session stand by currency, and what a fork took over is not its own', () => {
    expect(shown(used('t', 5, 'USD', 7), used('t', 5, 'CNY', 1), used('t', 5, 'USD', 2)).costs).toEqual([{ currency: 'CNY', micros: 1 }, { currency: 'USD', micros: 9 }])
    const fork = events({ ...opened(asId<WorkspaceId>('w')), forkedFrom: { sessionId: asId('origin'), seq: 4 } } as EventDraft, ...turnBegun('t'), used('t', 5, 'USD', 7), used('t', 1, 'USD', 1)).reduce(applyEvent, emptyChat(session))
    expect([fork.costs, fork.tokens]).toEqual([[{ currency: 'USD', micros: 1 }], { input: 1, output: 0 }])
  })
})
