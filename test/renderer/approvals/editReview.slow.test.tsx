import { act, cleanup, fireEvent, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Approvals } from '../../../src/renderer/features/approvals/Approvals'
import { connectApprovals, review, useApprovals } from '../../../src/renderer/features/approvals/approvalStore'
import type { ApprovalPreview, ApprovalRequest } from '../../../src/shared/domain/approval'
import type { EditPreview } from '../../../src/renderer/features/approvals/editChanges'
import type { MemoryAnswers, MemoryHost } from '../../support/memoryHost'
import { editAsked } from '../stories/editStories'
import { cardWorld, createPreview, deletePreview, editPreview, request, smallEditPreview } from '../stories/world'
import { doing, fakeBrowser, freshHost, show } from '../support'

beforeEach(() => { vi.useFakeTimers({ shouldAdvanceTime: true }); fakeBrowser() })
afterEach(() => { cleanup(); vi.useRealTimers(); vi.unstubAllGlobals(); vi.restoreAllMocks() })

const armed = async (): Promise<void> => { await act(() => vi.advanceTimersByTimeAsync(650)) }

async function reviewOf(asked: ApprovalRequest, answers: MemoryAnswers = {}, locale: 'en' | 'zh-CN' = 'en'): Promise<MemoryHost> {
  const memory = freshHost({ 'approval/list': () => [asked], ...answers })
  connectApprovals(() => false)
  show(<><textarea aria-label="elsewhere" /><Approvals world={cardWorld()} /></>, locale)
  await act(() => vi.advanceTimersByTimeAsync(5))
  act(() => review(asked.callId))
  await act(() => vi.advanceTimersByTimeAsync(50))
  return memory
}

const region = () => screen.getByRole('region', { name: 'Approval' })
const button = (name: string) => within(region()).getByRole('button', { name })
const change = (name: string) => within(screen.getByRole('group', { name }))
const tick = (name: string): void => { fireEvent.click(change(name).getByRole('checkbox', { name: 'Write this change' })) }
const decisions = (memory: MemoryHost) => memory.asked.filter((one) => one.channel === 'approval/decide').map((one) => (one.ask as { readonly answer: unknown }).answer)

/** The same for a file that the editor would not keep: its changes are a list, with the same bars, and need no browser. */
function listed(preview: ApprovalPreview): EditPreview {
  if (preview.kind !== 'edit') throw new Error(preview.kind)
  const end = (text: string | null) => (text === null ? null : `${text}// end\rof file\n`)
  return { ...preview, before: end(preview.before), after: end(preview.after) }
}
const edit = listed(editPreview)

test('each change has a bar with its number, its state and what decides; all kept is a plain yes (R63)', async () => {
  const memory = await reviewOf(request(edit))
  expect(['Change 1 of 3', 'Change 2 of 3', 'Change 3 of 3'].map((name) => change(name).getByText('Kept').textContent)).toEqual(['Kept', 'Kept', 'Kept'])
  expect(region().textContent).toContain('All changes will be written.')
  await armed()
  await doing(() => { fireEvent.click(button('Allow once')) })
  expect(decisions(memory)).toEqual([{ kind: 'allow' }])
})

test('a rejected change is left out of what is written, and every tick arms the card anew (R63, R70)', async () => {
  const memory = await reviewOf(request(edit))
  await armed()
  tick('Change 3 of 3')
  expect(region().textContent).toContain('2 of 3 changes will be written. The agent is told which.')
  fireEvent.click(button('Allow once'))
  fireEvent.keyDown(window, { key: 'Y', ctrlKey: true, shiftKey: true })
  expect(decisions(memory)).toEqual([])
  await armed()
  await doing(() => { fireEvent.click(button('Allow once')) })
  expect(decisions(memory)).toEqual([{ kind: 'edited-text', text: edit.after?.replace('export function closeAll', 'export const client = httpClient\n\nexport function closeAll') }])
})

test('with all changes rejected the one primary answer is Deny, and the chord of Allow does nothing (R63)', async () => {
  const memory = await reviewOf(request(edit))
  for (const name of ['Change 1 of 3', 'Change 2 of 3', 'Change 3 of 3']) fireEvent.click(change(name).getByRole('button', { name: 'Reject' }))
  expect(region().textContent).toContain('No change will be written.')
  await armed()
  fireEvent.keyDown(window, { key: 'Y', ctrlKey: true, shiftKey: true })
  expect([decisions(memory), within(region()).queryByRole('button', { name: 'Allow once' })]).toEqual([[], null])
  await doing(() => { fireEvent.click(button('Deny')) })
  expect(decisions(memory)).toEqual([{ kind: 'deny', reason: '' }])
})

test('F7 and Shift+F7 put the keyboard on the tick of the next and the previous change; a held key, an input method and the card itself never do (R70)', async () => {
  await reviewOf(request(edit))
  const elsewhere = screen.getByRole('textbox', { name: 'elsewhere' })
  elsewhere.focus()
  await armed()
  const press = (more: object) => fireEvent.keyDown(window, { key: 'F7', ...more })
  press({ repeat: true })
  press({ isComposing: true })
  expect(document.activeElement).toBe(elsewhere)
  const focused = () => document.activeElement?.closest('[role="group"]')?.getAttribute('aria-label')
  const seen = [{}, {}, {}, {}, { shiftKey: true }].map((more) => (press(more), focused()))
  expect(seen).toEqual(['Change 1 of 3', 'Change 2 of 3', 'Change 3 of 3', 'Change 1 of 3', 'Change 3 of 3'])
})

test('a decision stays while its question waits, and a docked card does not sign what it does not show', async () => {
  await reviewOf(request(listed(smallEditPreview)))
  tick('Change 1 of 1')
  act(() => review(null))
  expect([within(region()).queryByRole('button', { name: 'Allow once' }), button('Review changes')]).toEqual([null, expect.anything()])
  act(() => review(request(listed(smallEditPreview)).callId))
  await act(() => vi.advanceTimersByTimeAsync(50))
  expect(change('Change 1 of 1').getByText('Rejected')).toBeDefined()
})

test('docked, a change is signed only where all of it is in view: not with a long line; line ends that no line shows are said', async () => {
  const docked = async (before: string, after: string) => {
    cleanup()
    freshHost({ 'approval/list': () => [request({ kind: 'edit', path: 'f', before, after, notes: [] })] })
    connectApprovals(() => false)
    show(<Approvals world={cardWorld()} />)
    await act(() => vi.advanceTimersByTimeAsync(5))
    return [within(region()).queryByRole('button', { name: 'Allow once' }) !== null, region().textContent?.includes('The last line will get a line end.')]
  }
  expect([await docked('a\n', `${'b'.repeat(2000)}\n`), await docked('a\n', 'b\n'), await docked('a', 'a\n')]).toEqual([[false, false], [true, false], [true, true]])
})

test('a file that changed on disk makes Allow inert, says so, and is looked at again by the person (R63)', async () => {
  let isFresh = true
  const memory = await reviewOf(request(edit), { 'approval/is-fresh': () => isFresh })
  await armed()
  expect(region().textContent).toContain('Unchanged on disk since the agent read it.')
  isFresh = false
  await act(() => vi.advanceTimersByTimeAsync(4100))
  await armed()
  expect(region().textContent).toContain('Changed on disk since it was read: look again.')
  fireEvent.click(button('Allow once'))
  fireEvent.keyDown(window, { key: 'Y', ctrlKey: true, shiftKey: true })
  expect([decisions(memory), button('Allow once').getAttribute('aria-disabled')]).toEqual([[], 'true'])
  await doing(() => { fireEvent.click(button('look again')) })
  expect(decisions(memory)).toEqual([{ kind: 'look' }])
})

test('a review that is put anew stays open for the new question, with nothing decided', async () => {
  const asked = request(edit)
  const memory = await reviewOf(asked)
  tick('Change 1 of 3')
  await armed()
  act(() => useApprovals.setState({ stale: { [asked.nonce]: true } }))
  await doing(() => { fireEvent.click(button('look again')) })
  await act(async () => { memory.push('approval/changed', []); await Promise.resolve() })
  await act(async () => { memory.push('approval/changed', [{ ...asked, nonce: 'nonce-2' }]); await Promise.resolve() })
  await act(() => vi.advanceTimersByTimeAsync(50))
  expect(change('Change 1 of 3').getByText('Kept')).toBeDefined()
  expect(button('Allow once').getAttribute('aria-disabled')).toBe('true')
})

test('of a large change the numbers come first, its changes open one by one, and signing waits for the numbers (DESIGN 9)', async () => {
  const asked = editAsked['review-large']?.[0] ?? request(edit)
  await reviewOf(asked)
  expect(region().textContent).toContain('1,440 lines added, 1,440 removed, in 160 changes.')
  expect(region().textContent).not.toContain('export const now0_0')
  fireEvent.click(change('Change 1 of 160').getByRole('button', { name: 'Show' }))
  expect(region().textContent).toContain('export const now0_0')
  fireEvent.click(button('Reject all'))
  expect(region().textContent).toContain('No change will be written.')
})

test('what was not seen of a large change cannot be signed', async () => {
  vi.stubGlobal('IntersectionObserver', class {
    readonly #tell: (entries: readonly { intersectionRatio: number; isIntersecting: boolean }[]) => void
    constructor(tell: (entries: readonly { intersectionRatio: number; isIntersecting: boolean }[]) => void) { this.#tell = tell }
    observe(element: Element): void { if (!element.matches('.chnote')) this.#tell([{ intersectionRatio: 1, isIntersecting: true }]) }
    disconnect(): void {}
  })
  const asked = editAsked['review-large']?.[0] ?? request(edit)
  const memory = await reviewOf(asked)
  await armed()
  fireEvent.click(button('Allow once'))
  expect([decisions(memory), button('Allow once').getAttribute('aria-disabled'), region().textContent?.includes('See the summary first to sign')]).toEqual([[], 'true', true])
})

test('a new file has one pane and no bars, a deletion shows what goes, a file that is no text its size and hash (DESIGN 5.3)', async () => {
  await reviewOf(request(listed(createPreview)))
  expect([region().textContent?.includes('The agent wants to create'), region().textContent?.includes('retryAfter(header'), screen.queryByRole('group', { name: /^Change \d/u })]).toEqual([true, true, null])
  cleanup()
  await reviewOf(request(listed(deletePreview)))
  expect([region().textContent?.includes('The agent wants to delete'), region().textContent?.includes('export const waitMs = 500')]).toEqual([true, true])
  cleanup()
  await reviewOf(editAsked['review-binary']?.[0] ?? request(edit))
  expect(region().textContent).toContain(`On disk: 48,213 bytes, SHA-256 ${'a3f1'.repeat(16)}`)
})

test('in Chinese the bars and the foot have their Chinese words (DESIGN 7)', async () => {
  await reviewOf(request(edit), {}, 'zh-CN')
  const bar = within(screen.getByRole('group', { name: '改动 2，共 3 处' }))
  fireEvent.click(bar.getByRole('button', { name: '不要' }))
  expect(screen.getByRole('region', { name: '签字' }).textContent).toContain('将写入 3 处中的 2 处。结果会告知智能体。')
  expect(bar.getByRole('button', { name: '保留' })).toBeDefined()
})
