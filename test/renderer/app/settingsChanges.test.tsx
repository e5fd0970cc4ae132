import { beforeEach, expect, test } from 'vitest'
import { changeSettings, connectApp, useApp } from '../../../src/renderer/app/appStore'
import { fail, succeed, type Result } from '../../../src/shared/domain/result'
import { defaultSettings, type Settings } from '../../../src/shared/domain/settings'
import { memoryHost, type MemoryHost } from '../../support/memoryHost'

/** A main process that answers a change when the test says so. */
let memory: MemoryHost
let answers: ((result?: Result<Settings>) => Promise<void>)[]
let kept: Settings

beforeEach(async () => {
  answers = []
  kept = defaultSettings
  memory = memoryHost({
    'settings/change': (change) => new Promise((resolve) => {
      answers.push(async (result) => {
        if (!result) kept = { ...kept, ...change } as Settings
        resolve(result ?? succeed(kept))
        await new Promise((rest) => setTimeout(rest))
      })
    }),
  })
  Object.defineProperty(window, 'host', { value: memory.host, configurable: true })
  useApp.setState(useApp.getInitialState(), true)
  await connectApp(() => undefined, () => undefined)
})

const settings = (): Settings => useApp.getState().settings ?? defaultSettings
const sent = (): unknown[] => memory.asked.filter((one) => one.channel === 'settings/change').map((one) => one.ask)
const web = (url: string): Settings['web'] => ({ search: { kind: 'searxng', url }, privateHosts: [] })

test('R86 what main says of an earlier change does not take back a later one', async () => {
  void changeSettings({ theme: 'light' })
  void changeSettings({ web: web('http://a') })
  const all = changeSettings({ web: web('http://b'), maxSteps: 9 })
  expect([sent(), settings().web, settings().theme]).toEqual([[{ theme: 'light' }], web('http://b'), 'light'])
  memory.push('settings/changed', { ...defaultSettings, theme: 'light' })
  expect(settings().web).toEqual(web('http://b'))
  await answers[0]?.()
  expect([sent(), settings().web]).toEqual([[{ theme: 'light' }, { web: web('http://b'), maxSteps: 9 }], web('http://b')])
  await answers[1]?.()
  await all
  expect(settings()).toEqual({ ...defaultSettings, theme: 'light', web: web('http://b'), maxSteps: 9 })
})

test('R86 a change that could not be kept is taken back alone, and said', async () => {
  void changeSettings({ theme: 'light' })
  await answers[0]?.()
  void changeSettings({ maxSteps: 9 })
  await answers[1]?.(fail('settings.cannot-open', { file: 'settings.json', problem: 'full' }))
  expect([settings(), useApp.getState().fault?.code]).toEqual([{ ...defaultSettings, theme: 'light' }, 'settings.cannot-open'])
})
