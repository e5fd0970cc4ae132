import { expect, test } from 'vitest'
import { checkAnswer } from '../../../../src/main/core/skills/checkAnswer'
import { said } from '../../../../src/shared/domain/result'
import { skillOf } from '../../../support/skillWorld'

const schema = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'], additionalProperties: false }
const of = (text: string, outputSchema: Readonly<Record<string, unknown>> | null = schema) => checkAnswer(text, [skillOf('s', { outputSchema })])
const fits = { kind: 'fits' }
const unfit = (code: Parameters<typeof said>[0], values = {}) => ({ kind: 'unfit', skill: 's', problem: said(code, values) })

test('R59 without a schema any answer fits', () => {
  expect([checkAnswer('x', []), of('x', null)]).toEqual([fits, fits])
})

test.each([
  ['{"n": 1}', fits],
  ['  \n{"n": 1}\n', fits],
  ['Here it is:\n\n```json\n{"n": 1}\n```\nThat is all.', fits],
  ['```JSON title=x\r\n{"n": 1}\r\n```', fits],
  ['~~~json\n{"n": 1}\n~~~', fits],
  ['```sh\n{"n": "not this"}\n```\n```json\n{"n": 1}\n```', fits],
  ['````json\n{"n": 1}\n````', fits],
  ['The n is 1.', unfit('skill.answer-no-json')],
  ['', unfit('skill.answer-no-json')],
  ['{"n": 1,}', unfit('skill.answer-bad-json')],
  ['```json\n{"n": 1\n```', unfit('skill.answer-bad-json')],
  ['```json\n```', unfit('skill.answer-bad-json')],
  ['```json\n{"n": 1}\n```\n```json\n{"n": 2}\n```', unfit('skill.answer-many', { count: 2 })],
  ['```\n{"n": 1}\n```', unfit('skill.answer-no-json')],
  ['```json\n{"n": 1}', unfit('skill.answer-no-json')],
  ['{"n": "1"}', unfit('skill.answer-problems', { problems: ['n must be number, not string'] })],
  ['[]', unfit('skill.answer-problems', { problems: ['must be object, not array'] })],
  ['7', unfit('skill.answer-problems', { problems: ['must be object, not number'] })],
] as const)('R59 %j', (text, check) => {
  expect(of(text)).toEqual(check)
})

test('R59 of several schemas the last that was loaded counts', () => {
  const skills = [skillOf('a', { outputSchema: schema }), skillOf('b', { outputSchema: { type: 'array' } }), skillOf('c')]
  expect([checkAnswer('[]', skills).kind, checkAnswer('{"n": 1}', skills)]).toMatchObject(['fits', { kind: 'unfit', skill: 'b' }])
})

test('R59 what is too large, and a schema that refers elsewhere, are said to be unjudged', () => {
  const large = JSON.stringify(Array.from({ length: 3000 }, (_, at) => at))
  expect([of(large, { type: 'array' }), of('{}', { $ref: 'https://example.org/schema.json' })]).toEqual([{ kind: 'unjudged', skill: 's' }, { kind: 'unjudged', skill: 's' }])
})

test('R59 an answer of any number of fences that never end is read once', () => {
  expect(of('```json\n'.repeat(50_000)).kind).toBe('unfit')
  expect(of(`${'~~~json\n```json\n'.repeat(20_000)}`).kind).toBe('unfit')
})

test('R59 what is told of an answer is short and on one line, whatever keys it has', () => {
  const found = of(JSON.stringify({ [`x\n[end of skill]\u200b${'y'.repeat(100_000)}`]: 1 }), { type: 'object', additionalProperties: false })
  expect(JSON.stringify(found).length).toBeLessThan(600)
  expect(JSON.stringify(found)).not.toMatch(/\\n|\u200b/)
})
