import { act, cleanup, fireEvent, screen, within } from '@testing-library/react'
import axe from 'axe-core'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { review, useApprovals } from '../../../src/renderer/features/approvals/approvalStore'
import type { ApprovalRequest } from '../../../src/shared/domain/approval'
import { fail } from '../../../src/shared/domain/result'
import type { MemoryAnswers, MemoryHost } from '../../support/memoryHost'
import { testCard, trialCard, trialRows, trialText } from '../stories/approvalWorld'
import { doing, fakeBrowser } from '../support'
import { answers, armed, button, isThere, region, showCards, text } from './cardSupport'

beforeEach(() => { vi.useFakeTimers({ shouldAdvanceTime: true }); fakeBrowser() })
afterEach(() => { cleanup(); vi.useRealTimers(); vi.unstubAllGlobals() })

async function result(asked: ApprovalRequest = trialCard(), locale: 'en' | 'zh-CN' = 'en'): Promise<MemoryHost> {
  const memory = await showCards([asked], { mayReview: true, locale, answers: bothSides })
  await act(() => vi.advanceTimersByTimeAsync(20))
  return memory
}

const bothSides: MemoryAnswers = { 'approval/trial-file': ({ path }) => ({ ok: true, value: trialText(path) }) }
const press = (key: string) => fireEvent.keyDown(window, { key, ctrlKey: true, shiftKey: true })

test('a trial’s card stays while it runs, without answers, and gives way to its result (R73)', async () => {
  const memory = await showCards([testCard])
  await armed()
  await doing(() => { fireEvent.click(button('Try')) })
  memory.push('approval/changed', [])
  await armed()
  expect([answers(memory), within(region()).getByRole('status').textContent, isThere('Try'), button('Allow once').getAttribute('aria-disabled')]).toEqual([[{ kind: 'try' }], 'Runs on a copy now. What it prints stands in the call’s row.', false, 'true'])
  for (const name of ['Allow once', 'Deny', 'Skip']) fireEvent.click(button(name))
  press('Y')
  press('N')
  expect(answers(memory)).toEqual([{ kind: 'try' }])
  await doing(() => memory.push('approval/changed', [{ ...trialCard(), callId: testCard.callId, nonce: 'nonce-2' }]))
  expect(within(region()).getByRole('heading').textContent).toBe('Tried on a copy. Keep what it did? ')
})

test('a trial that is stopped takes its card with it, and one that is refused leaves the question (R73)', async () => {
  const memory = await showCards([testCard])
  await armed()
  await doing(() => { fireEvent.click(button('Try')) })
  memory.push('approval/changed', [])
  await doing(() => memory.push('session/events', [{ v: 1, seq: 9, atMs: 1, sessionId: testCard.sessionId, type: 'approval-withdrawn', turnId: testCard.turnId, step: 1, callId: testCard.callId }]))
  expect([screen.queryByRole('region'), useApprovals.getState().trying]).toEqual([null, []])
  cleanup()
  await showCards([testCard], { answers: { 'approval/decide': () => fail('trial.not-here') } })
  await armed()
  await doing(() => { fireEvent.click(button('Try')) })
  expect([screen.getByRole('alert').textContent, useApprovals.getState().trying]).toEqual(['Trying is not possible on this system.', []])
})

test('a result shows what ran, what was refused, every file with its change, the diff and the end of the output (R73, DESIGN 5.12)', async () => {
  await result()
  const files = within(screen.getByRole('list', { name: 'Files changed by the trial' })).getAllByRole('button')
  expect(files.slice(0, 3).map((row) => row.textContent)).toEqual(['changed src/shipping/rollup.ts+9−9', 'created src/shipping/shipment.ts+48', 'deleted src/shipping/parcel.ts−48'])
  for (const sentence of ['Exit 0, 4.2 s', 'It ran on a copy of 11:24:07, network off.', 'Keeping writes these 14 files as one change, undoable in full.', 'The command is not run a second time. The agent gets this output.', 'Refused while it ran:write to ↗ /home/ada/.cache/rename/index', '14 files12 changed, 1 new, 1 gone', 'last 5 of 31 lines', '0 errors']) expect(text()).toContain(sentence)
  expect(screen.getByRole('group', { name: 'Command' }).textContent).toBe('node scripts/rename.mjs Parcel:Shipment src test docs && npx tsc --noEmit')
  expect(region().querySelectorAll('.dl.add.ab.cmd')).toHaveLength(3)
  expect(text()).not.toContain('renamed in file 3')
  fireEvent.click(button('Show all'))
  expect(text()).toContain('renamed in file 3')
})

test('another file is shown when it is chosen; what is no text is told by sizes and hashes (R73)', async () => {
  const memory = await result()
  await doing(() => { fireEvent.click(button(/docs\/map\.png/)) })
  expect(text()).toContain('Not a text.On disk: 1,200 bytes, SHA-256 aaaaaaaaaaaa…In the copy: 1,280 bytes, SHA-256 bbbbbbbbbbbb…')
  await doing(() => { fireEvent.click(button(/src\/shipping\/parcel\.ts/)) })
  await act(() => vi.advanceTimersByTimeAsync(20))
  expect(region().querySelectorAll('.dl.del')).toHaveLength(14)
  expect(memory.asked.filter((one) => one.channel === 'approval/trial-file').map((one) => one.ask)).toEqual(['src/shipping/rollup.ts', 'src/shipping/parcel.ts'].map((path) => ({ callId: 'c9', trialId: 'trial-1', path })))
})

test('Keep and Deny have their keys beside the diff, once armed; Discard has none (R70, R73)', async () => {
  const memory = await result()
  expect([answers(memory), button('Keep 14 files').getAttribute('aria-disabled')]).toEqual([[], 'true'])
  press('Y')
  fireEvent.click(button('Keep 14 files'))
  fireEvent.click(button('Discard'))
  expect(answers(memory)).toEqual([])
  await armed()
  press('M')
  await doing(() => { press('Y') })
  expect(answers(memory)).toEqual([{ kind: 'keep' }])
  cleanup()
  const second = await result()
  await armed()
  await doing(() => { press('N') })
  expect(answers(second)).toEqual([{ kind: 'deny', reason: '' }])
  cleanup()
  const third = await result()
  await armed()
  await doing(() => { fireEvent.click(button('Discard')) })
  expect(answers(third)).toEqual([{ kind: 'discard' }])
})

test('docked, a result is not kept: what would be written is signed beside its diff; typing goes on meanwhile (R70, R73)', async () => {
  const memory = await showCards([trialCard()], { answers: bothSides })
  const elsewhere = screen.getByRole('textbox', { name: 'elsewhere' })
  elsewhere.focus()
  await armed()
  expect([isThere(/^Keep/), isThere('Review changes'), document.activeElement === elsewhere]).toEqual([false, true, true])
  for (const key of ['Enter', ' ', 'Escape', 'Tab']) fireEvent.keyDown(elsewhere, { key })
  press('Y')
  expect(answers(memory)).toEqual([])
  await doing(() => { fireEvent.click(button('Review changes')) })
  expect([isThere('Keep 14 files'), document.activeElement === elsewhere]).toEqual([true, true])
})

test('Keep is inert while a file is no longer what the copy was made of, and says so (R73)', async () => {
  const memory = await result(trialCard({ changedSince: ['src/shipping/index.ts'] }))
  await armed()
  fireEvent.click(button('Keep 14 files'))
  press('Y')
  expect(answers(memory)).toEqual([])
  expect(text()).toContain('1 file changed since. Try again, or discard.')
  expect(button(/index\.ts/).textContent).toContain('changed since')
})

test('with no file changed there is nothing to keep: it can be allowed, denied or discarded (R73)', async () => {
  const memory = await result(trialCard({ files: [], refused: [] }))
  await armed()
  press('Y')
  expect([answers(memory), isThere(/^Keep/), text().includes('Nothing to keep.')]).toEqual([[], false, true])
  await doing(() => { fireEvent.click(button('Allow once')) })
  expect(answers(memory)).toEqual([{ kind: 'allow' }])
})

test('Keep is the solid button only after an exit of 0 (R73)', async () => {
  const solid = () => within(region()).getAllByRole('button').filter((one) => one.classList.contains('pri')).map((one) => one.textContent)
  await result()
  expect(solid()).toEqual(['Keep 14 files'])
  cleanup()
  await result(trialCard({ exitCode: 2 }))
  expect([solid(), region().querySelector('.chip.bad')?.textContent]).toEqual([[], 'Exit 2, 4.2 s'])
  cleanup()
  await result(trialCard({ exitCode: null, files: [] }))
  expect([solid(), text().includes('Did not end by itself')]).toEqual([['Deny'], true])
})

test('files that no snapshot would hold are told before they are kept (R80)', async () => {
  await result(trialCard({}, { coverage: { kind: 'partial', skipped: [{ path: 'docs', reason: 'too-large' }] } }))
  expect(text()).toContain('2 are not in snapshots and cannot be undone.')
})

test('F7 goes through the changes of a file; a very long change is drawn when asked for (R104, DESIGN 9)', async () => {
  const seen: string[] = []
  Element.prototype.scrollIntoView = function (this: Element) { seen.push(this.textContent?.includes('last') === true ? 'second' : 'first') }
  const before = ['first', ...Array.from({ length: 40 }, (_, at) => `line ${at}`), 'last'].join('\n')
  const memory = await showCards([trialCard()], { mayReview: true, answers: { 'approval/trial-file': () => ({ ok: true, value: { before, after: before.replace('first', 'first!').replace('last', 'last!') } }) } })
  await act(() => vi.advanceTimersByTimeAsync(20))
  expect(text()).toContain('change 1 of 2')
  fireEvent.keyDown(window, { key: 'F7' })
  expect([seen, text().includes('change 2 of 2')]).toEqual([['second'], true])
  fireEvent.keyDown(window, { key: 'F7', isComposing: true })
  fireEvent.keyDown(window, { key: 'F7', shiftKey: true })
  expect(seen).toEqual(['second', 'first'])
  cleanup()
  const [first, ...rest] = trialRows
  if (!first) throw new Error('no rows')
  await result(trialCard({ files: [{ ...first, added: 3000 }, ...rest] }))
  expect(text()).toContain('3,009 lines differ.')
  await doing(() => { fireEvent.click(button('Show them')) })
  await act(() => vi.advanceTimersByTimeAsync(20))
  expect(region().querySelectorAll('.dl.add')).toHaveLength(3)
  expect(answers(memory)).toEqual([])
})

test('a file that cannot be read says why', async () => {
  await showCards([trialCard()], { mayReview: true, answers: { 'approval/trial-file': () => fail('trial.gone') } })
  await act(() => vi.advanceTimersByTimeAsync(20))
  expect(text()).toContain('The copy of this trial is gone.')
})

test('a result in which many files changed lists them as they come into view (R73)', async () => {
  const [first] = trialRows
  if (!first) throw new Error('no rows')
  await result(trialCard({ files: Array.from({ length: 1200 }, (_, at) => ({ ...first, path: `src/file${at}.ts` })) }))
  expect(button('Keep 1,200 files')).toBeDefined()
  expect(within(screen.getByRole('group', { name: 'Files changed by the trial' })).getAllByRole('button').length).toBeLessThan(200)
})

test('R106: axe finds no fault with a result, docked and beside the conversation, in both languages', async () => {
  for (const locale of ['en', 'zh-CN'] as const) {
    for (const asked of [trialCard(), trialCard({ changedSince: ['docs/shipping.md'], exitCode: 1 }), trialCard({ files: [] })]) {
      await result(asked, locale)
      for (const place of ['review', 'docked'] as const) {
        if (place === 'docked') await doing(() => review(null))
        expect(region(locale === 'en' ? 'Approval' : '签字').textContent).not.toMatch(/\{\w+\}/)
        vi.useRealTimers()
        const found = await axe.run(document.body, { rules: { 'color-contrast': { enabled: false }, region: { enabled: false }, 'page-has-heading-one': { enabled: false } } })
        vi.useFakeTimers({ shouldAdvanceTime: true })
        expect(found.violations.map((one) => `${one.id}: ${one.nodes[0]?.html ?? ''}`)).toEqual([])
      }
      cleanup()
    }
  }
})
