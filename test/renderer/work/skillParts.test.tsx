import { expect, test } from 'vitest'
import { faultOf, givenInputs, startText } from '../../../src/renderer/features/work/skillInputs'
import { findTrigger } from '../../../src/renderer/features/work/skillTriggers'
import type { SkillInput } from '../../../src/shared/domain/skill'
import { skillRow } from '../stories/skillWorld'

const load = skillRow('load-test', { triggers: ['load', '压测', 'p95 ', 'C++'] })
const found = (text: string) => findTrigger(text, [load, skillRow('other', { triggers: ['other', 'load'] })])?.skill.name ?? null

test.each([
  ['please LOAD it', 'load-test'],
  ['load', 'load-test'],
  ['look at the payload', null],
  ['download it', null],
  ['loads of it', null],
  ['pay-load', 'load-test'],
  ['download, then load', 'load-test'],
  ['对列表压测一下', 'load-test'],
  ['看p95延迟', 'load-test'],
  ['in C++ and', 'load-test'],
  ['C++11', 'load-test'],
  ['the other one', 'other'],
  ['', null],
] as const)('R59 a trigger in %j', (text, name) => {
  expect(found(text)).toBe(name)
})

test('R59 a long text is looked at in its beginning only, and a trigger of blanks is none', () => {
  expect([found(`${'x '.repeat(10_001)}load`), findTrigger('a b', [skillRow('x', { triggers: [' ', ''] })])]).toEqual([null, null])
})

const input = (type: SkillInput['type'], fallback: SkillInput['fallback'], name = 'x'): SkillInput => ({ name, type, description: '', options: type === 'choice' ? ['a', 'b'] : [], fallback })

test('R59 a field begins with what was given before, else with what the skill says', () => {
  expect([startText(input('number', 5), {}), startText(input('number', 5), { x: 7 }), startText(input('boolean', false), {}), startText(input('text', null), {}), startText(input('text', null, 'toString'), {})]).toEqual(['5', '7', 'false', '', ''])
})

test('R59 only an input without a value of the skill must be there, and a number is one', () => {
  const faults = [input('text', null), input('text', 'd'), input('number', null), input('number', 5), input('boolean', null), input('choice', null)].map((one) => [faultOf(one, {}), faultOf(one, { x: ' ' }), faultOf(one, { x: 'a1' })])
  const missing = 'session.form.missing'
  expect(faults).toEqual([[missing, null, null], [null, null, null], [missing, missing, 'skill.form.not-number'], [null, null, 'skill.form.not-number'], [missing, missing, null], [missing, missing, null]])
})

test('R59 values are given by their types; what stands as the skill says is left out', () => {
  const inputs = [input('text', 'd', 'a'), input('text', 'd', 'b'), input('number', 5, 'c'), input('number', null, 'd'), input('boolean', true, 'e'), input('choice', 'a', 'f'), input('number', 5, 'g')]
  expect(givenInputs(inputs, { a: 'd', b: '', c: ' ', d: '1e3', e: 'false', f: 'b', g: '5' })).toEqual({ b: '', d: 1000, e: false, f: 'b' })
})
