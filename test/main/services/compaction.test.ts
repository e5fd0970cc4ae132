import { describe, expect, test } from 'vitest'
import type { EventDraft } from '../../../src/shared/domain/event'
import { asId, type TurnId } from '../../../src/shared/domain/ids'
import { unknownFacts, type ModelMessage, type StreamPart } from '../../../src/shared/domain/model'
import type { NextRequest } from '../../../src/main/core/agent/turnPorts'
import { requestProblems } from '../../../src/main/core/context/checkRequest'
import { tokensOf } from '../../../src/main/core/context/messageTokens'
import { outputNamed } from '../../../src/main/core/tools/namedOutput'
import { failing, makeCompactingWorld, type CompactingOptions, type CompactingWorld } from '../../support/compactingWorld'
import { sessionOf, storedChoice, type StoredMessage } from '../../support/storedMessages'

// R22, R24 to R31, R33, R58: what is done before a request that no longer fits.

const filler = (tokens: number): string => 'word '.repeat(Math.floor((tokens * 4) / 5))

/** Turns of about so many tokens of the user's and agent's own words, which nothing can cut. */
function talk(turns: number, tokens: number): readonly StoredMessage[] {
  return Array.from({ length: turns }, (_, at): readonly StoredMessage[] => [{ role: 'user', content: `question ${at + 1}` }, { role: 'assistant', content: `answer ${at + 1} ${filler(tokens)}` }]).flat()
}

function step(id: string, tokens: number): readonly StoredMessage[] {
  return [{ role: 'assistant', content: null, tool_calls: [{ id, type: 'function', function: { name: 'read_file', arguments: `{"path":"${id}"}` } }] as never }, { role: 'tool', tool_call_id: id, content: `${id} ${filler(tokens)} end of ${id}` }]
}

function world(messages: readonly StoredMessage[], options: Partial<CompactingOptions> = {}): CompactingWorld {
  return makeCompactingWorld({ drafts: sessionOf(messages).drafts, windowTokens: 10_000, ...options })
}

function messagesOf(next: NextRequest): readonly ModelMessage[] {
  if (next.kind !== 'ready') throw new Error(next.say.code)
  expect(requestProblems(next.messages)).toEqual([])
  return next.messages
}

const compactions = (of: CompactingWorld) => of.session.events.flatMap((event) => (event.type === 'history-compacted' ? [event] : []))
const notes = (of: CompactingWorld) => of.session.events.flatMap((event) => (event.type === 'note-added' ? [event.say.code] : []))
const question: StoredMessage = { role: 'user', content: 'and now?' }

describe('room for the next request', () => {
  test('R22: below the limit nothing is asked and nothing recorded', async () => {
    const one = world([...talk(5, 1_000), question])
    const next = messagesOf(await one.prepare())
    expect({ requests: one.requests.length, compactions: compactions(one), roles: next.length }).toEqual({ requests: 0, compactions: [], roles: 12 })
  })

  test('R22 R24 R25 R33: at the limit old turns become a summary, the last three stay, the summary is offered as a memory', async () => {
    const one = world([...talk(9, 1_000), question], { answer: () => 'Goal: nine answers (turn 2)\n\nRemember: Answers are long.' })
    const next = await one.prepare()
    const messages = messagesOf(next)
    expect(messages.map(({ role, text }) => `${role}: ${text.slice(0, 10)}`)).toEqual(['system: You are.', 'user: The beginn', 'user: question 8', 'assistant: answer 8 w', 'user: question 9', 'assistant: answer 9 w', 'user: and now?'])
    expect(messages[1]?.text).toContain('Goal: nine answers (turn 2)\n>>> end of the summary')
    expect(messages[1]?.text).not.toContain('Remember')
    expect(one.session.events.slice(-3).map((event) => event.type)).toEqual(['usage-reported', 'history-compacted', 'memory-proposed'])
    expect(one.session.events.at(-1)).toMatchObject({ text: 'Answers are long.' })
    expect(one.session.events.at(-3)).toMatchObject({ purpose: 'summary', choice: storedChoice, usage: { estimated: false } })
    expect(next).toMatchObject({ spent: { input: tokensOf(one.requests[0]?.messages ?? []), output: 90 } })
    const [made] = compactions(one)
    expect(made).toMatchObject({ by: 'limit', keptTurns: 3, summarisedMessages: 14, pinned: [], trimmed: [] })
    expect(made && made.tokensAfter < made.tokensBefore / 2).toBe(true)
    expect(one.requests[0]?.messages[1]?.text).toMatch(/\[turn 1\] user:\nquestion 1[\s\S]*\[turn 7\] agent:\nanswer 7/)
    expect(one.requests[0]?.messages[1]?.text).not.toContain('question 8')
    expect(one.requests[0]?.tools).toEqual([])
  })

  test('a compaction that is there is not made again; the next one folds its summary in', async () => {
    const one = world([...talk(9, 1_000), question], { answer: (_request, at) => `Goal: summary ${at + 1} (turn 1)` })
    await one.prepare()
    await one.prepare()
    expect(one.requests.length).toBe(1)
    const more = sessionOf([...talk(12, 1_500)]).drafts.slice(1).map((draft): EventDraft => ('turnId' in draft && draft.turnId !== null ? { ...draft, turnId: asId<TurnId>(`later ${draft.turnId}`) } : draft))
    one.append(more.slice(0, 24))
    messagesOf(await one.prepare())
    expect(one.requests.length).toBe(2)
    expect(one.requests[1]?.messages[1]?.text).toContain('[summary of everything before]\nGoal: summary 1 (turn 1)')
    expect(compactions(one).at(-1)).toMatchObject({ summary: 'Goal: summary 2 (turn 1)' })
  })

  test('R27: in groups of about five messages each turn is told once, whole, and the summaries are merged', async () => {
    const one = world([...talk(9, 1_000), question], { settings: { strategy: 'groups' }, answer: (request) => (request.messages[0]?.text.startsWith('Merge') ? 'Goal: merged (turn 1)' : `Goal: part (turn 1)\nRemember: nothing`) })
    await one.prepare()
    const texts = one.requests.map((request) => request.messages[1]?.text ?? '')
    expect(texts.map((text) => (text.match(/user:\nquestion/g) ?? []).length)).toEqual([3, 3, 1, 0])
    expect(texts.at(-1)?.match(/\[part \d\]\nGoal: part \(turn 1\)(?!\nRemember)/g)).toHaveLength(3)
    expect(compactions(one)).toMatchObject([{ strategy: 'groups', summary: 'Goal: merged (turn 1)' }])
  })

  test('R27: what is too much for the model that summarises goes to it in groups, each within its window', async () => {
    const one = world([...talk(9, 1_000), question], { settings: { choice: { provider: 'small', model: 'small' } } })
    Object.assign(one.ports, { facts: (choice: typeof storedChoice) => Promise.resolve({ ...unknownFacts, windowTokens: choice.provider === 'small' ? 4_000 : 10_000 }) })
    await one.prepare()
    expect(one.requests.length).toBeGreaterThan(2)
    expect(one.requests.every((request) => (request.messages[1]?.text.length ?? 0) / 4 < 4_000)).toBe(true)
    expect(compactions(one)).toMatchObject([{ choice: { provider: 'small', model: 'small' } }])
  })

  test('R31: what the provider counts corrects the estimate, for that model alone', async () => {
    const one = world([...talk(5, 1_000), question])
    one.append([{ type: 'usage-reported', turnId: asId('t6'), step: 1, choice: storedChoice, purpose: 'turn', usage: { inputTokens: 2_000, outputTokens: 1, estimated: false }, expectedTokens: 1_000 }])
    await one.prepare()
    expect(compactions(one)).toHaveLength(1)
    const other = world([...talk(5, 1_000), question])
    other.append([{ type: 'usage-reported', turnId: asId('t6'), step: 1, choice: { provider: 'p', model: 'other' }, purpose: 'turn', usage: { inputTokens: 2_000, outputTokens: 1, estimated: false }, expectedTokens: 1_000 }])
    await other.prepare()
    expect(compactions(other)).toEqual([])
  })

  test('R28 R30: older results are cut before anything is summarised, oldest first, and can be read whole', async () => {
    const one = world([{ role: 'user', content: 'look' }, ...['a', 'b', 'c', 'd', 'e', 'f'].flatMap((id) => step(id, 1_500)), ...talk(3, 10), question])
    const messages = messagesOf(await one.prepare())
    expect(one.requests.length).toBe(0)
    const [made] = compactions(one)
    expect(made).toMatchObject({ beforeSeq: 0, summary: '', summarisedMessages: 0 })
    const results = messages.filter((message) => message.role === 'tool')
    expect(results.map((message) => message.text.includes('left out'))).toEqual([true, true, true, true, true, true])
    const ref = made?.trimmed[0]?.outputRef ?? ''
    expect(one.blobs.get(ref)).toMatch(/^a word[\s\S]*end of a$/)
    expect(results[0]?.text).toContain(`cat {"ref":"${ref}"} shows all`)
    expect(outputNamed(one.session.events, ref)).toEqual({ mimeType: null, taint: null })
    expect(messagesOf(await one.prepare())).toEqual(messages)
    expect(compactions(one)).toHaveLength(1)
  })

  test('R28: results of the one turn there is are cut too, what the model has not read yet last', async () => {
    const one = world([{ role: 'user', content: 'look' }, ...['a', 'b', 'c', 'd', 'e'].flatMap((id) => step(id, 1_900))])
    const texts = messagesOf(await one.prepare()).filter((message) => message.role === 'tool').map((message) => message.text.includes('left out'))
    expect(texts).toEqual([true, true, true, true, false])
    expect(one.requests.length).toBe(0)
  })

  test('R29: what is pinned stays whole with its results, in the next compaction as well', async () => {
    const one = world([{ role: 'user', content: 'never lock the table' }, ...step('a', 300), ...talk(9, 1_000), question])
    one.append([{ type: 'message-pinned', messageSeq: 2, isPinned: true }, { type: 'message-pinned', messageSeq: 4, isPinned: true }])
    const messages = messagesOf(await one.prepare())
    expect(messages.slice(2, 5)).toMatchObject([{ role: 'user', text: 'never lock the table' }, { role: 'assistant' }, { role: 'tool', text: expect.stringMatching(/^a word[\s\S]*end of a$/) as string }])
    expect(compactions(one)).toMatchObject([{ pinned: [2, 4] }])
    expect(one.requests[0]?.messages[1]?.text).not.toContain('never lock')
  })

  test('R29: undone, the very same messages are sent again, and not summarised again before the turn has ended', async () => {
    const one = world([...talk(9, 950), question])
    const before = messagesOf({ kind: 'ready', messages: (await one.ports.context(one.session)).history.messages('You are.'), expectedTokens: 0, spent: { input: 0, output: 0 } })
    await one.prepare()
    const [made] = compactions(one)
    one.append([{ type: 'compaction-undone', compactionId: made?.compactionId ?? asId('') }])
    const after = messagesOf(await one.prepare())
    expect(after.slice(1).every((message, at) => message === before[at + 1])).toBe(true)
    expect({ count: after.length, requests: one.requests.length }).toEqual({ count: before.length, requests: 1 })
  })

  test('R58: a skill whose text is summarised stands as a name with the way to load it again', async () => {
    const one = world([{ role: 'user', content: 'go' }])
    one.append([{ type: 'skill-loaded', turnId: asId('t1'), step: 1, callId: asId('c'), skill: { origin: 'user', path: 'p', name: 'release-notes', version: null }, inputs: {}, text: '<<the whole skill>>', tools: null, outputSchema: null }, ...sessionOf(talk(9, 1_000)).drafts.slice(1).map((draft): EventDraft => ('turnId' in draft && draft.turnId !== null ? { ...draft, turnId: asId<TurnId>(`later ${draft.turnId}`) } : draft))])
    const texts = messagesOf(await one.prepare()).map((message) => message.text).join('\n')
    expect(texts).toContain('"release-notes"')
    expect(texts).toContain('load_skill')
    expect(texts).not.toContain('<<the whole skill>>')
  })

  test.each(['Goal: nine (turn 2)', 'Remember: Answers are long.', 'Goal: nine (turn 2)\nRemember: nothing'])('R27: a summary that names nothing to remember proposes no memory: %s', async (answer) => {
    const one = world([...talk(9, 1_000), question], { answer: () => answer })
    await one.prepare()
    expect([compactions(one).length, one.session.events.filter((event) => event.type === 'memory-proposed')]).toEqual([1, []])
  })

  test('R33: a secret that a summary repeats is in neither the summary nor the offered memory', async () => {
    const one = world([...talk(9, 1_000), question], { clean: (text) => text.replaceAll('hunter2', '[redacted]'), answer: () => 'Goal: hunter2 (turn 1)\nRemember: hunter2' })
    await one.prepare()
    expect(JSON.stringify(one.session.events)).not.toContain('hunter2')
    expect(compactions(one)).toMatchObject([{ summary: 'Goal: [redacted] (turn 1)' }])
  })
})

describe('a summary that fails', () => {
  const thinking: readonly StreamPart[] = [{ kind: 'thinking-delta', text: 'hm' }, { kind: 'stopped', reason: 'stop' }]

  test.each([['an empty one', ''], ['white space', ' \n '], ['thinking alone', thinking]] as const)('b08 R26: %s leaves every message, is told once, and is not tried again in the turn', async (_name, answer) => {
    const one = world([...talk(9, 900), question], { answer: () => answer })
    const before = JSON.stringify(one.session.events)
    const messages = messagesOf(await one.prepare())
    await one.prepare()
    expect(messages).toHaveLength(20)
    expect({ requests: one.requests.length <= 3, notes: notes(one), compactions: compactions(one) }).toEqual({ requests: true, notes: ['compaction.failed'], compactions: [] })
    expect(JSON.stringify(one.session.events).startsWith(before.slice(0, -1))).toBe(true)
  })

  test('b09 R26: three requests at most; what does not fit then ends the turn with its size and the reason', async () => {
    const one = world([...talk(9, 1_060), question], { windowTokens: 10_000, answer: () => failing(3) })
    const before = JSON.stringify(one.session.events)
    const next = await one.prepare()
    expect(next).toMatchObject({ kind: 'ended', say: { code: 'compaction.failed-full', values: { window: 10_000 } } })
    expect(one.requests.length).toBe(1)
    expect(JSON.stringify(one.session.events)).toBe(before)
  })

  test('a summary that is as long as what it stands for is none', async () => {
    const one = world([...talk(9, 900), question], { answer: () => filler(9_000) })
    await one.prepare()
    expect({ notes: notes(one), compactions: compactions(one) }).toEqual({ notes: ['compaction.failed'], compactions: [] })
  })

  test('R11: cancelled in the middle, it ends at once and records nothing', async () => {
    const cancel = new AbortController()
    const one = world([...talk(9, 1_000), question], { answer: () => (cancel.abort(), 'Goal: late (turn 1)') })
    const next = await one.prepare(cancel.signal)
    expect({ next: next.kind, compactions: compactions(one), notes: notes(one) }).toEqual({ next: 'ended', compactions: [], notes: [] })
  })

  test('b05 R28: a first message that alone does not fit is told with both sizes; nothing is asked for it', async () => {
    const one = world([{ role: 'user', content: filler(20_000) }], { windowTokens: 8_000 })
    expect(await one.prepare()).toMatchObject({ kind: 'ended', say: { code: 'compaction.message-too-large', values: { window: 8_000 } } })
    expect({ requests: one.requests.length, compactions: compactions(one) }).toEqual({ requests: 0, compactions: [] })
  })

  test('R32: a request with a fault of ours throws where it is developed, and is repaired where it is shipped', async () => {
    const one = world([{ role: 'user', content: 'go' }])
    const broken: ModelMessage[] = [{ role: 'user', text: 'go' }, { role: 'assistant', text: '', calls: [{ providerCallId: 'a', name: 'x', argumentsText: '{}' }] }]
    const { history } = await one.ports.context(one.session)
    Object.assign(history, { messages: () => broken })
    await expect(one.prepare()).rejects.toThrow('no results at the end for a')
    Object.assign(one.ports, { isDevelopment: false })
    expect(messagesOf(await one.prepare())).toMatchObject([{ role: 'user' }, { role: 'assistant' }, { role: 'tool', providerCallId: 'a' }])
  })
})
