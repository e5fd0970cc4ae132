// The per-user cache: the Electron runtime and the native modules built here, shared by all clones.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { withLock } from './lock.mjs'

/** Where it lies: COUNTERSIGN_CACHE_DIR, or countersign-dev in the user's cache folder. */
export function cacheRoot() {
  const own = process.env.COUNTERSIGN_CACHE_DIR
  if (own) return path.resolve(own)
  const base = process.env.XDG_CACHE_HOME
  return path.join(base && path.isAbsolute(base) ? base : path.join(os.homedir(), '.cache'), 'countersign-dev')
}

/**
 * Makes one entry of the cache, once: `fill` writes into a scratch folder on the same disk and moves the finished thing in.
 * Only the holder of the lock makes scratch folders, so the ones found on entry are left-overs of killed runs.
 * @template T
 * @param {() => T | undefined} find the entry, when it is there already
 * @param {(scratch: string) => Promise<void>} fill
 * @returns {Promise<T>}
 */
export async function inCache(find, fill) {
  const there = find()
  if (there !== undefined) return there
  const root = cacheRoot()
  mkdirSync(root, { recursive: true })
  return withLock(path.join(root, 'set-up.lock'), 'set-up', async () => {
    const meanwhile = find()
    if (meanwhile !== undefined) return meanwhile
    for (const name of readdirSync(root)) {
      if (name.startsWith('tmp-')) rmSync(path.join(root, name), { recursive: true, force: true })
    }
    const scratch = mkdtempSync(path.join(root, `tmp-${process.pid}-`))
    try {
      await fill(scratch)
    } finally {
      if (existsSync(scratch)) rmSync(scratch, { recursive: true, force: true })
    }
    const made = find()
    if (made === undefined) throw new Error('the cache entry is missing after it was made')
    return made
  })
}
