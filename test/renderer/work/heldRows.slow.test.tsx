import { cleanup, fireEvent, screen, within } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { ItemRow } from '../../../src/renderer/features/work/Rows'
import { applyEvent, emptyChat } from '../../../src/shared/domain/chatView'
import { events, heldDrafts, sessionId, workDrafts } from '../stories/world'
import { fakeBrowser, show } from '../support'

afterEach(cleanup)

test('rows of commands say what held them where that is not the plain sandbox, and a rule’s seal opens the rule (R69, R72, R73)', () => {
  fakeBrowser()
  const opened: string[] = []
  const past = { onOpenModels: () => undefined, onOpenRule: (id: string) => opened.push(id), linesOf: () => null, onUndoCall: () => undefined, canUndo: () => false, onRollBackTurn: () => undefined }
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
