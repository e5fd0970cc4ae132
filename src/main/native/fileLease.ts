import { existsSync, readFileSync, rmSync } from 'node:fs'
import { rm, utimes, writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { giveBackLock, longestPauseMs, newOwner, takeLock, unseenMs, writeOwner, type Owner } from './fileLock'

/** A file lock for one who takes it often. */
export interface FileLease {
  /**
   * Runs one thing at a time over all processes that name the same file, and over the callers here.
   *
   * @throws LockHeld when it did not get free; what the disk says where the lock cannot be made.
   */
  run<T>(work: () => Promise<T>): Promise<T>
}

/** What a lease is made with. */
export interface FileLeaseOptions {
  readonly file: string
  /** How long a living owner is waited for. */
  readonly waitMs: number
  /** Begins what will be needed under the lock, while it is being taken: nothing that is only true once it is held. */
  onTake?(): Promise<void>
  /** Gives back what is only good while the lock is held; runs before the lock is free. */
  onLeave?(): Promise<void>
}

/** So long it is kept after a use. Short, since a process that is stopped here makes the others wait. */
const idleMs = 15

/** The lock's file is touched this often, so that nobody who cannot see this process thinks it left behind. */
const touchMs = unseenMs / 3

const leases = new Set<Lease>()

/**
 * The lock of `withFileLock`, kept for some milliseconds after each use, so that the next one needs no disk for it. Who waits
 * for it leaves a mark beside it: whoever holds it sees that after the work at hand, gives it back and steps back.
 */
export function makeFileLease(options: FileLeaseOptions): FileLease {
  if (leases.size === 0) process.once('exit', () => leases.forEach((lease) => lease.end()))
  const lease = new Lease(options)
  leases.add(lease)
  return lease
}

class Lease implements FileLease {
  readonly #options: FileLeaseOptions
  readonly #own: Owner = newOwner()
  readonly #mark: string
  /** The file that becomes the lock by a second name; stays from one taking to the next. */
  readonly #mine: string
  #touchedAtMs = 0
  #isHeld = false
  #isBusy = false
  #idle: NodeJS.Timeout | undefined
  #last: Promise<void> = Promise.resolve()

  constructor(options: FileLeaseOptions) {
    this.#options = options
    this.#mark = `${options.file}.asked`
    this.#mine = `${options.file}.${this.#own.token}.tmp`
  }

  run<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(async () => {
      clearTimeout(this.#idle)
      this.#isBusy = true
      if (!this.#isHeld) await this.#take()
      return work()
    })
    const settle = () => this.#settle()
    this.#last = done.then(settle, settle)
    return done
  }

  /**
   * The process ends: what a dead owner leaves would be found and removed, but need not be. While work is on its way the lock
   * stays: what was begun may still reach the disk.
   */
  end(): void {
    const { file } = this.#options
    try {
      rmSync(this.#mine, { force: true })
      if (this.#isHeld && !this.#isBusy && readFileSync(file, 'utf8').includes(this.#own.token)) rmSync(file)
    } catch {
      // The next one finds a dead owner's.
    }
  }

  async #take(): Promise<void> {
    const { file, waitMs } = this.#options
    await this.#touch()
    let hasAsked = false
    const onWait = async () => {
      hasAsked = true
      if (!existsSync(this.#mark)) await writeFile(this.#mark, '', { mode: 0o600 })
    }
    const taking = { file, own: this.#own, mine: this.#mine, waitMs, onWait }
    const prepared = this.#options.onTake?.()
    await takeLock(taking).catch(async (error: NodeJS.ErrnoException) => {
      // Another process took it for a left over, for it had not been touched for long.
      if (error.code !== 'ENOENT') throw error
      this.#touchedAtMs = 0
      await this.#touch()
      await takeLock(taking)
    })
    this.#isHeld = true
    if (hasAsked) await rm(this.#mark, { force: true })
    await prepared
  }

  async #touch(): Promise<void> {
    if (!this.#isOld()) return
    const now = new Date()
    await utimes(this.#mine, now, now).catch(async (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error
      await writeOwner(this.#options.file, this.#own)
    })
    this.#touchedAtMs = now.getTime()
  }

  /** Also when the clock was set back. */
  #isOld(): boolean {
    return Math.abs(Date.now() - this.#touchedAtMs) > touchMs
  }

  /** Never rejects: what was asked for is done, and a lock that could not be given back is taken up again as one's own. */
  async #settle(): Promise<void> {
    // Whoever waits for what was done goes on first.
    await new Promise((resolve) => setImmediate(resolve))
    this.#isBusy = false
    if (!this.#isHeld) return
    if (existsSync(this.#mark)) {
      await rm(this.#mark, { force: true }).catch(() => undefined)
      await this.#leave()
      await sleep(longestPauseMs + 5)
    } else if (this.#isOld()) await this.#leave()
    else {
      this.#idle = setTimeout(() => {
        this.#last = this.#last.then(() => this.#leave())
      }, idleMs)
    }
  }

  async #leave(): Promise<void> {
    if (!this.#isHeld) return
    await this.#options.onLeave?.().catch(() => undefined)
    this.#isHeld = false
    await giveBackLock(this.#options.file, this.#own).catch(() => undefined)
  }
}
