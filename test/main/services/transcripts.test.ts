import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { historyFor } from '../../../src/main/core/context/history'
import { defineTool, type Tool } from '../../../src/main/core/tools/defineTool'
import { applyEvent, emptyChat } from '../../../src/shared/domain/chatView'
import type { AgentEvent } from '../../../src/shared/domain/event'
import { asId, type CallId } from '../../../src/shared/domain/ids'
import { storeEvent } from '../../../src/shared/domain/readEvent'
import { said, succeed } from '../../../src/shared/domain/result'
import { readTranscript } from '../../lab/transcript'
import { makeRunsWorld, runsSession as id, type Left } from '../../support/runsWorld'
import { makeTurnWorld, reply } from '../../support/turnWorld'

/** A transcript: the events as they are stored, one a line. */
function transcriptOf(events: readonly AgentEvent[]): string {
  return events.map((event) => {
    const { v, sessionId, seq, atMs, ...draft } = event
    if (draft.type === 'event-unread') throw new Error('nothing unread is written')
    return `${JSON.stringify({ seq, atMs, sessionId, ...storeEvent(draft), v })}\n`
  }).join('')
}

function tool(name: string, effect: Tool['effect'], run: (text: string) => Promise<string> | string): Tool {
  return defineTool({
    name, description: '', params: z.object({ text: z.string().default('') }), effect, paths: () => [],
    forecast: (args) => Promise.resolve(succeed({ preview: { kind: 'arguments', text: args.text, notes: [] }, writes: [], base: {} })),
    run: async (args) => ({ status: 'ok', say: said('turn.done'), body: await run(args.text) }),
  })
}

/** A turn that is spoken to while it runs: a message edited and one taken out; then the next turn by itself. */
async function spokenTo(): Promise<readonly AgentEvent[]> {
  let act: () => Promise<unknown> = () => Promise.resolve()
  const turn = makeTurnWorld({ tools: [tool('look', 'read', async (text) => { await act(); return `saw ${text}` })], replies: [reply('I look.', { name: 'look', args: { text: 'a' } }), reply('Yes, with tests.')] })
  const world = await makeRunsWorld(turn, { followsQueue: false })
  act = async () => {
    const first = await world.runs.queue(id, { text: 'and tests' })
    const second = await world.runs.queue(id, { text: 'never mind' })
    if (!first.ok || !second.ok) throw new Error('refused')
    await world.runs.queue(id, { text: 'and the tests', messageId: first.value.messageId })
    await world.runs.withdraw(id, second.value.messageId)
  }
  const started = await world.runs.prompt(id, 'Look')
  if (started.ok) await started.value.ended
  return world.session.events
}

/** A command that a kill cut off and that the person has run again. */
async function runAgain(): Promise<readonly AgentEvent[]> {
  let reached: () => void = () => undefined
  const running = new Promise<void>((resolve) => (reached = resolve))
  const first = await makeRunsWorld(makeTurnWorld({ tools: [tool('act', 'execute', () => { reached(); return new Promise(() => undefined) })], replies: [reply('', { name: 'act', args: { text: 'seed' } })] }))
  await first.runs.prompt(id, 'Seed it')
  await running
  const left: Left = { events: [...first.events], calls: new Map(first.calls) }
  const turn = makeTurnWorld({ tools: [tool('act', 'execute', () => 'seeded')], replies: [reply('Seeded.')] })
  let numbers = 0
  const ids = { next: () => `b${++numbers}`, nonce: () => `n${++numbers}` }
  const world = await makeRunsWorld({ ports: { ...turn.ports, ids } }, {}, left)
  world.runs.onRecoveries((open) => open.forEach(({ unknown }) => { if (unknown) setImmediate(() => void world.runs.settle(asId<CallId>(unknown.callId), 'again')) }))
  await world.runs.recover(id, 'ask')
  return world.session.events
}

describe.each([['spokenTo', spokenTo], ['runAgain', runAgain]] as const)('%s', (name, play) => {
  const file = path.resolve(import.meta.dirname, `../../transcripts/${name}.jsonl`)

  test('R95 R84 lived through again with the same clock and ids it is the same transcript, byte for byte', async () => {
    await expect(transcriptOf(await play())).toMatchFileSnapshot(file)
  })

  test('R95 what is read back shows the same screen and sends the model the same messages as living through it did', async () => {
    const lived = await play()
    const read = readTranscript(readFileSync(file, 'utf8'))
    expect(read).toEqual(lived)
    expect(read.reduce(applyEvent, emptyChat(id))).toEqual(lived.reduce(applyEvent, emptyChat(id)))
    expect(historyFor(read, 'You are.')).toEqual(historyFor(lived, 'You are.'))
  })
})
