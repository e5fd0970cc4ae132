import { spawn, type ChildProcess } from 'node:child_process'
import { copyFileSync, linkSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { childEnv, electronExecutable, repositoryRoot, sandboxArgs } from './window'

/**
 * The built app as a package starts it: the runtime under the app's own name, so that Electron takes it for a package, and no
 * driver, since what a driver needs is refused there. What it would tell is printed by a small entry in front of the app's own.
 */
export interface Package {
  start(options: { readonly args?: readonly string[]; readonly env: Readonly<Record<string, string>>; readonly cwd: string }): PackagedRun
  remove(): void
}

export interface PackagedRun {
  readonly pid: number
  /** What the page answered, with what main knows of its window; rejects when the app ends before. */
  told: Promise<Told>
  /** The exit code and what was written to stderr. */
  ended: Promise<{ readonly code: number | null; readonly complaint: string }>
  stop(): void
}

export interface Told {
  readonly isPackaged: boolean
  readonly hasDevTools: boolean
  readonly address: string
  readonly answer: unknown
}

/** Links the runtime into a scratch folder, with an entry that runs `script` in the page once it has loaded. */
export function makePackage(script: string): Package {
  const scratch = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'countersign-package-')))
  const from = path.dirname(electronExecutable())
  for (const name of readdirSync(from, { recursive: true, encoding: 'utf8' })) {
    if (!lstatSync(path.join(from, name)).isDirectory()) place(path.join(from, name), path.join(scratch, name === path.basename(electronExecutable()) ? 'countersign' : name))
  }
  const app = path.join(scratch, 'resources/app')
  mkdirSync(app, { recursive: true })
  writeFileSync(path.join(app, 'package.json'), JSON.stringify({ name: 'countersign', productName: 'Countersign', version: '0.1.0', type: 'module', main: 'main.js' }))
  writeFileSync(path.join(app, 'main.js'), entry(script))
  return {
    start: ({ args = [], env, cwd }) => run(spawn(path.join(scratch, 'countersign'), [...args, ...sandboxArgs, '--log-level=3'], { cwd, env: childEnv(env), stdio: ['ignore', 'pipe', 'pipe'] })),
    remove: () => rmSync(scratch, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }),
  }
}

/** A second name for the same file costs nothing; another disk needs a copy. */
function place(from: string, to: string): void {
  mkdirSync(path.dirname(to), { recursive: true })
  try {
    linkSync(from, to)
  } catch {
    copyFileSync(from, to)
  }
}

const mark = 'TOLD '

function entry(script: string): string {
  return `import { app } from 'electron'
app.on('browser-window-created', (_event, window) => {
  const contents = window.webContents
  contents.once('did-finish-load', async () => {
    contents.openDevTools({ mode: 'detach' })
    const answer = await contents.executeJavaScript(${JSON.stringify(script)}).catch((error) => String(error))
    process.stdout.write(${JSON.stringify(mark)} + JSON.stringify({ isPackaged: app.isPackaged, hasDevTools: Boolean(contents.devToolsWebContents), address: contents.getURL(), answer }) + '\\n')
  })
})
await import(${JSON.stringify(pathToFileURL(path.join(repositoryRoot, 'out/main/index.js')).href)})
`
}

function run(child: ChildProcess): PackagedRun {
  let output = ''
  let complaint = ''
  child.stderr?.on('data', (bytes: Buffer) => (complaint += bytes.toString()))
  const ended = new Promise<{ code: number | null; complaint: string }>((resolve) => child.once('close', (code) => resolve({ code, complaint })))
  const told = new Promise<Told>((resolve, reject) => {
    child.stdout?.on('data', (bytes: Buffer) => {
      output += bytes.toString()
      const line = output.split('\n').slice(0, -1).find((one) => one.startsWith(mark))
      if (line !== undefined) resolve(JSON.parse(line.slice(mark.length)) as Told)
    })
    void ended.then(() => reject(new Error(`the app ended: ${complaint}`)))
  })
  told.catch(() => undefined) // some runs are only waited for to end
  return { pid: child.pid ?? 0, told, ended, stop: () => void child.kill('SIGTERM') }
}
