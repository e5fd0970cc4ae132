import { createHash } from 'node:crypto'
import { mkdir, readFile } from 'node:fs/promises'
import type { AuditSink } from '../../core/ports/auditSink'
import { StorageFault } from '../../core/ports/storageFault'
import type { AuditAnchor, AuditDraft, AuditHead } from '../../../shared/domain/audit'
import { said, succeed, type Result } from '../../../shared/domain/result'
import { LockHeld } from '../../native/fileLock'
import { removeLeftOvers } from '../../native/wholeFile'
import { allLinesOf, type AuditFile } from './auditFiles'
import { argsDigestOf, isOfRollback, noHead } from './auditLine'
import { AuditWriter, type AuditWriterOptions, type EntryToWrite } from './auditWriter'
import { exportLog } from './exportLog'
import { redactDraft } from './redactDraft'
import { verifyFiles, type AuditVerdict, type KnownFacts } from './verifyFiles'

/** What the log is opened with. */
export interface AuditLogOptions extends AuditWriterOptions {
  /** Masks secrets; what it is not shown is not written. */
  redact(text: string): string
  /** The head as the database knows it: against it a cut tail shows. */
  knownHead(): Promise<AuditHead | null>
  /** Chain values as the snapshots know them: against them a cut tail shows when the database was cut too. */
  anchors?(): Promise<readonly AuditAnchor[]>
}

/** The audit log. `verify` also says how many entries carry a mac that was checked. */
export interface AuditLog extends AuditSink {
  verify(): Promise<AuditVerdict>
  /** What a check needs, read in the order that makes what is appended meanwhile not look like a cut tail. */
  toCheck(): Promise<{ readonly files: readonly AuditFile[] } & KnownFacts>
  /** Tells when entries were written by this process, once for those that are written together; returns a stop. */
  onGrowth(listener: () => void): () => void
}

interface Pending extends EntryToWrite {
  resolve(head: AuditHead): void
  reject(error: Error): void
}

/**
 * Opens the log, or begins it. A last line that a crash left torn is dropped, and that is recorded. Several processes may
 * append: each takes the lock, looks how far the others have come, and writes all its waiting entries with one write. It keeps
 * the lock for a moment after that, unless another one waits.
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
      const entries = await exportLog(allLinesOf(await writer.settledFiles()), file).catch((error: NodeJS.ErrnoException) => {
        throw new StorageFault(said('audit.not-exported', { file, problem: error.message }))
      })
      await append({ fact: 'export-made', atMs: options.clock.nowMs(), actor: 'person', outcome: file })
      return entries
    },
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
