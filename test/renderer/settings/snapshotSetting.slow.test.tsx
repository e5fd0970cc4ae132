import { cleanup, fireEvent, screen } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, expect, test } from 'vitest'
import { SnapshotSetting } from '../../../src/renderer/features/settings/SnapshotSetting'
import { defaultSettings, type SnapshotSettings } from '../../../src/shared/domain/settings'
import { show } from '../support'

afterEach(cleanup)

function shown(): readonly SnapshotSettings[] {
  const kept: SnapshotSettings[] = []
  function Page() {
    const [value, setValue] = useState(defaultSettings.snapshots)
    return <SnapshotSetting value={value} onChange={(next) => { kept.push(next); setValue(next) }} />
  }
  show(<Page />)
  return kept
}

test('R80 the list of what is left out is shown and edited: a line more, a line less, and back to the usual one', () => {
  const kept = shown()
  const list = screen.getByRole('list', { name: 'Left out of every snapshot' })
  expect(list.querySelectorAll('li')).toHaveLength(defaultSettings.snapshots.leaveOut.length)
  const field = screen.getByRole('textbox', { name: 'Leave out as well' })
  fireEvent.change(field, { target: { value: ' generated/ ' } })
  fireEvent.keyDown(field, { key: 'Enter' })
  expect(kept.at(-1)?.leaveOut.at(-1)).toBe('generated/')
  fireEvent.change(field, { target: { value: 'generated/' } })
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Leave out' }).disabled).toBe(true)
  fireEvent.click(screen.getByRole('button', { name: 'Hold node_modules/ again' }))
  expect(kept.at(-1)?.leaveOut).not.toContain('node_modules/')
  fireEvent.click(screen.getByRole('button', { name: 'Back to the usual list' }))
  expect(kept.at(-1)?.leaveOut).toEqual(defaultSettings.snapshots.leaveOut)
})

test('R80 caps and retention are whole numbers in their bounds; a half-typed one changes nothing', () => {
  const kept = shown()
  const days = screen.getByRole('textbox', { name: 'Days that points are kept' })
  for (const bad of ['', '0', '3651', '1.5', 'x']) {
    fireEvent.change(days, { target: { value: bad } })
    expect(days.getAttribute('aria-invalid')).toBe('true')
    fireEvent.blur(days)
  }
  expect(kept).toEqual([])
  fireEvent.change(days, { target: { value: '7' } })
  expect(kept).toEqual([])
  fireEvent.blur(days)
  expect(kept.map(({ keepDays }) => keepDays)).toEqual([7])
  const size = screen.getByRole('textbox', { name: 'Largest file that is held' })
  fireEvent.change(size, { target: { value: '10' } })
  fireEvent.keyDown(size, { key: 'Enter' })
  expect(kept.at(-1)).toEqual({ ...defaultSettings.snapshots, keepDays: 7, fileMegabytes: 10 })
})
