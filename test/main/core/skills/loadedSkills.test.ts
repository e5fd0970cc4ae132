import { expect, test } from 'vitest'
import { redactedSkill, skillKey, skillsOf, withoutSame } from '../../../../src/main/core/skills/loadedSkills'
import type { AgentEvent, EventDraft } from '../../../../src/shared/domain/event'
import { asId, type CallId, type RollbackId, type SessionId, type TurnId } from '../../../../src/shared/domain/ids'
import { said } from '../../../../src/shared/domain/result'
import { skillOf } from '../../../support/skillWorld'

const turn = (name: string) => asId<TurnId>(name)
const numbered = (drafts: readonly EventDraft[]): readonly AgentEvent[] => drafts.map((draft, at) => ({ ...draft, v: 1, sessionId: asId<SessionId>('s'), seq: at + 1, atMs: 0 }))
const loaded = (name: string, turnId: string): EventDraft => ({ type: 'skill-loaded', turnId: turn(turnId), step: 1, callId: asId<CallId>('c'), ...skillOf(name) })
const again = (turnId: string): EventDraft => ({ type: 'note-added', turnId: turn(turnId), step: 1, say: said('skill.answer-again', { skill: 'a', problem: said('skill.answer-no-json') }), isForModel: true })
const back = (id: string, fromSeq: number, toSeq: number): EventDraft => ({ type: 'rolled-back', rollbackId: asId<RollbackId>(id), scope: 'conversation', hidden: { fromSeq, toSeq }, paths: [], failed: [] })
const undo = (id: string, undoneId: string): EventDraft => ({ type: 'rollback-undone', rollbackId: asId<RollbackId>(id), undoneId: asId<RollbackId>(undoneId) })
const namesIn = (...drafts: readonly EventDraft[]) => skillsOf(numbered(drafts), turn('t')).loaded.map((one) => one.skill.name)

test('R58 R81 what a rollback hides is not loaded, what an undo shows again is', () => {
  const talk = [loaded('a', 't'), loaded('b', 'u')]
  expect([namesIn(...talk), namesIn(...talk, back('r', 2, 2)), namesIn(...talk, back('r', 2, 2), undo('v', 'r')), namesIn(...talk, back('r', 2, 2), undo('v', 'r'), undo('w', 'v'))]).toEqual([['a', 'b'], ['a'], ['a', 'b'], ['a']])
})

test('R59 that an answer was asked for again is known from the events of its own turn, as after a crash', () => {
  expect([again('t'), again('u')].map((note) => skillsOf(numbered([note]), turn('t')).isAskedAgain)).toEqual([true, false])
})

test('R58 two loads are the same when skill, text and inputs are, in whatever order the inputs were given', () => {
  const one = skillOf('a', { inputs: { x: 1, y: 'b' }, text: 't' })
  const others = [skillOf('a', { inputs: { y: 'b', x: 1 }, text: 't' }), skillOf('a', { inputs: { x: 2, y: 'b' }, text: 't' }), skillOf('a', { inputs: { x: 1, y: 'b' }, text: 'u' }), skillOf('b', { inputs: { x: 1, y: 'b' }, text: 't' })]
  expect(others.map((other) => skillKey(other) === skillKey(one))).toEqual([true, false, false, false])
  expect(withoutSame([one, ...others])).toEqual([one, ...others.slice(1)])
})

test('R92 keys in the text and in given inputs are masked before they are stored', () => {
  expect(redactedSkill(skillOf('a', { text: 'use k-1', inputs: { key: 'k-1', n: 1 } }), (text) => text.replaceAll('k-1', '***'))).toMatchObject({ text: 'use ***', inputs: { key: '***', n: 1 } })
})
