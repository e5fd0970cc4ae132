import path from 'node:path'
import { expect, test } from 'vitest'
import { openSettings } from '../../../../src/main/adapters/settings/settingsStore'
import type { SettingsJob } from '../../../support/children/settingsChild'
import { childOf } from '../../../support/childProcess'
import { scratchFolder } from '../../../support/scratchDatabase'

const startChild = childOf('settingsChild')

test('i02 R97: a save that is killed 50 times never leaves a bad file, and loses no saved change', async () => {
  const file = path.join(scratchFolder(), 'settings.json')
  let saves = 0
  for (let round = 0; round < 50; round += 1) {
    const from = 1 + ((round * 13) % 800)
    const child = startChild({ file, from } satisfies SettingsJob)
    await child.line(`saved ${from + 1}`)
    await new Promise((resolve) => setTimeout(resolve, (round * 7) % 16))
    child.process.kill('SIGKILL')
    await child.ended
    const saved = child.lines.filter((line) => line.startsWith('saved')).map((line) => Number(line.split(' ')[1]))
    saves += saved.length
    const { settings, faults } = await openSettings(file).read()
    expect(faults).toEqual([])
    const last = saved.at(-1)
    // The last one that was said to be saved, or the one after it.
    if (last !== undefined) expect([last, (last % 900) + 1]).toContain(settings.maxSteps)
  }
  expect(saves).toBeGreaterThanOrEqual(50)
  expect(await openSettings(file).change({ maxSteps: 1 })).toMatchObject({ ok: true })
}, 120_000)
