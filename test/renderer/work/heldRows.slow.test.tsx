import { cleanup, fireEvent, screen, within } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { ItemRow } from '../../../src/renderer/features/work/Rows'
import { outputs } from '../../../src/renderer/features/work/workStore'
import { applyEvent, emptyChat, type CallView } from '../../../src/shared/domain/chatView'
import { asId, type CallId } from '../../../src/shared/domain/ids'
import { said, type Said } from '../../../src/shared/domain/result'
import { say } from '../../../src/shared/words/say'
import { events, heldDrafts, sessionId, workDrafts } from '../stories/world'
import { fakeBrowser, show } from '../support'

afterEach(cleanup)

test('rows of commands say what held them where that is not the plain sandbox, and a rule’s seal opens the rule (R69, R72, R73)', () => {
  fakeBrowser()
  const opened: string[] = []
  const past = { onOpenModels: () => undefined, onReplaceKey: () => undefined, onOtherModel: () => undefined, onOpenRule: (id: string) => opened.push(id), linesOf: () => null, onUndoCall: () => undefined, canUndo: () => false, onRollBackTurn: () => undefined }
  const view = events([...workDrafts, ...heldDrafts]).reduce(applyEvent, emptyChat(sessionId))
  const item = view.items.at(-1)
  if (!item) throw new Error('no calls')
  show(<ItemRow item={item} past={past} />)
  const rows = within(screen.getAllByRole('list')[0] ?? document.body).getAllByRole('listitem')
  expect(rows.map((row) => [row.querySelector('.held')?.textContent ?? '', row.querySelector('.seal')?.textContent])).toEqual([
    ['', 'Rule 12'], ['', 'Built-in reader'], ['network', 'You signed'], ['outside', 'You signed'], ['kept from a copy', 'You signed'], ['', 'This turn'], ['', 'This session'],
  ])
  fireEvent.click(screen.getByTitle('Open rule 12'))
  expect(opened).toEqual(['12'])
})

test('R70 R73 R106: what was tried and then skipped shows nothing as its output, and what did not run says why in words of the person', () => {
  fakeBrowser()
  outputs.append(asId<CallId>('t1'), 'renamed 3 files\n')
  const call = (id: string, status: 'skipped' | 'denied', why: Said) => ({ ...lastCall(), callId: asId<CallId>(id), status, startedAtMs: null, exitCode: null, say: why, text: 'as the model read it' })
  const past = { onOpenModels: () => undefined, onReplaceKey: () => undefined, onOtherModel: () => undefined, onOpenRule: () => undefined, linesOf: () => null, onUndoCall: () => undefined, canUndo: () => false, onRollBackTurn: () => undefined }
  show(<ItemRow item={{ kind: 'calls', seq: 1, step: 1, calls: [call('t1', 'skipped', said('tool.skipped')), call('t2', 'denied', said('tool.denied')), { ...call('t3', 'denied', said('path.stale', { path: 'a.txt' })), tool: 'edit_file', effect: 'write', status: 'failed' }] }} past={past} />)
  expect([...document.querySelectorAll('.tail')].map((tail) => tail.textContent)).toEqual([say('en', said('tool.skipped')), say('en', said('tool.denied')), say('en', said('path.stale', { path: 'a.txt' }))])
})

test('R75 R80: a call that no snapshot could be taken for is “Not run”, while it is asked again and when it ended so; what was changed says whether it can be taken back', () => {
  fakeBrowser()
  const notRun = said('snapshot.failed', { why: said('snapshot.disk-full') })
  const call = (id: string, more: Partial<CallView>): CallView => ({ ...lastCall(), callId: asId<CallId>(id), tool: 'edit_file', effect: 'write', args: { path: 'a.txt' }, startedAtMs: null, exitCode: null, content: [], ...more })
  const past = { onOpenModels: () => undefined, onReplaceKey: () => undefined, onOtherModel: () => undefined, onOpenRule: () => undefined, linesOf: () => null, onUndoCall: () => undefined, canUndo: (id: string) => id === 'held', onRollBackTurn: () => undefined }
  const calls = [
    call('again', { progress: 'waiting', status: null, say: null, notRun }), call('ended', { status: 'failed', say: notRun }), call('ran', { progress: 'finished', status: 'failed', say: said('path.stale', { path: 'a.txt' }), notRun }),
    call('held', { status: 'ok', startedAtMs: 1, coverage: 'full' }), call('lost', { status: 'ok', startedAtMs: 1, coverage: 'none' }), call('ran-code', { tool: 'web_search', effect: 'execute', status: 'ok', startedAtMs: 1, coverage: 'none' }),
  ]
  show(<ItemRow item={{ kind: 'calls', seq: 1, step: 1, calls }} past={past} />)
  const rows = within(screen.getAllByRole('list')[0] ?? document.body).getAllByRole('listitem')
  expect(rows.map((row) => row.textContent.includes('Not run'))).toEqual([true, true, false, false, false, false])
  expect(rows[1]?.querySelector('.tail')?.textContent).toBe('No snapshot could be taken (disk full). Nothing was run.')
  for (const row of rows) fireEvent.click(row.querySelector('.call') ?? row)
  expect(rows.map((row) => /Can be taken back in the timeline\.|No snapshot holds these files: cannot be taken back\./.exec(row.textContent)?.[0] ?? null)).toEqual([null, null, null, 'Can be taken back in the timeline.', 'No snapshot holds these files: cannot be taken back.', null])
})

function lastCall(): CallView {
  const item = events([...workDrafts, ...heldDrafts]).reduce(applyEvent, emptyChat(sessionId)).items.at(-1)
  const found = item?.kind === 'calls' ? item.calls.find(({ tool }) => tool === 'run_command') : undefined
  if (!found) throw new Error('no command')
  return found
}
