// Running a program of the set-up: output kept, shown only when it fails; none survives the set-up that started it.
import { spawn } from 'node:child_process'

/** @typedef {{ code: number | null, output: string }} Outcome `code` is null when it was stopped or never started */
/** @typedef {{ cwd?: string, env?: Record<string, string | undefined>, limitMs?: number, onStart?: (pid: number) => void }} RunOptions */

const keptCharacters = 64 * 1024

/** @type {Set<import('node:child_process').ChildProcess>} */
const running = new Set()

/**
 * Ends what is running when the set-up itself is ended by a signal.
 * @returns {() => void} takes it back, for what follows the set-up
 */
export function stopChildrenOnSignal() {
  const handlers = /** @type {const} */ ([['SIGHUP', 129], ['SIGINT', 130], ['SIGTERM', 143]]).map(([signal, code]) => {
    const stop = () => {
      for (const child of running) child.kill('SIGTERM')
      process.exit(code)
    }
    process.once(signal, stop)
    return () => process.removeListener(signal, stop)
  })
  return () => handlers.forEach((remove) => remove())
}

/**
 * Runs to the end without a terminal and keeps the last of what it printed.
 * @param {string} program
 * @param {string[]} args
 * @param {RunOptions} [options]
 * @returns {Promise<Outcome>}
 */
export function run(program, args, options = {}) {
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...options.env },
      ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
      ...(options.limitMs === undefined ? {} : { timeout: options.limitMs }),
    })
    running.add(child)
    if (child.pid !== undefined) options.onStart?.(child.pid)
    let output = ''
    const keep = (/** @type {Buffer} */ chunk) => {
      output = (output + chunk.toString('utf8')).slice(-keptCharacters)
    }
    child.stdout.on('data', keep)
    child.stderr.on('data', keep)
    child.once('error', (error) => resolve({ code: null, output: error.message }))
    child.once('close', (code) => {
      running.delete(child)
      resolve({ code, output })
    })
  })
}

/**
 * npm as this process was started by it, else the one on PATH: so the user's own settings (registry, proxy, sign-in) hold.
 * @param {string[]} args
 * @returns {[string, string[]]}
 */
export function npmCommand(args) {
  const script = process.env.npm_execpath
  if (script && /npm-cli\.c?js$/.test(script)) return [process.execPath, [script, ...args]]
  return [process.platform === 'win32' ? 'npm.cmd' : 'npm', args]
}

/** The last lines of an output, for the eye. @param {string} output; @param {number} [lines] */
export function tail(output, lines = 15) {
  return output.trimEnd().split('\n').slice(-lines).join('\n')
}
