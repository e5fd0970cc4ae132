import { expect, test } from 'vitest'
import { promptCosts, type NextRequest } from '../../../../src/main/core/context/promptCost'
import { assemblePrompt } from '../../../../src/main/core/context/prompt'
import { estimateTokens } from '../../../../src/main/core/context/estimate'
import { makeHistory } from '../../../../src/main/core/context/history'
import type { AttachedFile } from '../../../../src/shared/domain/event'
import { asId, type MemoryId, type MessageId, type SessionId, type TurnId } from '../../../../src/shared/domain/ids'

const request: NextRequest = {
  prompt: {
    base: 'base '.repeat(40), mode: 'mode '.repeat(8), safety: 'safety', root: '/p', platform: 'linux', locale: 'en', project: [], skills: '- one: about\n- two: about',
    memories: [{ id: asId<MemoryId>('m'), text: '用制表符', scope: 'general', atMs: 0, score: 1, tokens: 9, contradicts: [] }],
  },
  tools: [{ name: 'read_file', description: 'Reads.', parameters: { type: 'object' } }],
  skills: 2,
  messages: [{ role: 'user', text: 'x'.repeat(400) }, { role: 'assistant', text: 'y'.repeat(40), calls: [{ providerCallId: 'c', name: 'read_file', argumentsText: '{"path":"a"}' }] }, { role: 'tool', providerCallId: 'c', name: 'read_file', text: 'z'.repeat(4000) }],
  draft: ' Where do release notes go? ',
  files: [],
}

test('R23 R31 R55 what each part of the next request costs is told in the order it is sent, and nothing is left out', () => {
  const costs = promptCosts(request)
  expect(costs.map(({ part, count }) => [part, count])).toEqual([['base', null], ['mode', null], ['safety', null], ['tools', 1], ['session', null], ['project', 0], ['skills', 2], ['memory', 1], ['history', 3], ['draft', null]])
  const tokens = Object.fromEntries(costs.map(({ part, tokens: each }) => [part, each]))
  expect(tokens['draft']).toBe(Math.ceil('Where do release notes go?'.length / 4))
  expect([tokens['base'], tokens['mode'], tokens['safety']]).toEqual([50, 10, 2])
  expect(tokens['history']).toBe(100 + Math.ceil('yyyy'.repeat(10).concat('\n\nread_file\n{"path":"a"}').length / 4) + 1000)
  const inSystem = costs.filter(({ part }) => !['tools', 'history', 'draft'].includes(part)).reduce((sum, one) => sum + one.tokens, 0)
  expect(Math.abs(inSystem - estimateTokens(assemblePrompt(request.prompt)))).toBeLessThanOrEqual(8)
})

test('R55 parts that hold nothing cost nothing, and are told all the same', () => {
  const costs = promptCosts({ ...request, prompt: { ...request.prompt, skills: '', memories: [] }, tools: [], skills: 0, messages: [], draft: ' ' })
  expect(costs.filter(({ tokens }) => tokens === 0)).toEqual([{ part: 'tools', tokens: 0, count: 0 }, { part: 'project', tokens: 0, count: 0 }, { part: 'skills', tokens: 0, count: 0 }, { part: 'memory', tokens: 0, count: 0 }, { part: 'history', tokens: 0, count: 0 }, { part: 'draft', tokens: 0, count: null }])
})

test('R23 R90 files and pictures in the box count before they are sent, as they will once they are', () => {
  const files: AttachedFile[] = [
    { path: 'a.md', name: 'a.md', text: 'x'.repeat(4000), outputRef: null, content: [] },
    { path: null, name: 'p.png', text: '', outputRef: null, content: [{ kind: 'image', mimeType: 'image/png', ref: 'r', sizeBytes: 0, name: 'p.png' }] },
  ]
  const of = (more: Partial<NextRequest>, part: string) => promptCosts({ ...request, ...more }).find((one) => one.part === part)?.tokens ?? 0
  const history = makeHistory()
  history.add({ type: 'user-message-added', v: 1, sessionId: asId<SessionId>('s'), seq: 1, atMs: 1, turnId: asId<TurnId>('t'), messageId: asId<MessageId>('m'), text: request.draft.trim(), files })
  expect(of({ files }, 'draft')).toBeGreaterThan(2000)
  expect(of({ files }, 'draft')).toBe(of({ messages: history.messages('') }, 'history'))
})
