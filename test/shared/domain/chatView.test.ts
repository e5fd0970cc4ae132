import fc from 'fast-check'
import { expect, test } from 'vitest'
import { applyEvent, applyPart, emptyChat, orderOf, visibleItems, type ChatView } from '../../../src/shared/domain/chatView'
import type { AgentEvent, EventDraft, LivePart } from '../../../src/shared/domain/event'
import { asId, type CallId, type RollbackId, type SessionId, type TurnId, type WorkspaceId } from '../../../src/shared/domain/ids'
import { said } from '../../../src/shared/domain/result'
import { applyToSummary } from '../../../src/shared/domain/sessionList'

const sessionId = asId<SessionId>('s')
const turnId = asId<TurnId>('t')
const callId = asId<CallId>('c')
const choice = { provider: 'p', model: 'm' }
const inTurn = { turnId, step: 1 }

function numbered(drafts: readonly EventDraft[]): readonly AgentEvent[] {
  return drafts.map((draft, at) => ({ ...draft, v: 1, sessionId, seq: at + 1, atMs: 1000 * (at + 1) }))
}

const folded = (drafts: readonly EventDraft[]): ChatView => numbered(drafts).reduce(applyEvent, emptyChat(sessionId))

const asked: EventDraft = { type: 'user-message-added', turnId, messageId: asId('u'), text: 'Do it' }
const started: EventDraft = { type: 'turn-started', turnId, choice, level: 'writes' }
const answered = (text: string, reasoning = ''): EventDraft => ({ ...inTurn, type: 'assistant-message-added', messageId: asId('a'), text, reasoning, choice, calls: [], stop: 'stop', isComplete: true })
const called = (id: CallId, tool = 'write_file'): EventDraft => ({ ...inTurn, type: 'tool-called', callId: id, providerCallId: 'p', index: 0, tool, effect: 'write', argumentsText: '{"path":"a"}', args: { path: 'a' } })
const ended: EventDraft = { type: 'turn-ended', turnId, step: 1, reason: 'done', say: said('turn.done'), text: '', tokens: { input: 1, output: 2 }, auditHead: null }

const part = (number: number, body: LivePart['body'], seq = 2): LivePart => ({ sessionId, turnId, step: 1, seq, part: number, atMs: 5000 + number, body })

test('a turn folds to its rows in order, thinking before the answer (R95)', () => {
  const view = folded([asked, started, answered('Yes', 'Hm'), called(callId), ended])
  expect(view.items.map((item) => item.kind)).toEqual(['user', 'thinking', 'agent', 'calls', 'ended'])
  expect([view.turn, view.turns, view.lastSeq]).toEqual([null, 1, 5])
})

test('a call goes from judged over waiting and running to finished, with who signed it', () => {
  const states = [
    called(callId),
    { ...inTurn, type: 'approval-asked', callId, request: { coverage: { kind: 'full', skipped: [] } } as never },
    { ...inTurn, type: 'approval-decided', callId, decision: 'edited', by: 'person', args: { path: 'b' }, reason: null },
    { ...inTurn, type: 'tool-started', callId, args: { path: 'b' } },
    { ...inTurn, type: 'tool-finished', callId, status: 'ok', say: said('turn.done'), text: 'wrote', changed: [], exitCode: null, outputRef: null, durationMs: 7 },
  ] satisfies readonly EventDraft[]
  const progress = states.map((_, at) => {
    const item = folded([asked, started, ...states.slice(0, at + 1)]).items.at(-1)
    return item?.kind === 'calls' ? item.calls[0]?.progress : undefined
  })
  expect(progress).toEqual(['judged', 'waiting', 'approved', 'running', 'finished'])
  const last = folded([asked, started, ...states]).items.at(-1)
  expect(last?.kind === 'calls' && last.calls[0]).toMatchObject({ args: { path: 'b' }, decision: 'edited', decidedBy: 'person', status: 'ok', text: 'wrote', durationMs: 7 })
})

test('calls of one step stand in one row, calls of the next in another', () => {
  const second = { ...called(asId('c3')), step: 2 } as EventDraft
  const view = folded([asked, started, called(asId('c1')), called(asId('c2')), second])
  expect(view.items.map((item) => (item.kind === 'calls' ? item.calls.length : item.kind))).toEqual(['user', 2, 1])
})

test('an event that is known changes nothing, one after a gap is told apart and changes nothing', () => {
  const [first, second, third] = numbered([asked, started, answered('Yes')])
  if (!first || !second || !third) throw new Error('three events')
  const view = applyEvent(emptyChat(sessionId), first)
  expect([orderOf(view, first), orderOf(view, second), orderOf(view, third)]).toEqual(['known', 'next', 'gap'])
  expect(applyEvent(view, first)).toBe(view)
  expect(applyEvent(view, third)).toBe(view)
})

test('replaying in any pieces, with repetitions, gives the view of living through them', () => {
  const drafts: readonly EventDraft[] = [asked, started, answered('Yes', 'Hm'), called(callId), { ...inTurn, type: 'tool-started', callId, args: {} }, ended, { ...asked, text: 'And more' }]
  const events = numbered(drafts)
  fc.assert(fc.property(fc.array(fc.nat(events.length - 1), { maxLength: 12 }), (repeats) => {
    const withRepeats = repeats.reduce<AgentEvent[]>((list, at) => {
      const copy = events[at]
      return copy ? [...list.slice(0, at + 1), copy, ...list.slice(at + 1)] : list
    }, [...events])
    let view = emptyChat(sessionId)
    for (const event of withRepeats) if (orderOf(view, event) !== 'gap') view = applyEvent(view, event)
    for (const event of events) view = applyEvent(view, event)
    expect(view).toEqual(folded(drafts))
  }))
})

test('a rollback of the conversation hides its range, undoing it shows the range again', () => {
  const rollbackId = asId<RollbackId>('r')
  const before = [asked, started, answered('Yes'), ended]
  const back: EventDraft = { type: 'rolled-back', rollbackId, scope: 'both', hidden: { fromSeq: 1, toSeq: 4 }, paths: ['a'], failed: [] }
  const again: EventDraft = { type: 'rollback-undone', rollbackId: asId('r2'), undoneId: rollbackId }
  expect(visibleItems(folded([...before, back])).map((item) => item.kind)).toEqual(['rolled-back'])
  expect(visibleItems(folded([...before, back, again])).map((item) => item.kind)).toEqual(['user', 'agent', 'ended', 'rolled-back'])
})

test('parts grow the live reply only, and its message replaces it (R16)', () => {
  const running = folded([asked, started])
  const live = [part(1, { type: 'thinking-delta', text: 'Hm' }), part(2, { type: 'text-delta', text: 'Ye' }), part(3, { type: 'text-delta', text: 's' }), part(4, { type: 'call-growing', index: 0, name: 'write_file', tail: '{"pa', characters: 4 })].reduce(applyPart, running)
  expect(live.items).toBe(running.items)
  expect(live.live).toMatchObject({ thinking: 'Hm', text: 'Yes', growing: [{ index: 0, name: 'write_file', tail: '{"pa', characters: 4 }] })
  const [, , message] = numbered([asked, started, answered('Yes')])
  expect(message && applyEvent(live, message).live).toBeNull()
})

test('a part that comes twice, late or for a turn that is over changes nothing', () => {
  const running = folded([asked, started])
  const once = applyPart(running, part(1, { type: 'text-delta', text: 'Yes' }))
  expect(applyPart(once, part(1, { type: 'text-delta', text: 'Yes' }))).toBe(once)
  const over = folded([asked, started, answered('Yes')])
  expect(applyPart(over, part(2, { type: 'text-delta', text: 's' }, 2))).toBe(over)
  const done = folded([asked, started, answered('Yes'), ended])
  expect(applyPart(done, part(9, { type: 'text-delta', text: 's' }, 9))).toBe(done)
})

test('an attempt that broke off stays shown beside the new one (R20)', () => {
  const live = [part(1, { type: 'text-delta', text: 'Half' }), part(2, { type: 'retrying', say: said('turn.empty'), attempt: 2, waitMs: 10 }), part(3, { type: 'text-delta', text: 'Whole' })].reduce(applyPart, folded([asked, started]))
  expect(live.live).toMatchObject({ brokenText: 'Half', text: 'Whole', retrying: null })
})

test('output of a tool is not kept in the view', () => {
  const running = folded([asked, started])
  expect(applyPart(running, part(1, { type: 'tool-output', callId, text: 'x' }))).toBe(running)
})

test.each([
  ['turn-started', started, 'running'],
  ['approval-asked', { ...inTurn, type: 'approval-asked', callId, request: { coverage: { kind: 'full', skipped: [] } } as never }, 'waiting'],
  ['turn-ended done', ended, 'idle'],
  ['turn-ended cancelled', { ...ended, reason: 'cancelled' }, 'stopped'],
  ['turn-ended error', { ...ended, reason: 'error' }, 'failed'],
] as const)('a row of the session list after %s', (_name, draft, state) => {
  const row = { id: sessionId, workspaceId: asId<WorkspaceId>('w'), title: 'x', openedAtMs: 0, lastAtMs: 0, state: 'idle', isPinned: false, deletedAtMs: null, forkedFrom: null } as const
  const [event] = numbered([draft])
  expect(event && applyToSummary(row, event)).toMatchObject({ state, lastAtMs: 1000 })
})

test('a call whose result came from outside says so; what the person attached marks no call', () => {
  const source = { kind: 'mcp', server: 'github' } as const
  const view = folded([asked, started, called(callId), { ...inTurn, type: 'taint-marked', callId: null, source }, { ...inTurn, type: 'taint-marked', callId, source }])
  expect(view.items.map((item) => (item.kind === 'calls' ? item.calls.map((call) => call.outside) : item.kind))).toEqual(['user', [source]])
})

test('a call tells the rule or permission that answered it, and what held a command (R63, R69, R72)', () => {
  const grant = { id: 'g1', sessionId, turnId, shape: { kind: 'tool', tool: 'mcp__docs__search' }, callId, givenAtMs: 1, expiresAtMs: null, usesLeft: null } as const
  const view = folded([
    called(callId),
    { ...inTurn, type: 'approval-decided', callId, decision: 'allow', by: 'rule', args: null, reason: null, ruleId: '12' },
    { ...inTurn, type: 'tool-finished', callId, status: 'ok', say: said('turn.done'), text: '', changed: [], exitCode: 0, outputRef: null, durationMs: 1, confined: 'network' },
    { ...inTurn, type: 'grant-given', grant },
    { ...inTurn, type: 'grant-given', grant: { ...grant, id: 'g2', turnId: null } },
    called(asId('d')),
    { ...inTurn, type: 'grant-used', grantId: 'g1', callId: asId('d') },
    called(asId('e')),
    { ...inTurn, type: 'grant-used', grantId: 'g2', callId: asId('e') },
  ])
  const calls = view.items.flatMap((item) => (item.kind === 'calls' ? item.calls : []))
  expect(calls.map(({ ruleId, confined, grantId, grantedFor }) => [ruleId, confined, grantId, grantedFor])).toEqual([
    ['12', 'network', undefined, undefined], [undefined, undefined, 'g1', 'turn'], [undefined, undefined, 'g2', 'session'],
  ])
})

test('R75 R80 a call that was allowed and not run waits again, and says why; what the card said of undo stays with it', () => {
  const notRun = said('snapshot.failed', { why: said('snapshot.disk-full') })
  const put = (request: object): EventDraft => ({ ...inTurn, type: 'approval-asked', callId, request: { coverage: { kind: 'none', skipped: [] }, ...request } as never })
  const item = folded([asked, started, called(callId), put({}), { ...inTurn, type: 'approval-decided', callId, decision: 'allow', by: 'person', args: null, reason: null }, put({ notRun })]).items.at(-1)
  expect(item?.kind === 'calls' && item.calls[0]).toMatchObject({ progress: 'waiting', notRun, coverage: 'none' })
})
