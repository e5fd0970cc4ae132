import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { findUnfinishedTurn } from '../../../../src/main/core/agent/unfinishedTurn'
import { applyToGrants, grantsOfTurn } from '../../../../src/main/core/policy/grants'
import { forkSeq, forkTail, resendFrom } from '../../../../src/main/core/sessions/forkRules'
import type { AgentEvent, EventDraft } from '../../../../src/shared/domain/event'
import { asId } from '../../../../src/shared/domain/ids'
import { queueOf } from '../../../../src/shared/domain/messageQueue'
import { isDeletedNow, isPinnedNow } from '../../../../src/shared/domain/sessionList'
import { oneOfEach, opened, turnBegun, turnEnded } from '../../../support/drafts'

function stored(drafts: readonly (EventDraft | AgentEvent)[], sessionId = 's'): readonly AgentEvent[] {
  return drafts.map((draft, at): AgentEvent => ({ ...draft, v: 1, sessionId: asId(sessionId), seq: at + 1, atMs: at }))
}

const turn = (id: string): EventDraft[] => [...turnBegun(id), { ...oneOfEach['assistant-message-added'], turnId: asId(id) }, turnEnded(id)]
const queued = (id: string): EventDraft => ({ type: 'message-queued', messageId: asId(id), text: id })

describe('R96: where a fork may part', () => {
  // 1 opened, 2 user, 3 started, 4 agent, 5 ended, 6 mark, 7 user …
  const marked: EventDraft = { ...oneOfEach['taint-marked'], turnId: asId('b'), step: 0 }
  const events = stored([opened(asId('w')), ...turn('a'), marked, ...turn('b')])

  test('before a message of the person: before all that came with it', () => expect(forkSeq(events, { messageSeq: 7, side: 'before' })).toEqual({ ok: true, value: 5 }))
  test('before the first message: nothing but the opening', () => expect(forkSeq(events, { messageSeq: 2, side: 'before' })).toEqual({ ok: true, value: 1 }))
  test('behind the whole turn that a message belongs to', () => expect([2, 4].map((messageSeq) => forkSeq(events, { messageSeq, side: 'after' }))).toEqual([{ ok: true, value: 5 }, { ok: true, value: 5 }]))
  test('a turn that runs is not taken over', () => expect(forkSeq(events.slice(0, 9), { messageSeq: 9, side: 'after' })).toMatchObject({ ok: false, fault: { code: 'session.fork-running' } }))
  test('what is no message has no place', () => expect([1, 3, 5, 99].map((messageSeq) => forkSeq(events, { messageSeq, side: 'before' }).ok)).toEqual([false, false, false, false]))
  test('nor has a message that came in the middle of a turn, or the agent’s, a place before it', () => {
    const mid = stored([opened(asId('w')), ...turnBegun('a'), { type: 'user-message-added', turnId: asId('a'), messageId: asId('m'), text: 'and' }, { ...oneOfEach['assistant-message-added'], turnId: asId('a') }, turnEnded('a')])
    expect([4, 5].map((messageSeq) => forkSeq(mid, { messageSeq, side: 'before' }))).toMatchObject([{ fault: { code: 'session.fork-mid-turn' } }, { fault: { code: 'session.fork-mid-turn' } }])
  })

  test('over random sessions a fork never holds an open turn, nothing waits in it, and it is listed, not pinned, and asks no less', () => {
    const piece = fc.oneof(
      fc.constantFrom(...['a', 'b', 'c', 'd'].map((id) => turn(id))),
      fc.constantFrom<EventDraft[]>([{ type: 'session-pinned', isPinned: true }], [{ type: 'session-deleted' }], [{ type: 'session-restored' }], [{ type: 'level-changed', level: 'commands' }], [{ type: 'level-changed', level: 'all' }], [queued('m1')], [queued('m2')], [{ type: 'message-withdrawn', messageId: asId('m1') }]),
    )
    fc.assert(fc.property(fc.array(piece, { maxLength: 12 }), fc.boolean(), fc.constantFrom('all', 'writes'), (pieces, isOpen, now) => {
      const own = pieces.flatMap((drafts, at) => drafts.map((draft) => ('turnId' in draft ? { ...draft, turnId: asId(`${String(draft.turnId)}${at}`) } : draft)) as EventDraft[])
      const all = stored([opened(asId('w')), ...own, ...(isOpen ? turnBegun('open') : [])])
      for (const { seq, type } of all) {
        for (const side of ['before', 'after'] as const) {
          const at = forkSeq(all, { messageSeq: seq, side })
          if (!at.ok) continue
          expect(type === 'user-message-added' || type === 'assistant-message-added').toBe(true)
          const copied = all.slice(0, at.value)
          expect(findUnfinishedTurn(copied)).toBeNull()
          const fork = stored([...copied, ...forkTail(copied, 'T (fork)', now)], 'fork')
          const levels = fork.flatMap((event) => (event.type === 'session-opened' || event.type === 'level-changed' ? [event.level] : []))
          expect({ queue: queueOf(fork), isPinned: isPinnedNow(fork), isDeleted: isDeletedNow(fork), isLooser: levels.at(-1) === 'commands' }).toEqual({ queue: [], isPinned: false, isDeleted: false, isLooser: false })
        }
      }
    }))
  })

  test('a permission that was given to the origin answers nothing in the fork', () => {
    const copied = stored([opened(asId('s')), ...turnBegun('a'), oneOfEach['grant-given'], turnEnded('a')])
    const fork = [...copied, ...stored(forkTail(copied, 'x', 'writes'))].map((event) => ({ ...event, sessionId: asId<AgentEvent['sessionId']>('fork') }))
    expect(grantsOfTurn(fork.reduce(applyToGrants, new Map()), asId('fork'), asId('new'))).toEqual([])
  })
})

describe('R96 b07: which message may be said anew', () => {
  const events = stored([opened(asId('w')), ...turn('a'), ...turn('b')])

  test('its whole turn goes, from the first event of it', () => expect(resendFrom(events, 6)).toEqual({ ok: true, value: { turnId: 'b', fromSeq: 6 } }))
  test('not while a turn is open', () => expect(resendFrom(events.slice(0, 7), 2)).toMatchObject({ fault: { code: 'rollback.turn-running' } }))
  test('not one that a rollback hides; one that is shown again', () => {
    const hidden = stored([opened(asId('w')), ...turn('a'), { ...oneOfEach['rolled-back'], rollbackId: asId('r'), scope: 'conversation', hidden: { fromSeq: 2, toSeq: 5 } }])
    expect(resendFrom(hidden, 2)).toMatchObject({ fault: { code: 'session.fork-no-message' } })
    expect(resendFrom([...hidden, ...stored([...hidden, { ...oneOfEach['rollback-undone'], undoneId: asId('r') }]).slice(-1)], 2).ok).toBe(true)
  })
  test('not the agent’s', () => expect(resendFrom(events, 4).ok).toBe(false))
})
