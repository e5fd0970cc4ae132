import { afterEach, expect, test } from 'vitest'
import { reply, startFakeModelServer, type RecordedRequest } from '../../support/fakeModelServer'
import { makeHeadlessWorld } from '../../support/headlessRun'
import { pairingProblems } from '../../support/pairing'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

const isSummary = (request: RecordedRequest): boolean => String(request.messages[0]?.content).startsWith('You write the summary')
const wordsOf = (request: RecordedRequest | undefined): readonly string[] => (request?.messages ?? []).map(({ role, content }) => `${String(role)} ${String(content).slice(0, 12)}`)

test('R22 R24 R26 R27 R33 a session outgrows its window over several starts of the app: old turns become one summary, the rest stays the same bytes', async () => {
  const world = makeHeadlessWorld({ 'notes.txt': 'A line of notes.\n'.repeat(400) })
  closing.push(() => world.remove())
  const server = await startFakeModelServer({
    models: [{ id: 'fake-model', object: 'model', context_window: 30_000 }],
    steps: (request) => {
      if (isSummary(request)) return reply({ text: 'Goal:\n- Keep the figures. (turn 1)\n\nRemember: Figures are kept.' })
      const last = request.messages.at(-1)
      return last?.role === 'user' ? reply({ calls: [{ name: 'read_file', args: { path: 'notes.txt' } }] }) : reply({ text: 'Read.' })
    },
  })
  closing.push(() => server.close())
  let session: readonly string[] = []
  const types: string[] = []
  for (let turn = 1; turn <= 7; turn += 1) {
    const done = await world.run(['run', '--project', world.project, '--prompt', `question ${turn} ${'word '.repeat(2_600)}`, '--base-url', server.baseUrl, ...session])
    expect({ code: done.code, words: done.words }).toEqual({ code: 0, words: '' })
    session = ['--session', String(done.lines[0]?.['sessionId'])]
    types.push(...done.lines.map((line) => String(line.type)))
    expect(done.lines.at(-1)).toMatchObject({ type: 'turn-ended', reason: 'done' })
  }
  for (const request of server.requests) expect(pairingProblems(request.messages)).toEqual([])
  expect(types.filter((type) => type === 'history-compacted').length).toBeGreaterThan(0)
  expect(server.requests.filter(isSummary).length).toBeGreaterThan(0)

  const own = server.requests.filter((request) => !isSummary(request))
  const last = own.at(-1)
  expect(wordsOf(last)[1]).toBe('user The beginnin')
  expect(String(last?.messages[1]?.content)).toContain('- Keep the figures. (turn 1)')
  expect(String(last?.messages[1]?.content)).not.toContain('Remember')
  for (const turn of [5, 6, 7]) expect(wordsOf(last)).toContain(`user question ${turn} w`)
  expect(last?.bodyText.length).toBeLessThan(30_000 * 4)
  // Providers reuse the beginning of a request: while nothing is compacted it is that of the request before, also after a restart.
  for (const at of [1, 2, 3]) expect(own[at]?.messages.slice(0, own[at - 1]?.messages.length)).toEqual(own[at - 1]?.messages)
})
