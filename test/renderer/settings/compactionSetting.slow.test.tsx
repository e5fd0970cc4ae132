import { cleanup, fireEvent, screen } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, expect, test } from 'vitest'
import { CompactionSetting } from '../../../src/renderer/features/settings/CompactionSetting'
import { useLookup } from '../../../src/renderer/features/settings/lookupStore'
import { defaultSettings, type CompactionSettings } from '../../../src/shared/domain/settings'
import { show } from '../support'

afterEach(cleanup)

test('R24 R27 R33 share, kept turns, the way and the memory are chosen; a share outside its bounds changes nothing', () => {
  const kept: CompactionSettings[] = []
  function Page() {
    const [value, setValue] = useState(defaultSettings.compaction)
    return <CompactionSetting value={value} onChange={(next) => { kept.push(next); setValue(next) }} />
  }
  show(<Page />)
  const share = screen.getByRole('textbox', { name: 'Share of the window that may be full' })
  for (const bad of ['29', '96', '']) {
    fireEvent.change(share, { target: { value: bad } })
    fireEvent.blur(share)
    expect(document.getElementById(share.getAttribute('aria-describedby') ?? '')?.textContent).toBe('A whole number from 30 to 95.')
  }
  expect(kept).toEqual([])
  fireEvent.change(share, { target: { value: '60' } })
  fireEvent.blur(share)
  const turns = screen.getByRole('textbox', { name: 'Last turns kept word for word' })
  fireEvent.change(turns, { target: { value: '5' } })
  fireEvent.blur(turns)
  fireEvent.click(screen.getByText('In groups'))
  fireEvent.click(screen.getByRole('switch', { name: 'Offer a summary as a memory' }))
  expect(kept.at(-1)).toEqual({ strategy: 'groups', atShare: 0.6, keepTurns: 5, choice: null, proposesMemory: false })
})

test('R24 who writes summaries is chosen where compaction is set', () => {
  const kept: CompactionSettings[] = []
  useLookup.setState({ providers: [{ id: 'harbor', name: 'Harbor', model: 'tern-2' }] })
  show(<CompactionSetting value={defaultSettings.compaction} onChange={(next) => kept.push(next)} />)
  fireEvent.change(screen.getByRole('combobox', { name: 'Who writes summaries' }), { target: { value: 'harbor' } })
  expect(kept.map((one) => one.choice)).toEqual([{ provider: 'harbor', model: 'tern-2' }])
})
