import type { ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { _electron, errors, type ElectronApplication, type Page } from 'playwright-core'

/** The app in a real window, on a data folder of its own. */
export interface OpenedWindow {
  readonly app: ElectronApplication
  readonly page: Page
  readonly dataDir: string
  /** What the page wrote to its console, warnings and errors only. */
  readonly complaints: readonly string[]
  close(): Promise<void>
}

/** What may differ from a first start on an empty data folder, in English. */
export interface WindowOptions {
  /** Kept afterwards; without it a fresh one is made and removed on close. */
  readonly dataDir?: string
  readonly env?: Readonly<Record<string, string>>
  /** The app's own arguments. */
  readonly args?: readonly string[]
}

export const repositoryRoot = path.resolve(import.meta.dirname, '../..')

/** The executable that the set-up found. */
export function electronExecutable(): string {
  const file = process.env['ELECTRON_EXEC_PATH']
  if (!file) throw new Error('ELECTRON_EXEC_PATH is missing: the e2e project sets it in test/support/globalSetup.ts')
  return file
}

/** Chromium's own sandbox does not start as root. */
export const sandboxArgs: readonly string[] = process.getuid?.() === 0 ? ['--no-sandbox'] : []

/** The environment of a child: ours without what would turn Electron into plain node or tie it to this test run. */
export function childEnv(more: Readonly<Record<string, string>>): Record<string, string> {
  const env: Record<string, string> = {}
  for (const [name, value] of Object.entries(process.env)) {
    if (value !== undefined && !/^(ELECTRON_RUN_AS_NODE|NODE_OPTIONS|VITEST.*|NODE_ENV)$/.test(name)) env[name] = value
  }
  return { ...env, COUNTERSIGN_LOCALE: 'en', ...more }
}

/** How long a test waits for something to be on screen: far longer than it takes, and far shorter than a test may. */
const waitMs = 12_000
/** A start takes about a second; on a busy machine several. */
const launchMs = 20_000
/** What runs inside the app may itself wait for something. */
const evaluateMs = 30_000
/** Leaving takes a fraction of a second. */
const closeMs = 15_000

/** Starts the built app and waits for its first window. Close it in the same test. */
export async function launchWindow({ dataDir: given, env = {}, args = [] }: WindowOptions = {}): Promise<OpenedWindow> {
  const dataDir = given ?? mkdtempSync(path.join(os.tmpdir(), 'countersign-e2e-'))
  const app = await launch({ args: [...sandboxArgs, repositoryRoot, ...args], env: childEnv({ COUNTERSIGN_DATA_DIR: dataDir, ...env }) })
  const child = app.process()
  const complaints: string[] = []
  const page = await app.firstWindow({ timeout: launchMs })
  page.setDefaultTimeout(waitMs)
  for (const [name, device] of Object.entries({ keyboard: page.keyboard, mouse: page.mouse })) bound(device, name, ['down', 'up', 'press', 'type', 'insertText', 'move', 'click', 'dblclick', 'wheel'], waitMs)
  bound(page, 'page', ['evaluate', 'screenshot'], evaluateMs)
  bound(app, 'app', ['evaluate'], evaluateMs)
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  await page.waitForLoadState('load')
  // Nobody presses a key on a window that is not there yet.
  await app.evaluate(({ BrowserWindow }) => new Promise<void>((resolve) => {
    const [window] = BrowserWindow.getAllWindows()
    if (window?.isVisible() === false) window.once('show', () => resolve())
    else resolve()
  }))
  // On a virtual screen nobody manages windows, so none has the keyboard before it is clicked; the corner holds no control.
  await page.mouse.click(2, 2)
  return {
    app,
    page,
    dataDir,
    complaints,
    async close() {
      await end(app, child)
      if (given === undefined) rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/**
 * The driver finds the app by lines that Electron writes to stderr. Now and then one of them is torn by another thread's, and
 * the driver waits for ever although the app runs; then it is started once more.
 */
async function launch(how: { readonly args: readonly string[]; readonly env: Record<string, string> }): Promise<ElectronApplication> {
  const once = (): Promise<ElectronApplication> => _electron.launch({ executablePath: electronExecutable(), args: ['--log-level=3', ...how.args], env: how.env, cwd: repositoryRoot, timeout: launchMs })
  try {
    return await once()
  } catch (error) {
    if (!(error instanceof errors.TimeoutError)) throw error
    return once()
  }
}

/** Waits, but not for ever: whoever looks at the failure reads what was waited for. */
async function within<Value>(work: Promise<Value>, limitMs: number, what: string): Promise<Value> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`waited ${limitMs / 1000} s in vain: ${what}`)), limitMs)
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}

/** Gives a limit to what the driver waits for without one. */
function bound(target: object, what: string, names: readonly string[], limitMs: number): void {
  for (const name of names) {
    const real: unknown = Reflect.get(target, name)
    if (typeof real !== 'function') continue
    const value = (...args: readonly unknown[]): Promise<unknown> => within(Reflect.apply(real, target, args) as Promise<unknown>, limitMs, `${what}.${name}(${args.map((arg) => String(arg).slice(0, 60)).join(', ')})`)
    Object.defineProperty(target, name, { value })
  }
}

/** Leaves the app as a person does. One that does not end is killed, and that is a failure. */
async function end(app: ElectronApplication, child: ChildProcess): Promise<void> {
  const isGone = (): boolean => child.exitCode !== null || child.signalCode !== null
  if (isGone()) return // its test ended it
  try {
    await within(app.close(), closeMs, 'the app to end after it was left')
  } catch (error) {
    if (isGone()) return
    child.kill('SIGKILL')
    throw error
  }
}
