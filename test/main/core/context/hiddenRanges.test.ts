import fc from 'fast-check'
import { expect, test } from 'vitest'
import { historyFor } from '../../../../src/main/core/context/history'
import { exportItems } from '../../../../src/main/core/sessions/exportItems'
import { applyEvent, emptyChat, visibleItems, type ChatView } from '../../../../src/shared/domain/chatView'
import type { AgentEvent, EventDraft } from '../../../../src/shared/domain/event'
import { asId, type RollbackId } from '../../../../src/shared/domain/ids'
import { oneOfEach, opened, turnBegun, turnEnded } from '../../../support/drafts'

const step = fc.oneof(fc.record({ kind: fc.constant('say' as const) }), fc.record({ kind: fc.constant('back' as const), from: fc.nat(30) }), fc.record({ kind: fc.constant('undo' as const), of: fc.nat(12) }))

type Step = typeof step extends fc.Arbitrary<infer One> ? One : never

/** A session in which anything is undone that has a name, also an undo, and also twice. */
function play(steps: readonly Step[]): readonly AgentEvent[] {
  const events: AgentEvent[] = []
  const names: RollbackId[] = []
  const add = (drafts: readonly EventDraft[]): void => { for (const draft of drafts) events.push({ ...draft, v: 1, sessionId: asId('s'), seq: events.length + 1, atMs: 0 }) }
  add([opened(asId('w'))])
  for (const [at, one] of steps.entries()) {
    const id = asId<RollbackId>(`r${at}`)
    if (one.kind === 'say') add([...turnBegun(`m${at}`, `m${at}`), { ...oneOfEach['assistant-message-added'], turnId: asId(`m${at}`), text: `to m${at}`, calls: [] }, turnEnded(`m${at}`)])
    else if (one.kind === 'back') add([{ type: 'rolled-back', rollbackId: id, scope: 'conversation', hidden: { fromSeq: Math.min(one.from, events.length), toSeq: events.length }, paths: [], failed: [] }])
    else add([{ type: 'rollback-undone', rollbackId: id, undoneId: names[one.of % Math.max(1, names.length)] ?? asId('nobody') }])
    if (one.kind !== 'say') names.push(id)
  }
  return events
}

const chatOf = (events: readonly AgentEvent[]): ChatView => events.reduce(applyEvent, emptyChat(asId('s')))
const shownIn = (chat: ChatView): readonly string[] => visibleItems(chat).flatMap((item) => (item.kind === 'user' ? [item.text] : []))

test('R76 R78 what the window shows, what the model is sent and what an export calls taken back agree, whatever was undone, an undo too', () => {
  fc.assert(fc.property(fc.array(step, { maxLength: 25 }), (steps) => {
    const events = play(steps)
    const chat = chatOf(events)
    const sent = historyFor(events, '').flatMap((message) => (message.role === 'user' ? [message.text] : []))
    const given = [...exportItems(events, (text) => text)].flatMap((item) => (item.kind === 'user' && !item.isHidden ? [item.text] : []))
    expect([shownIn(chat), given, chat.turns]).toEqual([sent, sent, sent.length])
  }))
})

test('R76 undoing an undo lets the rollback stand again, and its row says so', () => {
  const events = (undos: readonly number[]) => play([{ kind: 'say' }, { kind: 'back', from: 2 }, ...undos.map((of) => ({ kind: 'undo' as const, of }))])
  const seen = (undos: readonly number[]): unknown => {
    const chat = chatOf(events(undos))
    return [shownIn(chat), chat.items.flatMap((item) => (item.kind === 'rolled-back' ? [item.isUndone] : []))]
  }
  expect([seen([]), seen([0]), seen([0, 1]), seen([0, 1, 2])]).toEqual([[[], [false]], [['m0'], [true]], [[], [false]], [['m0'], [true]]])
})
