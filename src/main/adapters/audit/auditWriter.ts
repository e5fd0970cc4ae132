import { constants, fstatSync, statSync, write } from 'node:fs'
import { open, rm, truncate, type FileHandle } from 'node:fs/promises'
import path from 'node:path'
import type { AuditDraft, AuditHead } from '../../../shared/domain/audit'
import type { Clock } from '../../core/ports/clock'
import { makeFileLease, type FileLease } from '../../native/fileLease'
import { flushFolder } from '../../native/wholeFile'
import { auditFile, headOf, listAuditFiles, readEnd, type AuditFile } from './auditFiles'
import { fitsAfter, lineAfter, noHead, readLine } from './auditLine'

/** What is written with. */
export interface AuditWriterOptions {
  /** `audit` in the data folder. */
  readonly dir: string
  readonly clock: Clock
  /** For the HMAC beside the chain; null where the system has no keychain. */
  readonly macKey: Uint8Array | null
  /** A file is not continued beyond this size. */
  readonly maxFileBytes?: number
  /** Older files are removed whole, when they were last written to before this time, and when all are larger than this. */
  readonly keepMs?: number
  readonly keepBytes?: number
}

/** An entry on its way to the log: masked, and what its arguments were bound by before that. */
export interface EntryToWrite {
  readonly draft: AuditDraft
  readonly argsDigest: string | null
}

/** The record is kept this long, and up to this size (SECURITY section 6). */
const keptMs = 90 * 24 * 3600 * 1000
const keptBytes = 200 * 1024 * 1024

const lockMs = 10_000

/** Where the log ends, as far as this process has seen it. `inode` is 0 where the file was not looked at yet. */
interface End {
  readonly number: number
  readonly sizeBytes: number
  readonly inode: number
  readonly head: AuditHead
}

interface OpenFile {
  readonly number: number
  readonly inode: number
  readonly handle: FileHandle
}

/** Where the system can, a write returns when it is on the disk; elsewhere a flush follows, which knows the disk's own cache. */
const isWrittenThrough = process.platform === 'linux'
const continuing = constants.O_WRONLY | constants.O_APPEND | (isWrittenThrough ? constants.O_DSYNC : 0)
const appending = continuing | constants.O_CREAT

/** Writes under the lock; knows where the log ends. */
export class AuditWriter {
  readonly lock: string
  readonly #options: AuditWriterOptions
  readonly #maxFileBytes: number
  readonly #lease: FileLease
  /** The newest file, open for as long as the lock is held. */
  #open: OpenFile | null = null
  /** The same, opened while the lock was being taken; whether it is still the file of that name is seen under the lock. */
  #early: OpenFile | null = null
  #end: End = { number: 1, sizeBytes: 0, inode: 0, head: noHead }

  constructor(options: AuditWriterOptions) {
    this.#options = options
    this.#maxFileBytes = options.maxFileBytes ?? 10 * 1024 * 1024
    this.lock = path.join(options.dir, 'audit.lock')
    this.#lease = makeFileLease({ file: this.lock, waitMs: lockMs, onTake: () => this.#openEarly(), onLeave: () => this.#close() })
  }

  get head(): AuditHead {
    return this.#end.head
  }

  /** Resolves with the head after each entry, when all are on the disk. */
  append(entries: readonly EntryToWrite[]): Promise<readonly AuditHead[]> {
    return this.#lease.run(async () => {
      const torn = this.#isUnchanged() ? null : await this.#catchUp()
      const all = torn === null ? entries : [{ draft: torn, argsDigest: null }, ...entries]
      if (all.length === 0) return []
      const before = this.#end.number
      const heads = await this.#write(all)
      if (this.#end.number > before) await this.#prune()
      return heads.slice(all.length - entries.length)
    })
  }

  /** Removes the oldest files where there is too much of them or they are too old; at the start, and with each new file. */
  prune(): Promise<void> {
    return this.#lease.run(async () => {
      const torn = await this.#catchUp()
      if (torn !== null) await this.#write([{ draft: torn, argsDigest: null }])
      await this.#prune()
    })
  }

  /** The files with their sizes at a moment when nobody writes. */
  settledFiles(): Promise<readonly AuditFile[]> {
    return this.#lease.run(() => listAuditFiles(this.#options.dir))
  }

  /** Recorded first, with the chain value at which each file ended: what is left can be checked from there on. */
  async #prune(): Promise<void> {
    const { dir, clock, keepMs = keptMs, keepBytes = keptBytes } = this.#options
    const files = await listAuditFiles(dir)
    const old = oldFiles(files, clock.nowMs() - keepMs, keepBytes)
    const ends = await Promise.all(old.map(async (file) => (await readEnd(file)).head))
    const last = ends.at(-1)
    if (!last) return
    const args = { files: old.map(({ file }) => path.basename(file)), ends: ends.filter((end) => end !== null) }
    await this.#write([{ draft: { fact: 'log-pruned', atMs: clock.nowMs(), actor: 'app', outcome: `1 - ${last.entries}`, args }, argsDigest: null }])
    for (const { file } of old) await rm(file, { force: true })
    await flushFolder(dir)
  }

  /** Whether the log still ends where this process ended it. Two looks at what the system has in memory: cheaper than to wait for a thread. */
  #isUnchanged(): boolean {
    const { number, inode, sizeBytes } = this.#end
    const newest = statSync(auditFile(this.#options.dir, number), { throwIfNoEntry: false })
    if (newest?.ino !== inode || newest.size !== sizeBytes) return false
    // Under a lock that was kept nobody else can have begun a further file.
    return this.#open !== null || statSync(auditFile(this.#options.dir, number + 1), { throwIfNoEntry: false }) === undefined
  }

  /**
   * Finds the end again when another process has written. A file that became shorter was cut by somebody: then the end that
   * was seen here counts, and the gap stays visible for ever.
   */
  async #catchUp(): Promise<AuditDraft | null> {
    await this.#close()
    const files = await listAuditFiles(this.#options.dir)
    const newest = files.at(-1)
    if (newest === undefined) return null
    const { handle, inode } = await this.#opened(newest.number)
    // Whoever wrote it may have been killed before it was on the disk; what comes behind it must not be there alone.
    await handle.datasync()
    if (newest.number === this.#end.number && newest.sizeBytes === this.#end.sizeBytes) {
      this.#end = { ...this.#end, inode }
      return null
    }
    const { rest, wholeBytes } = await readEnd(newest)
    const found = await headOf(files)
    const line = readLine(rest.toString('utf8'))
    const isWhole = line !== null && fitsAfter(found, line, null)
    if (isWhole) await appendBytes(handle, Buffer.from('\n'), newest.sizeBytes)
    else if (rest.length > 0) await truncate(newest.file, wholeBytes)
    const end = isWhole ? { entries: line.entry, chain: line.chain } : found
    const sizeBytes = isWhole ? newest.sizeBytes + 1 : wholeBytes
    this.#end = { number: newest.number, sizeBytes, inode, head: end.entries >= this.#end.head.entries ? end : this.#end.head }
    if (rest.length === 0 || isWhole) return null
    return { fact: 'torn-line-dropped', atMs: this.#options.clock.nowMs(), actor: 'app', outcome: `${rest.length} bytes` }
  }

  async #write(entries: readonly EntryToWrite[]): Promise<readonly AuditHead[]> {
    const isFull = this.#end.sizeBytes >= this.#maxFileBytes
    const number = this.#end.number + (isFull ? 1 : 0)
    const at = isFull ? 0 : this.#end.sizeBytes
    const lines: string[] = []
    const heads: AuditHead[] = []
    let head = this.#end.head
    const add = (draft: AuditDraft, argsDigest: string | null) => {
      const line = lineAfter(head, draft, argsDigest, this.#options.macKey)
      lines.push(line.text)
      head = line.head
    }
    // The first line of a further file holds the last chain value of the one before.
    if (at === 0 && number > 1) add({ fact: 'log-rotated', atMs: this.#options.clock.nowMs(), actor: 'app', outcome: path.basename(auditFile('', number - 1)) }, null)
    for (const { draft, argsDigest } of entries) {
      add(draft, argsDigest)
      heads.push(head)
    }
    const bytes = Buffer.from(lines.join(''))
    const { handle, inode } = await this.#opened(number)
    await appendBytes(handle, bytes, at)
    if (at === 0) await flushFolder(this.#options.dir)
    this.#end = { number, sizeBytes: at + bytes.length, inode, head }
    return heads
  }

  /** The file as it was found by its name under this lock. */
  async #opened(number: number): Promise<OpenFile> {
    if (this.#open?.number === number) return this.#open
    const file = auditFile(this.#options.dir, number)
    const early = this.#early
    if (early?.number === number && statSync(file, { throwIfNoEntry: false })?.ino === early.inode) {
      this.#early = null
      return (this.#open = early)
    }
    await this.#close()
    return (this.#open = await openedAs(number, file, appending))
  }

  /** Never rejects: what is not open by then is opened under the lock, and says there what is wrong. */
  async #openEarly(): Promise<void> {
    const { number, inode } = this.#end
    await this.#close().catch(() => undefined)
    if (inode !== 0) this.#early = await openedAs(number, auditFile(this.#options.dir, number), continuing).catch(() => null)
  }

  async #close(): Promise<void> {
    const known = [this.#open, this.#early]
    this.#open = null
    this.#early = null
    for (const one of known) await one?.handle.close()
  }
}

async function openedAs(number: number, file: string, flags: number): Promise<OpenFile> {
  const handle = await open(file, flags, 0o600)
  return { number, inode: fstatSync(handle.fd).ino, handle }
}

/** How many bytes were taken. The plain call: the handle's own takes half as long again, and the answer to a person waits for it. */
function written({ fd }: FileHandle, bytes: Buffer): Promise<number> {
  return new Promise((resolve, reject) => {
    write(fd, bytes, 0, bytes.length, null, (error, count) => (error ? reject(error) : resolve(count)))
  })
}

/** The files to remove, oldest first; never the newest. */
function oldFiles(files: readonly AuditFile[], beforeMs: number, keepBytes: number): readonly AuditFile[] {
  let total = files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  const old: AuditFile[] = []
  for (const file of files.slice(0, -1)) {
    if (file.writtenAtMs >= beforeMs && total <= keepBytes) break
    total -= file.sizeBytes
    old.push(file)
  }
  return old
}

/** One write, on the disk when it resolves. What could not be written whole is taken back, so that the next line does not stick to it. */
async function appendBytes(handle: FileHandle, bytes: Buffer, at: number): Promise<void> {
  try {
    if ((await written(handle, bytes)) < bytes.length) throw Object.assign(new Error('the disk took only a part'), { code: 'ENOSPC' })
    if (!isWrittenThrough) await handle.datasync()
  } catch (error) {
    await handle.truncate(at)
    throw error
  }
}
