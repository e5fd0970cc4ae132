import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { pairingProblems, type WireMessage } from '../support/pairing'
import { compactLab } from './compact'

interface Compacted {
  readonly messages: readonly WireMessage[]
  readonly dropped: readonly number[]
  readonly kept: readonly number[]
  readonly reason: string
}

async function compact(messages: readonly unknown[], ...args: readonly string[]): Promise<Compacted> {
  let printed: object = {}
  await compactLab(args, { bytes: () => Buffer.from(JSON.stringify(messages)) }, (line) => (printed = line))
  return printed as Compacted
}

function stored(name: string): readonly WireMessage[] {
  return JSON.parse(readFileSync(path.join(import.meta.dirname, '../cases/B', `${name}.messages.json`), 'utf8')) as readonly WireMessage[]
}

const turn = (n: number, size: number): readonly WireMessage[] => [
  { role: 'user', content: `question ${n}` },
  { role: 'assistant', content: null, tool_calls: [{ id: `a${n}`, type: 'function', function: { name: 'read_file', arguments: '{"path":"a"}' } }, { id: `b${n}`, type: 'function', function: { name: 'read_file', arguments: '{"path":"b"}' } }] },
  { role: 'tool', tool_call_id: `a${n}`, content: `${n} `.repeat(size) },
  { role: 'tool', tool_call_id: `b${n}`, content: `${n} `.repeat(size) },
  { role: 'assistant', content: `answer ${n}` },
]
const long = (turns: number, size: number): readonly WireMessage[] => Array.from({ length: turns }, (_, at) => turn(at + 1, size)).flat()

describe('lab compact', () => {
  test.each([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])('b12 R25: a cut at %i falls between no call and its result', async (cut) => {
    for (const keep of ['1', '2', '3']) {
      const { messages, reason } = await compact(stored('b12'), '--window', '8000', '--cut', String(cut), '--keep-turns', keep, '--summary', 'Goal: compare (turn 1)')
      expect(pairingProblems(messages), reason).toEqual([])
    }
  })

  test('R24 R25: the last turns stay word for word, the first stand as one summary', async () => {
    const given = long(6, 300)
    const { messages, dropped, kept } = await compact(given, '--window', '100000', '--cut', '29', '--summary', 'Goal: six questions (turn 1)')
    expect(messages.slice(1)).toEqual(given.slice(15))
    expect(messages[0]).toMatchObject({ role: 'user', content: expect.stringContaining('Goal: six questions (turn 1)') as string })
    expect({ dropped, kept }).toEqual({ dropped: Array.from({ length: 15 }, (_, at) => at), kept: Array.from({ length: 15 }, (_, at) => at + 15) })
  })

  test('R25: a cut at a message in the middle of a turn falls at the turn before it', async () => {
    const given = long(6, 30)
    expect((await compact(given, '--window', '100000', '--cut', '8', '--summary', 'x (turn 1)')).kept).toEqual(Array.from({ length: 25 }, (_, at) => at + 5))
  })

  test.each(['once', 'groups'])('R27: %s keeps pairing when the window asks for it', async (strategy) => {
    const { messages, reason } = await compact(long(9, 1500), '--window', '16000', '--strategy', strategy, '--summary', 'Goal: nine questions (turn 1)')
    expect(reason).toBe('summarised')
    expect(pairingProblems(messages)).toEqual([])
  })

  test.each([['b08', ''], ['b08', '  \n'], ['b12', 'fail']])('%s R26: a summary that is %j leaves every message', async (name, summary) => {
    const given = stored(name)
    for (const keep of ['1', '2']) {
      const { messages, dropped, reason } = await compact(given, '--window', '8000', '--cut', '9', '--keep-turns', keep, `--summary=${summary}`)
      expect({ messages, dropped }).toEqual({ messages: given, dropped: [] })
      expect(reason).not.toBe('summarised')
    }
  })

  test('R28: a result larger than its share is cut to head and tail, with its size and where the whole is', async () => {
    const given = turn(1, 20_000)
    const { messages, reason } = await compact(given, '--window', '8000')
    expect(reason).toBe('trimmed')
    expect(pairingProblems(messages)).toEqual([])
    expect(String(messages[2]?.content)).toMatch(/^1 1 [\s\S]*\[… [\d,]+ of 40,000 characters left out; cat \{"ref":"[0-9a-f]{64}"\} shows all …\][\s\S]* 1 1 $/)
    expect(JSON.stringify(messages).length).toBeLessThan(8000 * 4)
  })

  test('b05: a first message that does not fit alone is said with its size and the size of the window', async () => {
    const { messages, dropped, reason } = await compact([{ role: 'user', content: 'word '.repeat(16_000) }], '--window', '8000')
    expect({ count: messages.length, dropped, reason }).toEqual({ count: 1, dropped: [], reason: 'Your message has about 20,000 tokens; the model takes 8,000 at once. It was not sent. Nothing is lost: it stands above.' })
  })
})
