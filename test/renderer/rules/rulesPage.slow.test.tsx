import { cleanup, fireEvent, screen, within } from '@testing-library/react'
import axe from 'axe-core'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { withShape } from '../../../src/renderer/features/rules/editing'
import type { RuleLinks } from '../../../src/renderer/features/rules/live'
import { RulesView } from '../../../src/renderer/features/rules/RulesView'
import { connectRules, edit, editRule, enterRules, ruleForCall, startRule, useRules } from '../../../src/renderer/features/rules/ruleStore'
import { asId } from '../../../src/shared/domain/ids'
import { fail, succeed, type Result } from '../../../src/shared/domain/result'
import type { BackTest, PermissionsPage } from '../../../src/shared/ipc/views'
import type { Locale } from '../../../src/shared/words/say'
import type { MemoryAnswers } from '../../support/memoryHost'
import { command, narrowShapes, permissions, ruleAnswers, testOf } from '../stories/ruleStories'
import { doing, fakeBrowser, freshHost, settle, show } from '../support'

let stop: () => void = () => undefined
beforeEach(fakeBrowser)
afterEach(() => {
  stop()
  stop = () => undefined
  cleanup()
  vi.useRealTimers()
})

const noLinks: RuleLinks = { toCall: () => null, toQuestion: () => null }

async function open({ links = noLinks, answers = {}, locale = 'en', hasFolder = true }: { readonly links?: RuleLinks; readonly answers?: MemoryAnswers; readonly locale?: Locale; readonly hasFolder?: boolean } = {}) {
  const memory = freshHost({ ...ruleAnswers('rules'), ...answers })
  stop = connectRules()
  enterRules(hasFolder ? asId('w1') : null)
  const view = show(<RulesView links={links} hasFolder={hasFolder} isNarrow={false} />, locale)
  await settle()
  return { memory, view }
}

const button = (name: string | RegExp): HTMLButtonElement => screen.getByRole('button', { name })
const click = (name: string | RegExp): Promise<void> => doing(() => { fireEvent.click(button(name)) })
const asksOf = (memory: Awaited<ReturnType<typeof open>>['memory'], channel: string) => memory.asked.filter((one) => one.channel === channel).map((one) => one.ask)
const cells = (table: string): readonly (readonly string[])[] => within(screen.getByRole('table', { name: table })).getAllByRole('row').slice(1).map((row) => [...row.querySelectorAll('td')].map((cell) => cell.textContent ?? ''))
/** Long enough for a rule that was left alone to be tried. */
const tried = (): Promise<void> => settle(300)

test('R69: what is live stands with its scope, origin, uses and end, and what is wrong with a rule beside it', async () => {
  await open({ links: { ...noLinks, toCall: ({ sessionId }) => (sessionId === 's1' ? () => undefined : null) } })
  const live = cells('Live now')
  expect(live.map(([what, scope, , uses, ends]) => [what, scope, uses, ends])).toEqual([
    ['git.example.organy page', 'Session (Retry policy for HTTP client)', '1', 'In 8 min'],
    ['editsrc/http/**', 'This turn (Retry policy for HTTP client)', '3', 'With the turn'],
    ['mcp__docs__searchany arguments', 'Session (Translate the handbook)', '2', '3 left'],
    ['npmtestany further words', 'This project', '1,038', 'Never'],
    ['npmtest----runInBandany wordRule 12 already answers all of it', 'This project', '4', 'Never'],
    ['makeany further wordsToo widemake can start other programs.Not used for 30 days', 'This project', '0', 'Never'],
  ])
  expect(cells('Asks or forbids, whatever else allows').map(([what, scope]) => [what, scope])).toEqual([['Always askgitpushany further words', 'All projects'], ['Neverwritemigrations/**', 'This project']])
  expect(screen.getByText('6 live, 7 rules')).toBeTruthy()
  expect(screen.getAllByRole('button', { name: /^To the call: you/ })).toHaveLength(2)
  await click('In other projects: 2 rules')
  expect(cells('In other projects: 2 rules').map(([what, scope]) => [what, scope])).toEqual([['pytest-qany word', 'Only tide-tables'], ['cargobuild', 'A project not opened here']])
  expect(screen.getAllByText(/^(Catastrophic commands|Secrets, and what leaves|.git internals|A turn that has read)/)).toHaveLength(4)
})

test('R64 R69: the page says exactly what runs without asking, and under which level that waits too', async () => {
  await open()
  const part = screen.getByRole('heading', { name: 'Runs without asking' }).closest('section')
  const lines = [...part?.querySelectorAll('li') ?? []].map((line) => line.textContent)
  expect(lines).toHaveLength(6)
  expect(lines[1]).toContain('ls, cat, grep, git status, git log, echo and the like, also in a loop')
  expect(lines.at(-1)).toBe('With “Ask for everything” all of this waits too')
})

test('R69: Revoke ends one at once and says so; the keyboard stays in the table', async () => {
  const { memory } = await open()
  const revoke = button('Revoke: npm test …')
  revoke.focus()
  await doing(() => { fireEvent.click(revoke) })
  await settle(60)
  expect(asksOf(memory, 'permission/revoke')).toEqual([{ of: { rule: '12' } }])
  expect(screen.queryByRole('button', { name: 'Revoke: npm test …' })).toBe(null)
  expect(screen.getByText('Revoked: npm test …. It asks again from the next call on.')).toBeTruthy()
  expect(document.activeElement?.getAttribute('aria-label')).toBe('Revoke: npm test -- --runInBand *')
  await click('Revoke: git.example.org')
  expect(asksOf(memory, 'permission/revoke').at(-1)).toEqual({ of: { grant: 'g2', sessionId: 's1' } })
})

test('R69: Revoke all asks once, with the count, and leaves what only restricts', async () => {
  const { memory } = await open()
  await click('Revoke all')
  const dialog = screen.getByRole('dialog', { name: 'Revoke all 6?' })
  await doing(() => { fireEvent.click(within(dialog).getByRole('button', { name: 'Cancel' })) })
  expect(asksOf(memory, 'permission/revoke-all')).toEqual([])
  await click('Revoke all')
  await doing(() => { fireEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Revoke all' })) })
  await settle()
  expect(asksOf(memory, 'permission/revoke-all')).toEqual([{}])
  expect(screen.getByText('Nothing is allowed in advance here. What asks, asks you.')).toBeTruthy()
  expect(cells('Asks or forbids, whatever else allows')).toHaveLength(2)
})

test('R69: a rule is tried on the past while one writes it, and the narrowed one is what the solid button saves', async () => {
  const { memory } = await open()
  await click('New rule')
  expect(button('Save rule').disabled).toBe(true)
  expect(screen.getByText('It is tried on the past as soon as it says what it is about.')).toBeTruthy()
  await doing(() => { fireEvent.change(screen.getByRole('textbox', { name: 'The command' }), { target: { value: 'npm run * …' } }) })
  await tried()
  expect(asksOf(memory, 'permission/try-out')).toMatchObject([{ draft: { effect: 'allow', shape: command('npm run * …'), workspaceId: 'w1' }, replaces: null }])
  const verdict = screen.getByText('It would have run 10 of 11 past calls, 2 of which you denied.')
  expect([verdict.className, verdict.closest('.note')?.className]).toEqual(['med t-bad', 'note bad'])
  expect(screen.getByText(/A script can do whatever package.json says/)).toBeTruthy()
  const rows = cells('Past calls with this rule')
  expect(rows.map(([, call, then, now]) => [call, then, now])).toEqual([
    ['npm run reset-db -- --yes', 'You denied', 'Would run'], ['npm run clean -- --all', 'You denied', 'Would run'],
    ['npm run build', 'You signed', 'Would run'], ['npm run build:docs', 'You signed', 'Would run'],
    ['npm run build && curl -s https://hooks.example.org/builtPart 2 still asks: curl -s https://hooks.example.org/built. curl connects to hooks.example.org.', 'You denied', 'Still asks: part 2'],
  ])
  await click('6 more would run, all signed by you')
  expect(cells('Past calls with this rule')).toHaveLength(11)
  expect([button('Save as it is').className, button('Save narrowed rule').className]).toEqual(['btn', 'btn pri'])
  await click('Narrow to build, build:docs, lint')
  expect(within(screen.getByRole('list', { name: 'These 3 rules would be saved' })).getAllByRole('listitem')).toHaveLength(3)
  await click('Save narrowed rule')
  await settle()
  expect(asksOf(memory, 'permission/save')).toMatchObject([{ drafts: narrowShapes.map((shape) => ({ effect: 'allow', shape, workspaceId: 'w1' })), replaces: null }])
  expect(screen.getByText('Saved as rule 13, 14, 15.')).toBeTruthy()
  expect(screen.queryByRole('region', { name: 'New rule, tried on your past' })).toBe(null)
})

test('R69: a click on a word widens it, and what was tried before does not count for it', async () => {
  const { memory } = await open()
  await doing(() => { startRule(); edit((one) => withShape(one, command('npm run build'))) })
  await tried()
  expect(button('Save rule').disabled).toBe(false)
  expect(screen.getByTitle('npm: the program, exactly this').tagName).toBe('SPAN')
  await click('build: exactly this')
  expect(button('Save rule').disabled).toBe(true)
  await click('build*: pattern, * stands for any characters')
  expect(screen.getByText('any script')).toBeTruthy()
  expect(button('Further words may follow').getAttribute('aria-pressed')).toBe('false')
  await click('Further words may follow')
  await tried()
  expect(asksOf(memory, 'permission/try-out').map((ask) => (ask as { draft: { shape: unknown } }).draft.shape)).toEqual([command('npm run build'), command('npm run * …')])
  await click('build: anything')
  expect(button('build: exactly this').textContent).toBe('build')
})

test('R69: of several trials only the last answer is shown', async () => {
  const waiting: ((answer: Result<BackTest>) => void)[] = []
  await open({ answers: { 'permission/try-out': () => new Promise((done) => waiting.push(done)) } })
  await doing(() => { startRule(); edit((one) => withShape(one, command('npm run *'))) })
  await tried()
  await doing(() => edit((one) => withShape(one, command('npm run build'))))
  await tried()
  expect(waiting).toHaveLength(2)
  await doing(() => waiting[1]?.(succeed(testOf(command('npm run build')))))
  await settle()
  await doing(() => waiting[0]?.(succeed(testOf(command('npm run *')))))
  await settle()
  expect(screen.getByText('It would have run 5 of 11 past calls, none that you denied.')).toBeTruthy()
})

test('R69: what cannot be tried cannot be saved, and says why', async () => {
  let isBroken = true
  const { memory } = await open({ answers: { 'permission/try-out': ({ draft }) => (isBroken ? fail('guard.rule-unusable', { part: 'x' }) : succeed(testOf(draft.shape as never))) } })
  await doing(() => { startRule(); edit((one) => withShape(one, command('npm run build'))) })
  await tried()
  expect(screen.getByRole('alert').textContent).toContain('This cannot be a rule: x.')
  expect(button('Save rule').disabled).toBe(true)
  isBroken = false
  await click('Try again')
  await settle()
  await click('Save rule')
  await settle()
  expect(asksOf(memory, 'permission/save')).toHaveLength(1)
})

test('R69: faults stand beside their field in words, and leaving the page loses nothing', async () => {
  const { memory, view } = await open()
  await click('New rule')
  await doing(() => { fireEvent.change(screen.getByRole('textbox', { name: 'The command' }), { target: { value: 'npm test && rm -rf x' } }) })
  const field = screen.getByRole('textbox', { name: 'The command' })
  expect([field.getAttribute('aria-invalid'), document.getElementById(field.getAttribute('aria-describedby') ?? '')?.textContent]).toEqual(['true', 'A rule is about one simple command: “&&” cannot stand in it. Quote it if the word holds it.'])
  expect([button('As words').disabled, button('Save rule').disabled]).toEqual([true, true])
  view.unmount()
  show(<RulesView links={noLinks} hasFolder isNarrow={false} />)
  await settle()
  expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'The command' }).value).toBe('npm test && rm -rf x')
  await doing(() => void editRule('9'))
  expect(screen.getByRole('region', { name: 'Rule 9, tried on your past' })).toBeTruthy()
  expect(screen.getByText('Not saved yet: npm test && rm -rf x')).toBeTruthy()
  await click('Go on')
  expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'The command' }).value).toBe('npm test && rm -rf x')
  await tried()
  expect(asksOf(memory, 'permission/try-out').filter((ask) => JSON.stringify(ask).includes('rm'))).toEqual([])
})

test('R69: a fault in saving keeps what was written', async () => {
  await open({ answers: { 'permission/save': () => fail('guard.rule-gone', { rule: '9' }) } })
  await doing(() => { startRule(); edit((one) => withShape(one, command('npm run build'))) })
  await tried()
  await click('Save rule')
  await settle()
  expect(screen.getByRole('alert').textContent).toBe('Rule 9 is not there any more. Not saved. What you wrote is still here.')
  expect(button('build: exactly this')).toBeTruthy()
})

test('R54 R69: a rule on a tool of a server is never for all projects', async () => {
  await open()
  await click('New rule')
  await doing(() => { fireEvent.click(screen.getByRole('radio', { name: 'All projects' })) })
  await doing(() => { fireEvent.change(screen.getByRole('combobox', { name: 'When it is' }), { target: { value: 'tool' } }) })
  expect(screen.queryByRole('radio', { name: 'All projects' })).toBe(null)
  expect(screen.getByRole<HTMLInputElement>('radio', { name: 'This project' }).checked).toBe(true)
  await doing(() => { fireEvent.change(screen.getByRole('textbox', { name: 'Tool' }), { target: { value: 'search' } }) })
  expect(screen.getByText('A tool of a server has a name like mcp__docs__search.')).toBeTruthy()
})

test('R69: an edited rule takes the place of the old one, unless nothing changed or the old one is gone', async () => {
  const { memory } = await open()
  await click('Edit rule 12')
  await tried()
  expect(screen.getByText(/Saved, it gets a new number; the record keeps rule 12/)).toBeTruthy()
  expect([button('Save as it is').disabled, button('Save narrowed rule').disabled]).toEqual([true, false])
  await doing(() => { fireEvent.click(screen.getByRole('radio', { name: '5 times' })) })
  await tried()
  await click('Save as it is')
  await settle()
  expect(asksOf(memory, 'permission/save')).toMatchObject([{ drafts: [{ shape: command('npm test …'), usesLeft: 5 }], replaces: '12' }])

  await click('Edit rule 9')
  await doing(() => memory.push('permission/changed', { grants: [], rules: [] }))
  expect(screen.getByText('Rule 9 is not there any more. Saved, this becomes a new rule.')).toBeTruthy()
  await tried()
  await click('Save rule')
  await settle()
  expect(asksOf(memory, 'permission/save').at(-1)).toMatchObject({ replaces: null })
})

test('R63 R69: from a card the narrowest is offered; saved, it leads back to the question, which still asks once', async () => {
  const went: string[] = []
  const { memory } = await open({ links: { ...noLinks, toQuestion: (callId) => () => went.push(callId) } })
  await doing(() => void ruleForCall(asId('c9')))
  await settle()
  const choices = within(screen.getByRole('group', { name: 'What the call proposes' })).getAllByRole<HTMLInputElement>('radio')
  expect(choices.map((radio) => [radio.closest('label')?.textContent, radio.checked])).toEqual([['npmrunbuild', true], ['npmrunany word', false], ['npmrunany wordany further words', false], ['npmrunbuildany further words', false]])
  await tried()
  await click('Save rule')
  await settle()
  expect(asksOf(memory, 'permission/save')).toMatchObject([{ drafts: [{ shape: command('npm run build'), createdFromCall: 'c9' }], replaces: null }])
  expect(screen.getByText('Saved as rule 13. The question that waits still asks once; from the next call on the rule answers.')).toBeTruthy()
  await click('Back to the question')
  expect(went).toEqual(['c9'])
})

test('R69: a call that no rule may answer, and a rule that is gone, are told of in words', async () => {
  await open({ answers: { 'permission/propose': () => fail('guard.rule-unanswerable') }, links: { ...noLinks, toQuestion: () => () => undefined } })
  await doing(() => void ruleForCall(asId('c9')))
  await settle()
  expect(screen.getByRole('alert').textContent).toBe('No rule can answer this call.Back to the question')
  await doing(() => void editRule('99'))
  await settle()
  expect(screen.getByRole('alert').textContent).toBe('Rule 99 is not there any more.')
})

test('R69: another folder takes along a new rule that was begun, not what its calls proposed', async () => {
  await open()
  await doing(() => { startRule(); edit((one) => ({ ...one, text: 'npm run build' })) })
  await doing(() => void ruleForCall(asId('c9')))
  await settle()
  await doing(() => enterRules(asId('w2')))
  await settle()
  expect(Object.keys(useRules.getState().drafts)).toEqual(['new'])
  expect(screen.getByText('Not saved yet: npm run build')).toBeTruthy()
})

test('R69: what ran out is live no more, without anybody saying so', async () => {
  const soon: PermissionsPage = { grants: permissions(Date.now()).grants.slice(1, 2).map((row) => ({ ...row, grant: { ...row.grant, expiresAtMs: Date.now() + 1200 } })), rules: [] }
  await open({ answers: { 'permission/read': () => soon } })
  expect(cells('Live now')).toHaveLength(1)
  await settle(2300)
  expect(screen.queryByRole('table', { name: 'Live now' })).toBe(null)
})

test('R69 R104: the page speaks Chinese', async () => {
  await open({ locale: 'zh-CN' })
  await doing(() => { startRule(); edit((one) => withShape(one, command('npm run * …'))) })
  await tried()
  expect(screen.getByText('在过去 11 次调用中，它会放行 10 次，其中 2 次是你拒绝过的。')).toBeTruthy()
  expect(button('收窄到 build、build:docs、lint')).toBeTruthy()
  expect(button('保存收窄后的规则').className).toBe('btn pri')
  expect(cells('当前生效')[0]?.slice(1, 2)).toEqual(['会话（Retry policy for HTTP client）'])
})

test.each(['command', 'text', 'files', 'tool', 'host', 'ends'] as const)('axe finds no fault on the page of permissions: %s (R106)', async (kind) => {
  await open()
  await doing(() => { startRule(); edit((one) => withShape(one, command('npm run * …'))) })
  if (kind === 'text') await doing(() => edit((one) => ({ ...one, text: 'a && b' })))
  else if (kind === 'ends') await doing(() => edit((one) => ({ ...one, ends: { ...one.ends, kind: 'custom' } })))
  else await doing(() => edit((one) => ({ ...one, kind })))
  await tried()
  const result = await axe.run(document.body, { rules: { 'color-contrast': { enabled: false }, region: { enabled: false } } })
  expect(result.violations.map((one) => ({ id: one.id, at: one.nodes.map((node) => node.html).slice(0, 2) }))).toEqual([])
})

