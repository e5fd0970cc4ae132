import { readFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import type { EventDraft } from '../../../src/shared/domain/event'
import { asId, type MessageId, type TurnId } from '../../../src/shared/domain/ids'
import { unknownFacts, type ModelChoice } from '../../../src/shared/domain/model'
import { runTurn } from '../../../src/main/core/agent/runTurn'
import { repairMessages } from '../../../src/main/core/context/repair'
import { clientOf } from '../adapters/model/world'
import { makeCompactingWorld, type CompactingWorld } from '../../support/compactingWorld'
import { httpAnswer, reply, startFakeModelServer, type FakeModelServer, type FakeStep, type RecordedRequest } from '../../support/fakeModelServer'
import { pairingProblems } from '../../support/pairing'
import { sessionOf, storedChoice, type StoredMessage } from '../../support/storedMessages'
import { makeTurnWorld } from '../../support/turnWorld'

// B: stored conversations, through the real loop, fold, compaction and model client; what is asserted is what the provider got.

const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

function stored(name: string): readonly StoredMessage[] {
  return JSON.parse(readFileSync(path.join(import.meta.dirname, '../../cases/B', `${name}.messages.json`), 'utf8')) as readonly StoredMessage[]
}

interface Loaded {
  readonly world: CompactingWorld
  readonly server: FakeModelServer
  /** Sends words as a new turn; the codes it ended with. */
  say(text: string, choice?: ModelChoice): Promise<{ readonly reason: string; readonly code: string }>
}

/** A stored conversation as a session of the app; calls that it left without result are not repaired before. */
async function load(messages: readonly StoredMessage[], windowTokens: number | null, steps: (n: number, isSummary: boolean, request: RecordedRequest) => FakeStep, keepTurns = 3): Promise<Loaded> {
  const server = await startFakeModelServer({ steps: (request, n) => steps(n, request.messages[0]?.content === 'Summarise.', request) })
  const stored = sessionOf(messages)
  const pictures = { readBlob: (ref: string) => Promise.resolve(stored.pictures.get(ref) ?? null) }
  const { client, close } = clientOf(server.baseUrl, { pictures, facts: ({ model }) => Promise.resolve({ ...unknownFacts, seesImages: model === seeing.model }) })
  closers.push(() => server.close(), close)
  const world = makeCompactingWorld({ drafts: stored.drafts, windowTokens, model: client, settings: { keepTurns } })
  const turns = makeTurnWorld({ tools: [], replies: [] })
  let count = 0
  return {
    world, server,
    async say(text, choice = storedChoice) {
      const turnId = asId<TurnId>(`said ${++count}`)
      const drafts: EventDraft[] = [{ type: 'user-message-added', turnId, messageId: asId<MessageId>(text), text }, { type: 'turn-started', turnId, choice, level: 'writes' }]
      world.append(drafts)
      const turn = { ...turns.turn, sessionId: world.session.id, turnId, choice }
      const record = { ...turns.ports.record, append: (more: readonly EventDraft[]) => world.ports.sessions.append(world.session.id, more), history: async (...asked: Parameters<typeof turns.ports.record.history>) => (await world.compacting.prepare(world.session, ...asked)).next }
      const end = await runTurn(turn, { ...turns.ports, model: client, record }, new AbortController().signal)
      return { reason: end.reason, code: end.say.code }
    },
  }
}

/** A model that takes pictures; the other one is not known to. */
const seeing: ModelChoice = { ...storedChoice, model: 'seeing-model' }

const fine = (): FakeStep => reply({ text: 'Well.' })
const summary = (text: string) => (_n: number, isSummary: boolean): FakeStep => reply({ text: isSummary ? text : 'Well.' })

function everyRequestPairs({ server }: Loaded): void {
  expect(server.requests.length).toBeGreaterThan(0)
  for (const request of server.requests) expect(pairingProblems(request.messages)).toEqual([])
}

describe('stored conversations', () => {
  test('b01 R90: a picture in the history is a note for a model that takes none, goes out for one that does, and the session goes on', async () => {
    const picture = JSON.stringify(stored('b01')).match(/data:image\/png;base64,[^"]+/)?.[0] ?? 'none'
    const one = await load(stored('b01'), null, (_n, _isSummary, { bodyText }) => (bodyText.includes('image_url') && !bodyText.includes(seeing.model) ? httpAnswer(400, '{"error":{"message":"this model does not support image input"}}') : fine()))
    const ends = [await one.say('continue'), await one.say('look again', seeing), await one.say('and without', storedChoice)]
    expect(ends.map(({ reason }) => reason)).toEqual(['done', 'done', 'done'])
    expect(one.server.requests.map(({ bodyText }) => [bodyText.includes(picture), /Note from the app[^"]*image\/png/.test(bodyText)])).toEqual([[false, true], [true, false], [false, true]])
    everyRequestPairs(one)
  })

  test('b03 R32: a call that was stopped gets its one result, the other keeps its own, and the session goes on', async () => {
    const one = await load(stored('b03'), null, fine)
    expect(await one.say('never mind, explain instead')).toEqual({ reason: 'done', code: 'turn.done' })
    everyRequestPairs(one)
    const results = one.server.requests[0]?.messages.filter((message) => message.role === 'tool') ?? []
    const given = stored('b03').filter((message) => message.role === 'tool')
    expect(results.map((message) => message.content)).toEqual([...given.map((message) => message.content), 'Interrupted before it finished.'])
  })

  test('b11 R91: broken arguments are sent as an object; the record keeps the text', async () => {
    const one = await load(stored('b11'), null, fine)
    expect((await one.say('go on')).reason).toBe('done')
    everyRequestPairs(one)
    const broken = stored('b11').flatMap((message) => message.tool_calls ?? []).map((call) => String(call.function?.arguments))
    expect(broken.every((text) => JSON.stringify(one.world.session.events).includes(JSON.stringify(text)))).toBe(true)
  })

  test.each([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])('b12 R25: compacted at %i, the next request and the one after it are taken', async (cut) => {
    const messages = repairMessages(stored('b12')).messages as unknown as readonly StoredMessage[]
    const one = await load(messages, null, summary('Goal: compare (turn 1)'), 1)
    await one.world.compacting.compact(one.world.session, { tools: [], choice: storedChoice, words: '', latestSeq: sessionOf(messages).seqOf[cut] ?? 0 }, new AbortController().signal)
    expect([(await one.say('go on')).reason, (await one.say('and on')).reason]).toEqual(['done', 'done'])
    everyRequestPairs(one)
  })

  test.each([['nothing', reply({ text: '' })], ['white space', reply({ text: ' \n' })], ['thinking alone', reply({ reasoning: 'I should summarise.' })]])('b08 R26: a summary of %s replaces nothing and is told once', async (_name, step) => {
    const long = 'word '.repeat(1_400)
    const one = await load([...stored('b08'), ...Array.from({ length: 4 }, (): StoredMessage[] => [{ role: 'user', content: long }, { role: 'assistant', content: 'Yes.' }]).flat()], 8_000, (_n, isSummary) => (isSummary ? step : fine()), 1)
    const before = JSON.stringify(one.world.session.events).slice(0, -1)
    await one.say('go on')
    const asked = one.server.requests.filter((request) => request.messages[0]?.content === 'Summarise.').length
    const told = one.world.session.events.filter((event) => (event.type === 'note-added' || event.type === 'turn-ended') && event.say.code.startsWith('compaction.failed')).length
    expect({ isBounded: asked >= 1 && asked <= 3, told, compacted: one.world.session.events.some((event) => event.type === 'history-compacted') }).toEqual({ isBounded: true, told: 1, compacted: false })
    expect(JSON.stringify(one.world.session.events).startsWith(before)).toBe(true)
    everyRequestPairs(one)
  })

  test('b09 R26: a provider that answers every summary with 500 is asked three times at most, and the record before stays byte for byte', async () => {
    const long = 'word '.repeat(750)
    const one = await load(Array.from({ length: 12 }, (): StoredMessage[] => [{ role: 'user', content: long }, { role: 'assistant', content: 'Yes.' }]).flat(), 12_000, (_n, isSummary) => (isSummary ? httpAnswer(500, '{"error":{"message":"overloaded"}}') : fine()))
    const before = JSON.stringify(one.world.session.events).slice(0, -1)
    const end = await one.say('and now?')
    const asked = one.server.requests.filter((request) => request.messages[0]?.content === 'Summarise.').length
    expect({ asked, end }).toEqual({ asked: 3, end: { reason: 'error', code: 'compaction.failed-full' } })
    expect(one.world.session.events.filter((event) => event.type === 'note-added')).toEqual([])
    expect(JSON.stringify(one.world.session.events).startsWith(before)).toBe(true)
    everyRequestPairs(one)
  })

  test('b05 R28: a first message that alone does not fit is not sent, and its size and the window are said', async () => {
    const one = await load([], 8_000, fine)
    expect(await one.say('word '.repeat(16_000))).toEqual({ reason: 'error', code: 'compaction.message-too-large' })
    expect(one.server.requests.length).toBe(0)
    expect(one.world.session.events.some((event) => event.type === 'user-message-added' && event.text.length === 80_000)).toBe(true)
  })
})
