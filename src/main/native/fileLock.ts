import { randomUUID } from 'node:crypto'
import { link, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { threadId } from 'node:worker_threads'
import { lifeOf, ownIdentity, type ProcessIdentity } from './processIdentity'

interface Owner extends ProcessIdentity {
  readonly token: string
  /** Which thread of the process took it. */
  readonly thread?: number
}

/** The lock was not free within the time given. */
export class LockHeld extends Error {
  readonly pid: number | null

  constructor(file: string, pid: number | null) {
    super(`${file} is held${pid === null ? '' : ` by process ${pid}`}`)
    this.name = 'LockHeld'
    this.pid = pid
  }
}

/** A lock of an owner that cannot be seen from here counts as left behind after this time. */
const unseenMs = 60_000

/**
 * Runs one thing at a time over all processes that name the same file. A dead owner's lock is taken over; a living one's is
 * waited for, at most `waitMs`; a file that no owner can have written, for ours appear whole, is taken away at once.
 *
 * @throws LockHeld when it did not get free; what the disk says where the file cannot be read.
 */
export async function withFileLock<T>(file: string, waitMs: number, run: () => Promise<T>): Promise<T> {
  const own: Owner = { ...ownIdentity(), token: randomUUID(), thread: threadId }
  await take(file, own, waitMs)
  try {
    return await run()
  } finally {
    const holder = await readOwner(file)
    if (typeof holder === 'object' && holder.token === own.token) await rm(file, { force: true })
  }
}

/** Takes a lock away that a thread of this process held when it died: its process lives on, so nobody else may. */
export async function freeLockOfThread(file: string, deadThread: number): Promise<void> {
  const holder = await readOwner(file)
  const own = ownIdentity()
  if (typeof holder !== 'object' || holder.thread !== deadThread) return
  if (holder.pid === own.pid && holder.startedAt === own.startedAt && holder.scope === own.scope) await removeDead(file, holder)
}

async function take(file: string, own: Owner, waitMs: number): Promise<void> {
  const mine = `${file}.${own.token}.tmp`
  await writeFile(mine, JSON.stringify(own), { mode: 0o600 })
  try {
    const until = performance.now() + waitMs
    for (let pauseMs = 1; ; pauseMs = Math.min(pauseMs * 2, 25)) {
      if (await appears(mine, file)) return
      const holder = await readOwner(file)
      if (holder === 'none') continue
      if (await isLeftBehind(file, holder)) await removeDead(file, holder)
      else if (performance.now() > until) throw new LockHeld(file, typeof holder === 'object' ? holder.pid : null)
      else await sleep(pauseMs)
    }
  } finally {
    await rm(mine, { force: true })
  }
}

/** A link appears whole or not at all, so a lock is never seen half written. */
async function appears(mine: string, file: string): Promise<boolean> {
  try {
    await link(mine, file)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

async function readOwner(file: string): Promise<Owner | 'none' | 'unreadable'> {
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch (error) {
    // Whose it is cannot be known, and it would not get free by waiting.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    return 'none'
  }
  try {
    const owner: unknown = JSON.parse(text)
    return isOwner(owner) ? owner : 'unreadable'
  } catch {
    return 'unreadable' // not written by us, since ours appear whole; a power cut may have emptied it
  }
}

function isOwner(value: unknown): value is Owner {
  return typeof value === 'object' && value !== null && 'token' in value && 'pid' in value && typeof value.token === 'string' && typeof value.pid === 'number'
}

async function isLeftBehind(file: string, holder: Owner | 'unreadable'): Promise<boolean> {
  if (holder === 'unreadable') return true
  const life = lifeOf(holder)
  if (life !== 'elsewhere') return life === 'dead'
  try {
    return Date.now() - (await stat(file)).mtimeMs > unseenMs
  } catch {
    return false // gone meanwhile
  }
}

/**
 * Two that find the same dead owner must not remove each other's new lock: the file is moved away first (only one can),
 * looked at, and put back when it turns out to be a living one's.
 */
async function removeDead(file: string, dead: Owner | 'unreadable'): Promise<void> {
  const away = `${file}.${randomUUID()}.tmp`
  try {
    await rename(file, away)
  } catch {
    return // another one was quicker
  }
  const moved = await readOwner(away)
  const isSame = typeof moved === 'object' && typeof dead === 'object' ? moved.token === dead.token : moved === dead
  if (!isSame) await appears(away, file)
  await rm(away, { force: true })
}
