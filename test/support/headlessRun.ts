import { spawn, type ChildProcess } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'

const ownEntry = path.resolve(import.meta.dirname, '../../out/main/headless.js')

/** A line that the command line printed. */
export type Line = Readonly<Record<string, unknown>> & { readonly type?: string }

/** A headless command under way. */
export interface HeadlessRun {
  readonly process: ChildProcess
  readonly lines: readonly Line[]
  /** Resolves when a line fits; rejects when the command ended without. */
  until(fits: (line: Line) => boolean): Promise<Line>
  readonly ended: Promise<{ readonly code: number | null; readonly signal: string | null; readonly words: string }>
}

/** A project folder and a data folder of its own, removed by `remove`. */
export interface HeadlessWorld {
  readonly project: string
  readonly data: string
  /** Starts `countersign NAME ...` on this data folder. */
  readonly start: (args: readonly string[], env?: Readonly<Record<string, string>>) => HeadlessRun
  /** The same, waited for. */
  readonly run: (args: readonly string[], env?: Readonly<Record<string, string>>) => Promise<{ readonly code: number | null; readonly signal: string | null; readonly lines: readonly Line[]; readonly words: string }>
  /** Writes an approvals file and returns its path. */
  readonly approvals: (content: object) => string
  readonly remove: () => void
}

/** Makes both folders; files are written into the project. `entry`: another built command line than this repository's. */
export function makeHeadlessWorld(files: Readonly<Record<string, string>> = {}, entry = ownEntry): HeadlessWorld {
  const base = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'countersign-headless-')))
  const project = path.join(base, 'project')
  const data = path.join(base, 'data')
  for (const [name, text] of Object.entries(files)) write(path.join(project, name), text)
  write(path.join(project, '.keep'), '')
  const running = new Set<ChildProcess>()

  const start = (args: readonly string[], env: Readonly<Record<string, string>> = {}): HeadlessRun => {
    const child = spawn(process.execPath, [entry, ...args, '--data', data], { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, COUNTERSIGN_TEST: '1', ...env } })
    running.add(child)
    return follow(child, () => running.delete(child))
  }
  return {
    project,
    data,
    start,
    async run(args, env) {
      const run = start(args, env)
      return { ...(await run.ended), lines: run.lines }
    },
    approvals(content) {
      const file = path.join(base, `approvals-${Math.random().toString(36).slice(2)}.json`)
      writeFileSync(file, JSON.stringify(content))
      return file
    },
    remove() {
      for (const child of running) child.kill('SIGKILL')
      rmSync(base, { recursive: true, force: true })
    },
  }
}

function follow(child: ChildProcess, onEnd: () => void): HeadlessRun {
  const lines: Line[] = []
  const waiting = new Set<{ readonly fits: (line: Line) => boolean; readonly resolve: (line: Line) => void; readonly reject: (error: Error) => void }>()
  let words = ''
  child.stderr?.on('data', (bytes: Buffer) => (words += bytes.toString()))
  if (child.stdout) {
    createInterface({ input: child.stdout }).on('line', (text) => {
      const line = JSON.parse(text) as Line
      lines.push(line)
      for (const one of waiting) {
        if (!one.fits(line)) continue
        waiting.delete(one)
        one.resolve(line)
      }
    })
  }
  const ended = new Promise<{ code: number | null; signal: string | null; words: string }>((resolve) => {
    child.once('close', (code, signal) => {
      onEnd()
      for (const one of waiting) one.reject(new Error(`ended without the line; it said: ${words}`))
      resolve({ code, signal, words })
    })
  })
  return {
    process: child,
    lines,
    ended,
    until(fits) {
      const found = lines.find(fits)
      return found ? Promise.resolve(found) : new Promise((resolve, reject) => waiting.add({ fits, resolve, reject }))
    },
  }
}

function write(file: string, text: string): void {
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, text)
}
