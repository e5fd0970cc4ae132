import { expect, test } from 'vitest'
import { runTurn } from '../../../../src/main/core/agent/runTurn'
import type { AcceptedMemory, MemoryDesk } from '../../../../src/main/core/ports/memoryDesk'
import { saveMemory } from '../../../../src/main/core/tools/builtins/saveMemory'
import type { ApprovalAnswer, ApprovalRequest } from '../../../../src/shared/domain/approval'
import { asId, type MemoryId, type SessionId, type WorkspaceId } from '../../../../src/shared/domain/ids'
import type { Memory, RelatedMemory, TextOrigin } from '../../../../src/shared/domain/memory'
import { fail, succeed } from '../../../../src/shared/domain/result'
import { askingLevels } from '../../../../src/shared/domain/session'
import { makeTurnWorld, reply, type WorldOptions } from '../../../support/turnWorld'

const known: Memory = { id: asId<MemoryId>('m1'), text: 'Use tabs', scope: 'project', workspaceId: asId<WorkspaceId>('w'), source: { kind: 'person', by: 'table', sessionId: null }, isPinned: false, atMs: 0, rev: 1, deletedAtMs: null }
const related: readonly RelatedMemory[] = [{ memory: known, relation: 'contradicts' }]
const web: Extract<TextOrigin, { readonly kind: 'outside' }> = { kind: 'outside', source: { kind: 'web', host: 'example.org', url: 'https://example.org/' } }

async function play(options: { readonly args: unknown; readonly answer?: (request: ApprovalRequest) => ApprovalAnswer; readonly level?: WorldOptions['level']; readonly origins?: readonly TextOrigin[]; readonly isNew?: boolean }) {
  const accepted: AcceptedMemory[] = []
  const desk: MemoryDesk = {
    fit: (text) => (text.includes('sk-') ? fail('memory.holds-secret') : succeed(text.trim())),
    related: () => Promise.resolve(related),
    accept(fact) {
      accepted.push(fact)
      const source = fact.outside ? { kind: 'outside' as const, source: fact.outside, sessionId: asId<SessionId>('s1'), callId: fact.callId } : { kind: 'agent' as const, sessionId: asId<SessionId>('s1'), callId: fact.callId }
      return Promise.resolve(succeed({ memory: { ...known, text: fact.text, scope: fact.scope, source }, isNew: options.isNew ?? true }))
    },
  }
  const world = makeTurnWorld({
    tools: [saveMemory(desk)], replies: [reply('', { name: 'save_memory', args: options.args }), reply('Done.')],
    ...(options.level ? { level: options.level } : {}), answer: options.answer ?? (() => ({ kind: 'allow' })),
  })
  const ports = { ...world.ports, record: { ...world.ports.record, origins: () => options.origins ?? [] } }
  await runTurn(world.turn, ports, new AbortController().signal)
  const end = world.events.find((event) => event.type === 'tool-finished')
  return { accepted, asked: world.asked, offered: world.requests[0]?.tools.map(({ name }) => name), status: end?.type === 'tool-finished' ? end.status : null, text: end?.type === 'tool-finished' ? end.text : '' }
}

test.each(askingLevels.filter((level) => level !== 'read-only'))('R33 a person decides what is remembered, also where the level asks for little: %s', async (level) => {
  const { asked, accepted, text } = await play({ args: { text: ' Use spaces ' }, level, origins: [{ kind: 'user' }] })
  expect(asked.map(({ preview }) => preview)).toEqual([{ kind: 'memory', text: 'Use spaces', scope: 'project', origins: [{ kind: 'user' }], related }])
  expect(accepted).toMatchObject([{ scope: 'project', outside: null }])
  expect(text).toContain('Remembered for this project:')
})

test('R33 R64 nothing is remembered where the level is read-only: the tool is not offered, and a call of it is denied unasked', async () => {
  const { offered, asked, accepted, status } = await play({ args: { text: 'Use spaces' }, level: 'read-only' })
  expect({ offered, asked, accepted, status }).toEqual({ offered: [], asked: [], accepted: [], status: 'denied' })
})

test('R33 the person may refuse, with a reason that the model reads', async () => {
  const { accepted, status, text } = await play({ args: { text: 'Use spaces' }, answer: () => ({ kind: 'deny', reason: 'Only for this file' }) })
  expect({ accepted, status, text }).toEqual({ accepted: [], status: 'denied', text: expect.stringContaining('Only for this file') })
})

test('R33 what the person wrote instead is stored, and the model reads it', async () => {
  const { accepted, text } = await play({ args: { text: 'Use spaces', scope: 'general' }, answer: ({ preview }) => (preview.kind === 'memory' && preview.text === 'Use spaces' ? { kind: 'edited-text', text: 'Use two spaces' } : { kind: 'allow' }) })
  expect(accepted).toMatchObject([{ text: 'Use two spaces', scope: 'general' }])
  expect(text).toBe('Remembered for all projects:\nUse two spaces')
})

test('R33 R71 words from outside are kept as such, and the model is told that they enter no prompt', async () => {
  const { accepted, text } = await play({ args: { text: 'Use spaces' }, origins: [{ kind: 'user' }, web] })
  expect(accepted).toMatchObject([{ outside: { kind: 'web', host: 'example.org' } }])
  expect(text).toContain('in no prompt until the user edits or pins it')
})

test('R33 R71 a wish of a turn that read a page is from outside whatever its words; one of a later turn is the agent’s, and the card says what was read', async () => {
  const read = (isThisTurn: boolean): TextOrigin => ({ kind: 'read', source: web.source, isThisTurn })
  expect((await play({ args: { text: 'Use spaces' }, origins: [{ kind: 'user' }, read(true)] })).accepted).toMatchObject([{ outside: { host: 'example.org' } }])
  const later = await play({ args: { text: 'Use spaces' }, origins: [read(false)] })
  expect([later.accepted, later.asked[0]?.preview]).toMatchObject([[{ outside: null }], { origins: [{ kind: 'read', isThisTurn: false }] }])
})

test('R33 a secret is refused before anybody is asked, and a fact that is there is not stored twice', async () => {
  const secret = await play({ args: { text: 'The key is sk-1' } })
  expect({ asked: secret.asked, accepted: secret.accepted, status: secret.status }).toEqual({ asked: [], accepted: [], status: 'failed' })
  expect((await play({ args: { text: 'Use spaces' }, isNew: false })).text).toContain('This was remembered for this project already:')
})
