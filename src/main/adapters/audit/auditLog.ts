import { createHash } from 'node:crypto'
import { mkdir, open, readFile, rm, truncate } from 'node:fs/promises'
import path from 'node:path'
import type { AuditSink } from '../../core/ports/auditSink'
import type { Clock } from '../../core/ports/clock'
import { StorageFault } from '../../core/ports/storageFault'
import type { AuditAnchor, AuditDraft, AuditHead } from '../../../shared/domain/audit'
import { said, succeed, type Result } from '../../../shared/domain/result'
import { LockHeld, withFileLock } from '../../native/fileLock'
import { flushFolder, removeLeftOvers } from '../../native/wholeFile'
import { auditFile, headOf, listAuditFiles, readEnd, type AuditFile } from './auditFiles'
import { argsDigestOf, fitsAfter, isOfRollback, lineAfter, noHead, readLine } from './auditLine'
import { exportLog } from './exportLog'
import { redactDraft } from './redactDraft'
import { verifyFiles, type AuditVerdict, type KnownFacts } from './verifyFiles'

/** What the log is opened with. */
export interface AuditLogOptions {
  /** `audit` in the data folder. */
  readonly dir: string
  readonly clock: Clock
  /** Masks secrets; what it is not shown is not written. */
  redact(text: string): string
  /** For the HMAC beside the chain; null where the system has no keychain. */
  readonly macKey: Uint8Array | null
  /** The head as the database knows it: against it a cut tail shows. */
  knownHead(): Promise<AuditHead | null>
  /** Chain values as the snapshots know them: against them a cut tail shows when the database was cut too. */
  anchors?(): Promise<readonly AuditAnchor[]>
  /** A file is not continued beyond this size. */
  readonly maxFileBytes?: number
  /** Older files are removed whole, when they were last written to before this time, and when all are larger than this. */
  readonly keepMs?: number
  readonly keepBytes?: number
}

/** The audit log. `verify` also says how many entries carry a mac that was checked. */
export interface AuditLog extends AuditSink {
  verify(): Promise<AuditVerdict>
  /** What a check needs, read in the order that makes what is appended meanwhile not look like a cut tail. */
  toCheck(): Promise<{ readonly files: readonly AuditFile[] } & KnownFacts>
  /** Tells when entries were written by this process, once for those that are written together; returns a stop. */
  onGrowth(listener: () => void): () => void
}

/** The record is kept this long, and up to this size (SECURITY section 6). */
const keptMs = 90 * 24 * 3600 * 1000
const keptBytes = 200 * 1024 * 1024

interface Pending {
  readonly draft: AuditDraft
  readonly argsDigest: string | null
  resolve(head: AuditHead): void
  reject(error: Error): void
}

/** Where the log ends, as far as this process has seen it. */
interface End {
  readonly number: number
  readonly sizeBytes: number
  readonly head: AuditHead
}

const lockMs = 10_000

/**
 * Opens the log, or begins it. A last line that a crash left torn is dropped, and that is recorded. Several processes may
 * append: each takes the lock, looks how far the others have come, and writes all its waiting entries with one write.
 */
export async function openAuditLog(options: AuditLogOptions): Promise<Result<AuditLog>> {
  const writer = new AuditWriter(options)
  try {
    await mkdir(options.dir, { recursive: true, mode: 0o700 })
    await removeLeftOvers(writer.lock)
    await writer.append([])
    await writer.prune()
  } catch (error) {
    const known = errorOf(error, options.dir)
    if (!(known instanceof StorageFault)) throw known
    return { ok: false, fault: known.fault }
  }
  return succeed(logOver(writer, options))
}

function logOver(writer: AuditWriter, options: AuditLogOptions): AuditLog {
  const redactor = { redact: (text: string) => options.redact(text), hash: (text: string) => createHash('sha256').update(text).digest('hex') }
  const listeners = new Set<() => void>()
  let waiting: Pending[] = []
  let isWriting = false

  async function pump(): Promise<void> {
    if (isWriting) return
    isWriting = true
    while (waiting.length > 0) {
      const batch = waiting
      waiting = []
      try {
        const heads = await writer.append(batch)
        for (const tell of listeners) tell()
        batch.forEach((one, index) => one.resolve(heads[index] ?? noHead))
      } catch (error) {
        for (const one of batch) one.reject(errorOf(error, options.dir))
      }
    }
    isWriting = false
  }

  const append = (draft: AuditDraft): Promise<AuditHead> =>
    new Promise((resolve, reject) => {
      // Masked here, before it is kept anywhere, even in memory.
      waiting.push({ draft: redactDraft(draft, redactor), argsDigest: argsDigestOf(draft.args, options.macKey), resolve, reject })
      void pump()
    })

  const toCheck: AuditLog['toCheck'] = async () => {
    const known = [writer.head, await options.knownHead(), ...((await options.anchors?.()) ?? [])]
    return { files: await writer.settledFiles(), macKey: options.macKey, known }
  }

  return {
    append,
    head: () => (writer.head.entries === 0 ? null : writer.head),
    async verify() {
      const { files, ...facts } = await toCheck()
      return verifyFiles(files, facts)
    },
    toCheck,
    onGrowth(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    async hasRollback(id) {
      const texts = await Promise.all((await writer.settledFiles()).slice(-2).map(({ file }) => readFile(file, 'utf8')))
      return texts.some((text) => text.includes(id) && text.split('\n').some((line) => isOfRollback(line, id)))
    },
    async exportTo(file) {
      const entries = await exportLog(await writer.settledFiles(), file).catch((error: NodeJS.ErrnoException) => {
        throw new StorageFault(said('audit.not-exported', { file, problem: error.message }))
      })
      await append({ fact: 'export-made', atMs: options.clock.nowMs(), actor: 'person', outcome: file })
      return entries
    },
  }
}

/** Writes under the lock; knows where the log ends. */
class AuditWriter {
  readonly lock: string
  readonly #options: AuditLogOptions
  readonly #maxFileBytes: number
  #end: End = { number: 1, sizeBytes: 0, head: noHead }

  constructor(options: AuditLogOptions) {
    this.#options = options
    this.#maxFileBytes = options.maxFileBytes ?? 10 * 1024 * 1024
    this.lock = path.join(options.dir, 'audit.lock')
  }

  get head(): AuditHead {
    return this.#end.head
  }

  /** Resolves with the head after each entry, when all are on the disk. */
  append(entries: readonly Pick<Pending, 'draft' | 'argsDigest'>[]): Promise<readonly AuditHead[]> {
    return withFileLock(this.lock, lockMs, async () => {
      const torn = await this.#catchUp()
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
    return withFileLock(this.lock, lockMs, async () => {
      const torn = await this.#catchUp()
      if (torn !== null) await this.#write([{ draft: torn, argsDigest: null }])
      await this.#prune()
    })
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

  /** The files with their sizes at a moment when nobody writes. */
  settledFiles(): Promise<readonly AuditFile[]> {
    return withFileLock(this.lock, lockMs, () => listAuditFiles(this.#options.dir))
  }

  /**
   * Finds the end again when another process has written. A file that became shorter was cut by somebody: then the end that
   * was seen here counts, and the gap stays visible for ever.
   */
  async #catchUp(): Promise<AuditDraft | null> {
    const files = await listAuditFiles(this.#options.dir)
    const newest = files.at(-1)
    if (newest === undefined) return null
    if (newest.number === this.#end.number && newest.sizeBytes === this.#end.sizeBytes) return null
    const { rest, wholeBytes } = await readEnd(newest)
    const found = await headOf(files)
    const line = readLine(rest.toString('utf8'))
    const isWhole = line !== null && fitsAfter(found, line, null)
    if (isWhole) await appendBytes(newest.file, Buffer.from('\n'), newest.sizeBytes)
    else if (rest.length > 0) await truncate(newest.file, wholeBytes)
    const end = isWhole ? { entries: line.entry, chain: line.chain } : found
    const sizeBytes = isWhole ? newest.sizeBytes + 1 : wholeBytes
    this.#end = { number: newest.number, sizeBytes, head: end.entries >= this.#end.head.entries ? end : this.#end.head }
    if (rest.length === 0 || isWhole) return null
    return { fact: 'torn-line-dropped', atMs: this.#options.clock.nowMs(), actor: 'app', outcome: `${rest.length} bytes` }
  }

  async #write(entries: readonly Pick<Pending, 'draft' | 'argsDigest'>[]): Promise<readonly AuditHead[]> {
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
    await appendBytes(auditFile(this.#options.dir, number), bytes, at)
    if (at === 0) await flushFolder(this.#options.dir)
    this.#end = { number, sizeBytes: at + bytes.length, head }
    return heads
  }
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

/** One write and one flush. What could not be written whole is taken back, so that the next line does not stick to it. */
async function appendBytes(file: string, bytes: Buffer, at: number): Promise<void> {
  const handle = await open(file, 'a', 0o600)
  try {
    try {
      const { bytesWritten } = await handle.write(bytes)
      if (bytesWritten < bytes.length) throw Object.assign(new Error('the disk took only a part'), { code: 'ENOSPC' })
      await handle.datasync()
    } catch (error) {
      await handle.truncate(at)
      throw error
    }
  } finally {
    await handle.close()
  }
}

/** A fault in words for what the disk did; any other error is a bug and stays what it is. */
function errorOf(error: unknown, dir: string): Error {
  if (error instanceof LockHeld) return new StorageFault(said('audit.busy', { file: dir, pid: String(error.pid ?? '?') }))
  if (!(error instanceof Error)) return new Error(String(error))
  const { code } = error as NodeJS.ErrnoException
  if (code === undefined) return error
  const isFull = code === 'ENOSPC' || code === 'EDQUOT'
  return new StorageFault(isFull ? said('app.disk-full', { file: dir }) : said('audit.unusable', { file: dir, problem: error.message }))
}
