import { expect, test } from 'vitest'
import { z } from 'zod'
import type { Effect } from '../../../../src/shared/domain/tool'
import { said, succeed } from '../../../../src/shared/domain/result'
import { runTurn } from '../../../../src/main/core/agent/runTurn'
import { defineTool, type Tool } from '../../../../src/main/core/tools/defineTool'
import { makeTurnWorld, reply } from '../../../support/turnWorld'

const marked = { text: ['use', { token: '[redacted:token]' }] }

async function finishedOf(effect: Effect, change: Partial<Tool> = {}): Promise<unknown> {
  const ran: unknown[] = []
  const tool = defineTool({
    name: 'tool', description: '', params: z.looseObject({}), effect, paths: () => [],
    forecast: () => Promise.resolve(succeed({ preview: { kind: 'arguments', text: '', notes: [] }, writes: [], base: {} })),
    run: (args) => (ran.push(args), Promise.resolve({ status: 'ok', say: said('tool.answered') })),
    ...change,
  })
  const world = makeTurnWorld({ tools: [tool], replies: [reply('', { name: 'tool', args: marked }), reply('done')] })
  await runTurn(world.turn, world.ports, new AbortController().signal)
  const end = world.events.flatMap((event) => (event.type === 'tool-finished' ? [event.say.code] : []))
  return { asked: world.asked.length, ran: ran.length, end }
}

test('DATA 8: a marker in arguments is not the value: no command, request, tool of a server or memory is made with it, and nobody is asked', async () => {
  const refused = { asked: 0, ran: 0, end: ['tool.redaction-marker'] }
  expect(await finishedOf('execute')).toEqual(refused)
  expect(await finishedOf('network')).toEqual(refused)
  expect(await finishedOf('read', { isHiddenReadOnly: true })).toEqual(refused)
})

test('DATA 8: what only reads may look for a marker', async () => {
  expect(await finishedOf('read')).toMatchObject({ ran: 1, end: ['tool.answered'] })
})
