import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import type { CancelSignal } from '../../core/ports/cancelSignal'

/** Where ripgrep's program lies; null when its package for this system is not installed. */
export async function findRipgrep(): Promise<string | null> {
  try {
    // Its import throws where the program is missing, so it must not be a static one.
    const { rgPath } = await import('@vscode/ripgrep')
    // In a package, programs lie beside the archive.
    const file = rgPath.replace(/\bapp\.asar\b(?!\.unpacked)/, 'app.asar.unpacked')
    return existsSync(file) ? file : null
  } catch {
    return null
  }
}

/** How ripgrep came to its end. `code` is null when it was stopped from here. */
export interface RipgrepEnd {
  readonly code: number | null
  readonly problem: string
  readonly isCancelled: boolean
}

/** One run of it. A record handler that answers `stop` ends it. */
export interface RipgrepRun {
  readonly program: string
  readonly args: readonly string[]
  readonly cwd: string
  readonly separator: '\n' | '\0'
  readonly onRecord: (record: string) => 'go on' | 'stop'
}

/** Runs ripgrep without the user's configuration and environment. It is gone when the promise resolves. */
export async function runRipgrep({ program, args, cwd, separator, onRecord }: RipgrepRun, signal: CancelSignal): Promise<RipgrepEnd> {
  if (signal.aborted) return { code: null, problem: '', isCancelled: true }
  const child = spawn(program, ['--no-config', ...args], { cwd, env: {}, stdio: ['ignore', 'pipe', 'pipe'] })
  let isStopped = false
  let problem = ''
  let rest = ''
  const stop = (): void => {
    isStopped = true
    child.kill('SIGKILL')
  }
  signal.addEventListener('abort', stop, { once: true })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    if (problem.length < 4000) problem += text
  })
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    const records = `${rest}${text}`.split(separator)
    rest = records.pop() ?? ''
    for (const record of records) if (!isStopped && onRecord(record) === 'stop') stop()
  })
  try {
    const code = await new Promise<number | null>((resolve) => {
      child.once('error', (error) => {
        problem ||= error.message
        resolve(2)
      })
      child.once('close', resolve)
    })
    return { code: isStopped ? null : code, problem: problem.trim(), isCancelled: signal.aborted }
  } finally {
    signal.removeEventListener('abort', stop)
  }
}
