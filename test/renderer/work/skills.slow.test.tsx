import { cleanup, fireEvent, screen, within } from '@testing-library/react'
import axe from 'axe-core'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { chooseSkill } from '../../../src/renderer/features/work/offerStore'
import { ItemRow } from '../../../src/renderer/features/work/Rows'
import { connectSkills, loadSkills } from '../../../src/renderer/features/work/skillStore'
import { WorkView } from '../../../src/renderer/features/work/WorkView'
import { connectWork, loadSessions, selectSession } from '../../../src/renderer/features/work/workStore'
import { applyEvent, emptyChat } from '../../../src/shared/domain/chatView'
import { asId, type CallId, type SessionId, type TurnId } from '../../../src/shared/domain/ids'
import { fail, succeed } from '../../../src/shared/domain/result'
import type { MemoryAnswers, MemoryHost } from '../../support/memoryHost'
import { prompts } from '../stories/mcpWorld'
import { loadTest, skillRow } from '../stories/skillWorld'
import { events, sessionId, sessions, workDrafts } from '../stories/world'
import { doing, fakeBrowser, freshHost, settle, show } from '../support'

beforeEach(fakeBrowser)
const stops: (() => void)[] = []
afterEach(() => { stops.splice(0).forEach((stop) => stop()); cleanup(); vi.unstubAllGlobals() })

const past = { onOpenModels: () => undefined, onReplaceKey: () => undefined, onOtherModel: () => undefined, linesOf: () => null, onUndoCall: () => undefined, canUndo: () => false, onRollBackTurn: () => undefined }
const review = skillRow('code-review', { triggers: ['review'], path: 'code-review/SKILL.md' })
const page = (...rows: readonly (typeof review)[]) => ({ rows, faults: [], indexBytes: 0, folder: '/skills' })
const idle = events(workDrafts.slice(0, 6))

async function open(answers: MemoryAnswers = {}): Promise<MemoryHost> {
  const memory = freshHost({
    'session/list': () => sessions.slice(0, 2), 'session/read': ({ sessionId: id }) => (id === sessionId ? idle : []), 'session/prompt': () => succeed({ turnId: asId<TurnId>('t9') }), 'mcp/prompts': () => prompts,
    'skill/read': () => page(review, loadTest, skillRow('off', {}, { isOn: false }), skillRow('code-review', { origin: 'app' }, { hiddenBy: review.skill })), ...answers,
  })
  await loadSessions()
  await loadSkills()
  stops.push(connectWork(), connectSkills())
  show(<WorkView past={past} recovery={{ onRollBack: () => undefined, onOpenRecord: () => undefined, waiting: 0 }} approval={null} isNarrowed={false} sendWith="enter" maxSteps={50} defaults={{ level: 'writes' }} models={{ current: null, name: 'm', isBlind: false, options: [], onLook: () => undefined, onDefault: null, onOpenModels: () => undefined }} sessionsButton={null} onOpenModels={() => undefined} onReplaceKey={() => undefined} onOpenContext={() => undefined} onOwnCommand={() => Promise.resolve(true)} onUnsealed={() => undefined} />)
  await settle()
  return memory
}

const box = () => screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Message' })
const sent = (memory: MemoryHost) => memory.asked.filter((one) => one.channel === 'session/prompt').map((one) => one.ask)
const typed = (text: string) => fireEvent.change(box(), { target: { value: text } })
const enter = () => doing(() => { fireEvent.keyDown(box(), { key: 'Enter' }) })
const press = (name: string | RegExp) => doing(() => { screen.getByRole('button', { name }).click() })
const chips = () => screen.queryAllByRole('list', { name: 'Skills for this message' }).flatMap((list) => within(list).getAllByRole('listitem').map((one) => one.textContent))
const skillOptions = () => screen.queryAllByRole('option').map((one) => one.textContent).filter((text) => text.startsWith('/code') || text.startsWith('/load') || text.startsWith('/off'))

test('R59 the / menu lists the skills that can be used before a server has answered; one without inputs goes with the message', async () => {
  const memory = await open({ 'mcp/prompts': () => new Promise(() => undefined) })
  typed('/')
  await settle()
  expect([screen.getByRole('listbox').getAttribute('aria-label'), skillOptions()]).toEqual(['Commands and skills', ['/code-reviewWhat code-review is for.', '/load-testRun a load test and report p50, p95 and errors.asks for values']])
  typed('/rev')
  await settle()
  await enter()
  expect([box().value, chips(), screen.queryByRole('listbox')]).toEqual(['', ['code-review'], null])
  typed('Look at it')
  await enter()
  await settle()
  expect(sent(memory)).toEqual([{ sessionId, text: 'Look at it', skills: [{ origin: 'user', path: 'code-review/SKILL.md', inputs: {} }] }])
  expect(chips()).toEqual([])
})

test('R59 a skill with inputs asks for them in a form: typed, with its own values, and what it needs marked', async () => {
  const memory = await open()
  typed('/load')
  await settle(180)
  await enter()
  const form = screen.getByRole('form', { name: 'Values for the skill load-test' })
  const field = (name: string | RegExp) => within(form).getByLabelText<HTMLInputElement>(name)
  expect([field('target required').value, field('minutes').value, field('warm').value, field('kind').value]).toEqual(['', '5', 'true', 'read'])
  expect(within(form).getAllByRole('option').map((one) => one.textContent)).toEqual(['Yes', 'No', 'read', 'write'])
  fireEvent.change(field('minutes'), { target: { value: 'ten' } })
  await press('Use in this message')
  expect([within(form).getByText('A value is missing.').tagName, within(form).getByText('This is no number.').tagName, chips()]).toEqual(['P', 'P', []])
  for (const [name, value] of [['target required', 'https://example.org'], ['minutes', '10'], ['warm', 'false']] as const) fireEvent.change(field(name), { target: { value } })
  await press('Use in this message')
  expect([chips(), box().value, screen.queryByRole('form')]).toEqual([['load-testtarget: https://example.org, minutes: 10, warm: false'], '', null])
  typed('Go')
  await enter()
  await settle()
  expect(sent(memory)).toEqual([{ sessionId, text: 'Go', skills: [{ origin: 'user', path: 'load-test/SKILL.md', inputs: { target: 'https://example.org', minutes: 10, warm: false } }] }])
})

test('R59 the values of a chosen skill can be changed; Esc leaves them; it is chosen once and can be removed', async () => {
  await open()
  await doing(() => void chooseSkill(loadTest.skill, { target: 'a' }))
  await press('Change the values of load-test')
  const field = () => screen.getByLabelText<HTMLInputElement>('target required')
  expect(field().value).toBe('a')
  fireEvent.change(field(), { target: { value: 'b' } })
  await doing(() => { fireEvent.keyDown(field(), { key: 'Escape' }) })
  expect([chips(), screen.queryByRole('form')]).toEqual([['load-testtarget: a'], null])
  await doing(() => void chooseSkill(loadTest.skill))
  fireEvent.change(field(), { target: { value: 'c' } })
  await press('Use in this message')
  expect(chips()).toEqual(['load-testtarget: c'])
  await press('Remove the skill load-test')
  expect(chips()).toEqual([])
})

test('R59 a skill whose trigger stands in the text is offered, never taken; declined it stays away until the box was empty', async () => {
  const memory = await open()
  const offer = () => screen.queryByText(/^Use .*\?$/)?.textContent ?? null
  typed('Please review')
  expect([offer(), chips()]).toEqual(['Use code-review?', []])
  await press('Do not use code-review')
  typed('Please review the load')
  expect(offer()).toBe('Use load-test?')
  typed('')
  typed('review')
  expect(offer()).toBe('Use code-review?')
  await press('Use it')
  expect([offer(), chips(), box().value]).toEqual([null, ['code-review'], 'review'])
  await doing(() => { memory.push('skill/changed', page()) })
  typed('load')
  expect(offer()).toBeNull()
})

test('R109 chosen skills stay with their draft over a change of session, and what could not be sent comes back', async () => {
  const memory = await open({ 'session/prompt': () => fail('skill.inputs-missing', { skill: 'code-review', names: ['x'] }) })
  await doing(() => void chooseSkill(review.skill))
  await doing(() => void selectSession(sessions[1]?.id as SessionId))
  await settle()
  expect(chips()).toEqual([])
  await doing(() => void selectSession(sessionId))
  await settle()
  expect(chips()).toEqual(['code-review'])
  typed('Go')
  await enter()
  await settle()
  expect([sent(memory).length, box().value, chips()]).toEqual([1, 'Go', ['code-reviewcould not be loaded']])
})

test('R58 a loaded skill is one folded line with name and version that opens to its text', async () => {
  freshHost()
  const at = { turnId: asId<TurnId>('t1'), step: 1, inputs: {}, tools: null, outputSchema: null }
  const skill = { origin: 'user' as const, path: 'a', name: 'load-test', version: '1.2.0' }
  const chat = events([{ type: 'skill-loaded', ...at, callId: asId<CallId>('c'), skill, text: '# By the model' }, { type: 'skill-loaded', ...at, callId: null, skill: { ...skill, version: null }, text: '# By me' }, { type: 'skill-loaded', ...at, callId: null, skill, text: '# By the model' }]).reduce(applyEvent, emptyChat(sessionId))
  show(chat.items.map((item) => <ItemRow key={item.seq} item={item} past={past} />))
  const lines = screen.getAllByRole('button', { name: /^Skill/ })
  expect(lines.map((line) => [line.textContent, line.getAttribute('aria-expanded')])).toEqual([['Skillload-test1.2.0loaded once', 'false'], ['Skill chosen by youload-testloaded once', 'false'], ['Skill chosen by youload-test1.2.0in this conversation already', 'false']])
  expect(screen.queryByText('# By the model')).toBeNull()
  await doing(() => lines[0]?.click())
  expect(screen.getByText('# By the model').textContent).toBe('# By the model')
})

test('R107 the form, the chips and the offer keep the rules of accessibility', async () => {
  await open()
  await doing(() => void chooseSkill(review.skill))
  await doing(() => void chooseSkill(loadTest.skill))
  typed('what load')
  const found = await axe.run(document.body, { rules: { region: { enabled: false }, 'color-contrast': { enabled: false } } })
  expect(found.violations.map((one) => [one.id, one.nodes.map((node) => node.html)])).toEqual([])
})
