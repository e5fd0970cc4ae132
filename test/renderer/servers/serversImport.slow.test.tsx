import { fireEvent, screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { showDialog } from '../../../src/renderer/features/servers/serverStore'
import { fail, succeed } from '../../../src/shared/domain/result'
import { previews } from '../stories/serverWorld'
import { asks, later, onServersPage, open, press } from '../stories/serversPage'
import { doing } from '../support'

onServersPage()

test('an import shows first what would come in: new ticked, there already not to be had, a taken name to be changed (R43)', async () => {
  const memory = await open({ answers: { 'mcp/import': ({ rows }) => succeed({ added: rows.map((one) => one.as) }) } })
  await doing(() => showDialog('import'))
  await later(20)
  const dialog = within(screen.getByRole('dialog', { name: 'Import from other tools' }))
  expect(['weather', 'docs', 'browser'].map((name) => { const tick = dialog.getByRole<HTMLInputElement>('checkbox', { name: `Take ${name}` }); return [tick.checked, tick.disabled] })).toEqual([[true, false], [false, false], [false, true]])
  expect(dialog.getByText('WEATHER_KEY')).toBeDefined()
  expect(asks(memory, 'mcp/import')).toEqual([])
  fireEvent.click(dialog.getByRole('checkbox', { name: 'Take docs' }))
  const name = dialog.getByRole('textbox', { name: 'New name for docs' })
  fireEvent.change(name, { target: { value: 'docs' } })
  expect([dialog.getByText('This name is taken.'), dialog.getByRole<HTMLButtonElement>('button', { name: 'Import 2 servers' }).disabled].at(1)).toBe(true)
  fireEvent.change(name, { target: { value: 'docs-remote' } })
  await doing(() => { fireEvent.click(dialog.getByRole('button', { name: 'Import 2 servers' })) })
  await later(20)
  expect(asks(memory, 'mcp/import')).toEqual([{ source: { path: previews[0]?.source }, rows: [{ name: 'weather', as: 'weather' }, { name: 'docs', as: 'docs-remote' }] }])
  expect(dialog.getByRole('status').textContent).toContain('2 servers were added. With your next message they start once, to list their tools.')
})

test('a pasted text is looked at first; typing on forgets what was found (R43)', async () => {
  const memory = await open({ answers: { 'mcp/import': () => succeed({ added: ['weather'] }) } })
  await doing(() => showDialog('paste'))
  const dialog = within(screen.getByRole('dialog', { name: 'Paste a configuration' }))
  const text = dialog.getByRole('textbox', { name: 'JSON, TOML or a command line' })
  fireEvent.change(text, { target: { value: 'npx -y weather-mcp' } })
  await doing(() => { fireEvent.click(dialog.getByRole('button', { name: 'Look at it' })) })
  expect(dialog.getByRole('checkbox', { name: 'Take weather' })).toBeDefined()
  fireEvent.change(text, { target: { value: 'npx -y weather-mcp --units metric' } })
  expect(dialog.queryByRole('checkbox', { name: 'Take weather' })).toBeNull()
  await doing(() => { fireEvent.click(dialog.getByRole('button', { name: 'Look at it' })) })
  await doing(() => { fireEvent.click(dialog.getByRole('button', { name: 'Import 1 server' })) })
  expect(asks(memory, 'mcp/import')).toEqual([{ source: { text: 'npx -y weather-mcp --units metric' }, rows: [{ name: 'weather', as: 'weather' }] }])
})

test('of two sources the second may fail: what came in stays in, and the reason is said (R43)', async () => {
  const [first] = previews
  const second = { source: '/home/ada/.cursor/mcp.json', tool: 'Cursor', faults: [], rows: [{ name: 'maps', transport: 'http', what: 'https://maps.example/mcp', env: [], headers: [], state: 'new', as: 'maps' }] } as const
  const memory = await open({ answers: { 'mcp/scan': () => (first ? [first, second] : []), 'mcp/import': ({ rows }) => (rows[0]?.name === 'maps' ? fail('mcp.import-gone', { path: second.source }) : succeed({ added: ['weather'] })) } })
  await doing(() => showDialog('import'))
  await later(20)
  const before = asks(memory, 'mcp/read').length
  await press('Import 2 servers')
  await later(20)
  const dialog = within(screen.getByRole('dialog', { name: 'Import from other tools' }))
  expect(dialog.getByRole('alert').textContent).toBe('/home/ada/.cursor/mcp.json is no longer there to be imported from.')
  expect(asks(memory, 'mcp/read').length).toBeGreaterThan(before)
  expect(dialog.getByRole<HTMLButtonElement>('button', { name: 'Cancel' }).disabled).toBe(false)
})
