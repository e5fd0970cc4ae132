import { expect, test } from 'vitest'
import { resultText, ruleOf, sealOf, spanText } from '../../../src/renderer/features/work/callWords'
import { speakerFor } from '../../../src/renderer/ui/words'
import type { CallView } from '../../../src/shared/domain/chatView'
import { said } from '../../../src/shared/domain/result'
import { asId } from '../../../src/shared/domain/ids'

const call = (more: Partial<CallView>): CallView => ({
  callId: asId('c'), tool: 'run_command', effect: 'execute', argumentsText: '', args: {}, progress: 'finished', decision: 'allow', decidedBy: 'person', reason: null, startedAtMs: null, status: 'ok', say: null, text: '', changed: [], exitCode: 0, outputRef: null, content: [], mcp: null, durationMs: 1, ...more,
})
const words = (more: Partial<CallView>) => (['en', 'zh-CN'] as const).map((locale) => sealOf(call(more), speakerFor(locale)).word)

test('each call says which rule or permission let it happen, in both languages (R69, DESIGN 4)', () => {
  expect([
    words({ decidedBy: 'rule', ruleId: '12' }), words({ decidedBy: 'rule', ruleId: 'built-in readers' }), words({ decidedBy: 'rule' }),
    words({ decidedBy: 'grant', grantId: 'g', grantedFor: 'turn' }), words({ decidedBy: 'grant', grantId: 'g', grantedFor: 'session' }), words({ decidedBy: 'grant' }),
  ]).toEqual([['Rule 12', '规则 12'], ['Built-in reader', '内置只读'], ['Rule', '规则'], ['This turn', '本轮允许'], ['This session', '本会话允许'], ['Allowed before', '此前已允许']])
})

test('a trial that was kept is signed as it was asked, not as edited (R73)', () => {
  expect([words({ decision: 'keep' })[0], words({ decision: 'allow' })[0], words({ decision: 'edited' })[0]]).toEqual(['You signed', 'You signed', 'You signed, edited'])
})

test('R106 what the model was told of a result in its language is told to the person in theirs, and the output stays', () => {
  const ended = call({ say: said('command.exit', { exitCode: 1 }), text: 'The command ended with exit code 1.\nThe command ended.' })
  expect((['en', 'zh-CN'] as const).map((locale) => resultText(ended, speakerFor(locale)))).toEqual([ended.text, '命令结束，退出码 1。\nThe command ended.'])
  expect([resultText({ ...ended, text: 'other' }, speakerFor('zh-CN')), resultText({ say: null, text: 'x' }, speakerFor('zh-CN'))]).toEqual(['other', 'x'])
})

test('only a rule with a number can be opened', () => {
  expect([ruleOf(call({ decidedBy: 'rule', ruleId: '7' })), ruleOf(call({ decidedBy: 'rule', ruleId: 'built-in readers' })), ruleOf(call({ decidedBy: 'person', ruleId: '7' }))]).toEqual(['7', null, null])
})

test('a span that a late clock makes negative is none', () => {
  expect([-1000, 0, 250, 61_000].map((ms) => spanText(ms, speakerFor('en')))).toEqual(['0 s', '0 s', '0.3 s', '1 min 1 s'])
})
