import { act, cleanup, fireEvent, screen, within } from '@testing-library/react'
import axe from 'axe-core'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { fail, said, succeed } from '../../../src/shared/domain/result'
import { fullDisk, undoAsked } from '../stories/undoStories'
import { doing, fakeBrowser } from '../support'
import { answers, armed, button, isThere, region, showCards, text } from './cardSupport'

beforeEach(() => { vi.useFakeTimers({ shouldAdvanceTime: true }); fakeBrowser() })
afterEach(() => { cleanup(); vi.useRealTimers(); vi.unstubAllGlobals() })

const cards = (name: string) => undoAsked[name] ?? []
const space = (bytes: number) => succeed({ bytes, points: 3, oldestAtMs: 0, isPackable: true })

test.each([
  ['undo-edit', 'Can be undone in full: a snapshot is taken right before.', '可以完整撤销：执行前会先建快照。'],
  ['undo-edit-ignored', 'Countersign cannot take this back: no snapshot holds src/settings.ts (left out by an ignore rule).', '副署无法收回此操作：快照不含 src/settings.ts（被忽略规则排除）。'],
  ['undo-install', 'Can be undone, except in 1 path that snapshots leave out: node_modules', '可以撤销，但快照未涵盖的 1 个路径除外：node_modules'],
  ['undo-known', 'What it changes in the project can be undone in full.', '它在项目内的改动可以完整撤销。'],
  ['undo-script', 'Can be undone, except in 5 paths that snapshots leave out: node_modules, coverage, data/orders.sqlite and 2 more', '可以撤销，但快照未涵盖的 5 个路径除外：node_modules、coverage、data/orders.sqlite，另有 2 个'],
  ['undo-server', 'Some of what it changes in the project can be undone. What the server does elsewhere cannot.', '它在项目内的部分改动可以撤销，服务在别处做的无法撤销。'],
  ['undo-stopped', 'No snapshot can be taken now (disk full). Nothing runs before one can.', '现在无法建立快照（磁盘已满）。能建快照之前什么都不会执行。'],
])('R80 the card %s says before approval how much can be undone, in both languages', async (name, en, zh) => {
  await showCards(cards(name), { mayReview: true })
  expect(text()).toContain(en)
  cleanup()
  await showCards(cards(name), { mayReview: true, locale: 'zh-CN' })
  expect(region('签字').textContent).toContain(zh)
})

test('R80 every path that no snapshot holds is listed with its reason; where a command names all it changes, none is', async () => {
  await showCards(cards('undo-script'))
  expect([...region().querySelectorAll('details li')].map((line) => line.textContent)).toEqual([
    'node_modules left out by an ignore rule', 'coverage left out by an ignore rule', 'data/orders.sqlite larger than the limit', 'run/server.sock not a regular file', 'vendor/lib/.git the inside of a git repository',
  ])
  expect([...region().querySelectorAll('.undobar > *')].map((one) => one.className)).toEqual(['partly'])
  cleanup()
  await showCards(cards('undo-known'))
  expect([region().querySelector('details'), [...region().querySelectorAll('.undobar > *')].map((one) => one.className)]).toEqual([null, ['covered']])
})

test('R80 a change says when the agent read the file', async () => {
  await showCards(cards('undo-edit'), { mayReview: true })
  expect(text()).toMatch(/Unchanged on disk since the agent read it, (?:Nov 3, )?14:03:40\./)
})

test('R75 R80 what was not run for want of room says so, packs, and is signed again', async () => {
  let bytes = 310_000_000
  const memory = await showCards(cards('undo-not-run'), { answers: { 'snapshot/space': () => space(bytes), 'snapshot/pack': () => { bytes = 100_000_000; return space(bytes) } } })
  const note = within(region()).getByRole('group', { name: 'Not run' })
  expect(note.textContent).toContain('No snapshot could be taken (disk full). Nothing was run.')
  expect(note.textContent).toContain('your signature is not used up')
  await doing(() => { fireEvent.click(button('Pack old points')) })
  await act(() => vi.advanceTimersByTimeAsync(20))
  expect(screen.getByRole('status').textContent).toMatch(/^Packed: 210\.?0? MB freed\. You can allow it again\.$/)
  expect((await axe.run(region(), { runOnly: ['wcag2a', 'wcag2aa'], rules: { 'color-contrast': { enabled: false } } })).violations).toEqual([])
  await armed()
  await doing(() => { fireEvent.click(button('Allow once')) })
  expect(answers(memory)).toEqual([{ kind: 'allow' }])
})

test('R80 packing that fails says why; for another reason than room there is no packing', async () => {
  await showCards(cards('undo-not-run'), { answers: { 'snapshot/space': () => space(1), 'snapshot/pack': () => fail('snapshot.disk-full') } })
  await doing(() => { fireEvent.click(button('Pack old points')) })
  await act(() => vi.advanceTimersByTimeAsync(20))
  expect(screen.getByRole('status').textContent).toBe('Not packed: disk full.')
  cleanup()
  await showCards(cards('undo-not-permitted'))
  expect([isThere('Pack old points'), text().includes('the system does not permit it')]).toEqual([false, true])
})

test('the reason is told once: a card that was not run does not say again that undo has stopped', async () => {
  await showCards(cards('undo-not-run'))
  expect([fullDisk.values['why'], text().includes('Nothing runs before one can')]).toEqual([said('snapshot.disk-full'), false])
})
