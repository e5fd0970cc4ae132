// Finds the Electron that opens the window: an explicit one, the declared one, or the older stand-in (development and tests only).
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { run } from './command.mjs'
import { cachedFallback, ensureFallback, fallback } from './electronFallback.mjs'
import { SetupError, say, withProgress } from './say.mjs'

/** @typedef {{ path: string, version: string | undefined, source: 'override' | 'official' | 'fallback' }} Runtime */

const require = createRequire(import.meta.url)

/** The declared Electron, when its binary is whole. @returns {Runtime | undefined} */
function official() {
  try {
    const dir = path.dirname(require.resolve('electron/package.json'))
    const read = (/** @type {string} */ name) => readFileSync(path.join(dir, name), 'utf8').trim()
    const { version } = /** @type {{ version: string }} */ (JSON.parse(read('package.json')))
    const executable = path.join(dir, 'dist', read('path.txt'))
    const isWhole = read('dist/version').replace(/^v/, '') === version && existsSync(executable)
    return isWhole ? { path: executable, version, source: 'official' } : undefined
  } catch {
    return undefined
  }
}

/** @returns {Runtime | undefined} */
function standIn() {
  const dir = cachedFallback()
  return dir === undefined ? undefined : { path: path.join(dir, 'electron'), version: fallback.version, source: 'fallback' }
}

/**
 * What is there already, without a network. A cached stand-in means that the declared one could not be had here before,
 * so it is not asked for at every start; COUNTERSIGN_ELECTRON_RETRY=1 asks again.
 * @returns {Runtime | undefined}
 */
export function findElectron() {
  const given = process.env.ELECTRON_EXEC_PATH
  if (given) {
    const isStandIn = given === standIn()?.path
    return { path: given, version: isStandIn ? fallback.version : undefined, source: isStandIn ? 'fallback' : 'override' }
  }
  return official() ?? (process.env.COUNTERSIGN_ELECTRON_RETRY ? undefined : standIn())
}

/** Asks the declared Electron's own installer, with a time limit: a network that swallows packets never answers. */
async function fetchOfficial() {
  const dir = path.dirname(require.resolve('electron/package.json'))
  const limitMs = Number(process.env.COUNTERSIGN_ELECTRON_TIMEOUT_MS ?? 300_000)
  const outcome = await withProgress('fetching Electron', '1 minute', () => run(process.execPath, [path.join(dir, 'install.js')], { limitMs }))
  const found = official()
  if (!found) {
    const why = outcome.code === null ? `no answer within ${limitMs / 1000} s` : (outcome.output.trim().split('\n')[0] ?? '')
    say(`the declared Electron could not be downloaded: ${why}`)
  }
  return found
}

/**
 * The runtime, fetched first when nothing is there.
 * @returns {Promise<Runtime>}
 */
export async function ensureElectron() {
  const found = findElectron()
  if (found) return found
  const fetched = await fetchOfficial()
  if (fetched) return fetched
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new SetupError('no Electron for this machine: check the network or set ELECTRON_MIRROR, then run the same command again')
  }
  await ensureFallback()
  const made = standIn()
  if (!made) throw new Error('the stand-in runtime is missing after it was made')
  say(`using Electron ${fallback.version} instead, for development and tests only`)
  return made
}

/**
 * The variables that electron, electron-vite and the tests read.
 * @param {Runtime} runtime
 * @returns {Record<string, string>}
 */
export function electronEnv(runtime) {
  return {
    ELECTRON_EXEC_PATH: runtime.path,
    ...(runtime.source === 'fallback' && runtime.version
      ? { ELECTRON_OVERRIDE_DIST_PATH: path.dirname(runtime.path), ELECTRON_MAJOR_VER: runtime.version.split('.')[0] ?? '' }
      : {}),
    ...(process.platform === 'linux' && process.getuid?.() === 0 ? { NO_SANDBOX: '1' } : {}),
  }
}
