import { act, cleanup, fireEvent, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { useApprovals } from '../../../src/renderer/features/approvals/approvalStore'
import { asId } from '../../../src/shared/domain/ids'
import { queue, trialCard, trialText } from '../stories/approvalWorld'
import { sessionId } from '../stories/world'
import { doing, fakeBrowser } from '../support'
import { answers, armed, button, region, showCards, text } from './cardSupport'

beforeEach(() => { vi.useFakeTimers({ shouldAdvanceTime: true }); fakeBrowser() })
afterEach(() => { cleanup(); vi.useRealTimers(); vi.unstubAllGlobals() })

test('several that wait are a queue, the oldest first; each of another session names it and leads there (DESIGN 5.2)', async () => {
  const gone: string[] = []
  await showCards(queue, { world: { onSession: (id) => gone.push(id) } })
  expect([text().includes('2 of 3'), text().includes('Asks in')]).toEqual([true, false])
  await doing(() => { fireEvent.click(button('Previous question')) })
  expect([text().includes('1 of 3'), text().includes('Asks in: Translate the handbook')]).toEqual([true, true])
  fireEvent.click(button('Translate the handbook'))
  expect(gone).toEqual(['s2'])
  await doing(() => { fireEvent.click(button('Next question')) })
  await doing(() => { fireEvent.click(button('Next question')) })
  expect([text().includes('3 of 3'), text().includes('src/settings.ts')]).toEqual([true, true])
})

test('keys answer the card that is shown, armed anew, and no other (R70)', async () => {
  const memory = await showCards(queue)
  await armed()
  await doing(() => { fireEvent.click(button('Previous question')) })
  const press = () => fireEvent.keyDown(window, { key: 'Y', ctrlKey: true, shiftKey: true })
  press()
  expect(answers(memory)).toEqual([])
  await armed()
  await doing(() => { press() })
  expect(memory.asked.filter((one) => one.channel === 'approval/decide').map((one) => (one.ask as { callId: string }).callId)).toEqual(['q1'])
  expect(text()).toContain('of 2')
})

test('what was looked at from one session is not shown in another that has no question of its own', async () => {
  await showCards(queue, { world: { sessionId: asId('s4') } })
  await doing(() => useApprovals.setState({ looked: { callId: asId('q1'), from: sessionId } }))
  expect(screen.queryByRole('region', { name: 'Approval' })).toBeNull()
})

test('a review gives way when another question is looked at, and comes back docked (DESIGN 5.2)', async () => {
  await showCards([...queue.slice(0, 2), trialCard({}, { callId: asId('t1'), nonce: 'nonce-t', askedAtMs: Date.now() })], { answers: { 'approval/trial-file': ({ path }) => ({ ok: true, value: trialText(path) }) } })
  await doing(() => useApprovals.setState({ reviewed: asId('t1') }))
  expect(region().className).toContain('review')
  await doing(() => { fireEvent.click(button('Previous question')) })
  expect([region().className.includes('docked'), text().includes('2 of 3')]).toEqual([true, true])
  await doing(() => { fireEvent.click(button('Next question')) })
  expect([region().className.includes('docked'), within(region()).getByRole('heading').textContent]).toEqual([true, 'Tried on a copy. Keep what it did? '])
})

test('text typed while a card comes, changes and goes answers nothing, and the caret stays (R70)', async () => {
  const memory = await showCards([])
  const elsewhere = screen.getByRole('textbox', { name: 'elsewhere' })
  elsewhere.focus()
  const type = (): void => {
    for (const key of ['y', 'n', ' ', 'Enter', 'Escape', 'Tab', 'Y', 'N']) {
      fireEvent.keyDown(elsewhere, { key, shiftKey: key === 'Y' || key === 'N' })
      fireEvent.keyUp(elsewhere, { key })
    }
  }
  for (const waiting of [queue, [trialCard()], queue.slice(2)]) {
    await act(() => { memory.push('approval/changed', waiting); return Promise.resolve() })
    type()
    await armed()
    type()
    expect([answers(memory), document.activeElement === elsewhere]).toEqual([[], true])
  }
})

test('the click that brings the window to the front is swallowed, the next one after a while counts (R70)', async () => {
  const hasFocus = vi.spyOn(document, 'hasFocus').mockReturnValue(false)
  const memory = await showCards(queue.slice(2))
  await armed()
  hasFocus.mockReturnValue(true)
  fireEvent.focus(window)
  fireEvent.click(button('Allow once'))
  expect(answers(memory)).toEqual([])
  await armed()
  await doing(() => { fireEvent.click(button('Allow once')) })
  expect(answers(memory)).toEqual([{ kind: 'allow' }])
})

test('a card that comes up under the pointer is not answered before the pointer moved (R70)', async () => {
  const memory = await showCards(queue.slice(2))
  const rectangle = { left: 0, right: 100, top: 0, bottom: 100, x: 0, y: 0, width: 100, height: 100, toJSON: () => ({}) }
  vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockReturnValue(rectangle)
  // jsdom knows no place of a pointer event.
  window.dispatchEvent(new MouseEvent('pointermove', { clientX: 50, clientY: 50 }))
  await act(() => { memory.push('approval/changed', [{ ...queue[2], nonce: 'nonce-new' } as never]); return Promise.resolve() })
  await armed()
  fireEvent.click(button('Allow once'), { detail: 1 })
  expect(answers(memory)).toEqual([])
  fireEvent.pointerMove(button('Allow once'))
  await doing(() => { fireEvent.click(button('Allow once'), { detail: 1 }) })
  expect(answers(memory)).toEqual([{ kind: 'allow' }])
  vi.restoreAllMocks()
})
