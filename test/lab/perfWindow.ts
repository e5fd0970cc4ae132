import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { startDisplay } from '../support/display'
import { reply, startFakeModelServer } from '../support/fakeModelServer'
import { launchWindow, type OpenedWindow } from '../support/window'
import { median, type PerfLine } from './perfLine'
import { buildWindow } from './perfStartup'

/** What was seen of the window for a while. */
interface Seen {
  readonly frames: number
  readonly slow: number
  readonly longestMs: number
  readonly ms: number
  readonly messages: number
}

interface Round {
  readonly idle: Seen
  readonly busy: Seen
  readonly running: Seen
}

const idleMs = 3000
const patienceMs = 60_000

/**
 * `perf window` (O2): frames over 33 ms, and messages from main to the window, while a command prints a lot, from the message
 * to the end of the turn, beside the same window while nothing happens, and while nothing happens in it but every core is
 * busy elsewhere: what the machine itself makes slow. In turn, in one window.
 */
export async function perfWindow(print: (line: PerfLine) => void, megabytes = 100, rounds = 3): Promise<void> {
  buildWindow()
  const display = await startDisplay()
  const command = `yes 'the quick brown fox jumps over the lazy dog 0123456789 abcdefghijklmnopqrstu' | head -c ${megabytes}000000`
  const model = await startFakeModelServer({ steps: (_request, n) => (n % 2 === 0 ? reply({ calls: [{ name: 'run_command', args: { command } }] }) : reply({ text: `Over ${(n + 1) / 2}.` })) })
  const top = realpathSync(mkdtempSync(path.join(tmpdir(), 'perf-window-')))
  const [dataDir, project] = [path.join(top, 'data'), path.join(top, 'project')]
  mkdirSync(dataDir, { mode: 0o700 })
  mkdirSync(project)
  const runs: Round[] = []
  try {
    const window = await launchWindow({ dataDir, env: { HOME: top, COUNTERSIGN_OPEN: project, COUNTERSIGN_PROVIDER_URL: model.baseUrl, COUNTERSIGN_PROVIDER_KEY: 'k', COUNTERSIGN_MODEL: 'fake-model' } })
    try {
      await window.page.getByRole('textbox', { name: 'Message', exact: true }).waitFor()
      await countMessages(window)
      for (let round = 1; round <= rounds + 1; round++) {
        const idle = await watch(window, () => sleep(idleMs))
        const busy = await watch(window, busyElsewhere)
        const running = await oneTurn(window, round)
        if (round > 1) runs.push({ idle, busy, running }) // the first warms up
      }
    } finally {
      await window.close()
    }
  } finally {
    display?.kill()
    await model.close()
    rmSync(top, { recursive: true, force: true })
  }
  report(runs, megabytes, print)
}

/** As many loops as there are cores. */
async function busyElsewhere(): Promise<void> {
  const loops = Array.from({ length: availableParallelism() }, () => spawn('sh', ['-c', 'while :; do :; done'], { stdio: 'ignore' }))
  try {
    await sleep(idleMs)
  } finally {
    for (const loop of loops) loop.kill()
  }
}

/** The app's own readers let it run without a question. */
async function oneTurn(window: OpenedWindow, round: number): Promise<Seen> {
  await window.page.getByRole('textbox', { name: 'Message', exact: true }).fill('Print it.')
  return watch(window, async () => {
    await window.page.getByRole('button', { name: 'Send', exact: true }).click()
    await window.page.getByText(`Over ${round}.`).first().waitFor({ timeout: patienceMs })
  })
}

/** Every message from main to the window goes through its `send`. */
async function countMessages({ app }: OpenedWindow): Promise<void> {
  await app.evaluate(({ BrowserWindow }) => {
    const contents = BrowserWindow.getAllWindows()[0]?.webContents
    if (!contents) throw new Error('there is no window')
    const counted = globalThis as unknown as { perfMessages: number }
    counted.perfMessages = 0
    const send = contents.send.bind(contents)
    contents.send = (...message) => {
      counted.perfMessages += 1
      send(...message)
    }
  })
}

const messagesSent = ({ app }: OpenedWindow): Promise<number> => app.evaluate(() => (globalThis as unknown as { perfMessages: number }).perfMessages)

async function watch(window: OpenedWindow, during: () => Promise<void>): Promise<Seen> {
  const before = await messagesSent(window)
  await startFrames(window.page)
  await during()
  const gaps = await window.page.evaluate(() => (globalThis as unknown as { perfGaps: number[] }).perfGaps)
  const ms = gaps.reduce((sum, gap) => sum + gap, 0)
  return { frames: gaps.length, slow: gaps.filter((gap) => gap > 33).length, longestMs: Math.max(...gaps), ms, messages: (await messagesSent(window)) - before }
}

/** Notes the time between frames from now on; an earlier watch ends. */
async function startFrames(page: Page): Promise<void> {
  await page.evaluate(() => {
    const gaps: number[] = []
    const watched = globalThis as unknown as { perfGaps: number[] }
    watched.perfGaps = gaps
    let last = performance.now()
    const next = (): void => {
      if (watched.perfGaps !== gaps) return
      const now = performance.now()
      gaps.push(now - last)
      last = now
      requestAnimationFrame(next)
    }
    requestAnimationFrame(next)
  })
}

function report(runs: readonly Round[], megabytes: number, print: (line: PerfLine) => void): void {
  const line = (name: string, unit: string, of: (seen: Seen) => number, beside: 'idle' | 'busy' = 'idle'): void => {
    const [value, baseline] = [median(runs.map(({ running }) => of(running))), median(runs.map((round) => of(round[beside])))]
    print({ goal: 'O2', name, value: rounded(value), unit, baseline: rounded(baseline), ratio: baseline === 0 ? null : rounded(value / baseline), runs: runs.length })
  }
  const what = `while ${megabytes} MB are printed (beside idle)`
  line(`frames over 33 ms ${what}`, '%', ({ slow, frames }) => (slow / frames) * 100)
  line(`frames over 33 ms while ${megabytes} MB are printed (beside every core busy elsewhere)`, '%', ({ slow, frames }) => (slow / frames) * 100, 'busy')
  line(`longest frame ${what}`, 'ms', ({ longestMs }) => longestMs)
  line(`frames ${what}`, '1/s', ({ frames, ms }) => (frames / ms) * 1000)
  line(`messages to the window ${what}`, '1/s', ({ messages, ms }) => (messages / ms) * 1000)
  line('length of what was watched', 'ms', ({ ms }) => ms)
}

const rounded = (value: number): number => Math.round(value * 100) / 100
