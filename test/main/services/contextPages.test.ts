import { expect, test } from 'vitest'
import type { EventDraft } from '../../../src/shared/domain/event'
import { asId, type CallId, type CompactionId, type MemoryId } from '../../../src/shared/domain/ids'
import { unknownFacts } from '../../../src/shared/domain/model'
import { fail, succeed } from '../../../src/shared/domain/result'
import { contextStates } from '../../../src/shared/ipc/contextViews'
import { makeContextPages, type ContextPages } from '../../../src/main/services/contextPages'
import { makeCompactingWorld, type CompactingOptions, type CompactingWorld } from '../../support/compactingWorld'
import { sessionOf, storedChoice, type StoredMessage } from '../../support/storedMessages'

// R29, R33: what a person sees of a conversation's context, and does to it.

const filler = (tokens: number): string => 'word '.repeat(Math.floor((tokens * 4) / 5))

function talk(turns: number): readonly StoredMessage[] {
  return Array.from({ length: turns }, (_, at): readonly StoredMessage[] => [{ role: 'user', content: `question ${at + 1}` }, { role: 'assistant', content: `answer ${at + 1} ${filler(1_000)}` }]).flat()
}

interface Made extends CompactingWorld {
  readonly pages: ContextPages
  readonly remembered: object[]
}

function world(options: Partial<CompactingOptions> = {}, isRunning = false): Made {
  const made = makeCompactingWorld({ drafts: sessionOf(talk(6)).drafts, windowTokens: 20_000, answer: () => 'Goal: six (turn 1)\nRemember: Answers are long.', ...options })
  const remembered: object[] = []
  const pages = makeContextPages({
    sessions: { open: () => Promise.resolve(made.session), append: made.ports.sessions.append },
    compacting: made.compacting, context: (session) => made.ports.context(session), offers: () => Promise.resolve([]),
    costs: () => Promise.resolve([{ part: 'base', tokens: 100, count: null }, { part: 'project', tokens: 40, count: 2 }]),
    choice: () => Promise.resolve(succeed(storedChoice)), facts: () => Promise.resolve({ ...unknownFacts, windowTokens: made.session.events.length > 0 ? 20_000 : null }),
    settings: () => made.ports.settings(), isRunning: () => isRunning, clean: (text) => text.replaceAll('hunter2', '[redacted]'),
    remember: (_workspaceId, fact) => (remembered.push(fact), Promise.resolve(succeed({ memory: { id: asId<MemoryId>('m') } }))),
  })
  return { ...made, pages, remembered }
}

async function compacted(options: Partial<CompactingOptions> = {}): Promise<{ readonly one: Made; readonly id: CompactionId }> {
  const one = world(options)
  expect(await one.pages.compact(one.session.id, 'mind the figures')).toEqual(succeed(null))
  const event = one.session.events.find((each) => each.type === 'history-compacted')
  if (event?.type !== 'history-compacted') throw new Error('nothing was compacted')
  return { one, id: event.compactionId }
}

test('R29 before: one bar, each turn with its pin; after: both bars, the same rows by what became of them', async () => {
  const plain = world()
  const before = await plain.pages.read(plain.session.id)
  expect(before).toMatchObject({ before: null, compaction: null, canCompact: true, windowTokens: 20_000, limitTokens: 16_000, now: { fixed: 100, pinned: 40, summarised: 0, dropped: 0 } })
  expect(before.rows.map(({ id, state }) => `${state} ${id}`)).toEqual(['fixed prompt', 'pinned project', ...[1, 2, 3, 4, 5, 6].map((turn) => `kept turn ${turn}`)])
  const { one } = await compacted()
  const after = await one.pages.read(one.session.id)
  expect(after.rows.map(({ id, state }) => `${state} ${id}`)).toEqual(['fixed prompt', 'pinned project', 'kept turn 4', 'kept turn 5', 'kept turn 6', 'summarised summary'])
  expect(after.compaction).toMatchObject({ by: 'person', summary: 'Goal: six (turn 1)', summarisedMessages: 6, keptTurns: 3, results: 0, isEdited: false })
  expect(contextStates.reduce((sum, state) => sum + (after.before?.[state] ?? 0), 0)).toBe(contextStates.reduce((sum, state) => sum + before.now[state], 0))
  expect(one.requests[0]?.messages[0]?.text).toContain('mind the figures')
  expect(after.turns.map(({ turn }) => turn)).toEqual([1, 2, 3, 4, 5, 6])
})

test('R29 undone it is gone, once; a pin is of a message that is there, and is told once', async () => {
  const { one, id } = await compacted()
  const { pages, session } = one
  expect(await pages.undo(session.id, asId('other'))).toEqual(fail('compaction.gone'))
  expect(await pages.undo(session.id, id)).toEqual(succeed(null))
  expect(await pages.undo(session.id, id)).toEqual(fail('compaction.gone'))
  expect(await pages.pin(session.id, 9_999, true)).toEqual(fail('compaction.gone'))
  await pages.pin(session.id, 2, true)
  await pages.pin(session.id, 2, true)
  expect(session.events.filter((event) => event.type === 'message-pinned')).toHaveLength(1)
  expect((await pages.read(session.id)).rows.find((row) => row.id === 'pin 2')).toMatchObject({ state: 'pinned', pin: { messageSeq: 2, isPinned: true } })
})

test('R29 an edited summary is the same compaction; secrets stay out of it, and an empty one is refused', async () => {
  const { one, id } = await compacted()
  expect(await one.pages.editSummary(one.session.id, id, '  ')).toEqual(fail('compaction.empty'))
  expect(await one.pages.editSummary(one.session.id, id, 'Goal: hunter2 (turn 2)')).toEqual(succeed(null))
  expect((await one.pages.read(one.session.id)).compaction).toMatchObject({ compactionId: id, summary: 'Goal: [redacted] (turn 2)', summarisedMessages: 6, isEdited: true })
  // What was offered came from the old text.
  expect((await one.pages.read(one.session.id)).proposal).toBeNull()
  expect(await one.pages.remember(one.session.id, id, 'Answers are long.')).toEqual(fail('compaction.gone'))
})

test('R33 the offered memory is kept as it stands or in other words, or refused; what read text from outside is kept as such', async () => {
  const first = await compacted()
  expect((await first.one.pages.read(first.one.session.id)).proposal).toBe('Answers are long.')
  await first.one.pages.remember(first.one.session.id, first.id, 'Answers are long.')
  expect(first.one.remembered).toEqual([{ text: 'Answers are long.', sessionId: 's', outside: null }])
  expect((await first.one.pages.read(first.one.session.id)).proposal).toBeNull()
  expect(await first.one.pages.remember(first.one.session.id, first.id, 'again')).toEqual(fail('compaction.gone'))

  const tainted: EventDraft = { type: 'taint-marked', turnId: asId('t1'), step: 1, callId: asId<CallId>('c'), source: { kind: 'web', host: 'example.org', url: 'https://example.org/' } }
  const second = await compacted({ drafts: [...sessionOf(talk(6)).drafts, tainted] })
  await second.one.pages.remember(second.one.session.id, second.id, 'Answers are long.')
  expect(second.one.remembered).toEqual([{ text: 'Answers are long.', sessionId: 's', outside: tainted.type === 'taint-marked' ? tainted.source : null }])

  const third = await compacted()
  await third.one.pages.remember(third.one.session.id, third.id, null)
  expect({ kept: third.one.remembered, offered: (await third.one.pages.read(third.one.session.id)).proposal }).toEqual({ kept: [], offered: null })
})

test('a person’s compaction waits for no turn, runs once at a time, can be cancelled, and says when there is nothing to do', async () => {
  const running = world({}, true)
  expect(await running.pages.compact(running.session.id, '')).toEqual(fail('turn.running'))
  const one = world({ answer: () => (one.pages.cancel(one.session.id), 'Goal: late (turn 1)') })
  const [cancelled, second] = await Promise.all([one.pages.compact(one.session.id, ''), one.pages.compact(one.session.id, '')])
  expect([cancelled.ok, second]).toEqual([false, fail('turn.running')])
  expect(one.session.events.some((event) => event.type === 'history-compacted')).toBe(false)
  const short = world({ drafts: sessionOf(talk(2)).drafts })
  expect(await short.pages.compact(short.session.id, '')).toEqual(fail('compaction.nothing', { turns: 3 }))
  expect((await short.pages.read(short.session.id)).canCompact).toBe(false)
})
