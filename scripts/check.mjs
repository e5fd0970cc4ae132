// Types and lint, for `npm run check`: they run beside the tests, and print only what is wrong.
import { run } from './command.mjs'
import { say } from './say.mjs'

/**
 * Compiles, then lints everything. Both programs are native: quick enough to start from nothing each time.
 * @param {string} root
 * @returns {Promise<boolean>} whether nothing was found
 */
export async function checkTypesAndLint(root) {
  return (await step('types', ['node_modules/native-typescript/bin/tsc', '-b'], root)) && step('lint', ['node_modules/oxlint/bin/oxlint'], root)
}

/** @param {string} name; @param {string[]} args; @param {string} root */
async function step(name, args, root) {
  const startedAtMs = Date.now()
  const { code, output } = await run(process.execPath, args, { cwd: root })
  say(`${name}: ${code === 0 ? 'nothing found' : 'FAILED'}, ${((Date.now() - startedAtMs) / 1000).toFixed(1)} s`)
  if (code !== 0) process.stderr.write(`${output.trimEnd()}\n`)
  return code === 0
}
