import { act, cleanup, fireEvent, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Approvals } from '../../../src/renderer/features/approvals/Approvals'
import { connectApprovals } from '../../../src/renderer/features/approvals/approvalStore'
import type { ApprovalRequest } from '../../../src/shared/domain/approval'
import { fail, said } from '../../../src/shared/domain/result'
import type { MemoryAnswers, MemoryHost } from '../../support/memoryHost'
import { cardWorld, commandPreview, editPreview, questionPreview, request, smallEditPreview } from '../stories/world'
import { doing, fakeBrowser, freshHost, show } from '../support'

beforeEach(() => { vi.useFakeTimers({ shouldAdvanceTime: true }); fakeBrowser() })
afterEach(() => { cleanup(); vi.useRealTimers(); vi.unstubAllGlobals() })

const armed = async (): Promise<void> => { await act(() => vi.advanceTimersByTimeAsync(650)) }

async function card(asked: ApprovalRequest, answers: MemoryAnswers = {}, locale: 'en' | 'zh-CN' = 'en'): Promise<MemoryHost> {
  const memory = freshHost({ 'approval/list': () => [asked], ...answers })
  connectApprovals(() => false)
  show(<><textarea aria-label="elsewhere" /><Approvals world={cardWorld()} /></>, locale)
  await act(() => vi.advanceTimersByTimeAsync(5))
  return memory
}

const button = (name: string) => within(screen.getByRole('region', { name: 'Approval' })).getByRole('button', { name })
const decisions = (memory: MemoryHost) => memory.asked.filter((one) => one.channel === 'approval/decide').map((one) => one.ask)

test('no answer counts before the card is armed; then one click answers, bound to what is shown (R70)', async () => {
  const memory = await card(request(commandPreview))
  fireEvent.click(button('Allow once'))
  fireEvent.click(button('Deny'))
  fireEvent.click(button('Skip'))
  expect([decisions(memory), button('Allow once').getAttribute('aria-disabled')]).toEqual([[], 'true'])
  await armed()
  expect(button('Allow once').getAttribute('aria-disabled')).toBe('false')
  await doing(() => { fireEvent.click(button('Allow once')) })
  expect(decisions(memory)).toEqual([{ callId: 'c9', nonce: 'nonce-1', argsHash: 'hash', answer: { kind: 'allow' } }])
})

test('the card takes no focus, and Enter, Space, Escape and Tab elsewhere never answer (R70)', async () => {
  const memory = await card(request(commandPreview))
  const elsewhere = screen.getByRole('textbox', { name: 'elsewhere' })
  elsewhere.focus()
  await armed()
  expect(document.activeElement).toBe(elsewhere)
  for (const key of ['Enter', ' ', 'Escape', 'Tab']) fireEvent.keyDown(elsewhere, { key })
  expect(decisions(memory)).toEqual([])
})

test('Mod+Shift+Y, N answer an armed card; a held key, an input method and an unarmed card answer nothing (R70)', async () => {
  const memory = await card(request(commandPreview))
  const press = (more: object) => fireEvent.keyDown(window, { key: 'Y', ctrlKey: true, shiftKey: true, ...more })
  press({})
  await armed()
  press({ repeat: true })
  press({ isComposing: true })
  press({ keyCode: 229 })
  expect(decisions(memory)).toEqual([])
  await doing(() => { press({}) })
  expect(decisions(memory)).toHaveLength(1)
})

test('F8 goes to the card and Shift+F8 back to where the caret was', async () => {
  await card(request(commandPreview))
  const elsewhere = screen.getByRole('textbox', { name: 'elsewhere' })
  elsewhere.focus()
  fireEvent.keyDown(window, { key: 'F8' })
  expect(document.activeElement).toBe(screen.getByRole('region', { name: 'Approval' }))
  fireEvent.keyDown(window, { key: 'F8', shiftKey: true })
  expect(document.activeElement).toBe(elsewhere)
})

test('a command is whole, its hidden character a boxed code point with a sentence, and a part that cannot be undone is named (R70)', async () => {
  await card(request(commandPreview))
  const region = screen.getByRole('region', { name: 'Approval' })
  expect(within(region).getByRole('group', { name: 'Command' }).textContent).toBe('npm ci --ignore-scripts && npm run build 2>&1 | tee build.log && git push origin fix/retryU+200B')
  expect(region.textContent).toContain('1 hidden character. The text is not what it looks like.')
  expect(region.textContent).toContain('Undo covers 3 of 4 parts. Not covered: git push')
  expect(region.textContent).toContain('No sandbox on this system. This command can do anything you can.')
  expect(within(region).getAllByText('Cannot undo')).toHaveLength(1)
})

test('an edited command is sent as other arguments, and every keystroke arms anew (R63, R70)', async () => {
  const memory = await card(request(commandPreview))
  await armed()
  fireEvent.click(button('Edit'))
  fireEvent.change(screen.getByRole('textbox', { name: 'Command' }), { target: { value: 'npm ci' } })
  fireEvent.click(button('Allow once'))
  expect(decisions(memory)).toEqual([])
  await armed()
  await doing(() => { fireEvent.click(button('Allow once')) })
  expect(decisions(memory)).toEqual([expect.objectContaining({ answer: { kind: 'edited', args: { command: 'npm ci' } } })])
})

test('what was judged of a command is not said of the text that took its place', async () => {
  await card(request(commandPreview))
  await armed()
  const region = screen.getByRole('region', { name: 'Approval' })
  fireEvent.click(button('Edit'))
  expect(region.textContent).toContain('Not covered: git push')
  fireEvent.change(screen.getByRole('textbox', { name: 'Command' }), { target: { value: 'npm ci' } })
  expect(region.textContent).not.toMatch(/Not covered|cannot be undone/)
  expect(region.textContent).toContain('What it does is not known.')
})

test('Deny answers at once, or with the reason typed beside it (R63)', async () => {
  const memory = await card(request(commandPreview))
  await armed()
  fireEvent.click(button('Tell the agent why'))
  fireEvent.change(screen.getByRole('textbox', { name: 'Reason' }), { target: { value: ' Not on Friday ' } })
  await doing(() => { fireEvent.click(button('Deny')) })
  expect(decisions(memory)).toEqual([expect.objectContaining({ answer: { kind: 'deny', reason: 'Not on Friday' } })])
})

test('Enter in the reason denies with it; not without one, not while composing, not a held key (R63)', async () => {
  const memory = await card(request(commandPreview))
  await armed()
  fireEvent.click(button('Tell the agent why'))
  const field = screen.getByRole('textbox', { name: 'Reason' })
  fireEvent.keyDown(field, { key: 'Enter' })
  fireEvent.change(field, { target: { value: '改第三行' } })
  fireEvent.keyDown(field, { key: 'Enter', isComposing: true })
  fireEvent.keyDown(field, { key: 'Enter', repeat: true })
  expect(decisions(memory)).toEqual([])
  await doing(() => { fireEvent.keyDown(field, { key: 'Enter' }) })
  expect(decisions(memory)).toEqual([expect.objectContaining({ answer: { kind: 'deny', reason: '改第三行' } })])
})

test('a docked change is signed where it shows whole; a longer one beside its diff only (DESIGN 5.2)', async () => {
  await card(request(smallEditPreview))
  expect(within(screen.getByRole('region', { name: 'Approval' })).getAllByRole('button').map((one) => one.textContent)).toEqual(['Review changes', 'Skip', 'Deny', '', 'Edit', 'Allow once'])
  cleanup()
  await card(request(editPreview))
  expect(within(screen.getByRole('region', { name: 'Approval' })).getAllByRole('button').map((one) => one.textContent)).toEqual(['Review changes', 'Skip', 'Deny', ''])
})

test('a question is answered with an option or with words of one’s own, not with nothing', async () => {
  const memory = await card(request(questionPreview))
  await armed()
  fireEvent.click(button('Answer'))
  expect(decisions(memory)).toEqual([])
  fireEvent.click(screen.getByRole('radio', { name: 'No, rename everywhere' }))
  await armed()
  await doing(() => { fireEvent.click(button('Answer')) })
  expect(decisions(memory)).toEqual([expect.objectContaining({ answer: { kind: 'edited-text', text: 'No, rename everywhere' } })])
})

test('an answer that is refused leaves the card and says why', async () => {
  await card(request(commandPreview), { 'approval/decide': () => fail('approval.outdated') })
  await armed()
  await doing(() => { fireEvent.click(button('Allow once')) })
  expect(screen.getByRole('alert').textContent).toContain('This answer belongs to an earlier form of the question.')
})

test('a command over 10,000 characters is inert until it was read to its end (DESIGN 9)', async () => {
  await card(request({ kind: 'command', command: `echo ${'x'.repeat(10_001)}`, cwd: '.', parts: [] }))
  await armed()
  expect(button('Allow once').getAttribute('aria-disabled')).toBe('true')
  fireEvent.scroll(screen.getByRole('group', { name: 'Command' }))
  expect(button('Allow once').getAttribute('aria-disabled')).toBe('false')
})

test('in Chinese the same card has its Chinese names (DESIGN 7)', async () => {
  await card({ ...request(commandPreview), reason: said('ui.level.writes') }, {}, 'zh-CN')
  const region = screen.getByRole('region', { name: '签字' })
  for (const name of ['允许一次', '拒绝', '编辑', '跳过']) expect(within(region).getByRole('button', { name })).toBeDefined()
})

test('a card drawn before its window is shown arms once the window is (R70)', async () => {
  const visibility = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
  await card(request(commandPreview))
  await armed()
  expect(button('Allow once').getAttribute('aria-disabled')).toBe('true')
  visibility.mockReturnValue('visible')
  await act(() => vi.advanceTimersByTimeAsync(300))
  await armed()
  expect(button('Allow once').getAttribute('aria-disabled')).toBe('false')
  visibility.mockRestore()
})

test('the parts that cannot be undone or need the person come first, whatever the order they run in', async () => {
  const part = (name: string, verdict: 'allowable' | 'ask', canUndo: boolean) => ({ argv: [name], verdict, reason: said('guard.nothing-against'), reads: [], writes: [], deletes: [], hosts: [], canUndo })
  await card(request({ kind: 'command', command: 'one; two; three', cwd: '/p', parts: [part('one', 'allowable', true), part('two', 'ask', true), part('three', 'allowable', false)] }))
  const rows = within(screen.getByRole('list', { name: 'Parts of the command' })).getAllByRole('listitem').map((row) => row.textContent?.match(/one|two|three/)?.[0])
  expect(rows).toEqual(['three', 'two', 'one'])
})
