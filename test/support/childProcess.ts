import { spawn, type ChildProcess } from 'node:child_process'
import { rmSync } from 'node:fs'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll } from 'vitest'
import { bundleForNode } from './bundleForNode'

/** A bundled process under a test: its lines as they come, and how it ended. */
export interface Child {
  readonly process: ChildProcess
  readonly lines: readonly string[]
  /** Resolves when a line of that text has come; rejects when it ended without. */
  line(text: string): Promise<void>
  readonly ended: Promise<{ readonly code: number | null; readonly signal: string | null }>
}

/** Bundles a child once for the tests of a file; none of its processes outlives them. */
export function childOf(name: string, options: { readonly besidePackages?: boolean } = {}): (job: object, env?: Readonly<Record<string, string>>) => Child {
  const running = new Set<ChildProcess>()
  let file = ''
  beforeAll(async () => {
    file = await bundleForNode(path.join(import.meta.dirname, 'children', `${name}.ts`), options)
  })
  afterAll(() => {
    for (const one of running) one.kill('SIGKILL')
    rmSync(path.dirname(file), { recursive: true, force: true })
  })
  return (job, env = {}) => start(file, job, env, running)
}

function start(file: string, job: object, env: Readonly<Record<string, string>>, running: Set<ChildProcess>): Child {
  const child = spawn(process.execPath, [file, JSON.stringify(job)], { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...env } })
  running.add(child)
  const lines: string[] = []
  const waiting = new Map<string, { resolve: () => void; reject: (error: Error) => void }>()
  createInterface({ input: child.stdout }).on('line', (line) => {
    lines.push(line)
    waiting.get(line)?.resolve()
  })
  let problems = ''
  child.stderr.on('data', (bytes: Buffer) => (problems += bytes.toString('utf8')))
  const ended = new Promise<{ code: number | null; signal: string | null }>((resolve) => {
    // `close` comes after the last line was read.
    child.once('close', (code, signal) => {
      running.delete(child)
      for (const [text, one] of waiting) one.reject(new Error(`ended without "${text}"; it said: ${lines.slice(-5).join(' | ')} ${problems}`))
      resolve({ code, signal })
    })
  })
  return {
    process: child,
    lines,
    ended,
    line: (text) => (lines.includes(text) ? Promise.resolve() : new Promise((resolve, reject) => waiting.set(text, { resolve, reject }))),
  }
}
