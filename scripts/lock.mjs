// A lock file that holds its owner: process id and the moment that process was started, so a reused id is not mistaken for it.
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { randomUUID } from 'node:crypto'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { say } from './say.mjs'

/** @typedef {{ pid: number, startedAt: string, token: string }} Owner */

/**
 * When a process was started, in the kernel's own count; an empty text where the system does not tell.
 * @param {number} pid
 */
export function processStart(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name in brackets may hold blanks and brackets itself: count fields after the last one.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? ''
  } catch {
    return ''
  }
}

/** @param {Owner} owner */
export function isAlive(owner) {
  try {
    process.kill(owner.pid, 0)
  } catch (error) {
    // EPERM: it lives and belongs to somebody else.
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EPERM') return false
  }
  const start = processStart(owner.pid)
  return owner.startedAt === '' || start === '' || start === owner.startedAt
}

/**
 * @param {string} file
 * @returns {Owner | 'none' | 'unreadable'}
 */
function readOwner(file) {
  let text
  try {
    text = readFileSync(file, 'utf8')
  } catch {
    return 'none'
  }
  try {
    return JSON.parse(text)
  } catch {
    return 'unreadable' // never written by us, since ours appear whole: nobody's
  }
}

/**
 * Takes the lock when it is free, or its owner is dead.
 * @param {string} file
 * @returns {{ release: () => void } | { heldBy: Owner }}
 */
export function tryLock(file) {
  /** @type {Owner} */
  const me = { pid: process.pid, startedAt: processStart(process.pid), token: randomUUID() }
  const own = `${file}.${me.token}`
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(own, JSON.stringify(me))
  try {
    for (;;) {
      try {
        linkSync(own, file) // appears whole or not at all
        return { release: () => release(file, me) }
      } catch (error) {
        if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EEXIST') throw error
      }
      const owner = readOwner(file)
      if (owner === 'none') continue
      if (owner !== 'unreadable' && isAlive(owner)) return { heldBy: owner }
      removeDead(file, owner)
    }
  } finally {
    rmSync(own, { force: true })
  }
}

/**
 * Two that find the same dead owner must not remove each other's new lock: the file is moved away first (only one can),
 * looked at, and put back when it turns out to be a living one's.
 * @param {string} file
 * @param {Owner | 'unreadable'} dead
 */
function removeDead(file, dead) {
  const away = `${file}.${randomUUID()}`
  try {
    renameSync(file, away)
  } catch {
    return
  }
  const moved = readOwner(away)
  const isSame = typeof moved === 'object' && typeof dead === 'object' ? moved.token === dead.token : moved === dead
  if (!isSame) {
    try {
      linkSync(away, file)
    } catch {
      // A third one has it by now; the owner of the moved one finds out when it releases.
    }
  }
  rmSync(away, { force: true })
}

/**
 * @param {string} file
 * @param {Owner} me
 */
function release(file, me) {
  const owner = readOwner(file)
  if (typeof owner === 'object' && owner.token === me.token) rmSync(file, { force: true })
}

/**
 * Runs one thing at a time across processes. The second says that it waits.
 * @template T
 * @param {string} file
 * @param {string} what what the owner does, as in "set-up"
 * @param {() => Promise<T> | T} run
 * @returns {Promise<T>}
 */
export async function withLock(file, what, run) {
  let told = 0
  for (;;) {
    const lock = tryLock(file)
    if ('release' in lock) {
      const free = () => lock.release()
      process.once('exit', free)
      try {
        return await run()
      } finally {
        process.removeListener('exit', free)
        lock.release()
      }
    }
    if (told++ % 150 === 0) say(`another ${what} is at work (process ${lock.heldBy.pid}); waiting for it`)
    await sleep(200)
  }
}
