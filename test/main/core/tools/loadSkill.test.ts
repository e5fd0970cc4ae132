import { expect, test } from 'vitest'
import { makeLoadSkill } from '../../../../src/main/core/tools/builtins/loadSkill'
import { fail, said, succeed } from '../../../../src/shared/domain/result'
import type { SkillInputs } from '../../../../src/shared/domain/skill'
import { skillOf } from '../../../support/skillWorld'

const asked: (readonly [string, SkillInputs])[] = []
const tool = makeLoadSkill({
  load: (name, inputs) => {
    asked.push([name, inputs])
    return Promise.resolve(name === 'review' ? succeed(skillOf('review', { inputs })) : fail('tool.unknown', { tool: name }))
  },
})
const run = (args: object) => tool.run(tool.params.parse(args), undefined as never)

test('R58 it hands over the skill with its inputs, says only that it is loaded, and claims no path', async () => {
  expect(await run({ name: 'review', inputs: { depth: 2, deep: true, note: '中文' } })).toEqual({ status: 'ok', say: said('skill.loaded', { skill: 'review' }), loaded: skillOf('review', { inputs: { depth: 2, deep: true, note: '中文' } }) })
  expect([tool.effect, tool.paths({})]).toEqual(['read', []])
})

test('R58 a skill that is not there is a result in words; inputs may be left out', async () => {
  expect(await run({ name: 'other' })).toEqual({ status: 'failed', say: said('tool.unknown', { tool: 'other' }) })
  expect(asked.at(-1)).toEqual(['other', {}])
})

test.each([{}, { name: '' }, { name: 'x', inputs: [] }, { name: 'x', inputs: { a: null } }, { name: 'x', inputs: { a: {} } }])('R58 refuses %j', (args) => {
  expect(tool.params.safeParse(args).success).toBe(false)
})
