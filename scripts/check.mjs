// Types and lint, for `npm run check`: they run beside the tests, and print only what is wrong.
import { createHash } from 'node:crypto'
import { readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { run } from './command.mjs'
import { say } from './say.mjs'

/**
 * Compiles, then lints.
 * @param {string} root
 * @param {readonly string[]} places what is linted; `npm run check` takes the source alone, to stay under a minute, and the whole run takes all
 * @returns {Promise<boolean>} whether nothing was found
 */
export async function checkTypesAndLint(root, places = ['.']) {
  if (!(await step('types', ['node_modules/typescript/bin/tsc', '-b'], root))) return false
  const cache = path.join('out', `.eslintcache-${declarationsKey(root)}`)
  return step('lint', ['node_modules/eslint/bin/eslint.js', ...places, '--max-warnings', '0', '--cache', '--cache-location', cache], root)
}

/** @param {string} name; @param {string[]} args; @param {string} root */
async function step(name, args, root) {
  const startedAtMs = Date.now()
  const { code, output } = await run(process.execPath, args, { cwd: root })
  say(`${name}: ${code === 0 ? 'nothing found' : 'FAILED'}, ${((Date.now() - startedAtMs) / 1000).toFixed(1)} s`)
  if (code !== 0) process.stderr.write(`${output.trimEnd()}\n`)
  return code === 0
}

/**
 * What the linter knows of a file it has from the types of others: its cache holds only while no declaration has changed.
 * @param {string} root
 */
function declarationsKey(root) {
  const types = path.join(root, 'out', 'types')
  const hash = createHash('sha256').update(readFileSync(path.join(root, 'package-lock.json')))
  const files = readdirSync(types, { recursive: true, encoding: 'utf8' }).filter((file) => /(?<!\.test)\.d\.m?ts$/.test(file)).sort()
  for (const file of files) hash.update(file).update(readFileSync(path.join(types, file)))
  return hash.digest('hex').slice(0, 12)
}
