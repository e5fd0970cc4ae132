import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { reply, startFakeModelServer } from '../../support/fakeModelServer'
import { makeHeadlessWorld, type Line } from '../../support/headlessRun'

/**
 * R84 R97: kill -9 at every journal step, with every kind of call. After it the same session goes on by itself: nothing
 * acknowledged is lost, nothing is done twice, and what cannot be known is said to be unknown.
 */
const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

/** Behind each commit, and before those ahead of which something happened that no commit tells yet. */
const steps = ['user-message-added', 'turn-started', 'assistant-message-added', 'tool-called', 'approval-asked', 'approval-decided', 'tool-started', 'tool-finished', 'turn-ended', 'before:approval-decided', 'before:tool-started', 'before:tool-finished'] as const
const kinds = {
  write: { name: 'write_file', args: { path: 'made.txt', content: 'made\n' } },
  command: { name: 'run_command', args: { command: 'echo once >> made.txt' } },
  read: { name: 'read_file', args: { path: 'a.txt' } },
} as const

/** What the file must be after the crash and the going on; a started command must not run again by itself. */
function allowed(kind: keyof typeof kinds): readonly (string | null)[] {
  if (kind === 'read') return [null]
  return kind === 'write' ? ['made\n', null] : ['once\n', null]
}

const matrix = (['write', 'command', 'read'] as const).flatMap((kind) => steps.map((at) => [kind, at] as const))

/** A reading call asks nobody; before it starts nothing tells it from the others. */
const ofReads: readonly string[] = ['tool-called', 'tool-started', 'tool-finished', 'before:tool-finished']

test.each(matrix.filter(([kind, at]) => kind !== 'read' || ofReads.includes(at)))('%s killed at %s', { timeout: 60_000 }, async (kind, at) => {
  const world = makeHeadlessWorld({ 'a.txt': 'a\n' })
  closing.push(() => world.remove())
  const model = await startFakeModelServer({ steps: (request) => (request.messages.some((message) => message.role === 'tool') ? reply({ text: 'Finished.' }) : reply({ calls: [kinds[kind]] })) })
  closing.push(() => model.close())
  const approvals = world.approvals({ default: 'allow' })
  const base = ['run', '--project', world.project, '--base-url', model.baseUrl, '--model', 'compatible/m', '--approvals', approvals]

  const killed = await world.run([...base, '--prompt', 'go'], { COUNTERSIGN_CRASH_AT: at })
  expect(killed.signal).toBe('SIGKILL')
  const session = killed.lines[0]?.['sessionId']
  const shown = killed.lines.filter((line) => line['part'] === undefined)

  const after = await world.run([...base, '--session', String(session), '--prompt', 'go on'])
  expect({ code: after.code, words: after.words }).toEqual({ code: 0, words: '' })
  const end = after.lines.filter((line) => line.type === 'turn-ended').at(-1)
  expect(end?.['reason']).toBe('done')

  const file = path.join(world.project, 'made.txt')
  expect(allowed(kind)).toContain(existsSync(file) ? readFileSync(file, 'utf8') : null)
  // Every acknowledged event is still there: the next ones go on behind it without a gap.
  const lastShown = Math.max(...shown.map((line) => Number(line['seq'])))
  const first = Math.min(...after.lines.filter((line) => line['part'] === undefined).map((line) => Number(line['seq'])))
  expect(first).toBeGreaterThan(lastShown)
  expect(resultsOf([...shown, ...after.lines])).toEqual([])
  expect((await world.run(['audit', 'verify'])).lines).toEqual([expect.objectContaining({ ok: true })])
})

/** Calls that got more than one result. */
function resultsOf(lines: readonly Line[]): readonly unknown[] {
  const ids = lines.filter((line) => line.type === 'tool-finished').map((line) => line['callId'])
  return ids.filter((id, index) => ids.indexOf(id) !== index)
}

test('R84 R103 an edit whose question a crash cut off is asked again and made: what was read before is still known', { timeout: 60_000 }, async () => {
  const world = makeHeadlessWorld({ 'a.txt': 'one\n' })
  closing.push(() => world.remove())
  const calls = [{ name: 'read_file', args: { path: 'a.txt' } }, { name: 'edit_file', args: { path: 'a.txt', edits: [{ old_text: 'one', new_text: 'two' }] } }]
  const model = await startFakeModelServer({
    steps: (request) => {
      const call = calls[request.messages.filter((message) => message.role === 'tool').length]
      return call ? reply({ calls: [call] }) : reply({ text: 'Finished.' })
    },
  })
  closing.push(() => model.close())
  const base = ['run', '--project', world.project, '--base-url', model.baseUrl, '--model', 'compatible/m', '--approvals', world.approvals({ default: 'allow' })]
  const killed = await world.run([...base, '--prompt', 'go'], { COUNTERSIGN_CRASH_AT: 'approval-asked' })
  expect(killed.signal).toBe('SIGKILL')
  await world.run([...base, '--session', String(killed.lines[0]?.['sessionId']), '--prompt', ''])
  expect(readFileSync(path.join(world.project, 'a.txt'), 'utf8')).toBe('two\n')
})
