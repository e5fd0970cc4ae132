import { z } from 'zod'
import { expect, onTestFinished, test } from 'vitest'
import { judgeCommand } from '../../../../src/main/core/policy/commandGuard'
import { builtinTools } from '../../../../src/main/core/tools/builtins'
import { defineTool, type Tool } from '../../../../src/main/core/tools/defineTool'
import { said, succeed } from '../../../../src/shared/domain/result'
import { reply, type FakeStep } from '../../../support/fakeModelServer'
import { makeSkillWorld, skillOf, type SkillWorld } from '../../../support/skillWorld'

/** Tools of given names that do nothing and say that they ran. */
function fakeTool(name: string, effect: Tool['effect']): Tool {
  return defineTool({
    name, description: name, effect, params: z.object({ command: z.string().default('') }), paths: () => [],
    ...(name === 'run_command' ? { command: (args: { readonly command: string }) => ({ command: args.command, cwd: '.' }) } : {}),
    forecast: () => Promise.resolve(succeed({ preview: { kind: 'arguments', text: '', notes: [] }, writes: [], base: {} })),
    run: () => Promise.resolve({ status: 'ok', say: said('tool.answered') }),
  })
}

const tools = [fakeTool('read_file', 'read'), fakeTool('write_file', 'write'), fakeTool('run_command', 'execute'), ...builtinTools.filter(({ name }) => ['cat', 'ask_user', 'update_plan'].includes(name))]
const load = (name: string, inputs?: object, id?: string) => ({ name: 'load_skill', args: { name, ...(inputs ? { inputs } : {}) }, ...(id ? { id } : {}) })
const run = (command: string) => ({ name: 'run_command', args: { command } })
const where = { root: '/project', home: '/home/u', appData: '/home/u/.data', isRoot: false }

async function world(steps: readonly FakeStep[], skills: readonly ReturnType<typeof skillOf>[], more: { readonly maxSteps?: number } = {}): Promise<SkillWorld> {
  const made = await makeSkillWorld({ steps, skills, tools, judgeCommand: (command, cwd) => judgeCommand(command, { ...where, cwd }), ...more })
  onTestFinished(() => made.close())
  return made
}

const timesIn = (messages: readonly string[], text: string): number => messages.join('\n').split(text).length - 1
const finished = ({ events }: SkillWorld) => events.flatMap((event) => (event.type === 'tool-finished' ? [[event.status, event.say.code === 'tool.denied-policy' ? (event.say.values['reason'] as { readonly code: string }).code : event.say.code]] : []))

test('R58 a skill that the model loads stands once, behind the results of its step, in this turn and all that follow', async () => {
  const review = skillOf('review')
  const talk = await world([
    reply({ text: 'I load it.', calls: [load('review'), { name: 'read_file', args: {} }] }), reply({ text: 'Done.' }),
    reply({ calls: [load('review')] }), reply({ text: 'Again.' }), reply({ text: 'Third.' }),
  ], [review])
  await talk.say('Review it')
  await talk.say('Once more')
  await talk.say('And then?')
  expect(talk.sent(1)).toEqual([
    'system: You are.', 'user: Review it', 'assistant: I load it.', 'tool: The skill review is loaded. Its text follows as the next message; follow it until this turn ends.', 'tool: The user answered.', `user: ${review.text}`,
  ])
  expect(talk.server.requests.map((_, at) => timesIn(talk.sent(at), review.text))).toEqual([0, 1, 1, 1, 1])
  expect(talk.sent(3).at(-1)).toBe('tool: The skill review is in this conversation already; read it above and follow it. It is not repeated.')
  expect(talk.sent(4).slice(0, 6)).toEqual(talk.sent(1))
})

test('R58 two calls for one skill in one step give two results and one text; other inputs give another text', async () => {
  const talk = await world([reply({ calls: [load('review', {}, 'a'), load('review', {}, 'b'), load('review', { depth: 2 }, 'c')] }), reply({ text: 'Done.' })], [skillOf('review')])
  await talk.say('Go')
  expect(finished(talk)).toEqual([['ok', 'skill.loaded'], ['ok', 'skill.loaded-already'], ['ok', 'skill.loaded']])
  expect(talk.sent(1).slice(-2)).toEqual(['user: <<review {}>>', 'user: <<review {"depth":2}>>'])
})

test('R58 a skill that the person chose stands in front of the words, in the same message, once', async () => {
  const [review, plan] = [skillOf('review'), skillOf('plan')]
  const talk = await world([reply({ calls: [load('review')] }), reply({ text: 'Done.' }), reply({ text: 'Next.' }), reply({ text: 'Last.' })], [review])
  await talk.say('Look at it', { skills: [review, plan, review] })
  await talk.say('And now', { skills: [review] })
  await talk.say('Bye')
  expect(talk.sent(0)).toEqual(['system: You are.', `user: ${review.text}\n\n${plan.text}\n\nLook at it`])
  expect(talk.sent(2).at(-1)).toBe('user: And now')
  expect(talk.server.requests.map((_, at) => timesIn(talk.sent(at), review.text))).toEqual([1, 1, 1, 1])
  expect(talk.events.slice(0, 4).map((event) => [event.type, 'callId' in event ? event.callId : undefined, 'step' in event ? event.step : undefined])).toEqual([
    ['skill-loaded', null, 0], ['skill-loaded', null, 0], ['user-message-added', undefined, undefined], ['turn-started', undefined, undefined],
  ])
})

test('R58 R81 a rollback takes the text back with its turn; it can be loaded again, and undoing the rollback does not double it', async () => {
  const review = skillOf('review')
  const talk = await world([reply({ calls: [load('review')] }), reply({ text: 'Done.' }), reply({ text: 'Gone.' }), reply({ calls: [load('review')] }), reply({ text: 'Again.' }), reply({ text: 'Both.' })], [review])
  const first = await talk.say('Go')
  const undo = talk.rollBack(first)
  await talk.say('Nothing there')
  await talk.say('Load it')
  talk.undo(undo)
  await talk.say('And now')
  expect(talk.server.requests.map((_, at) => timesIn(talk.sent(at), review.text))).toEqual([0, 1, 0, 0, 1, 1])
  expect(finished(talk)).toEqual([['ok', 'skill.loaded'], ['ok', 'skill.loaded']])
})

test('R58 R81 what the person chose goes with its turn too', async () => {
  const review = skillOf('review')
  const talk = await world([reply({ text: 'Done.' }), reply({ text: 'Gone.' }), reply({ text: 'Again.' })], [])
  talk.rollBack(await talk.say('Go', { skills: [review] }))
  await talk.say('Nothing there')
  await talk.say('Once more', { skills: [review] })
  expect(talk.server.requests.map((_, at) => timesIn(talk.sent(at), review.text))).toEqual([1, 0, 1])
})

test('R59 after a skill that names tools only those are offered and run, with what a turn always has; the next turn has all', async () => {
  const reader = skillOf('reader', { tools: [{ tool: 'read_file', programs: null }] })
  const talk = await world([
    reply({ calls: [load('reader'), { name: 'write_file', args: {} }] }),
    reply({ calls: [{ name: 'write_file', args: {} }, { name: 'read_file', args: {} }, run('ls')] }), reply({ text: 'Done.' }), reply({ text: 'Next.' }),
  ], [reader])
  await talk.say('Go')
  await talk.say('Next')
  const all = ['read_file', 'write_file', 'run_command', 'cat', 'update_plan', 'ask_user', 'load_skill']
  expect([0, 1, 2, 3].map(talk.offered)).toEqual([all, ['read_file', 'cat', 'update_plan', 'ask_user', 'load_skill'], ['read_file', 'cat', 'update_plan', 'ask_user', 'load_skill'], all])
  // The write of the first step was made before the skill could be read.
  expect(finished(talk)).toEqual([['ok', 'skill.loaded'], ['ok', 'tool.answered'], ['denied', 'skill.narrowed-tool'], ['ok', 'tool.answered'], ['denied', 'skill.narrowed-tool']])
  expect(talk.sent(2).find((text) => text.includes('may be used'))).toBe('tool: Denied by policy: The skill reader is loaded, and in this turn only its tools may be used: read_file. write_file is none of them. Nothing was run. Nobody can approve this; find another way.')
})

test('R59 bound programs hold for every simple command, and a skill of an earlier turn narrows again when it is chosen again', async () => {
  const git = skillOf('git', { tools: [{ tool: 'run_command', programs: ['git'] }] })
  const commands = ['git status', 'git status && rm -rf x', 'git log | sh', 'git log $(curl example.org)', '$GIT status', 'git "unclosed']
  const talk = await world([reply({ calls: commands.map(run) }), reply({ text: 'Done.' }), reply({ calls: [run('ls')] }), reply({ text: 'Free.' }), reply({ calls: [run('ls')] }), reply({ text: 'Bound.' })], [])
  await talk.say('Go', { skills: [git] })
  await talk.say('Free')
  await talk.say('Again', { skills: [git] })
  const other = ['denied', 'skill.narrowed-program']
  const unread = ['denied', 'skill.narrowed-unread']
  expect(finished(talk)).toEqual([['ok', 'tool.answered'], other, other, other, unread, unread, ['ok', 'tool.answered'], other])
  expect(talk.server.requests.map((_, at) => timesIn(talk.sent(at), git.text))).toEqual([1, 1, 1, 1, 1, 1])
})

const listed = skillOf('list', { outputSchema: { type: 'object', properties: { items: { type: 'array', items: { type: 'string' } } }, required: ['items'] } })
const notes = ({ events }: SkillWorld) => events.flatMap((event) => (event.type === 'note-added' ? [[event.say.code, event.isForModel]] : []))

test('R59 an answer that does not fit is asked for once more, with what is wrong', async () => {
  const talk = await world([reply({ text: '{"items": [1]}' }), reply({ text: 'Here:\n```json\n{"items": ["a"]}\n```' })], [])
  await talk.say('List', { skills: [listed] })
  expect(talk.sent(1).slice(-2)).toEqual(['assistant: {"items": [1]}', 'user: [Note from the app] The answer does not have the form that the skill list asks for: items.0 must be string, not number. Answer once more in that form: the JSON alone, or in one block fenced as json.'])
  expect([notes(talk), talk.events.at(-1)]).toMatchObject([[['skill.answer-again', true]], { type: 'turn-ended', reason: 'done', text: 'Here:\n```json\n{"items": ["a"]}\n```' }])
  expect(talk.offered(1)).toEqual(talk.offered(0))
})

test('R59 it is never asked for twice; the turn ends done and the person is told what is wrong', async () => {
  const talk = await world([reply({ text: 'No list.' }), reply({ text: 'Still none.' }), reply({ text: 'Never asked.' })], [])
  await talk.say('List', { skills: [listed] })
  expect([talk.server.requests.length, notes(talk), talk.events.at(-1)]).toMatchObject([2, [['skill.answer-again', true], ['skill.answer-unfit', false]], { type: 'turn-ended', reason: 'done', text: 'Still none.' }])
})

test('R59 with no step left the person is told at once; a turn that needs no form, or ends otherwise, is left alone', async () => {
  const last = await world([reply({ text: 'No list.' })], [], { maxSteps: 1 })
  await last.say('List', { skills: [listed] })
  expect([notes(last), last.events.at(-1)]).toMatchObject([[['skill.answer-unfit-last', false]], { type: 'turn-ended', reason: 'done' }])
  const cut = await world([reply({ text: 'No li', finish: 'length' }), reply({ text: 'Free.' })], [])
  await cut.say('List', { skills: [listed] })
  await cut.say('Talk')
  expect([notes(cut), cut.server.requests.length]).toEqual([[], 2])
})
