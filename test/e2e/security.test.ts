import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { inWorld } from '../support/appUnderTest'
import { hasUserNamespaces, rendererSeccompModes } from '../support/asNobody'
import { item, missing } from '../support/electronChecklist'
import { childEnv, electronExecutable, repositoryRoot, sandboxArgs } from '../support/window'

/** What of the checklist needs starts of its own. */

// Names and proxies are closed to Chromium as well, so its own log is read, where a request stands before it fails.
test(item('E29', 'and Chromium asks for nothing by itself: no dictionary, no update, no name, from a first start on'), () =>
  inWorld({}, async (world) => {
    const log = path.join(world.base, 'net.json')
    const app = await world.start({ args: [`--log-net-log=${log}`] })
    await app.message.fill('a wrod to chekc')
    await delay(4000)
    const languages = await app.window.app.evaluate(({ session }) => session.defaultSession.getSpellCheckerLanguages())
    await app.close()
    const text = readFileSync(log, 'utf8')
    const asked = [...text.matchAll(/"(?:url|host|host_and_port|hostname)":"([^"]*)"/g)].map((match) => match[1] ?? '')
    expect({ isLog: text.includes('"constants"'), languages, asked: [...new Set(asked)] }).toEqual({ isLog: true, languages: [], asked: [] })
  }))

test(item('E28', 'a second start on the same data folder ends at once and opens its folder in the first'), () =>
  inWorld({}, async (world) => {
    const first = await world.open()
    const second = spawnSync(electronExecutable(), [...sandboxArgs, repositoryRoot, world.project], { env: childEnv({ COUNTERSIGN_DATA_DIR: world.dataDir, HOME: world.home }), timeout: 30_000 })
    await first.message.waitFor()
    const windows = await first.window.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)
    const gone = path.join(world.base, 'gone')
    spawnSync(electronExecutable(), [...sandboxArgs, repositoryRoot, gone], { env: childEnv({ COUNTERSIGN_DATA_DIR: world.dataDir, HOME: world.home }), timeout: 30_000 })
    await first.page.getByRole('alert').filter({ hasText: gone }).waitFor()
    expect({ status: second.status, windows }).toEqual({ status: 0, windows: 1 })
  }))

// As another user than root, Chromium's own sandbox has to be at work: `process.sandboxed` alone reads true without it as well.
test(item('E4', 'held by seccomp where we are not root'), async ({ skip }) => {
  if (!hasUserNamespaces()) return skip(missing('E4', 'no user namespaces for an ordinary user here, or not run as root: Chromium cannot be started as nobody'))
  const modes = await rendererSeccompModes()
  expect(modes.length).toBeGreaterThan(0)
  expect(new Set(modes)).toEqual(new Set(['2']))
})
