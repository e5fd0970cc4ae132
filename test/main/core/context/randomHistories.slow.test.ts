import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { AgentEvent, EventDraft } from '../../../../src/shared/domain/event'
import { asId, type CallId, type CompactionId, type MessageId, type RollbackId, type SessionId, type TurnId, type WorkspaceId } from '../../../../src/shared/domain/ids'
import type { ModelMessage } from '../../../../src/shared/domain/model'
import { said } from '../../../../src/shared/domain/result'
import { requestProblems } from '../../../../src/main/core/context/checkRequest'
import { budgetOf } from '../../../../src/main/core/context/contextBudget'
import { historyFor, makeHistory, type History } from '../../../../src/main/core/context/history'
import { planByPerson, planContext } from '../../../../src/main/core/context/planCompaction'

// R5, R24, R25, R29, R32, R58: whatever happened in a session, the next request is one that providers take.

const sessionId = asId<SessionId>('s')
const choice = { provider: 'p', model: 'm' }
const keepTurns = 2

type Happening =
  | { readonly kind: 'turn'; readonly text: string; readonly withSkill: boolean }
  | { readonly kind: 'reply'; readonly calls: number; readonly finished: number; readonly size: number; readonly isComplete: boolean }
  | { readonly kind: 'steer' | 'note' | 'skill' | 'compact' | 'trim' | 'undo' | 'edit' | 'unroll' }
  | { readonly kind: 'pin'; readonly which: number; readonly isPinned: boolean }
  | { readonly kind: 'roll-back'; readonly which: number }

const happening: fc.Arbitrary<Happening> = fc.oneof(
  { weight: 9, arbitrary: fc.record({ kind: fc.constant('turn' as const), text: fc.constantFrom('go', '看一下', ' ', 'x'.repeat(3000)), withSkill: fc.boolean() }) },
  { weight: 8, arbitrary: fc.record({ kind: fc.constant('reply' as const), calls: fc.nat(3), finished: fc.nat(3), size: fc.constantFrom(10, 3000, 20_000), isComplete: fc.oneof({ weight: 4, arbitrary: fc.constant(true) }, { weight: 1, arbitrary: fc.constant(false) }) }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('compact' as const) }) },
  { weight: 6, arbitrary: fc.record({ kind: fc.constantFrom('steer' as const, 'note' as const, 'skill' as const, 'trim' as const, 'undo' as const, 'edit' as const, 'unroll' as const) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('pin' as const), which: fc.nat(8), isPinned: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('roll-back' as const), which: fc.nat(10) }) },
)

const go: Happening = { kind: 'turn', text: 'go', withSkill: false }
const well: Happening = { kind: 'reply', calls: 0, finished: 0, size: 10, isComplete: true }
const pinnedBesideEachOther: Happening[] = [go, { ...well, isComplete: false }, go, well, { kind: 'pin', which: 1, isPinned: true }, { kind: 'pin', which: 3, isPinned: true }, go, go, { kind: 'compact' }, go]

class Life {
  readonly events: AgentEvent[] = []
  readonly history: History = makeHistory()
  private turn = 0
  private step = 0
  /** After a rollback only a new message goes on. */
  private isOpen = false
  private readonly rollbacks: RollbackId[] = []

  constructor() {
    this.add({ type: 'session-opened', workspaceId: asId<WorkspaceId>('w'), title: '', level: 'writes' })
  }

  add(draft: EventDraft): number {
    const event: AgentEvent = { ...draft, v: 1, sessionId, seq: this.events.length + 1, atMs: this.events.length }
    this.events.push(event)
    this.history.add(event)
    return event.seq
  }

  live(one: Happening): void {
    switch (one.kind) {
      case 'turn': return this.begin(one.text, one.withSkill)
      case 'reply': return !this.isOpen ? undefined : this.reply(one)
      case 'steer': return !this.isOpen ? undefined : void this.user('and this too')
      case 'note': return !this.isOpen ? undefined : void this.add({ type: 'note-added', ...this.at(), say: said('turn.cut-call'), isForModel: true })
      case 'skill': return !this.isOpen ? undefined : this.skill('agent')
      case 'compact': return this.compact()
      case 'trim': return this.trim()
      case 'undo': return this.undo()
      case 'edit': return this.edit()
      case 'pin': {
        const part = this.history.parts().at(one.which)
        return part && void this.add({ type: 'message-pinned', messageSeq: part.seq, isPinned: one.isPinned })
      }
      case 'roll-back': return this.rollBack(one.which)
      case 'unroll': {
        const undone = this.rollbacks.pop()
        return undone && void this.add({ type: 'rollback-undone', rollbackId: asId<RollbackId>(`u${this.events.length}`), undoneId: undone })
      }
    }
  }

  private at(): { readonly turnId: TurnId; readonly step: number } {
    return { turnId: asId<TurnId>(`t${this.turn}`), step: this.step }
  }

  private begin(text: string, withSkill: boolean): void {
    this.turn += 1
    this.step = 0
    this.isOpen = true
    if (withSkill) this.skill(null)
    this.user(text)
  }

  private user(text: string): number {
    return this.add({ type: 'user-message-added', turnId: this.at().turnId, messageId: asId<MessageId>(`m${this.events.length}`), text })
  }

  private skill(by: 'agent' | null): void {
    const name = `skill-${this.turn % 2}`
    this.add({ type: 'skill-loaded', ...this.at(), callId: by === null ? null : asId<CallId>('c'), skill: { origin: 'user', path: name, name, version: null }, inputs: {}, text: `<<${name}>>`, tools: null, outputSchema: null })
  }

  /** A crash or a cancel leaves calls without result; providers number their calls anew in each reply. */
  private reply({ calls, finished, size, isComplete }: Extract<Happening, { readonly kind: 'reply' }>): void {
    this.step += 1
    const own = Array.from({ length: calls }, (_, at) => ({ callId: asId<CallId>(`c${this.events.length}-${at}`), providerCallId: `p${at}`, name: 'read_file', argumentsText: at === 1 ? '{"cut' : '{"path":"a"}' }))
    this.add({ type: 'assistant-message-added', ...this.at(), messageId: asId<MessageId>(`m${this.events.length}`), text: calls === 0 ? 'well' : '', reasoning: '', choice, calls: isComplete ? own : [], stop: 'stop', isComplete })
    for (const { callId } of isComplete ? own.slice(0, finished).reverse() : []) this.add({ type: 'tool-finished', ...this.at(), callId, status: 'ok', say: said('turn.done'), text: 'é文 '.repeat(size / 3), changed: [], exitCode: null, outputRef: null, durationMs: 1 })
  }

  private facts() {
    return { parts: this.history.parts(), fixedTokens: 100, ratio: 1, budget: budgetOf({ windowTokens: 12_000, maxOutputTokens: null }, { atShare: 0.8 }), keepTurns }
  }

  private compact(): void {
    const plan = planByPerson(this.facts())
    if (plan === null) return
    const held = this.history.compaction()?.compaction
    const seq = this.add({
      type: 'history-compacted', turnId: null, compactionId: asId<CompactionId>(`k${this.events.length}`), strategy: 'once', by: 'person', beforeSeq: plan.beforeSeq, summary: `summary of ${plan.covered.length}`, trimmed: held?.trimmed ?? [],
      pinned: this.history.parts().filter((part) => part.isPinned && part.seq < plan.beforeSeq).map((part) => part.seq), summarisedMessages: 1, keptTurns: plan.keptTurns, tokensBefore: 1, tokensAfter: 1, choice,
    })
    expect(this.events.find((event) => event.seq === plan.beforeSeq)?.type).toBe('user-message-added')
    expect(seq).toBeGreaterThan(plan.beforeSeq)
  }

  private trim(): void {
    const plan = planContext(this.facts())
    if (plan.kind !== 'trim') return
    const held = this.history.compaction()?.compaction
    const trimmed = plan.trims.map(({ callId, headCharacters, tailCharacters }) => ({ callId, headCharacters, tailCharacters, outputRef: 'a'.repeat(64) }))
    this.add({
      type: 'history-compacted', turnId: null, compactionId: asId<CompactionId>(`k${this.events.length}`), strategy: 'once', by: 'limit', beforeSeq: held?.beforeSeq ?? 0, summary: held?.summary ?? '', trimmed: [...(held?.trimmed ?? []), ...trimmed],
      pinned: held?.pinned ?? [], summarisedMessages: 0, keptTurns: 1, tokensBefore: plan.tokens, tokensAfter: plan.tokensAfter, choice,
    })
    expect(plan.tokensAfter).toBeLessThan(plan.tokens)
  }

  private undo(): void {
    const held = this.history.compaction()
    if (held) this.add({ type: 'compaction-undone', compactionId: held.compaction.compactionId })
  }

  private edit(): void {
    const held = this.history.compaction()?.compaction
    const event = held && this.events.find((one) => one.type === 'history-compacted' && one.compactionId === held.compactionId)
    if (event?.type !== 'history-compacted' || event.beforeSeq === 0) return
    this.add({ ...event, summary: 'edited by hand' })
  }

  /** Of the conversation, from the first message of a turn to the end, as the app does it. */
  private rollBack(which: number): void {
    const starts = this.history.parts().filter((part) => part.kind === 'user')
    const from = starts.at(-1 - (which % Math.max(1, starts.length)))
    const turn = from && starts.find((part) => part.turn === from.turn)
    if (!turn) return
    const rollbackId = asId<RollbackId>(`r${this.events.length}`)
    this.rollbacks.push(rollbackId)
    this.isOpen = false
    this.add({ type: 'rolled-back', rollbackId, scope: 'conversation', hidden: { fromSeq: turn.seq, toSeq: this.events.length }, paths: [], failed: [] })
  }
}

function pinsAreWhole(life: Life, messages: readonly ModelMessage[]): void {
  for (const part of life.history.parts().filter((one) => one.isPinned)) {
    for (const result of part.results) {
      const stored = life.events.find((event) => event.type === 'tool-finished' && event.callId === result.callId)
      if (result.text !== '' && stored?.type === 'tool-finished') expect(messages.some((message) => message.role === 'tool' && message.text === stored.text)).toBe(true)
    }
    for (const message of part.messages.slice(0, 1)) expect(messages).toContain(message)
  }
}

/** As one summary, so that a later one cannot lose it: everything visible is either sent, covered, or in no request by the rules. */
function nothingIsLost(life: Life, messages: readonly ModelMessage[]): void {
  const sent = new Set(messages)
  for (const part of life.history.parts()) for (const message of part.messages) expect(sent.has(message)).toBe(!part.isCovered)
}

test('R5 R24 R25 R29 R32 R58: on 1,000 random histories with crashes, rollbacks, compactions, undo, pins, skills and steering, every request is sound', () => {
  let [compacted, trimmed, pinned] = [0, 0, 0]
  fc.assert(
    fc.property(fc.array(happening, { minLength: 5, maxLength: 32, size: 'max' }), (happenings) => {
      const life = new Life()
      for (const one of happenings) {
        life.live(one)
        const messages = life.history.messages('You are.')
        expect(requestProblems(messages)).toEqual([])
      }
      const messages = life.history.messages('You are.')
      expect(messages).toEqual(historyFor(life.events, 'You are.'))
      expect(life.history.messages('You are.').every((message, at) => message === messages[at])).toBe(true)
      pinsAreWhole(life, messages)
      nothingIsLost(life, messages)
      const covered = life.history.parts().filter((part) => part.isCovered)
      const turns = new Set(life.history.parts().filter((part) => !part.isCovered && part.kind === 'user').map((part) => part.turn))
      compacted += covered.length > 0 ? 1 : 0
      trimmed += life.history.parts().some((part) => part.results.some((result) => result.isTrimmed)) ? 1 : 0
      pinned += covered.length > 0 && life.history.parts().some((part) => part.isPinned && !part.isCovered) ? 1 : 0
      if (covered.length > 0) expect(messages[1]?.role).toBe('user')
      if (covered.length > 0 && !life.events.some((event) => event.type === 'rolled-back')) expect(turns.size).toBeGreaterThanOrEqual(keepTurns)
    }),
    // Two pinned replies that a compaction leaves side by side, the first broken off: it was lost from the request.
    { numRuns: 1000, examples: [[pinnedBesideEachOther]] },
  )
  // The test means something: enough of them held what it is about.
  expect({ compacted, trimmed, pinned }).toEqual({ compacted: expect.toSatisfy((count: number) => count > 100) as number, trimmed: expect.toSatisfy((count: number) => count > 15) as number, pinned: expect.toSatisfy((count: number) => count > 10) as number })
})

test('R32: what breaks the rule is named', () => {
  const called: ModelMessage = { role: 'assistant', text: '', calls: [{ providerCallId: 'a', name: 'x', argumentsText: '{}' }, { providerCallId: 'b', name: 'x', argumentsText: '{}' }] }
  const user: ModelMessage = { role: 'user', text: 'go' }
  const result = (providerCallId: string): ModelMessage => ({ role: 'tool', providerCallId, name: 'x', text: 'r' })
  const count = (...messages: readonly ModelMessage[]): number => requestProblems(messages).length
  expect(count({ role: 'system', text: 's' }, user, called, result('a'), result('b'))).toBe(0)
  expect(count(user, called, result('b'), result('a'))).toBe(2)
  expect(count(user, called, result('a'))).toBe(1)
  expect(count(user, called, result('a'), user)).toBe(1)
  expect(count(user, result('a'))).toBe(1)
  expect(count(called, result('a'), result('b'))).toBe(1)
  expect(count(user, { role: 'system', text: 's' })).toBe(1)
  expect(count(user, called, result('a'), result('b'), called, result('a'), result('b'))).toBe(2)
  expect(count(user, { role: 'assistant', text: '', calls: [{ providerCallId: 'c', name: 'x', argumentsText: '{"cut' }] }, result('c'))).toBe(1)
})
