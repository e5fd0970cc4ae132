import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { WebSocket } from 'undici'
import { startDisplay } from '../support/display'
import { reply, startFakeModelServer, type FakeModelServer } from '../support/fakeModelServer'
import { makeProject } from './makeProject'
import { median, type PerfLine } from './perfLine'
import { prepareServers, serverCount, timePrompts, toolCount, type AskPage, type PromptTimes } from './perfServers'

const root = path.resolve(import.meta.dirname, '../..')
/** What an idle window holds is looked at this long after its first paint. */
const idleAfterMs = 3000
const patienceMs = 60_000
/** The processes of a program that has ended are gone after this long. */
const settleMs = 500

/** The least that Electron can do: one window, one heading. Written as a project of its own. */
const helloWorld: Readonly<Record<string, string>> = {
  'package.json': '{"name":"hello","main":"main.js"}',
  'index.html': '<!doctype html><meta charset="utf-8"><title>hello</title><h1>hello</h1>',
  'main.js': `
const { app, BrowserWindow } = require('electron')
app.whenReady().then(() => {
  const window = new BrowserWindow({ width: 900, height: 600, show: false, webPreferences: { sandbox: true, contextIsolation: true } })
  window.once('ready-to-show', () => window.show())
  window.loadFile(require('node:path').join(__dirname, 'index.html'))
})
app.on('window-all-closed', () => app.quit())
`,
}

interface Start {
  readonly paintMs: number
  readonly pssMb: number
  /** Null where nothing is said to a model. */
  readonly prompts: PromptTimes | null
}

/** One program that is started: its folder, and what it needs around it. */
interface Program {
  readonly folder: string
  readonly env: Readonly<Record<string, string>>
  readonly args: readonly string[]
  /** What is done once it was idle. */
  readonly talk: ((ask: AskPage) => Promise<PromptTimes>) | null
}

const names = ['ours', 'servers', 'hello'] as const
type Name = (typeof names)[number]

/**
 * `perf startup` (W1, W3): from the start of the process to the first contentful paint, and what all processes of the idle
 * window hold, of the real app with a project open, beside the smallest Electron app, in turn. The app with many MCP servers
 * is beside the app without: its start, and the time from a message to the model's first request.
 */
export async function perfStartup(print: (line: PerfLine) => void, rounds = 7): Promise<void> {
  const electron = process.env['ELECTRON_EXEC_PATH']
  if (!electron) throw new Error('there is no Electron here yet: run "npm run setup" first')
  buildWindow()
  const display = await startDisplay()
  const model = await startFakeModelServer({ steps: () => reply({ text: 'Heard.' }) })
  const top = realpathSync(mkdtempSync(path.join(tmpdir(), 'perf-startup-')))
  try {
    const programs = prepare(top, model)
    const starts: Record<Name, Start[]> = { ours: [], servers: [], hello: [] }
    for (let round = 0; round <= rounds; round++) {
      for (const which of inTurn(round)) {
        const start = await startOnce(electron, programs[which])
        if (round > 0) starts[which].push(start) // the first of each fills the caches, and makes the servers' tools known
      }
    }
    report(starts, print)
  } finally {
    display?.kill()
    await model.close()
    rmSync(top, { recursive: true, force: true })
  }
}

/** The window's parts, as `npm start` builds them; nothing when they are fresh. */
export function buildWindow(): void {
  const built = spawnSync(process.execPath, [path.join(root, 'scripts/build.mjs'), 'main', 'preload', 'renderer'], { cwd: root, stdio: ['ignore', 2, 2] })
  if (built.status !== 0) throw new Error('the window could not be built')
}

/** Each comes behind each other equally often: what the one before it leaves to do is shared. */
function inTurn(round: number): readonly Name[] {
  const at = round % names.length
  const turned = [...names.slice(at), ...names.slice(0, at)]
  return Math.floor(round / names.length) % 2 === 0 ? turned : turned.reverse()
}

function prepare(top: string, model: FakeModelServer): Readonly<Record<Name, Program>> {
  const hello = path.join(top, 'hello')
  mkdirSync(hello)
  for (const [name, text] of Object.entries(helloWorld)) writeFileSync(path.join(hello, name), text)
  makeProject(path.join(top, 'project'), 200)
  prepareServers(path.join(top, 'data-servers'))
  const ours = (data: string): Program => ({
    folder: root,
    env: { COUNTERSIGN_DATA_DIR: path.join(top, data), COUNTERSIGN_OPEN: path.join(top, 'project'), COUNTERSIGN_LOCALE: 'en', COUNTERSIGN_PROVIDER_URL: model.baseUrl, COUNTERSIGN_PROVIDER_KEY: 'k', COUNTERSIGN_MODEL: 'fake-model' },
    args: [],
    talk: (ask) => timePrompts(ask, model),
  })
  return { ours: ours('data'), servers: ours('data-servers'), hello: { folder: hello, env: {}, args: [`--user-data-dir=${path.join(top, 'hello-data')}`], talk: null } }
}

function report(starts: Readonly<Record<Name, readonly Start[]>>, print: (line: PerfLine) => void): void {
  const line = (goal: string, name: string, unit: string, of: (start: Start) => number, [which, beside]: readonly [Name, Name]): void => {
    const [value, baseline] = [median(starts[which].map(of)), median(starts[beside].map(of))]
    print({ goal, name, value: Math.round(value), unit, baseline: Math.round(baseline), ratio: Math.round((value / baseline) * 1000) / 1000, runs: starts[which].length })
  }
  const many = `with ${serverCount} MCP servers and ${toolCount} tools`
  line('W1', 'start of the process to the first contentful paint (beside a hello-world window)', 'ms', ({ paintMs }) => paintMs, ['ours', 'hello'])
  line('W1', `start of the process to the first contentful paint, ${many} (beside none)`, 'ms', ({ paintMs }) => paintMs, ['servers', 'ours'])
  line('W3', 'idle memory of all processes, a project open, PSS (beside a hello-world window)', 'MB', ({ pssMb }) => pssMb, ['ours', 'hello'])
  line('W3', `idle memory of all processes, a project open, PSS, ${many} (beside none)`, 'MB', ({ pssMb }) => pssMb, ['servers', 'ours'])
  line('L1', `first message to the model's first request, ${many}, none running yet (beside none)`, 'ms', ({ prompts }) => prompts?.firstMs ?? NaN, ['servers', 'ours'])
  line('L1', `second message to the model's next request, ${many}, all running (beside none)`, 'ms', ({ prompts }) => prompts?.laterMs ?? NaN, ['servers', 'ours'])
}

async function startOnce(electron: string, { folder, env, args, talk }: Program): Promise<Start> {
  // Root cannot have Chromium's own sandbox; both programs then go without.
  const sandbox = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  const { ELECTRON_RUN_AS_NODE: _asNode, ...inherited } = process.env
  const startedAtMs = Date.now()
  const child = spawn(electron, [...sandbox, '--remote-debugging-port=0', ...args, folder], { env: { ...inherited, ...env }, stdio: ['ignore', 'ignore', 'pipe'] })
  const over = new Promise((resolve) => child.once('exit', resolve))
  try {
    const address = await debuggingAddress(child)
    const paintedAtMs = await paintTime(address)
    await sleep(idleAfterMs)
    const held = pssMb(child.pid ?? 0)
    const target = (await pageTarget(address)) ?? ''
    return { paintMs: paintedAtMs - startedAtMs, pssMb: held, prompts: talk ? await talk((expression) => evaluate(target, expression)) : null }
  } finally {
    const last = setTimeout(() => child.kill('SIGKILL'), 5000)
    child.kill('SIGTERM')
    await over
    clearTimeout(last)
    await sleep(settleMs)
  }
}

/** Chromium writes it on stderr; the rest of stderr is thrown away. */
function debuggingAddress(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    if (!child.stderr) return reject(new Error('stderr is not piped'))
    const said: string[] = []
    createInterface({ input: child.stderr }).on('line', (text) => {
      said.push(text)
      const found = /DevTools listening on ws:\/\/([^/]+)/.exec(text)?.[1]
      if (found !== undefined) resolve(found)
    })
    child.once('error', reject)
    child.once('exit', () => reject(new Error(`Electron ended at once: ${said.slice(-3).join(' ')}`)))
  })
}

/** When the page first drew something, by the clock of this machine. A page that is still being left answers with nothing: asked again. */
async function paintTime(address: string): Promise<number> {
  const expression = "performance.getEntriesByName('first-contentful-paint').map((paint) => performance.timeOrigin + paint.startTime)[0] ?? null"
  const untilMs = Date.now() + patienceMs
  while (Date.now() < untilMs) {
    const target = await pageTarget(address)
    const painted = target === undefined ? null : await evaluate(target, expression)
    if (typeof painted === 'number') return painted
    await sleep(50)
  }
  throw new Error('the window has drawn nothing')
}

async function pageTarget(address: string): Promise<string | undefined> {
  const answer = await fetch(`http://${address}/json`)
  const targets = (await answer.json()) as readonly { readonly type: string; readonly webSocketDebuggerUrl: string }[]
  return targets.find(({ type }) => type === 'page')?.webSocketDebuggerUrl
}

function evaluate(target: string, expression: string): Promise<unknown> {
  return new Promise((resolve) => {
    const socket = new WebSocket(target)
    socket.addEventListener('error', () => resolve(null))
    socket.addEventListener('close', () => resolve(null))
    socket.addEventListener('open', () => socket.send(JSON.stringify({ id: 1, method: 'Runtime.evaluate', params: { expression, returnByValue: true, awaitPromise: true } })))
    socket.addEventListener('message', ({ data }) => {
      const { result } = JSON.parse(String(data)) as { readonly result?: { readonly result?: { readonly value?: unknown } } }
      resolve(result?.result?.value ?? null)
      socket.close()
    })
  })
}

/** Shared pages counted by their share, over a process and all below it. */
function pssMb(top: number): number {
  const parents = readdirSync('/proc').filter((name) => /^\d+$/.test(name)).map((pid) => [Number(pid), parentOf(pid)] as const)
  const family = (pid: number): readonly number[] => [pid, ...parents.filter(([, parent]) => parent === pid).flatMap(([child]) => family(child))]
  return family(top).reduce((sum, pid) => sum + Number(/^Pss:\s+(\d+)/m.exec(textOf(`/proc/${pid}/smaps_rollup`))?.[1] ?? 0) / 1024, 0)
}

function parentOf(pid: string): number {
  const stat = textOf(`/proc/${pid}/stat`)
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1] ?? 0)
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'latin1')
  } catch {
    return '' // a process that is gone
  }
}
