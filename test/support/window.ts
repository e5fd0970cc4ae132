import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { _electron, type ElectronApplication, type Page } from 'playwright-core'

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

/** Starts the built app and waits for its first window. Close it in the same test. */
export async function launchWindow({ dataDir: given, env = {}, args = [] }: WindowOptions = {}): Promise<OpenedWindow> {
  const dataDir = given ?? mkdtempSync(path.join(os.tmpdir(), 'countersign-e2e-'))
  const app = await _electron.launch({
    executablePath: electronExecutable(),
    args: [...sandboxArgs, repositoryRoot, ...args],
    env: childEnv({ COUNTERSIGN_DATA_DIR: dataDir, ...env }),
    cwd: repositoryRoot,
  })
  const complaints: string[] = []
  const page = await app.firstWindow()
  page.setDefaultTimeout(waitMs)
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  await page.waitForLoadState('load')
  // On a virtual screen nobody manages windows, so none has the keyboard before it is clicked; the corner holds no control.
  await page.mouse.click(2, 2)
  return {
    app,
    page,
    dataDir,
    complaints,
    async close() {
      await app.close()
      if (given === undefined) rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
