import { randomUUID } from 'node:crypto'
import { link, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { threadId } from 'node:worker_threads'
import { lifeOf, ownIdentity, type ProcessIdentity } from './processIdentity'

/** Who holds a lock, as its file says. */
export interface Owner extends ProcessIdentity {
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

/** A lock of an owner that cannot be seen from here counts as left behind this long after its file was last touched. */
export const unseenMs = 60_000

/**
 * Runs one thing at a time over all processes that name the same file. A dead owner's lock is taken over; a living one's is
 * waited for, at most `waitMs`; a file that no owner can have written, for ours appear whole, is taken away at once.
 *
 * @throws LockHeld when it did not get free; what the disk says where the file cannot be read.
 */
export async function withFileLock<T>(file: string, waitMs: number, run: () => Promise<T>): Promise<T> {
  const own = newOwner()
  const mine = await writeOwner(file, own)
  try {
    await takeLock({ file, own, mine, waitMs })
  } finally {
    await rm(mine, { force: true })
  }
  try {
    return await run()
  } finally {
    await giveBackLock(file, own)
  }
}

/** Takes a lock away that a thread of this process held when it died: its process lives on, so nobody else may. */
export async function freeLockOfThread(file: string, deadThread: number): Promise<void> {
  const holder = await readOwner(file)
  const own = newOwner()
  if (typeof holder !== 'object' || holder.thread !== deadThread) return
  if (holder.pid !== own.pid || holder.startedAt !== own.startedAt || holder.scope !== own.scope) return
  const mine = await writeOwner(file, own)
  try {
    await removeDead(file, holder, mine)
  } finally {
    await rm(mine, { force: true })
  }
}

/** This thread as an owner that no other can be taken for. */
export function newOwner(): Owner {
  return { ...ownIdentity(), token: randomUUID(), thread: threadId }
}

/** Writes the file that becomes the lock by a second name; returns its path. */
export async function writeOwner(file: string, own: Owner): Promise<string> {
  const mine = `${file}.${own.token}.tmp`
  await writeFile(mine, JSON.stringify(own), { mode: 0o600, flag: 'wx' })
  return mine
}

/** What taking a lock needs: whose it will be, and the file that says so. */
export interface Taking {
  readonly file: string
  readonly own: Owner
  readonly mine: string
  readonly waitMs: number
  /** Runs before each pause of waiting for a living owner. */
  readonly onWait?: () => Promise<void>
}

/**
 * Waits until the lock is this owner's.
 *
 * @throws LockHeld when it did not get free; what the disk says, `ENOENT` when `mine` is gone.
 */
export async function takeLock({ file, own, mine, waitMs, onWait }: Taking): Promise<void> {
  const until = performance.now() + waitMs
  for (let pauseMs = 1; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
    if (await appears(mine, file)) return
    const holder = await readOwner(file)
    if (holder === 'none') continue
    // It could not be given back before.
    if (holder !== 'unreadable' && holder.token === own.token) return
    if (await isLeftBehind(file, holder)) {
      await removeDead(file, holder, mine)
      continue
    }
    if (performance.now() > until) throw new LockHeld(file, holder === 'unreadable' ? null : holder.pid)
    await onWait?.()
    await sleep(pauseMs)
  }
}

/** Whoever waits looks at least this often. */
export const longestPauseMs = 25

/** Removes the lock where it is still this owner's. */
export async function giveBackLock(file: string, own: Owner): Promise<void> {
  const holder = await readOwner(file)
  if (typeof holder === 'object' && holder.token === own.token) await rm(file, { force: true })
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
  return typeof value === 'object' && value !== null && 'token' in value && 'pid' in value && typeof value.token === 'string' && /^[\w-]{1,64}$/.test(value.token) && typeof value.pid === 'number'
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
 * Two that find the same dead owner must not remove each other's new lock. The right to remove is a lock of its own, named by
 * the dead owner: only one has it at a time, and since the dead one takes nothing again, what the holder of the right sees
 * stays so. A right whose holder died in turn is removed in the same way.
 */
async function removeDead(file: string, dead: Owner | 'unreadable', mine: string): Promise<void> {
  const right = `${file}.${dead === 'unreadable' ? dead : dead.token}.end.tmp`
  if (!(await appears(mine, right))) {
    const other = await readOwner(right)
    if (other !== 'none' && (await isLeftBehind(right, other))) await removeDead(right, other, mine)
    else await sleep(1)
    return
  }
  try {
    const holder = await readOwner(file)
    const isSame = typeof holder === 'object' && typeof dead === 'object' ? holder.token === dead.token : holder === dead
    if (isSame) await rm(file, { force: true })
  } finally {
    await rm(right, { force: true })
  }
}
