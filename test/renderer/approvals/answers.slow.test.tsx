import { act, cleanup, fireEvent, screen, within } from '@testing-library/react'
import axe from 'axe-core'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { ApprovalRequest } from '../../../src/shared/domain/approval'
import { againCard, networkCard, noSandboxCard, outsideCard, sandboxNone, testCard, toolCard, wholeCard } from '../stories/approvalWorld'
import { doing, fakeBrowser } from '../support'
import { answers, armed, button, isThere, region, showCards, text } from './cardSupport'

beforeEach(() => { vi.useFakeTimers({ shouldAdvanceTime: true }); fakeBrowser() })
afterEach(() => { cleanup(); vi.useRealTimers(); vi.unstubAllGlobals() })

/** Opens the menu beside "Allow once" and chooses an item. */
async function choose(name: string): Promise<void> {
  await doing(() => { fireEvent.keyDown(button('More ways to allow'), { key: 'Enter' }) })
  await doing(() => { fireEvent.click(screen.getByRole('menuitem', { name })) })
}

const panel = (name = 'Allow for this session') => within(screen.getByRole('group', { name }))

test('answers stand from the least permission to the most, and only the narrowest yes is solid (R70, DESIGN 5.2)', async () => {
  await showCards([testCard])
  const buttons = within(region()).getAllByRole('button').filter((one) => one.closest('.foot'))
  expect(buttons.map((one) => one.textContent || one.getAttribute('aria-label'))).toEqual(['Try', 'Skip', 'Deny', 'Tell the agent why', 'Edit', 'Allow once', 'More ways to allow'])
  expect(buttons.filter((one) => one.classList.contains('pri')).map((one) => one.textContent || one.getAttribute('aria-label'))).toEqual(['Allow once', 'More ways to allow'])
})

test('a wider answer is chosen, read, armed anew, and only then given with exactly what was shown (R63, R69, R70)', async () => {
  const memory = await showCards([testCard])
  fireEvent.keyDown(button('More ways to allow'), { key: 'Enter' })
  expect(screen.queryByRole('menu')).toBeNull()
  await armed()
  await choose('For this session…')
  expect(answers(memory)).toEqual([])
  expect(within(panel().getByRole('list')).getAllByRole('listitem').map((one) => [...one.children].map((token) => token.textContent))).toEqual([['npm', 'test', '--', '--runInBand', 'test/retry.test.ts']])
  fireEvent.click(panel().getByRole('button', { name: 'Allow for this session' }))
  expect(answers(memory)).toEqual([])
  await armed()
  fireEvent.click(panel().getByRole('radio', { name: '5 times' }))
  fireEvent.click(panel().getByRole('button', { name: 'Allow for this session' }))
  expect(answers(memory)).toEqual([])
  await armed()
  await doing(() => { fireEvent.click(panel().getByRole('button', { name: 'Allow for this session' })) })
  expect(answers(memory)).toEqual([{ kind: 'allow', remember: { lifetime: 'session', shapes: testCard.remembered, isForAllProjects: false, expiresAtMs: null, usesLeft: 5 } }])
})

test('widening has no key: the chord allows once whatever is chosen (R70, DESIGN 6)', async () => {
  const memory = await showCards([testCard])
  await armed()
  await choose('For this turn…')
  await armed()
  await doing(() => { fireEvent.keyDown(window, { key: 'Y', ctrlKey: true, shiftKey: true }) })
  expect(answers(memory)).toEqual([{ kind: 'allow' }])
})

test('"Always" opens the editor of rules for this call and answers nothing (R69)', async () => {
  const opened: unknown[] = []
  const memory = await showCards([testCard], { world: { onRule: (callId) => opened.push(callId) } })
  await armed()
  await choose('Always, as a rule…')
  expect([opened, answers(memory)]).toEqual([[testCard.callId], []])
})

test.each([['en', 'Covers every call of this tool, with any arguments.'], ['zh-CN', '包括这个工具的所有调用，参数不限。']] as const)('e14: before a tool is allowed for longer the card says that it covers any arguments, in %s', async (locale, sentence) => {
  await showCards([toolCard], { locale })
  await armed()
  const more = within(region(locale === 'en' ? 'Approval' : '签字')).getByRole('button', { name: locale === 'en' ? 'More ways to allow' : '更多允许方式' })
  await doing(() => { fireEvent.keyDown(more, { key: 'Enter' }) })
  expect(screen.getByRole('menu').textContent).toContain(sentence)
  expect(screen.getByRole('menu').textContent).toContain('mcp__mail__send_mail')
})

test('e14: one approval answers its own call alone, whatever else waits', async () => {
  const second: ApprovalRequest = { ...toolCard, callId: 'c10' as never, nonce: 'nonce-2', askedAtMs: toolCard.askedAtMs + 1 }
  const memory = await showCards([toolCard, second])
  await armed()
  const allow = button('Allow once')
  await doing(() => { fireEvent.click(allow); fireEvent.click(allow) })
  fireEvent.click(button('Allow once'))
  expect(memory.asked.filter((one) => one.channel === 'approval/decide').map((one) => one.ask)).toEqual([{ callId: toolCard.callId, nonce: toolCard.nonce, argsHash: 'hash', answer: { kind: 'allow' } }])
})

test('where no rule may answer there is no menu, and one sentence says why (R69)', async () => {
  await showCards([networkCard])
  expect(isThere('More ways to allow')).toBe(false)
  expect(text().split('It asks each time: no rule may answer this.')).toHaveLength(2)
})

test('R71 what marked the turn is named as what it is: a command with the network and a program on this computer are no web pages', async () => {
  const web = (host: string) => ({ source: { kind: 'web' as const, host, url: host }, shared: null })
  await showCards([{ ...testCard, taint: [web('python3'), web('localhost'), { source: { kind: 'web', host: 'a.example', url: 'https://a.example/b' }, shared: 'npm test' }] }])
  expect(text()).toContain('This turn has run a command that could reach the network, python3, and read what it printed.')
  expect(text()).toContain('This turn has read what a program on this computer answered, localhost.')
  expect(text()).toContain('This turn has read a web page, https://a.example/b, and “npm test” also stands there.')
})

test('in a marked turn nothing can be allowed for the turn, and for the session only with a warning (R71)', async () => {
  await showCards([{ ...testCard, taint: wholeCard.taint ?? [] }])
  await armed()
  await doing(() => { fireEvent.keyDown(button('More ways to allow'), { key: 'Enter' }) })
  expect(screen.getByRole('menuitem', { name: /^For this turn/ }).getAttribute('aria-disabled')).toBe('true')
  await doing(() => { fireEvent.click(screen.getByRole('menuitem', { name: 'For this session…' })) })
  expect(text()).toContain('While text from outside marks a turn, it answers nothing.')
})

test('the network is off until it is ticked; the tick arms anew and is honest about what it opens (R72, DESIGN 5.4)', async () => {
  const memory = await showCards([networkCard])
  const tick = within(region()).getByRole<HTMLInputElement>('checkbox')
  expect([tick.checked, text().includes('It will fail without network.'), text().includes('The tick opens all of it, not only these hosts.'), tick.closest('label')?.textContent]).toEqual([false, true, true, 'Open the network: registry.example.org'])
  await armed()
  fireEvent.click(tick)
  fireEvent.click(button('Allow once'))
  expect(answers(memory)).toEqual([])
  expect(text()).toContain('It can then reach any host, not only these.')
  await armed()
  await doing(() => { fireEvent.click(button('Allow once')) })
  expect(answers(memory)).toEqual([{ kind: 'edited', args: { ...networkCard.args, network: true } }])
})

test('with the network opened nothing is allowed for longer', async () => {
  await showCards([{ ...networkCard, remembered: testCard.remembered ?? null }])
  expect(isThere('More ways to allow')).toBe(true)
  fireEvent.click(within(region()).getByRole('checkbox'))
  expect(isThere('More ways to allow')).toBe(false)
})

test('a second run with network, or outside the sandbox, is a question of its own that says what it means (R72)', async () => {
  await showCards([againCard])
  expect([within(region()).getByRole('heading').textContent, text().includes('With network: it can reach any host.'), text().includes('Without network it failed.'), within(region()).queryByRole('checkbox')]).toEqual(['Run again with network ', true, true, null])
  cleanup()
  await showCards([outsideCard])
  const red = [...region().querySelectorAll('.t-bad')].map((one) => one.textContent)
  expect([within(region()).getByRole('heading').textContent, red.includes('Runs outside the sandbox: it can read, change and send anything you can.'), isThere('Try')]).toEqual(['Run outside the sandbox ', true, false])
  expect(text()).toContain('↗ /home/ada/.cache/index')
})

test('without a sandbox the card says so, and why (R72)', async () => {
  await showCards([noSandboxCard], { world: { sandbox: sandboxNone } })
  expect(text()).toContain('No sandbox on this system. This command can do anything you can.')
  expect(text()).toContain('bubblewrap is not installed')
  expect(isThere('Try')).toBe(false)
})

test('each part says who would answer it; a rule can be opened, and nothing is answered by that (R66, R69)', async () => {
  const opened: string[] = []
  const memory = await showCards([wholeCard], { world: { onOpenRule: (id) => opened.push(id) } })
  const rows = within(screen.getByRole('list', { name: 'Parts of the command' })).getAllByRole('listitem')
  expect(rows.map((row) => row.querySelector('.tagv')?.textContent)).toEqual(['Cannot undoNeeds you', 'Needs you', 'Rule 7', 'Needs you'])
  expect(rows[2]?.textContent).toContain('npm run build 2>&1 → tsc -p . && node scripts/stamp.mjsScript “build” of the project, read just now. Writes dist.')
  await armed()
  fireEvent.click(button('Rule 7'))
  expect([opened, answers(memory)]).toEqual([['7'], []])
  cleanup()
  await showCards([testCard])
  expect(text()).toContain('Built-in reader')
})

test('a source is named, the shared words are marked in its line and in the command, and no rule answers (R71)', async () => {
  await showCards([wholeCard])
  expect(text()).toContain('This turn has read a web page, https://docs.example.org/ci-setup, and “npm ci --ignore-scripts” also stands there. So no rule answers for you.')
  expect([...region().querySelectorAll('mark.shared')].map((one) => [one.closest('[aria-label="Command"]') !== null, one.textContent])).toEqual([[true, 'npm ci --ignore-scripts'], [false, 'npm ci --ignore-scripts']])
  cleanup()
  await showCards([wholeCard], { locale: 'zh-CN' })
  expect(region('签字').textContent).toContain('本轮读过网页 https://docs.example.org/ci-setup，其中也出现了“npm ci --ignore-scripts”。因此没有规则会代你答复。')
})

test('several sources are named, those that share words first, and the others counted (R71)', async () => {
  const file = (path: string) => ({ source: { kind: 'file', path } as const, shared: null })
  await showCards([{ ...testCard, taint: [file('/a'), file('/b'), file('/c'), { source: { kind: 'mcp', server: 'docs' }, shared: 'npm test' }] }])
  const lines = [...region().querySelectorAll('.fact.wide')].map((one) => one.textContent)
  expect(lines.slice(0, 3)).toEqual(['This turn has read text of the server docs, and “npm test” also stands there.', 'This turn has read a file outside the project, /a.', 'This turn has read a file outside the project, /b. And 1 other source. So no rule answers for you.'])
})

test('undo is told by parts and drawn in three colours (DESIGN 5.4)', async () => {
  await showCards([wholeCard])
  expect(text()).toContain('Undo covers 2 of 4 parts. Not covered: node_modules, git push')
  expect([...region().querySelectorAll('.undobar > *')].map((one) => one.className)).toEqual(['covered', 'partly', 'lost'])
})

test.each([['whole', wholeCard], ['test', testCard], ['tool', toolCard], ['network', networkCard], ['again', againCard], ['outside', outsideCard], ['no sandbox', noSandboxCard]] as const)('R106: axe finds no fault with the card %s, with its wider answers open, in both languages', async (_, asked) => {
  for (const locale of ['en', 'zh-CN'] as const) {
    await showCards([asked], { locale, world: { sandbox: sandboxNone } })
    await armed()
    const name = locale === 'en' ? 'Approval' : '签字'
    const more = within(region(name)).queryByRole('button', { name: locale === 'en' ? 'More ways to allow' : '更多允许方式' })
    if (more) {
      await doing(() => { fireEvent.keyDown(more, { key: 'Enter' }) })
      await doing(() => { fireEvent.click(screen.getAllByRole('menuitem')[1] ?? more) })
    }
    expect(region(name).textContent).not.toMatch(/\{\w+|[\u0001-\u0003]/u)
    vi.useRealTimers()
    const result = await axe.run(document.body, { rules: { 'color-contrast': { enabled: false }, region: { enabled: false }, 'page-has-heading-one': { enabled: false }, label: { enabled: true } } })
    vi.useFakeTimers({ shouldAdvanceTime: true })
    expect(result.violations.map((one) => `${one.id}: ${one.nodes[0]?.html ?? ''}`)).toEqual([])
    await act(() => Promise.resolve())
    cleanup()
  }
})
