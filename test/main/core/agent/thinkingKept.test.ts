import { expect, test } from 'vitest'
import { runTurn } from '../../../../src/main/core/agent/runTurn'
import { historyFor } from '../../../../src/main/core/context/history'
import type { AgentEvent, EventDraft } from '../../../../src/shared/domain/event'
import type { StreamPart, ThinkingBlock } from '../../../../src/shared/domain/model'
import { asId, type SessionId } from '../../../../src/shared/domain/ids'
import { makeTurnWorld } from '../../../support/turnWorld'

// R88, R91: what a provider sent as thinking is in the record as it came, and in the history for the model that made it.

const blocks: readonly ThinkingBlock[] = [
  { kind: 'signed', text: 'hm', signature: 'S', textBefore: 0, callsBefore: 0 },
  { kind: 'redacted', data: 'D', textBefore: 2, callsBefore: 0 },
]
const stopped: StreamPart = { kind: 'stopped', reason: 'stop' }
const shown = (text: string, kept: readonly ThinkingBlock[]): readonly StreamPart[] => [{ kind: 'thinking-delta', text: 'hm' }, ...kept.map((block): StreamPart => ({ kind: 'thinking-block', block })), { kind: 'text-delta', text }]

async function recorded(parts: readonly StreamPart[]): Promise<Extract<EventDraft, { readonly type: 'assistant-message-added' }> | undefined> {
  const world = makeTurnWorld({ tools: [], replies: [parts] })
  await runTurn(world.turn, world.ports, new AbortController().signal)
  return world.events.find((event) => event.type === 'assistant-message-added')
}

test('a whole reply keeps its thinking beside the plain text, and the history gives it with whose it is', async () => {
  const event = await recorded([...shown('ok', blocks), stopped])
  expect(event).toMatchObject({ reasoning: 'hm', thinking: blocks })
  if (!event) throw new Error('nothing recorded')
  const stored: AgentEvent = { ...event, v: 1, sessionId: asId<SessionId>('s'), seq: 1, atMs: 0 }
  expect(historyFor([stored], '')).toEqual([{ role: 'assistant', text: 'ok', reasoning: 'hm', thinking: blocks, from: event.choice, calls: [] }])
})

test('a reply without thinking records none, and one that broke off keeps none to send', async () => {
  expect(await recorded([{ kind: 'text-delta', text: 'ok' }, stopped])).not.toHaveProperty('thinking')
  expect(await recorded([...shown('half', blocks), { kind: 'failed', fault: { kind: 'cut', say: { code: 'turn.incomplete', values: {} }, canRetry: true } }])).toMatchObject({ text: 'half', isComplete: false })
  expect(await recorded([...shown('half', blocks), { kind: 'failed', fault: { kind: 'cut', say: { code: 'turn.incomplete', values: {} }, canRetry: true } }])).not.toHaveProperty('thinking')
})

test.each([
  ['in the thinking', [{ ...blocks[0], text: 'the key is sk-registered' }], 'ok'],
  ['deep in an entry of a list', [{ kind: 'item', field: 'reasoning_details', item: { list: [{ text: 'sk-registered' }] } }], 'ok'],
  ['in the text that the thinking stands among', blocks, 'it is sk-registered'],
] as const)('R92 a registered secret %s takes the thinking out of the record: changed it would be refused', async (_where, kept, text) => {
  const event = await recorded([...shown(text, kept as readonly ThinkingBlock[]), stopped])
  expect(event).not.toHaveProperty('thinking')
  expect(JSON.stringify(event)).not.toContain('sk-registered')
})
