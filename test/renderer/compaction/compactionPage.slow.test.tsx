import { cleanup, fireEvent, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { CompactionView } from '../../../src/renderer/features/compaction/CompactionView'
import { connectContext } from '../../../src/renderer/features/compaction/contextStore'
import { turnsOfLine } from '../../../src/renderer/features/compaction/contextSums'
import { CompactedRow, SummaryFailed } from '../../../src/renderer/features/work/CompactedRow'
import { applyEvent, emptyChat } from '../../../src/shared/domain/chatView'
import type { AgentEvent } from '../../../src/shared/domain/event'
import { asId, type SessionId } from '../../../src/shared/domain/ids'
import { fail, said, succeed } from '../../../src/shared/domain/result'
import type { ContextPage } from '../../../src/shared/ipc/contextViews'
import { oneOfEach as drafts } from '../../support/drafts'
import type { MemoryAnswers, MemoryHost } from '../../support/memoryHost'
import { contextPages } from '../stories/contextStories'
import { fakeBrowser, freshHost, settle, show } from '../support'

// R29, R33: the page of what the model still knows (DESIGN 5.13).

beforeEach(fakeBrowser)
afterEach(cleanup)

const sessionId = asId<SessionId>('s')

async function open(page: ContextPage, answers: MemoryAnswers = {}, onTurn: (atMs: number) => void = () => undefined): Promise<MemoryHost> {
  const memory = freshHost({ 'context/read': () => page, ...answers })
  connectContext()
  show(<CompactionView session={{ id: sessionId, title: 'Index for orders' }} onBack={() => undefined} onTurn={onTurn} />)
  await settle()
  return memory
}

const story = (name: string): ContextPage => contextPages[name] ?? (() => { throw new Error(name) })()
const asked = (memory: MemoryHost, channel: string) => memory.asked.filter((one) => one.channel === channel).map((one) => one.ask)
const press = async (name: string | RegExp): Promise<void> => {
  fireEvent.click(screen.getByRole('button', { name }))
  await settle()
}

test('R29 two bars and a row for each part, in words too; pins and the way back are asked for', async () => {
  const memory = await open(story('compaction'), { 'context/pin': () => succeed(null), 'context/undo': () => succeed(null) })
  expect(screen.getAllByRole('img').map((bar) => bar.getAttribute('aria-label'))).toEqual([
    'Before, 214,300 of 262,144 · 82%, Fixed 9,400, Pinned 2,120, Kept 22,280, Summarised 148,600, Dropped 31,900',
    'After, 37,540 of 262,144 · 14%, Fixed 9,400, Pinned 2,120, Kept 22,280, Summarised 3,480, Dropped 260',
  ])
  const table = within(screen.getByRole('table', { name: 'Compaction' }))
  expect(table.getAllByRole('row').map((row) => row.querySelector('td')?.textContent)).toEqual([undefined, 'Fixed', 'Pinned', 'Pinned', 'Kept', 'Kept', 'Kept', 'Summarised', 'Dropped', 'Dropped'])
  await press('Unpin: “Never lock the orders table in working hours.”')
  await press('Pin: run_command, turn 12')
  expect(asked(memory, 'context/pin')).toEqual([{ sessionId, messageSeq: 2, isPinned: false }, { sessionId, messageSeq: 122, isPinned: true }])
  expect(screen.getByText(/At 82% it would soon compact again/)).toBeDefined()
  await press('Undo compaction')
  expect(asked(memory, 'context/undo')).toEqual([{ sessionId, compactionId: 'k1' }])
})

test('R29 each line of the summary leads to its turn, and can be edited; a fault keeps what was typed', async () => {
  const turns: number[] = []
  const memory = await open(story('compaction'), { 'context/edit-summary': () => fail('compaction.gone') }, (atMs) => turns.push(atMs))
  await press('turn 9')
  expect(turns).toEqual([8])
  fireEvent.click(within(screen.getByRole('region', { name: 'The summary' })).getAllByRole('button', { name: 'Edit' })[0] as HTMLElement)
  fireEvent.change(screen.getByRole('textbox', { name: 'The summary' }), { target: { value: 'Goal: other' } })
  await press('Save')
  expect(asked(memory, 'context/edit-summary')).toEqual([{ sessionId, compactionId: 'k1', summary: 'Goal: other' }])
  expect(screen.getByRole('textbox', { name: 'The summary' })).toHaveProperty('value', 'Goal: other')
  expect(screen.getByRole('alert').textContent).toContain('This compaction no longer holds.')
})

test('R29 headings and marks of Markdown in a summary are drawn, not spelled out; an edited one is said to be yours', async () => {
  const now = story('compaction')
  if (now.compaction === null) throw new Error('no compaction')
  await open({ ...now, compaction: { ...now.compaction, isEdited: true, summary: '## Goal\n\n- **Fast** lists with `npm test` (turn 1)\n\n### Decided:\n- Index (turn 4)\n\nOpen:\n- 2 # is no heading (turn 11)' } })
  const pane = within(screen.getByRole('region', { name: 'The summary' }))
  expect(pane.getAllByRole('heading', { level: 3 }).map((one) => one.textContent)).toEqual(['Goal', 'Decided', 'Open'])
  expect([pane.getByText('Fast').tagName, pane.getByText('npm test').tagName]).toEqual(['STRONG', 'CODE'])
  expect([pane.queryByText(/##|\*\*/), pane.getByText('2 # is no heading')].map((one) => one === null)).toEqual([true, false])
  expect(pane.getByText(/edited by you$/)).toBeDefined()
})

test('R33 the offered memory is taken, taken in other words, or refused', async () => {
  const memory = await open(story('compaction'), { 'context/remember': () => succeed(null) })
  const group = within(screen.getByRole('group', { name: 'Proposed as a memory of this project' }))
  fireEvent.click(group.getByRole('button', { name: 'Refuse' }))
  await settle()
  fireEvent.click(group.getByRole('button', { name: 'Edit' }))
  fireEvent.change(group.getByRole('textbox'), { target: { value: 'Indexes are built concurrently.' } })
  fireEvent.click(group.getByRole('button', { name: 'Remember' }))
  await settle()
  expect(asked(memory, 'context/remember')).toEqual([{ sessionId, compactionId: 'k1', text: null }, { sessionId, compactionId: 'k1', text: 'Indexes are built concurrently.' }])
})

test('R29 before a compaction there is one bar and nothing to undo; R26 a failed one is told with the way to try again', async () => {
  await open(story('compaction-failed'), { 'context/compact': () => succeed(null) })
  expect(screen.getAllByRole('img')).toHaveLength(1)
  expect(screen.queryByRole('button', { name: 'Undo compaction' })).toBeNull()
  expect(screen.getByRole('alert').textContent).toContain('The summary failed. The history stays whole. The model wrote no summary.')
  expect(screen.getByText(/Nobody says how large the window of wren-coder:30b is/)).toBeDefined()
  await press('Summarise again')
})

test('what happens to the session is read again; another session is not', async () => {
  const memory = await open(story('compaction-before'))
  const event = (id: SessionId): AgentEvent => ({ ...drafts['history-compacted'], v: 1, sessionId: id, seq: 4, atMs: 0 })
  memory.push('session/events', [event(sessionId), event(asId('other'))])
  memory.push('session/events', [event(asId('other'))])
  await settle()
  expect(asked(memory, 'context/read')).toHaveLength(2)
})

test('R29 the row in the conversation says what was done, leads to the page and back, and says when it was undone', async () => {
  const made = applyEvent({ ...emptyChat(sessionId), lastSeq: 3 }, { ...drafts['history-compacted'], v: 1, sessionId, seq: 4, atMs: 0 })
  const edited = applyEvent(made, { ...drafts['history-compacted'], v: 1, sessionId, seq: 5, atMs: 0 })
  const undone = applyEvent(edited, { ...drafts['compaction-undone'], v: 1, sessionId, seq: 6, atMs: 0 })
  expect(edited.items).toEqual(made.items)
  const did: string[] = []
  const row = (chat: typeof made) => {
    const [item] = chat.items
    return item?.kind === 'compacted' ? <CompactedRow item={item} onView={() => did.push('view')} onUndo={(id) => did.push(id)} /> : null
  }
  show(<>{row(made)}</>)
  expect(screen.getByText(/4 messages summarised, 3 turns kept whole\./)).toBeDefined()
  await press('View')
  await press('Undo')
  expect(did).toEqual(['view', 'k1'])
  show(<>{row(undone)}</>)
  expect(screen.getByText(/Compaction undone: 4 messages are sent again\./)).toBeDefined()
})

test('b09 R26 a failed summary offers to try again, a new session, another model', async () => {
  const did: string[] = []
  show(<SummaryFailed fact={said('compaction.failed', { why: said('compaction.empty') })} links={{ onCompact: () => did.push('again'), onNewSession: () => did.push('new'), onOpenModels: () => did.push('model') }} />)
  for (const name of ['Summarise again', 'New session', 'Other model']) await press(name)
  expect(did).toEqual(['again', 'new', 'model'])
})

test.each([['- x (turn 3)', '- x', [3]], ['- x (turns 3, 4)', '- x', [3, 4]], ['做完（第 12 轮）', '做完', [12]], ['x (turnip)', 'x (turnip)', []], ['plain', 'plain', []]])('%s names its turns', (line, text, turns) => {
  expect(turnsOfLine(line)).toEqual({ text, turns })
})
