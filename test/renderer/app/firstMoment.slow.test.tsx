import { fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { connectApp, go, useApp } from '../../../src/renderer/app/appStore'
import { defaultSettings } from '../../../src/shared/domain/settings'
import type { AppStart } from '../../../src/shared/ipc/views'
import { workspace } from '../stories/world'
import { fakeBrowser, freshHost } from '../support'

beforeEach(fakeBrowser)
afterEach(() => vi.unstubAllGlobals())

const start: AppStart = { version: '1', platform: 'linux', locale: 'en', settings: defaultSettings, faults: [], stopped: null, workspace, recent: [], sandbox: { kind: 'testing' }, audit: null, dataFolder: { path: '/d', setBy: null } }

/** A main process that is not ready before the test says so. */
function slowHost() {
  let answer: (start: AppStart) => void = () => undefined
  const memory = freshHost({ 'app/start': () => new Promise<AppStart>((resolve) => (answer = resolve)) })
  return { memory, ready: () => answer(start) }
}

test('R104: a key that is pressed in the first moment of the window is not lost', async () => {
  slowHost()
  document.body.innerHTML = '<div id="root"></div>'
  await import('../../../src/renderer/main')
  // The page counts as loaded when its script has run; a key may come right after that.
  fireEvent.keyDown(document.body, { key: '4', ctrlKey: true })
  expect(useApp.getState().page).toBe('servers')
  expect(screen.getByRole('navigation')).toBeDefined()
})

test.each(['answer', 'push'] as const)('R104: the folder of the start, told by %s, takes nobody back from the page they went to', async (way) => {
  const { memory, ready } = slowHost()
  const entered = vi.fn<(one: unknown) => void>()
  const connected = connectApp(entered, () => undefined)
  go('servers')
  if (way === 'push') memory.push('workspace/opened', workspace)
  ready()
  const stop = await connected
  expect([useApp.getState().page, useApp.getState().workspace?.id, entered.mock.calls.length]).toEqual(['servers', workspace.id, 1])
  // A folder that is opened later is what the person wants to see.
  memory.push('workspace/opened', workspace)
  expect(useApp.getState().page).toBe('work')
  stop()
})
