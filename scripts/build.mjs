#!/usr/bin/env node
// Builds what is stale, by the content of what goes in: `node scripts/build.mjs [main preload renderer lab]` (all but lab by default).
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { isAlive, processStart, withLock } from './lock.mjs'
import { SetupError, say } from './say.mjs'

/** @typedef {'main' | 'preload' | 'renderer' | 'lab'} Part */

const root = path.resolve(import.meta.dirname, '..')

/** What goes into each part. `lab` loads product modules, so it is stale whenever main is. */
const inputs = {
  main: ['src/main', 'src/shared', 'resources'],
  preload: ['src/preload', 'src/shared'],
  renderer: ['src/renderer', 'src/shared'],
  lab: ['test/lab', 'test/fuzz', 'test/support', 'src/main', 'src/shared', 'resources'],
}
const always = ['package-lock.json', 'electron.vite.config.ts', 'tsconfig.base.json', 'tsconfig.web.json', 'scripts/build.mjs']
/** A file that says the part was built at all. */
const proof = { main: 'index.js', preload: 'index.cjs', renderer: 'index.html', lab: 'index.js' }

/** @type {Part[]} */
export const windowParts = ['main', 'preload', 'renderer']

/** @param {string} from a file or folder; @returns {string[]} the files in it, sorted */
function filesIn(from) {
  if (!existsSync(from)) return []
  if (!statSync(from).isDirectory()) return [from]
  return readdirSync(from, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .sort()
}

/** @param {Part} part */
export function contentKey(part) {
  const hash = createHash('sha256').update(process.version)
  for (const input of [...always, ...inputs[part]]) {
    for (const file of filesIn(path.join(root, input))) {
      let bytes
      try {
        bytes = readFileSync(file)
      } catch {
        continue // an editor's scratch file that is gone again
      }
      hash.update(`${path.relative(root, file)}\0${bytes.length}\0`).update(bytes)
    }
  }
  return hash.digest('hex')
}

/** @param {Part} part */
const stampOf = (part) => path.join(root, 'out', `.built-${part}`)

/** @param {Part} part; @param {string} key */
function isFresh(part, key) {
  try {
    return readFileSync(stampOf(part), 'utf8') === key && existsSync(path.join(root, 'out', part, proof[part]))
  } catch {
    return false
  }
}

/** @param {Part[]} parts; @returns {Map<Part, string>} the stale ones with their keys */
export function staleParts(parts) {
  return new Map(parts.map((part) => /** @type {const} */ ([part, contentKey(part)])).filter(([part, key]) => !isFresh(part, key)))
}

/**
 * Builds the stale ones of these parts; does nothing in a few milliseconds when none is. One build at a time in a work tree.
 * @param {Part[]} parts
 */
export async function buildIfStale(parts) {
  if (staleParts(parts).size === 0) return
  await withLock(path.join(root, 'out', 'build.lock'), 'build', async () => {
    const stale = staleParts(parts) // again: the one we waited for may have built it
    if (stale.size === 0) return
    removeLeftOvers()
    const startedAtMs = Date.now()
    say(`building ${[...stale.keys()].join(', ')} ...`)
    const scratch = mkdtempSync(path.join(root, 'out', `.tmp-${process.pid}-${processStart(process.pid)}-`))
    // Each moved in as soon as it is built: a fault in one does not make the next run build the other again.
    const finish = (/** @type {Part[]} */ done) => {
      for (const part of done) {
        moveInto(path.join(scratch, part), path.join(root, 'out', part), proof[part])
        writeFileSync(stampOf(part), stale.get(part) ?? '')
      }
    }
    try {
      const bundled = [...stale.keys()].filter((part) => part !== 'lab')
      if (bundled.length > 0) {
        const args = ['node_modules/electron-vite/bin/electron-vite.js', 'build', '--logLevel', 'warn', '--ignoreConfigWarning', '--outDir', scratch]
        await runNode(args, { COUNTERSIGN_BUILD_PARTS: bundled.join(',') })
        finish(bundled)
      }
      if (stale.has('lab')) {
        const to = path.join(scratch, 'lab')
        await runNode(['node_modules/vite/bin/vite.js', 'build', '--logLevel', 'warn', '--config', 'test/lab/vite.config.ts', '--outDir', to], {})
        finish(['lab'])
      }
    } finally {
      rmSync(scratch, { recursive: true, force: true })
    }
    say(`built in ${((Date.now() - startedAtMs) / 1000).toFixed(1)} s`)
  })
}

/** Temporary folders of builds that were killed. */
function removeLeftOvers() {
  for (const name of readdirSync(path.join(root, 'out'))) {
    const [, pid, startedAt] = /^\.tmp-(\d+)-(\d*)-/.exec(name) ?? []
    if (pid === undefined || isAlive({ pid: Number(pid), startedAt: startedAt ?? '', token: '' })) continue
    rmSync(path.join(root, 'out', name), { recursive: true, force: true })
  }
}

/**
 * Swaps a fresh build in, file by file: what another process loads meanwhile is there all the time.
 * Chunks first (their names hold a hash), entries after them, the leavings of the last build at the end.
 * @param {string} from
 * @param {string} to
 * @param {string} entry
 */
function moveInto(from, to, entry) {
  const names = (/** @type {string} */ dir) => filesIn(dir).map((file) => path.relative(dir, file))
  const isChunk = (/** @type {string} */ name) => /-[\w-]{8}\.\w+(\.map)?$/.test(name)
  const fresh = names(from).sort((a, b) => Number(isChunk(b)) - Number(isChunk(a)) || Number(a === entry) - Number(b === entry))
  for (const name of fresh) {
    mkdirSync(path.dirname(path.join(to, name)), { recursive: true })
    renameSync(path.join(from, name), path.join(to, name))
  }
  for (const name of names(to)) {
    if (!fresh.includes(name)) rmSync(path.join(to, name), { force: true })
  }
}

/**
 * @param {string[]} args
 * @param {Record<string, string>} env
 * @returns {Promise<void>}
 */
function runNode(args, env) {
  return new Promise((resolve, reject) => {
    // A test run's NODE_ENV would build React's development form. stdout belongs to the command that asked for the build.
    const colour = process.stderr.isTTY ? {} : { NO_COLOR: '1', FORCE_COLOR: undefined }
    const child = spawn(process.execPath, args, { cwd: root, env: { ...process.env, ...colour, ...env, NODE_ENV: 'production' }, stdio: ['ignore', 2, 2] })
    child.once('error', reject)
    child.once('exit', (code) => {
      if (code === 0) resolve()
      else reject(new SetupError('the build failed: mend what it says above, then run the same command again'))
    })
  })
}

if (process.argv[1] && realpathSync(process.argv[1]) === import.meta.filename) {
  const asked = /** @type {Part[]} */ (process.argv.slice(2))
  buildIfStale(asked.length > 0 ? asked : windowParts).catch((/** @type {Error} */ error) => {
    say(error instanceof SetupError ? error.message : String(error.stack))
    process.exit(1)
  })
}
