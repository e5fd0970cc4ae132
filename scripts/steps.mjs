// The steps of the set-up in their order. Each looks first whether it is done, so an interrupted one goes on where it stopped.
import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { electronEnv, ensureElectron, findElectron } from './electronRuntime.mjs'
import { withLock } from './lock.mjs'
import { arePackagesReady, ensurePackages } from './packages.mjs'
import { say } from './say.mjs'
import { ensureSqliteAddon, findSqliteAddon, needsOwnAddon } from './sqliteAddon.mjs'
import { ensureSystemLibraries, missingNeeds } from './systemLibraries.mjs'

/** @typedef {import('./systemLibraries.mjs').Purpose} Purpose */
/** @typedef {'window' | 'tests' | 'headless'} Target what the set-up is for */

export const root = path.resolve(import.meta.dirname, '..')

/** @type {Record<Target, Purpose[]>} */
const purposes = {
  headless: ['git', 'sandbox'],
  window: ['git', 'sandbox', 'window', 'font'],
  tests: ['git', 'sandbox', 'window', 'font', 'display'],
}

/** @param {Target} target */
function purposesOf(target) {
  const wanted = new Set(purposes[target])
  if (target === 'tests' && (process.env.DISPLAY || process.env.WAYLAND_DISPLAY)) wanted.delete('display')
  const isCompiled = arePackagesReady(root) && (!needsOwnAddon(findElectron()?.version) || findSqliteAddon() !== undefined)
  if (!isCompiled) wanted.add('compile')
  return wanted
}

/**
 * Brings everything that the target needs.
 * @param {Target} target
 * @returns {Promise<Record<string, string>>} the variables that a child of ours needs
 */
export async function setUp(target) {
  const hasWindow = target !== 'headless'
  if (!isReady(target)) {
    mkdirSync(path.join(root, 'out'), { recursive: true })
    await withLock(path.join(root, 'out', 'set-up.lock'), 'set-up', async () => {
      await ensureSystemLibraries(purposesOf(target), path.join(root, 'out', '.system-tried'))
      await ensurePackages(root)
    })
  }
  const runtime = hasWindow ? await ensureElectron() : findElectron()
  const env = runtime ? electronEnv(runtime) : {}
  if (runtime?.source === 'fallback' && hasWindow) say(`running on Electron ${runtime.version}, a stand-in for development and tests only`)
  if (!needsOwnAddon(runtime?.version)) return env
  return { ...env, COUNTERSIGN_SQLITE_BINDING: await ensureSqliteAddon() }
}

/** @param {Target} target */
function isReady(target) {
  return arePackagesReady(root) && missingNeeds(purposesOf(target)).length === 0
}
