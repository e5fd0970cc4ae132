import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, cpSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { contentPolicy } from '../../src/main/app/electron/contentPolicy'
import { childEnv, electronExecutable, launchWindow, repositoryRoot, sandboxArgs, type OpenedWindow } from '../support/window'

describe('the window keeps its fences', () => {
  let window: OpenedWindow

  beforeAll(async () => {
    window = await launchWindow()
  })
  afterAll(() => window.close())

  test('the page comes from the app scheme and draws without a complaint', async () => {
    await window.page.waitForSelector('#root > *')
    expect({ url: window.page.url(), title: await window.page.title(), complaints: window.complaints }).toEqual({
      url: 'app://ui/',
      title: 'Countersign',
      complaints: [],
    })
  })

  test('the renderer is sandboxed, isolated and without node (E2, E3, E4, E6, E8 to E11)', async () => {
    const preferences = await window.app.evaluate(({ webContents }) =>
      webContents.getAllWebContents().map((contents) => {
        // Not in the published types; it tells what Chromium was really given.
        const given = (contents as unknown as { getLastWebPreferences(): Record<string, unknown> }).getLastWebPreferences()
        const names = ['sandbox', 'contextIsolation', 'nodeIntegration', 'nodeIntegrationInWorker', 'nodeIntegrationInSubFrames', 'webviewTag', 'webSecurity', 'allowRunningInsecureContent', 'experimentalFeatures']
        return Object.fromEntries(names.map((name) => [name, given[name] ?? false]))
      }),
    )
    expect(preferences).toEqual([
      {
        sandbox: true,
        contextIsolation: true,
        nodeIntegration: false,
        nodeIntegrationInWorker: false,
        nodeIntegrationInSubFrames: false,
        webviewTag: false,
        webSecurity: true,
        allowRunningInsecureContent: false,
        experimentalFeatures: false,
      },
    ])
    const seen = await window.page.evaluate(() => ['require', 'process', 'module', 'Buffer', 'electron', 'ipcRenderer'].filter((name) => name in globalThis))
    expect(seen).toEqual([])
  })

  test('every permission is refused (E5)', async () => {
    const answers = await window.page.evaluate(async () => {
      const names = ['geolocation', 'notifications', 'camera', 'microphone', 'clipboard-read', 'clipboard-write', 'midi', 'persistent-storage', 'screen-wake-lock', 'local-fonts']
      const states: Record<string, string> = {}
      for (const name of names) {
        const status = await navigator.permissions.query({ name: name as PermissionName }).catch(() => ({ state: 'denied' }))
        states[name] = status.state
      }
      const place = await new Promise<string>((resolve) => {
        navigator.geolocation.getCurrentPosition(() => resolve('given'), (error) => resolve(error.code === error.PERMISSION_DENIED ? 'denied' : error.message))
      })
      const asked = await Notification.requestPermission()
      return { granted: Object.keys(states).filter((name) => states[name] !== 'denied'), notification: Notification.permission, asked, place }
    })
    expect(answers).toEqual({ granted: [], notification: 'denied', asked: 'denied', place: 'denied' })
  })

  test('the policy is strict and is obeyed (E7)', async () => {
    const header = await window.page.evaluate(async () => (await fetch('app://ui/')).headers.get('content-security-policy'))
    expect(header).toBe(contentPolicy)
    expect(contentPolicy).toMatch(/^default-src 'none'/)
    expect(contentPolicy).not.toMatch(/unsafe-eval|script-src[^;]*unsafe-inline|https?:/)
    const hasRun = await window.page.evaluate(async () => {
      const script = document.createElement('script')
      script.textContent = 'window.injected = true'
      document.head.append(script)
      const frame = document.createElement('iframe')
      frame.src = 'https://example.invalid/'
      document.body.append(frame)
      const fetched = await fetch('https://example.invalid/').then(() => true, () => false)
      frame.remove()
      return { inline: 'injected' in window, fetched }
    })
    expect(hasRun).toEqual({ inline: false, fetched: false })
  })

  test('nothing beside the bundle is served (E20)', async () => {
    const answers = await window.page.evaluate(async () => {
      const addresses = ['app://ui/../package.json', 'app://ui/%2e%2e/main/index.js', 'app://ui/..%2f..%2fpackage.json', 'app://ui/assets', 'app://other/index.html', 'file:///etc/passwd']
      return Promise.all(addresses.map((address) => fetch(address).then((response) => response.status, () => 'refused')))
    })
    expect(answers).toEqual([404, 404, 404, 404, 'refused', 'refused'])
  })

  test('a webview, a foreign page and a second window get nothing (E12, E13, E14)', async () => {
    const opened = await window.page.evaluate(() => {
      document.body.append(document.createElement('webview'))
      const child = globalThis.open('https://example.invalid/')
      location.href = 'https://example.invalid/'
      return child === null
    })
    await window.page.waitForTimeout(300)
    await window.page.evaluate(() => {
      location.href = 'file:///etc/passwd'
    }).catch(() => undefined)
    await window.page.waitForTimeout(300)
    const contents = await window.app.evaluate(({ webContents }) => webContents.getAllWebContents().map((each) => each.getURL()))
    expect({ opened, contents }).toEqual({ opened: true, contents: ['app://ui/'] })
  })
})

test('state lies in the data folder, for its owner alone (E28)', async () => {
  const window = await launchWindow()
  const entries = readdirSync(window.dataDir)
  const mode = statSync(window.dataDir).mode & 0o777
  await window.close()
  expect({ mode, hasWindow: entries.includes('window') }).toEqual({ mode: 0o700, hasWindow: true })
})

test('a second start on the same data folder ends at once and leaves the first alone (E28)', async () => {
  const window = await launchWindow()
  const second = spawnSync(electronExecutable(), [...sandboxArgs, repositoryRoot], {
    env: childEnv({ COUNTERSIGN_DATA_DIR: window.dataDir }),
    timeout: 30_000,
  })
  const windows = await window.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)
  await window.close()
  expect({ status: second.status, windows }).toEqual({ status: 0, windows: 1 })
})

test('a plain first word goes to the headless host and opens no window', () => {
  const dataDir = mkdtempSync(path.join(os.tmpdir(), 'countersign-e2e-'))
  const { status, stdout, stderr } = spawnSync(electronExecutable(), [...sandboxArgs, repositoryRoot, 'frobnicate'], {
    env: childEnv({ COUNTERSIGN_DATA_DIR: dataDir }),
    encoding: 'utf8',
    timeout: 30_000,
  })
  rmSync(dataDir, { recursive: true })
  expect({ status, stdout, isSaid: stderr.includes('no such command: frobnicate\n') }).toEqual({ status: 2, stdout: '', isSaid: true })
})

/** Some containers forbid user namespaces to ordinary users: Chromium's sandbox does not start there for anybody. */
const hasNamespaces = process.platform === 'linux' && process.getuid?.() === 0 && spawnSync('runuser', ['-u', 'nobody', '--', 'unshare', '--user', 'true']).status === 0

// As another user than root, Chromium's own sandbox has to be at work: `process.sandboxed` alone reads true without it as well.
test.runIf(hasNamespaces)('the renderer is held by seccomp where we are not root (E4)', async () => {
  const scratch = mkdtempSync(path.join(os.tmpdir(), 'countersign-nobody-'))
  chmodSync(scratch, 0o777)
  try {
    const modes = await rendererSeccompModes(scratch)
    expect(modes.length).toBeGreaterThan(0)
    expect(new Set(modes)).toEqual(new Set(['2']))
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
})

/** Copies of the runtime, the built app and its packages: `nobody` may not read where this repository or the cache lie. */
function copyForNobody(scratch: string): { runtime: string; app: string; env: Record<string, string> } {
  const copy = (from: string, to: string): void => cpSync(from, path.join(scratch, to), { recursive: true })
  copy(path.dirname(electronExecutable()), 'electron')
  for (const name of ['package.json', 'out/main', 'out/preload', 'out/renderer', 'resources']) copy(path.join(repositoryRoot, name), path.join('app', name))
  const installed = readFileSync(path.join(repositoryRoot, 'node_modules/.package-lock.json'), 'utf8')
  for (const [name, entry] of Object.entries((JSON.parse(installed) as { packages: Record<string, { dev?: boolean }> }).packages)) {
    const isNested = name.lastIndexOf('node_modules/') > 0 // comes with the one it lies in
    if (!entry.dev && !isNested) copy(path.join(repositoryRoot, name), path.join('app', name))
  }
  const addon = process.env['COUNTERSIGN_SQLITE_BINDING']
  if (addon) copy(addon, 'addon.node')
  const own = { COUNTERSIGN_DATA_DIR: path.join(scratch, 'data'), HOME: scratch, XDG_CONFIG_HOME: scratch, COUNTERSIGN_SQLITE_BINDING: addon ? path.join(scratch, 'addon.node') : '' }
  return { runtime: path.join(scratch, 'electron'), app: path.join(scratch, 'app'), env: childEnv(own) }
}

/** Starts the built app as `nobody` and looks at its renderers in /proc. */
async function rendererSeccompModes(scratch: string): Promise<string[]> {
  const { runtime, app, env } = copyForNobody(scratch)
  const child = spawn('runuser', ['-u', 'nobody', '--', path.join(runtime, 'electron'), app], { env, stdio: 'ignore', detached: true })
  try {
    for (let tries = 0; tries < 100; tries++) {
      const modes = renderersOf(runtime).map((pid) => /^Seccomp:\s+(\d)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? '?')
      if (modes.length > 0) return modes
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
    return []
  } finally {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGKILL')
  }
}

function renderersOf(runtime: string): string[] {
  return readdirSync('/proc').filter((pid) => {
    if (!/^\d+$/.test(pid)) return false
    try {
      const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8')
      return words.startsWith(runtime) && words.includes('--type=renderer')
    } catch {
      return false
    }
  })
}
