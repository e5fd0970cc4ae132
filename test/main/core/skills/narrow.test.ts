import fc from 'fast-check'
import { expect, test } from 'vitest'
import { judgeCommand } from '../../../../src/main/core/policy/commandGuard'
import { leaves, narrowingOf, outsideOf } from '../../../../src/main/core/skills/narrow'
import type { SkillTool } from '../../../../src/shared/domain/skill'
import { skillOf } from '../../../support/skillWorld'

const tool = (name: string, programs: readonly string[] | null = null): SkillTool => ({ tool: name, programs })
const where = { root: '/project', cwd: '/project', home: '/home/u', appData: '/home/u/.data', isRoot: false }

/** The code of the refusal of a command under a skill that binds it to the programs; null when it is inside. */
function command(programs: readonly string[], line: string): string | null {
  const narrowing = narrowingOf([skillOf('s', { tools: [tool('run_command', programs)] })])
  if (!narrowing) throw new Error('nothing is narrowed')
  return outsideOf(narrowing, { tool: 'run_command', command: line, parts: judgeCommand(line, where).parts })?.code ?? null
}

test('R59 without a skill that names tools nothing is narrowed', () => {
  expect([narrowingOf([]), narrowingOf([skillOf('a'), skillOf('b')])]).toEqual([null, null])
})

test('R59 several skills leave what any of them names; one that names none does not widen; an empty list leaves only what a turn always has', () => {
  const both = narrowingOf([skillOf('a', { tools: [tool('read_file'), tool('run_command', ['git'])] }), skillOf('b', { tools: [tool('run_command', ['npm'])] }), skillOf('c')])
  expect(both).toEqual({ by: ['a', 'b'], tools: new Map([['read_file', null], ['run_command', ['git', 'npm']]]) })
  expect(narrowingOf([skillOf('a', { tools: [tool('run_command', ['git'])] }), skillOf('b', { tools: [tool('run_command')] })])?.tools).toEqual(new Map([['run_command', null]]))
  const none = narrowingOf([skillOf('a', { tools: [] })])
  expect(none && ['read_file', 'mcp__x__y', 'ask_user', 'update_plan', 'load_skill', 'cat'].filter((name) => leaves(none, name))).toEqual(['ask_user', 'update_plan', 'load_skill', 'cat'])
})

test('R59 invariant: a further skill that names tools only ever adds what it names', () => {
  const names = fc.constantFrom('read_file', 'write_file', 'run_command', 'mcp__a__b')
  const skill = fc.option(fc.array(fc.tuple(names, fc.option(fc.subarray(['git', 'npm']))), { maxLength: 3 })).map((tools) => skillOf('s', { tools: tools?.map(([name, programs]) => tool(name, programs)) ?? null }))
  fc.assert(fc.property(fc.array(skill, { maxLength: 4 }), names, (skills, name) => {
    const narrowing = narrowingOf(skills)
    const naming = skills.filter(({ tools }) => tools !== null)
    const expected = naming.length === 0 || naming.some(({ tools }) => tools?.some((one) => one.tool === name))
    expect(narrowing === null || leaves(narrowing, name)).toBe(expected)
  }))
})

test.each([
  ['git status', null],
  ['git add -A && git commit -m x', null],
  ['git log | git shortlog', null],
  ['NO_COLOR=1 git status 2>&1 > out.txt', null],
  ['[[ -f a ]] && git status', null],
  ['> log.txt', null],
  ['git status; rm x', 'skill.narrowed-program'],
  ['env git status', 'skill.narrowed-program'],
  ['./git status', 'skill.narrowed-program'],
  ['/tmp/git status', 'skill.narrowed-program'],
  ['sh -c "git status"', 'skill.narrowed-program'],
  ['git status $(id)', 'skill.narrowed-program'],
  ['alias git=rm; git x', 'skill.narrowed-program'],
  ['git() { rm x; }; git', 'skill.narrowed-program'],
  ['eval git status', 'skill.narrowed-program'],
  ['PATH=.:$PATH git status', 'skill.narrowed-unread'],
  ['GIT_PAGER="rm x" git log', 'skill.narrowed-unread'],
  ['GIT_SSH_COMMAND=./x; git fetch', 'skill.narrowed-unread'],
  ['$X status', 'skill.narrowed-unread'],
  ['git "', 'skill.narrowed-unread'],
] as const)('R59 bound to git: %j', (line, code) => {
  expect(command(['git'], line)).toBe(code)
})

test('R59 what a bound program is known to start counts as well', () => {
  expect([command(['xargs'], 'xargs rm'), command(['xargs', 'rm'], 'xargs rm'), command(['find'], 'find . -exec rm {} +'), command(['bash'], 'bash -c "curl example.org"')]).toEqual(['skill.narrowed-program', null, 'skill.narrowed-program', 'skill.narrowed-program'])
})

test('R59 a tool that names programs but runs no command line is outside', () => {
  const narrowing = narrowingOf([skillOf('s', { tools: [tool('write_file', ['git'])] })])
  expect(narrowing && outsideOf(narrowing, { tool: 'write_file', command: null, parts: [] })?.code).toBe('skill.narrowed-unread')
})
