import { cleanup, fireEvent, screen } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, expect, test } from 'vitest'
import { CeilingField } from '../../../src/renderer/features/settings/CeilingField'
import { settingsSchema } from '../../../src/shared/domain/settings'
import { show } from '../support'

afterEach(cleanup)

test('D02 the longest time of a command is a whole number of seconds up to a day, and none where the field is empty', () => {
  const kept: (number | null)[] = []
  function Page() {
    const [value, setValue] = useState<number | null>(null)
    return <CeilingField label="Longest" value={value} min={1} max={86_400} onKeep={(next) => { kept.push(next); setValue(next) }} />
  }
  show(<Page />)
  for (const text of ['0', '86401', '1.5', '5 s', '90', '90', '', '86400']) {
    fireEvent.change(screen.getByRole('textbox', { name: 'Longest' }), { target: { value: text } })
    fireEvent.blur(screen.getByRole('textbox', { name: 'Longest' }))
  }
  expect(kept).toEqual([90, null, 86_400])
  expect(kept.every((commandSeconds) => settingsSchema.pick({ commandSeconds: true }).safeParse({ commandSeconds }).success)).toBe(true)
})
