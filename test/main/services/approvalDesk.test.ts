import { expect, test } from 'vitest'
import type { ApprovalRequest } from '../../../src/shared/domain/approval'
import { asId, type CallId, type SessionId, type TurnId } from '../../../src/shared/domain/ids'
import { said, succeed } from '../../../src/shared/domain/result'
import { makeDesk } from '../../../src/main/services/approvalDesk'
import { refusedEdit } from '../../../src/main/services/memoryTexts'

const callId = asId<CallId>('c1')
const request: ApprovalRequest = {
  callId, sessionId: asId<SessionId>('s'), turnId: asId<TurnId>('t'), step: 1, tool: 'write_file', effect: 'write', args: {}, argsHash: 'h', baseHashes: {}, nonce: 'n',
  reason: said('guard.nothing-against'), preview: { kind: 'arguments', text: '', notes: [] }, coverage: { kind: 'full', skipped: [] }, sandbox: 'none', askedAtMs: 1,
}
const answer = { callId, nonce: 'n', argsHash: 'h', answer: { kind: 'allow' as const } }

test('E19 an answer with another nonce, another hash or another call is refused and the question stays', async () => {
  const desk = makeDesk()
  const waiting = desk.ask(request, new AbortController().signal)
  const refused = [{ ...answer, nonce: 'x' }, { ...answer, argsHash: 'x' }, { ...answer, callId: asId<CallId>('c2') }].map((wrong) => desk.decide(wrong).ok)
  expect({ refused, open: desk.list().length }).toEqual({ refused: [false, false, false], open: 1 })
  expect(desk.decide(answer)).toEqual(succeed(null))
  expect(await waiting).toEqual({ kind: 'allow' })
})

test('R63 the first answer wins; a replay is refused', async () => {
  const desk = makeDesk()
  const waiting = desk.ask(request, new AbortController().signal)
  desk.decide(answer)
  expect(desk.decide({ ...answer, answer: { kind: 'skip' } })).toEqual({ ok: false, fault: said('approval.gone') })
  expect(await waiting).toEqual({ kind: 'allow' })
})

test('R63 a question says whether it still shows what is there, and is put anew only where it can be', async () => {
  const desk = makeDesk()
  let isThere = true
  const waiting = desk.ask(request, new AbortController().signal, () => Promise.resolve(isThere))
  const question = { callId, nonce: 'n' }
  const first = await desk.isFresh(question)
  isThere = false
  expect([first, await desk.isFresh(question), await desk.isFresh({ ...question, nonce: 'x' })]).toEqual([true, false, false])
  expect(desk.decide({ ...answer, answer: { kind: 'look' } })).toEqual(succeed(null))
  expect([await waiting, await desk.isFresh(question)]).toEqual([{ kind: 'look' }, false])
})

test.each(['look', 'try', 'keep', 'discard'] as const)('E19 what was not offered is no answer: %s', (kind) => {
  const desk = makeDesk()
  void desk.ask(request, new AbortController().signal)
  expect({ refused: desk.decide({ ...answer, answer: { kind } }), open: desk.list().length }).toEqual({ refused: { ok: false, fault: said('approval.outdated') }, open: 1 })
})

test('R14 cancelling the turn withdraws its question', async () => {
  const desk = makeDesk()
  const controller = new AbortController()
  const changes: number[] = []
  desk.onChange((open) => changes.push(open.length))
  const waiting = desk.ask(request, controller.signal)
  controller.abort()
  expect({ answer: await waiting, changes, open: desk.list().length }).toEqual({ answer: null, changes: [1, 0], open: 0 })
})

test('R33 a proposed memory that was edited into a secret is refused with why, and the question stays with what was typed', async () => {
  const desk = makeDesk((asked, given) => refusedEdit(asked, given, (text) => text))
  const fact: ApprovalRequest = { ...request, preview: { kind: 'memory', text: 'Deploy with make', scope: 'project', origins: [], related: [] } }
  const waiting = desk.ask(fact, new AbortController().signal)
  const edits = [{ kind: 'edited-text', text: 'the root password is correcthorsebattery' }, { kind: 'edited-text', text: ' ' }, { kind: 'edited', args: { text: 'wifi pin 1234' } }] as const
  expect(edits.map((edit) => desk.decide({ ...answer, answer: edit }))).toEqual(['memory.holds-secret', 'memory.empty', 'memory.holds-secret'].map((code) => ({ ok: false, fault: said(code as 'memory.empty') })))
  expect(desk.list()).toEqual([fact])
  expect(desk.decide({ ...answer, answer: { kind: 'edited-text', text: 'The root password is in the vault' } })).toEqual(succeed(null))
  expect(await waiting).toEqual({ kind: 'edited-text', text: 'The root password is in the vault' })
})

test('E19 R73 an answer that is none to this kind of question is refused, and the question stays', () => {
  const trial = (files: readonly string[]): ApprovalRequest => ({
    ...request,
    preview: { kind: 'trial', trialId: 't', command: 'make', cwd: '/p', takenAtMs: 1, exitCode: 0, durationMs: 1, refused: [], changedSince: [], output: '', isOutputCut: false, files: files.map((path) => ({ path, change: 'created', kind: 'file', beforeHash: null, afterHash: 'h', beforeBytes: null, afterBytes: 1, isBinary: false, added: 1, removed: 0 })) },
  })
  const asks: ApprovalRequest = { ...request, preview: { kind: 'open-address', server: 's', message: '', url: 'https://a.example' } }
  const kinds = ['allow', 'edited', 'edited-text', 'try', 'keep', 'discard', 'deny', 'skip'] as const
  const given = { allow: { kind: 'allow' }, edited: { kind: 'edited', args: {} }, 'edited-text': { kind: 'edited-text', text: '' }, deny: { kind: 'deny', reason: '' }, skip: { kind: 'skip' }, try: { kind: 'try' }, keep: { kind: 'keep' }, discard: { kind: 'discard' } } as const
  const taken = (of: ApprovalRequest) =>
    kinds.filter((kind) => {
      const desk = makeDesk()
      void desk.ask(of, new AbortController().signal)
      const isTaken = desk.decide({ ...answer, answer: given[kind] }).ok
      return isTaken && desk.list().length === 0
    })
  expect([request, { ...request, canTry: true }, trial(['a']), trial([]), asks].map(taken)).toEqual([
    ['allow', 'edited', 'edited-text', 'deny', 'skip'],
    ['allow', 'edited', 'edited-text', 'try', 'deny', 'skip'],
    ['keep', 'discard', 'deny', 'skip'],
    ['allow', 'keep', 'discard', 'deny', 'skip'],
    ['allow', 'deny', 'skip'],
  ])
})
