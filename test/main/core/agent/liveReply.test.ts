import { expect, test } from 'vitest'
import type { StreamPart } from '../../../../src/shared/domain/model'
import { runTurn } from '../../../../src/main/core/agent/runTurn'
import { makeTurnWorld } from '../../../support/turnWorld'

test('R16 R68: a registered secret that the model spells out is shown in no piece of text, thinking or arguments', async () => {
  const pieces = (kind: 'text-delta' | 'thinking-delta', text: string): readonly StreamPart[] => [...text].map((letter) => ({ kind, text: letter }))
  const spelt = [...'{"text": "sk-registered", "more": 1}'].map((letter): StreamPart => ({ kind: 'call-piece', index: 0, id: 'a', name: 'look', argumentsText: letter }))
  const world = makeTurnWorld({
    tools: [],
    replies: [
      [...pieces('thinking-delta', 'The key sk-registered is it.'), ...pieces('text-delta', 'It is sk-registered, or sk-reg'), ...spelt, { kind: 'stopped', reason: 'tool-calls' }],
      [{ kind: 'text-delta', text: 'end' }, { kind: 'stopped', reason: 'stop' }],
    ],
  })
  await runTurn(world.turn, world.ports, new AbortController().signal)
  const textOf = (type: 'text-delta' | 'thinking-delta'): string => world.parts.flatMap((part) => (part.type === type ? [part.text] : [])).join('')
  expect([textOf('thinking-delta'), textOf('text-delta')]).toEqual(['The key [redacted:known] is it.', 'It is [redacted:known], or sk-regend'])
  const tails = world.parts.flatMap((part) => (part.type === 'call-growing' ? [part.tail] : []))
  expect(tails.at(-1)).toBe('{"text": "[redacted:known]", "more": 1}')
  expect(tails.filter((tail) => tail.includes('sk-'))).toEqual([])
})
