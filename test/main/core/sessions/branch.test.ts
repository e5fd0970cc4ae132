import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { historyFor, makeHistory } from '../../../../src/main/core/context/history'
import { undoMixes } from '../../../../src/main/core/sessions/branch'
import { resendFrom } from '../../../../src/main/core/sessions/forkRules'
import { applyEvent, emptyChat, visibleItems } from '../../../../src/shared/domain/chatView'
import type { AgentEvent, EventDraft } from '../../../../src/shared/domain/event'
import { asId, type RollbackId } from '../../../../src/shared/domain/ids'
import { oneOfEach, opened, turnBegun, turnEnded } from '../../../support/drafts'

/** A session that is talked to, and every conversation that really took place in it. */
class Talk {
  readonly events: AgentEvent[] = []
  readonly rollbacks: RollbackId[] = []
  readonly tookPlace = new Set([''])
  #said = 0

  constructor() {
    this.#add([opened(asId('w'))])
  }

  say(): void {
    const id = `m${(this.#said += 1)}`
    const before = this.shown()
    this.#add([...turnBegun(id, id), { ...oneOfEach['assistant-message-added'], turnId: asId(id), text: `to ${id}`, calls: [] }, turnEnded(id)])
    this.tookPlace.add([...before, id].join())
  }

  /** From one of the messages in sight; with `isAnew`, something else is said in its place. */
  back(at: number, isAnew: boolean): void {
    const shown = this.shown()
    const text = shown[at % Math.max(1, shown.length)]
    const message = this.events.find((event) => event.type === 'user-message-added' && event.text === text)
    const from = message && resendFrom(this.events, message.seq)
    if (!from?.ok) return
    const rollbackId = asId<RollbackId>(`r${this.events.length}`)
    this.#add([{ type: 'rolled-back', rollbackId, scope: 'conversation', hidden: { fromSeq: from.value.fromSeq, toSeq: this.events.length }, paths: [], failed: [] }])
    this.rollbacks.push(rollbackId)
    this.tookPlace.add(this.shown().join())
    if (isAnew) this.say()
  }

  /** Where the rule lets it. */
  undo(at: number): boolean {
    const id = this.rollbacks[at % Math.max(1, this.rollbacks.length)]
    if (id === undefined || undoMixes(this.events, id)) return false
    this.rollbacks.splice(this.rollbacks.indexOf(id), 1)
    this.#add([{ type: 'rollback-undone', rollbackId: asId(`u${this.events.length}`), undoneId: id }])
    return true
  }

  /** The messages of the person, as the model is sent them. */
  shown(): readonly string[] {
    return historyFor(this.events, '').flatMap((message) => (message.role === 'user' ? [message.text] : []))
  }

  #add(drafts: readonly EventDraft[]): void {
    for (const draft of drafts) this.events.push({ ...draft, v: 1, sessionId: asId('s'), seq: this.events.length + 1, atMs: 0 })
  }
}

const view = (events: readonly AgentEvent[]) => events.reduce(applyEvent, emptyChat(asId('s')))

/** The numbers of the turns that the model's messages belong to. */
function numbers(events: readonly AgentEvent[]): readonly number[] {
  const history = makeHistory()
  for (const event of events) history.add(event)
  return history.parts().flatMap((part) => (part.kind === 'user' ? [part.turn] : []))
}

const step = fc.record({ kind: fc.constantFrom('say', 'say', 'back', 'resend', 'undo', 'undo'), at: fc.nat(20) })

describe('R78 R96: a conversation that is shown took place', () => {
  test('over any sequence of messages, rollbacks, resent messages and undoes; screen, model and turn numbers agree', () => {
    fc.assert(fc.property(fc.array(step, { maxLength: 25 }), (steps) => {
      const talk = new Talk()
      for (const { kind, at } of steps) {
        if (kind === 'say') talk.say()
        else if (kind === 'undo') talk.undo(at)
        else talk.back(at, kind === 'resend')
        const shown = talk.shown()
        const chat = view(talk.events)
        expect([...talk.tookPlace].some((one) => one === shown.join())).toBe(true)
        expect(visibleItems(chat).flatMap((item) => (item.kind === 'user' ? [item.text] : []))).toEqual(shown)
        expect([chat.turns, numbers(talk.events)]).toEqual([shown.length, shown.map((_, index) => index + 1)])
      }
    }))
  })

  test('a rollback can be undone while nothing was said since', () => {
    fc.assert(fc.property(fc.array(step, { maxLength: 12 }), fc.nat(20), (steps, at) => {
      const talk = new Talk()
      talk.say()
      for (const { kind, at: place } of steps) {
        if (kind === 'say') talk.say()
        else if (kind === 'undo') talk.undo(place)
        else talk.back(place, kind === 'resend')
      }
      const before = talk.shown()
      talk.back(at, false)
      if (before.length > 0) expect([talk.undo(talk.rollbacks.length - 1), talk.shown()]).toEqual([true, before])
    }))
  })

  test('it cannot while a message stands that was said since, nor can what hides such a message once the old ones are back', () => {
    const talk = new Talk()
    for (let many = 0; many < 3; many += 1) talk.say()
    talk.back(1, true)
    expect([talk.undo(0), talk.shown()]).toEqual([false, ['m1', 'm4']])
    talk.back(1, false)
    expect([talk.undo(0), talk.shown()]).toEqual([true, ['m1', 'm2', 'm3']])
    expect([talk.undo(0), talk.shown()]).toEqual([false, ['m1', 'm2', 'm3']])
  })

  test('R111: after an edited message is sent again the newest turn has the number of its place', () => {
    const talk = new Talk()
    for (let many = 0; many < 5; many += 1) talk.say()
    talk.back(3, true)
    expect([view(talk.events).turns, numbers(talk.events)]).toEqual([4, [1, 2, 3, 4]])
  })
})
