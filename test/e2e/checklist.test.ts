import { lstatSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { contentPolicy } from '../../src/main/app/electron/contentPolicy'
import { functionName } from '../../src/shared/ipc/bridge'
import { channels } from '../../src/shared/ipc/channels'
import { schemas } from '../../src/shared/ipc/schemas'
import { inWorld, makeAppWorld, type AppUnderTest, type AppWorld } from '../support/appUnderTest'
import { item, type ElectronItem } from '../support/electronChecklist'
import { leak, model } from '../support/hostileModel'
import { askForEverything, permissionNames } from '../support/pageWishes'
import { repositoryRoot } from '../support/window'

/** The page's bridge, as a script in the page finds it. */
type Bridge = Readonly<Record<string, (ask: unknown) => Promise<unknown>>>
type Answer = { readonly ok: boolean; readonly fault?: { readonly code: string } }

const key = 'sk-checklist-4711-never-on-disk'

let world: AppWorld
let app: AppUnderTest
let preferences: Readonly<Record<string, unknown>>

beforeAll(async () => {
  world = await makeAppWorld({ files: { 'a.txt': 'a\n' }, model: { steps: model(() => world.model.port) } })
  app = await world.start({ env: { ELECTRON_OF_THE_APP: 'x', NODE_OPTIONS: '--no-deprecation', BASH_ENV: '/nonexistent/bash-env', A_TOKEN: key } })
  const all = await inMain(({ webContents }) =>
    // Not in the published types; it tells what Chromium was really given.
    webContents.getAllWebContents().map((contents) => (contents as unknown as { getLastWebPreferences(): Record<string, unknown> }).getLastWebPreferences()),
  )
  expect(all.length).toBe(1)
  preferences = all[0] ?? {}
})
afterAll(() => world.remove())

/** Runs in the main process, like `electron.evaluate`. */
const inMain: AppUnderTest['window']['app']['evaluate'] = (...given: Parameters<AppUnderTest['window']['app']['evaluate']>) => app.window.app.evaluate(...given)

/** Calls a channel as a page that was taken over would. */
function call(name: string, ask: unknown): Promise<unknown> {
  return app.page.evaluate(([fn, json]) => (globalThis as unknown as { host: Bridge }).host[fn ?? '']?.(JSON.parse(json ?? '')), [functionName(name), JSON.stringify(ask)])
}

/** Answers the dialogs of main from now on, and keeps what they ask. */
async function answerDialogs(...responses: readonly number[]): Promise<void> {
  await inMain(({ dialog, shell }, given) => {
    const asked: string[] = []
    const waiting = [...given]
    ;(globalThis as unknown as { asked: string[] }).asked = asked
    shell.openExternal = (address) => Promise.resolve(void asked.push(`opened ${address}`))
    dialog.showMessageBox = ((options: { message: string; detail?: string }) => {
      asked.push([options.message, options.detail ?? ''].join(' ').trim())
      return new Promise((go) => setTimeout(go, 20, { response: waiting.shift() ?? 0, checkboxChecked: false }))
    }) as unknown as typeof dialog.showMessageBox
  }, responses)
}
const whatWasAsked = (): Promise<readonly string[]> => inMain(() => (globalThis as unknown as { asked: string[] }).asked)

describe('what the window is', () => {
  test(item('E1', 'the page comes from the app scheme, and no bundle names a foreign address without encryption'), () => {
    expect(app.page.url()).toBe('app://ui/')
    const built = path.join(repositoryRoot, 'out')
    const files = ['main', 'preload', 'renderer/assets'].flatMap((folder) => readdirSync(path.join(built, folder)).map((name) => path.join(built, folder, name))).filter((file) => /\.c?js$/.test(file))
    const named = new Set(files.flatMap((file) => [...readFileSync(file, 'utf8').matchAll(/\b(?:http|ws):\/\/([\w.:*-]+)/g)].map((match) => match[1])))
    // Names of XML and JSON Schema, loopback, the tutor that has no network, and words that explain what an address looks like.
    const harmless = /^(www\.w3\.org|(localhost|127\.0\.0\.1)(:[\d*]*)?|practice\.invalid|example\.com|name:word|www\.ibm\.com|json-schema\.org)$/
    expect([files.length > 5, [...named].filter((host) => !harmless.test(host ?? ''))]).toEqual([true, []])
  })

  const wanted: readonly (readonly [ElectronItem, Readonly<Record<string, unknown>>])[] = [
    ['E2', { nodeIntegration: false, nodeIntegrationInWorker: false, nodeIntegrationInSubFrames: false }],
    ['E3', { contextIsolation: true }],
    ['E4', { sandbox: true }],
    ['E6', { webSecurity: true }],
    ['E8', { allowRunningInsecureContent: false }],
    ['E9', { experimentalFeatures: false }],
    ['E10', { enableBlinkFeatures: false }],
    ['E11', { webviewTag: false }],
    // A dropped file or link would be gone to.
    ['E13', { navigateOnDragDrop: false }],
  ]
  for (const [number, told] of wanted) {
    test(item(number, 'as Chromium was told'), () => {
      expect(Object.fromEntries(Object.keys(told).map((name) => [name, preferences[name] || false]))).toEqual(told)
    })
  }

  test(item('E2', 'a page and a frame of it find nothing of node or Electron'), async () => {
    const seen = await app.page.evaluate(() => {
      const frame = document.createElement('iframe')
      document.body.append(frame)
      const names = ['require', 'process', 'module', 'Buffer', 'global', 'electron', 'ipcRenderer', '__dirname']
      const inner = frame.contentWindow as object
      const found = [names.filter((name) => name in globalThis), [...names, 'host'].filter((name) => name in inner)]
      frame.remove()
      return found
    })
    expect(seen).toEqual([[], []])
  })

  test(item('E3', 'one frozen object: a function a channel, and nothing that sends freely'), async () => {
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

  test(item('E4', 'the preload asks for nothing but electron'), () => {
    const preload = readFileSync(path.join(repositoryRoot, 'out/preload/index.cjs'), 'utf8')
    expect([...preload.matchAll(/\brequire\(([^)]*)\)|\bimport\(/g)].map((match) => match[1]?.replaceAll(/['"`]/g, ''))).toEqual(['electron'])
  })
})

describe('what a page may', () => {
  test(item('E5', 'everything that Chromium knows, asked for and then tried'), async () => {
    const { known, states, given } = await app.page.evaluate(askForEverything, permissionNames)
    expect({ isWhole: known > 12, states, given }).toEqual({ isWhole: true, states: [], given: [] })
  })

  test(item('E5', 'in a session that somebody makes later as well'), async () => {
    const states = await inMain(async ({ BrowserWindow, session }) => {
      session.fromPartition('another').protocol.handle('app', () => new Response('<p>another</p>', { headers: { 'content-type': 'text/html' } }))
      const window = new BrowserWindow({ show: false, webPreferences: { partition: 'another' } })
      await window.loadURL('app://ui/')
      const answers = (await window.webContents.executeJavaScript('Promise.all([Notification.requestPermission(), ...["geolocation", "camera", "clipboard-read"].map((name) => navigator.permissions.query({ name }).then((one) => one.state))])')) as string[]
      window.destroy()
      return answers
    })
    expect(states).toEqual(['denied', 'denied', 'denied', 'denied'])
  })

  test(item('E7', 'on every answer; no inline script, no eval, no foreign frame, worker or fetch'), async () => {
    const headers = await app.page.evaluate(() => Promise.all(['app://ui/', 'app://ui/index.html', 'app://ui/not-there'].map(async (address) => (await fetch(address)).headers.get('content-security-policy'))))
    expect(new Set(headers)).toEqual(new Set([contentPolicy]))
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
      const worker = await new Promise<string>((resolve) => {
        try {
          const made = new Worker(URL.createObjectURL(new Blob(['postMessage(1)'])))
          made.onmessage = () => resolve('ran')
          made.onerror = () => resolve('refused')
        } catch {
          resolve('refused')
        }
      })
      return { inline: 'injected' in globalThis, evaluated, fetched, worker }
    })
    expect(ran).toEqual({ inline: false, evaluated: 'EvalError', fetched: false, worker: 'refused' })
  })

  test(item('E12', 'not even where the tag is on'), async () => {
    const kinds = await inMain(async ({ BrowserWindow, webContents }) => {
      const window = new BrowserWindow({ show: false, webPreferences: { webviewTag: true } })
      const tried = new Promise<boolean>((resolve) => window.webContents.once('will-attach-webview', (event) => resolve(event.defaultPrevented)))
      await window.loadURL('data:text/html,<webview src="data:text/html,x"></webview>')
      const isPrevented = await Promise.race([tried, new Promise((resolve) => setTimeout(resolve, 3000, 'never tried'))])
      const seen = webContents.getAllWebContents().map((contents) => contents.getType())
      window.destroy()
      return { isPrevented, seen: seen.filter((kind) => kind === 'webview') }
    })
    expect(kinds).toEqual({ isPrevented: true, seen: [] })
  })

  // In a window of its own: the driver takes a navigation that was held back for one that never ends.
  test(`${item('E13', 'a wish of the page, a redirect')}; ${item('E14', 'by a script or by a link')}`, () =>
    inWorld({}, async (other) => {
      const { app: electron, page } = (await other.open()).window
      const opened = await page.evaluate(() => {
        document.body.append(document.createElement('webview'))
        const link = Object.assign(document.createElement('a'), { href: 'https://example.invalid/', target: '_blank' })
        document.body.append(link)
        link.click()
        link.dispatchEvent(new MouseEvent('click', { ctrlKey: true, bubbles: true }))
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
      const redirected = await electron.evaluate(async ({ BrowserWindow, session }) => {
        session.fromPartition('redirect').protocol.handle('https', (request) => (request.url.includes('first') ? Response.redirect('https://second.invalid/') : new Response('there')))
        const window = new BrowserWindow({ show: false, webPreferences: { partition: 'redirect' } })
        const tried = new Promise<string>((resolve) => window.webContents.once('will-redirect', (event) => resolve(`${event.url} ${event.defaultPrevented}`)))
        await window.loadURL('https://first.invalid/').catch(() => undefined)
        const seen = await Promise.race([tried, new Promise((resolve) => setTimeout(resolve, 3000, 'never tried'))])
        const at = window.webContents.getURL()
        window.destroy()
        return { seen, isThere: at.includes('second') }
      })
      await page.evaluate(() => {
        location.href = 'file:///etc/passwd'
      }).catch(() => undefined)
      const contents = await electron.evaluate(({ webContents }) => webContents.getAllWebContents().map((each) => each.getURL()))
      expect({ opened, held, redirected, contents }).toEqual({ opened: true, held: ['https://example.invalid/ true', 'app://other/ true', 'app://ui/index.html true'], redirected: { seen: 'https://second.invalid/ true', isThere: false }, contents: ['app://ui/'] })
    }))

  test(item('E15'), async () => {
    await answerDialogs(0, 1)
    for (const url of ['javascript:alert(1)', 'file:///etc/passwd', 'smb://host/share', 'ms-msdt:x', 'http://example.invalid/', 'https://bank.example@example.invalid/', 'https://example.invalid/no', 'https://example.invalid/yes']) await call('link/open', { url })
    expect(await whatWasAsked()).toEqual([
      'Open this address outside Countersign? https://example.invalid/no',
      'Open this address outside Countersign? https://example.invalid/yes',
      'opened https://example.invalid/yes',
    ])
  })

  test(item('E20', 'a secure origin of its own, and nothing beside the bundle'), async () => {
    const seen = await app.page.evaluate(async () => {
      const addresses = ['app://ui/../package.json', 'app://ui/%2e%2e/main/index.js', 'app://ui/..%2f..%2fpackage.json', 'app://ui/assets', 'app://ui/..%5c..%5cpackage.json', 'app://other/index.html', 'file:///etc/passwd']
      const answers = await Promise.all(addresses.map((address) => fetch(address).then((response) => response.status, () => 'refused')))
      const posted = await fetch('app://ui/', { method: 'POST', body: 'x' }).then((response) => response.status, () => 'refused')
      return { origin: location.origin, isSecureContext, answers, posted }
    })
    expect(seen).toEqual({ origin: 'app://ui', isSecureContext: true, answers: [404, 404, 404, 404, 404, 'refused', 'refused'], posted: 404 })
  })
})

describe('what main takes', () => {
  test(item('E17', 'a foreign page with our preload, contents without a window, and a frame inside of our page are refused'), async () => {
    const answers = await inMain(async ({ app: electron, BrowserWindow, WebContentsView }) => {
      const preload = `${electron.getAppPath()}/out/preload/index.cjs`
      const ask = 'globalThis.host.appStart({}).then(() => "answered", (error) => error.message.includes("refused") ? "refused" : error.message)'
      const webPreferences = { preload, sandbox: true, contextIsolation: true, nodeIntegrationInSubFrames: true }
      const foreign = new BrowserWindow({ show: false, webPreferences })
      await foreign.loadURL('data:text/html,<p>foreign</p>')
      const unknown = new WebContentsView({ webPreferences })
      await unknown.webContents.loadURL('app://ui/')
      const framed = new BrowserWindow({ show: false, webPreferences })
      await framed.loadURL('app://ui/')
      await framed.webContents.executeJavaScript('new Promise((go) => { const frame = document.createElement("iframe"); frame.srcdoc = "<p>inside</p>"; frame.onload = () => go(0); document.body.append(frame) })')
      const results = {
        foreign: (await foreign.webContents.executeJavaScript(ask)) as unknown,
        unknown: (await unknown.webContents.executeJavaScript(ask)) as unknown,
        frame: await framed.webContents.mainFrame.frames[0]?.executeJavaScript(ask),
        top: (await framed.webContents.executeJavaScript(ask)) as unknown,
      }
      for (const window of [foreign, framed]) window.destroy()
      unknown.webContents.close()
      return results
    })
    expect(answers).toEqual({ foreign: 'refused', unknown: 'refused', frame: 'refused', top: 'answered' })
  })

  // All values that there are, against all channels: test/main/ipc/answer.test.ts. Here is what the bridge lets through of them.
  test(item('E18', 'what does not fit a schema never reaches a handler, and main lives on'), async () => {
    const junk: readonly unknown[] = [...fc.sample(fc.jsonValue(), { numRuns: 15, seed: 7 }), null, 'x', 3, []]
    const tries = channels.flatMap((name) => junk.filter((value) => !schemas[name].input.safeParse(value).success).map((value) => ({ name: functionName(name), json: JSON.stringify(value) })))
    expect(tries.length).toBeGreaterThan(channels.length * 10)
    const answered = await app.page.evaluate(async (all) => {
      const host = (globalThis as unknown as { host: Bridge }).host
      const results = await Promise.all(all.map(({ name, json }) => host[name]?.(JSON.parse(json)).then(() => name, () => null) ?? Promise.resolve(name)))
      return results.filter((name) => name !== null)
    }, tries)
    expect(answered).toEqual([])
    expect(await call('app/start', {})).toMatchObject({ stopped: null })
  })

  test(item('E19', 'asking less needs a yes in a dialog of main, asking more needs none; the default is not for the page to change'), async () => {
    const { id } = (await call('session/create', {})) as { id: string }
    const set = async (level: string): Promise<boolean> => ((await call('session/set-level', { sessionId: id, level })) as Answer).ok
    const level = async (): Promise<unknown> => ((await call('session/read', { sessionId: id, fromSeq: 1 })) as readonly { type: string; level?: string }[]).findLast((event) => event.level !== undefined)?.level
    await answerDialogs(0, 1, 0)
    expect([await set('commands'), await level(), await set('commands'), await level()]).toEqual([false, 'writes', true, 'commands'])
    expect([await set('all'), await level(), await set('writes'), await level(), await set('read-only'), await set('all')]).toEqual([true, 'all', false, 'all', true, false])
    await call('settings/change', { askingLevel: 'commands' })
    expect((await call('app/start', {})) as object).toMatchObject({ settings: { askingLevel: 'writes' } })
    const hint = `Ask less from now on? The level becomes "Ask for commands". writing inside the project does not wait`
    expect((await whatWasAsked()).slice(0, 2)).toEqual([hint, hint])
    expect((await whatWasAsked()).length).toBe(4)
  })

  test(item('E19', 'a page that asks again and again gets one dialog, and no for the rest'), async () => {
    const { id } = (await call('session/create', {})) as { id: string }
    await answerDialogs(1, 1, 1, 1)
    const answers = await Promise.all(['commands', 'commands', 'commands'].map((level) => call('session/set-level', { sessionId: id, level }) as Promise<Answer>))
    expect([answers.map((one) => one.ok), (await whatWasAsked()).length]).toEqual([[true, false, false], 1])
  })

  test(item('E19', 'a decision with another call, number or hash, and one sent again, decides nothing'), async () => {
    await app.button('session.new').first().click()
    await app.send('write')
    await app.card.filter({ hasText: 'made.txt' }).waitFor()
    const [request] = (await call('approval/list', {})) as readonly { callId: string; nonce: string; argsHash: string }[]
    const decision = { callId: request?.callId, nonce: request?.nonce, argsHash: request?.argsHash, answer: { kind: 'allow' } }
    const decide = async (more: object): Promise<boolean> => ((await call('approval/decide', { ...decision, ...more })) as Answer).ok
    expect([await decide({ callId: 'another' }), await decide({ nonce: 'another' }), await decide({ argsHash: 'a'.repeat(64) })]).toEqual([false, false, false])
    expect([readdirSync(world.project).includes('made.txt'), ((await call('approval/list', {})) as readonly unknown[]).length]).toEqual([false, 1])
    await app.allow('made.txt')
    await app.says('That is done.')
    await app.idle()
    expect([await decide({}), readFileSync(world.file('made.txt'), 'utf8')]).toEqual([false, 'made'])
  })
})

describe('what a run leaves', () => {
  test(item('E27', 'no element, script, link or picture of its own comes to life, and a link says where it leads'), async () => {
    await app.button('session.new').first().click()
    await app.send('hostile')
    await app.says('End of it.')
    await app.idle()
    const drawn = await app.conversation.evaluate((log) => ({
      elements: [...log.querySelectorAll('.prose :is(script, img, iframe, svg, style, form, input, meta, base, object, embed, link, video, audio), .prose [onerror], .prose [onload], .prose [style*="url"]')].map((one) => one.tagName),
      links: [...log.querySelectorAll('.prose a')].map((link) => link.getAttribute('href')?.slice(0, 40)),
      says: [...log.querySelectorAll('.prose .linkto')].map((one) => one.textContent),
      width: log.scrollWidth <= log.clientWidth,
      pwned: 'pwned' in globalThis,
    }))
    expect(drawn).toEqual({
      elements: [],
      links: ['https://example.invalid/page', 'https://example.invalid/login', `https://example.invalid/${'a'.repeat(16)}`],
      says: [' (example.invalid/page)', ' (example.invalid/login)', ` (example.invalid/${'a'.repeat(39)}…)`],
      width: true,
      pwned: false,
    })
    await answerDialogs(0, 0, 0)
    for (const link of await app.conversation.locator('.prose a').all()) await link.click()
    expect([(await whatWasAsked()).map((one) => one.slice(0, 63)), app.page.url()]).toEqual([Array(3).fill('Open this address outside Countersign? https://example.invalid/'), 'app://ui/'])
    expect(world.model.otherRequests.filter((request) => request.path.includes(leak))).toEqual([])
  })

  test(item('E25', 'nothing of the app, of Electron or of node, and no key, reaches a command'), async () => {
    await app.button('session.new').first().click()
    await app.send('environment')
    await app.allow('env.txt')
    await app.says('That is done.')
    await app.idle()
    const text = readFileSync(world.file('env.txt'), 'utf8')
    const names = text.split('\n').flatMap((line) => /^(\w+)=/.exec(line)?.[1] ?? [])
    expect(names).toContain('PATH')
    expect(names.filter((name) => /^(ELECTRON|NODE|COUNTERSIGN|CHROME|VITEST|LD_|BASH_ENV|ENV$|A_TOKEN)/.test(name))).toEqual([])
    expect([text.includes(key), text.includes('test-key-4711')]).toEqual([false, false])
  })

  test(item('E23', 'a key is kept by the keychain, or for this session alone where the system has none; never as text on the disk'), async () => {
    const hasKeychain = await inMain(({ safeStorage }) => safeStorage.isEncryptionAvailable() && (process.platform !== 'linux' || safeStorage.getSelectedStorageBackend() !== 'basic_text'))
    const saved = await call('provider/save-key', { provider: 'checked', key })
    expect(saved).toEqual({ ok: true, value: { place: hasKeychain ? 'keychain' : 'session' } })
    const files = readdirSync(world.dataDir, { recursive: true, encoding: 'utf8' }).map((name) => path.join(world.dataDir, name)).filter((file) => lstatSync(file).isFile())
    expect([files.length > 5, files.filter((file) => readFileSync(file).includes(key))]).toEqual([true, []])
  })

  test(item('E28', 'folders 0700 and files 0600 or less; what Chromium and the temporary files of commands keep lies behind such a folder'), () => {
    const modeOf = (name: string): number => lstatSync(path.join(world.dataDir, name)).mode & 0o777
    const all = readdirSync(world.dataDir, { recursive: true, encoding: 'utf8' })
    const own = all.filter((name) => !name.startsWith(`window${path.sep}`) && !/^sandbox.tmp.[0-9a-f]{24}./u.test(name))
    expect({ data: lstatSync(world.dataDir).mode & 0o777, window: modeOf('window') }).toEqual({ data: 0o700, window: 0o700 })
    expect([own.length > 8, own.filter((name) => (modeOf(name) & 0o077) !== 0).map((name) => `${modeOf(name).toString(8)} ${name}`)]).toEqual([true, []])
    const folders = own.filter((name) => lstatSync(path.join(world.dataDir, name)).isDirectory())
    expect(folders.filter((name) => modeOf(name) !== 0o700).map((name) => `${modeOf(name).toString(8)} ${name}`)).toEqual([])
  })
})
