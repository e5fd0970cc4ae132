// Running a program of the set-up: output kept, shown only when it fails.
import { spawn } from 'node:child_process'

/** @typedef {{ code: number | null, output: string }} Outcome `code` is null when it was stopped or never started */

const keptBytes = 64 * 1024

/**
 * Runs to the end without a terminal and keeps the last of what it printed.
 * @param {string} program
 * @param {string[]} args
 * @param {{ cwd?: string, env?: Record<string, string | undefined>, limitMs?: number }} [options]
 * @returns {Promise<Outcome>}
 */
export function run(program, args, options = {}) {
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
      env: { ...process.env, ...options.env },
      ...(options.limitMs === undefined ? {} : { timeout: options.limitMs }),
    })
    let output = ''
    const keep = (/** @type {Buffer} */ chunk) => {
      output = (output + chunk.toString('utf8')).slice(-keptBytes)
    }
    child.stdout.on('data', keep)
    child.stderr.on('data', keep)
    child.once('error', (error) => resolve({ code: null, output: error.message }))
    child.once('close', (code) => resolve({ code, output }))
  })
}

/**
 * npm as this process was started by it, else the one on PATH: so the user's own settings (registry, proxy, sign-in) hold.
 * @param {string[]} args
 * @returns {[string, string[]]}
 */
export function npmCommand(args) {
  const script = process.env.npm_execpath
  if (script && /\.c?js$/.test(script)) return [process.execPath, [script, ...args]]
  return [process.platform === 'win32' ? 'npm.cmd' : 'npm', args]
}

/** The last lines of an output, for the eye. @param {string} output; @param {number} [lines] */
export function tail(output, lines = 15) {
  return output.trimEnd().split('\n').slice(-lines).join('\n')
}
