import { expect, test } from 'vitest'
import { foldTest, narrowedNames, standing } from '../../../src/renderer/features/rules/live'
import { endsText, momentText, testText } from '../../../src/renderer/features/rules/ruleWords'
import { speakerFor } from '../../../src/renderer/ui/words'
import { asId, type CallId, type WorkspaceId } from '../../../src/shared/domain/ids'
import type { Grant, Rule, RuleShape } from '../../../src/shared/domain/rule'
import type { BackTest, BackTestRow, RuleRow } from '../../../src/shared/ipc/views'
import { say } from '../../../src/shared/words/say'

const shape: RuleShape = { kind: 'host', host: 'a.example' }
const rule = (id: string, more: Partial<Rule> = {}): RuleRow => ({ rule: { id, effect: 'allow', shape, workspaceId: asId('w1'), expiresAtMs: null, usesLeft: null, createdFromCall: null, createdAtMs: 0, lastUsedAtMs: null, uses: 0, ...more }, isUnused: false, shadowedBy: null, tooWide: null, workspaceName: null })
const grant = (id: string, more: Partial<Grant> = {}) => ({ grant: { id, sessionId: asId('s1'), turnId: null, shape, callId: asId('c1'), givenAtMs: 0, expiresAtMs: null, usesLeft: null, ...more } as Grant, uses: 0, sessionTitle: '' })

test('R69: live is what allows here now; what restricts and what is elsewhere stand apart, what has ended nowhere', () => {
  const page = {
    grants: [grant('g1', { givenAtMs: 1 }), grant('g2', { givenAtMs: 2 }), grant('g3', { expiresAtMs: 100 }), grant('g4', { usesLeft: 0 })],
    rules: [rule('9'), rule('10'), rule('3', { workspaceId: null, effect: 'deny' }), rule('4', { workspaceId: asId('w2') }), rule('5', { expiresAtMs: 100 }), rule('6', { effect: 'ask' })],
  }
  const parts = standing(page, asId<WorkspaceId>('w1'), 100)
  expect(parts.live.map((one) => (one.kind === 'grant' ? one.row.grant.id : one.row.rule.id))).toEqual(['g2', 'g1', '10', '9'])
  expect([parts.limits, parts.elsewhere].map((rows) => rows.map((row) => row.rule.id))).toEqual([['6', '3'], ['4']])
  expect(standing(page, null, 100).live.map((one) => one.kind)).toEqual(['grant', 'grant'])
})

test('R69: an end is said in words and counts down, never to nothing', () => {
  const ends = (leftMs: number | null, usesLeft: number | null = null, lifetime: 'turn' | 'session' | null = null) => say('en', endsText({ expiresAtMs: leftMs, usesLeft, lifetime }, 0))
  expect([500, 59_000, 60_000, 7.2 * 60_000, 2 * 3_600_000, 50 * 3_600_000].map((leftMs) => ends(leftMs))).toEqual(['In 1 s', 'In 59 s', 'In 1 min', 'In 8 min', 'In 2 hours', 'In 3 days'])
  expect([ends(null), ends(null, 3), ends(60_000, 3), ends(null, null, 'turn'), ends(null, null, 'session')]).toEqual(['Never', '3 left', 'In 1 min, 3 left', 'With the turn', 'With the session'])
  expect(say('zh-CN', endsText({ expiresAtMs: 480_000, usesLeft: 3, lifetime: 'turn' }, 0))).toBe('8 分钟后，剩 3 次')
})

const row = (id: string, more: Partial<BackTestRow> = {}): BackTestRow => ({ callId: asId<CallId>(id), sessionId: asId('s1'), atMs: 0, tool: 'run_command', on: id, then: { by: 'person', decision: 'allowed' }, now: 'runs', why: null, ...more })
const denied = { then: { by: 'person', decision: 'denied' } } as const

test('R69: what was denied stands first and whole, the rest is one line that says who signed it', () => {
  const rows = [row('d1', denied), row('d2', denied), row('d3', { ...denied, now: 'asks' }), ...['a', 'b', 'c', 'd'].map((id) => row(id))]
  const folded = foldTest({ rows, wouldRun: 6 })
  expect(folded.shown.map(({ on }) => on)).toEqual(['d1', 'd2', 'a', 'b', 'd3'])
  expect(folded).toMatchObject({ moreRun: 2, areAllSigned: true, moreOther: 0 })
  expect(foldTest({ rows: [...rows, row('e', { then: { by: 'level', decision: 'allowed' } })], wouldRun: 7 })).toMatchObject({ moreRun: 3, areAllSigned: false })
  expect(foldTest({ rows, wouldRun: 300 })).toMatchObject({ moreRun: 296, areAllSigned: false })
})

test('R69: the back-test is one honest sentence, for rules that restrict too', () => {
  const past = (more: Partial<BackTest>): BackTest => ({ total: 11, wouldRun: 10, deniedThen: 2, rows: [], isUnused: false, shadowedBy: null, tooWide: null, narrowed: null, ...more })
  const text = (effect: 'allow' | 'ask' | 'deny', more: Partial<BackTest> = {}) => say('en', testText({ effect } as never, past(more)))
  expect(text('allow')).toBe('It would have run 10 of 11 past calls, 2 of which you denied.')
  expect(text('allow', { deniedThen: 0 })).toBe('It would have run 10 of 11 past calls, none that you denied.')
  expect(text('allow', { wouldRun: 0, deniedThen: 0 })).toBe('It would have run none of 11 past calls.')
  expect(text('allow', { total: 0, wouldRun: 0, deniedThen: 0 })).toBe('No past call of this kind to try it on.')
  expect(text('deny', { rows: [row('a', { now: 'denied' }), row('b', { now: 'asks' })] })).toBe('It would have forbidden 1 of 11 past calls.')
  expect(text('ask', { total: 900, rows: Array.from({ length: 200 }, (_, at) => row(`r${at}`, { now: 'asks' })) })).toBe('It would have asked about 200 or more of 900 past calls.')
})

test('R69: narrower rules are named by what they fill in', () => {
  const command = (words: readonly string[], isOpen = true): RuleShape => ({ kind: 'command', words: words.map((text) => (text === '*' ? { kind: 'any' } : { kind: 'exact', text })), isOpen })
  expect(narrowedNames(command(['npm', 'run', '*']), [command(['npm', 'run', 'build']), command(['npm', 'run', 'build:docs'])])).toEqual(['build', 'build:docs'])
  expect(narrowedNames(command(['npm']), [command(['npm', 'run', 'build'], false)])).toEqual(['run build'])
  expect(narrowedNames({ kind: 'files', tool: 'edit_file', glob: '**' }, [{ kind: 'files', tool: 'edit_file', glob: 'src/a.ts' }])).toEqual(['src/a.ts'])
})

test('R69: a moment is said with its day, and with its year when that is another', () => {
  const at = new Date(2026, 10, 30, 14, 7).getTime()
  const later = new Date(2027, 0, 2).getTime()
  expect([momentText(at, speakerFor('en'), at), momentText(at, speakerFor('en'), later), momentText(at, speakerFor('zh-CN'), at)]).toEqual(['30 Nov 14:07', '30 Nov 2026 14:07', '11-30 14:07'])
})
