// Words for the person who waits: on stderr only, since stdout belongs to the command that follows the set-up.

/** @param {string} text one line */
export function say(text) {
  process.stderr.write(`[countersign] ${text}\n`)
}

/** A fault that is the machine's or the network's, not a bug: its message says in one line what to do. */
export class SetupError extends Error {}

/**
 * Prints the elapsed time every so often while a silent step runs.
 * @template T
 * @param {string} what the step, as in "compiling SQLite"
 * @param {string} usual how long it usually takes, in words
 * @param {() => Promise<T>} run
 * @param {number} [everyMs]
 * @returns {Promise<T>}
 */
export async function withProgress(what, usual, run, everyMs = 10_000) {
  const startedAtMs = Date.now()
  const seconds = () => Math.round((Date.now() - startedAtMs) / 1000)
  say(`${what} (usually ${usual}) ...`)
  const timer = setInterval(() => say(`${what}: ${seconds()} s so far`), everyMs)
  try {
    const result = await run()
    say(`${what}: ended after ${seconds()} s`)
    return result
  } finally {
    clearInterval(timer)
  }
}
