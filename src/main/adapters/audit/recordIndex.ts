import { closeSync, openSync, readSync } from 'node:fs'
import { setImmediate as giveWay } from 'node:timers/promises'
import type { AuditEntry } from '../../../shared/domain/audit'
import { auditRowOf, fitsFilters, isOfCall, searchTextOf, whatOf } from '../../../shared/ipc/auditRows'
import type { AuditPageView, AuditRow } from '../../../shared/ipc/views'
import type { AuditPart, AuditQuery } from '../../core/ports/auditReader'
import { listAuditFiles, placedLinesOf } from './auditFiles'
import { readEntry } from './auditLine'

/** What is kept in memory of a row: enough for the filters; its texts are read when it is shown or searched. */
interface IndexedRow {
  what: AuditRow['what']
  actor: AuditRow['by']['actor']
  atMs: number
  readonly sessionId: string | null
  /** Indexes of its entries, oldest first. */
  readonly entries: number[]
}

interface IndexedFile {
  readonly number: number
  readonly file: string
  /** Up to here its lines are known. */
  scannedBytes: number
}

type ReadText = (index: number) => string

/** So many rows are read at once for a search. */
const batchRows = 64

/**
 * Where every entry of the log stands, grown by what was appended since it was asked last. It takes memory and time in
 * proportion to the log, and belongs in a thread.
 */
export class RecordIndex {
  readonly #dir: string
  #files: IndexedFile[] = []
  /** By entry: its number, which grows also where somebody tampered, its place, and its row. */
  #numbers: number[] = []
  #fileOf: number[] = []
  #at: number[] = []
  #sizes: number[] = []
  #rowOf: number[] = []
  #rows: IndexedRow[] = []
  #callRows = new Map<string, number>()
  #last: Promise<unknown> = Promise.resolve()

  constructor(dir: string) {
    this.#dir = dir
  }

  /** Rows, newest first. */
  async page(query: AuditQuery): Promise<AuditPageView> {
    await this.#refresh()
    const rows: AuditRow[] = []
    let hasMore = false
    let from = this.#countBelow(query.before) - 1
    while (from >= 0 && !hasMore) {
      const picked: number[] = []
      for (; from >= 0 && picked.length < batchRows; from -= 1) if (this.#isShown(from, query)) picked.push(from)
      const found = this.#withFiles((read) => picked.map((index) => this.#rowAt(index, query.query, read)).filter((row) => row !== null))
      await giveWay()
      const room = query.limit - rows.length
      rows.push(...found.slice(0, room))
      hasMore = found.length > room || (found.length === room && this.#hasAnyBelow(from, query))
    }
    return { rows, hasMore, entries: this.#numbers.at(-1) ?? 0 }
  }

  /** The numbers of all entries of the rows that are looked for; pages and limits do not count. */
  async numbersOf(query: AuditPart): Promise<ReadonlySet<number>> {
    await this.#refresh()
    const numbers = new Set<number>()
    for (let from = this.#rowOf.length - 1; from >= 0; ) {
      const picked: number[] = []
      for (; from >= 0 && picked.length < batchRows; from -= 1) if (this.#isShown(from, query)) picked.push(from)
      this.#withFiles((read) => {
        for (const index of picked) {
          if (query.query !== '' && this.#rowAt(index, query.query, read) === null) continue
          for (const entry of this.#rows[this.#rowOf[index] ?? 0]?.entries ?? []) numbers.add(this.#numbers[entry] ?? 0)
        }
      })
      await giveWay()
    }
    return numbers
  }

  /** The entries of the row that holds a number, as far as they can be read. */
  async entriesAt(number: number): Promise<readonly AuditEntry[]> {
    await this.#refresh()
    const index = this.#countBelow(number)
    return this.#numbers[index] === number ? this.#withFiles((read) => this.#entriesOf(this.#rowOf[index] ?? 0, read)) : []
  }

  #isShown(index: number, query: AuditPart): boolean {
    const row = this.#rows[this.#rowOf[index] ?? 0]
    if (row?.entries.at(-1) !== index || !fitsFilters(row, query) || (query.untilMs !== undefined && row.atMs >= query.untilMs)) return false
    return query.sessions === null || (row.sessionId !== null && query.sessions.includes(row.sessionId))
  }

  /** Without a text to look for, what is left need not be read to know that there is more. With one, that is found out by asking. */
  #hasAnyBelow(from: number, query: AuditQuery): boolean {
    for (let index = from; index >= 0; index -= 1) if (this.#isShown(index, query)) return true
    return false
  }

  #rowAt(index: number, text: string, read: ReadText): AuditRow | null {
    const entries = this.#entriesOf(this.#rowOf[index] ?? 0, read)
    if (text !== '' && !searchTextOf(entries).includes(text.toLowerCase())) return null
    return auditRowOf(entries, this.#numbers[index] ?? 0)
  }

  #entriesOf(row: number, read: ReadText): readonly AuditEntry[] {
    return (this.#rows[row]?.entries ?? []).map((index) => readEntry(read(index))).filter((entry) => entry !== null)
  }

  /** Lines are read where they stand; a file is opened once for all that is read here. */
  #withFiles<T>(use: (read: ReadText) => T): T {
    const open = new Map<number, number>()
    try {
      return use((index) => {
        const at = this.#fileOf[index] ?? 0
        const fd = open.get(at) ?? openSync(this.#files[at]?.file ?? '', 'r')
        open.set(at, fd)
        const bytes = Buffer.alloc(this.#sizes[index] ?? 0)
        return bytes.subarray(0, readSync(fd, bytes, 0, bytes.length, this.#at[index] ?? 0)).toString('utf8')
      })
    } finally {
      for (const fd of open.values()) closeSync(fd)
    }
  }

  /** How many entries have a number below this one; all for null. */
  #countBelow(number: number | null): number {
    if (number === null) return this.#numbers.length
    let low = 0
    let high = this.#numbers.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#numbers[middle] ?? 0) < number) low = middle + 1
      else high = middle
    }
    return low
  }

  /** One after the other: two questions at once must not read the same lines twice. */
  #refresh(): Promise<void> {
    const next = this.#last.then(() => this.#grow())
    this.#last = next.catch(() => null)
    return next
  }

  async #grow(): Promise<void> {
    const files = await listAuditFiles(this.#dir)
    const isGrown = this.#files.every((known, at) => files[at]?.number === known.number && files[at].sizeBytes >= known.scannedBytes)
    if (!isGrown) this.#forget()
    for (const [at, { number, file, sizeBytes }] of files.entries()) {
      const known = (this.#files[at] ??= { number, file, scannedBytes: 0 })
      if (known.scannedBytes >= sizeBytes) continue
      for await (const lines of placedLinesOf({ file, sizeBytes }, known.scannedBytes)) {
        for (const line of lines) {
          // What has no end yet is being written, or torn: the next look knows.
          if (!line.isWhole) continue
          this.#add(readEntry(line.text), at, line.at, line.sizeBytes)
          known.scannedBytes = line.at + line.sizeBytes + 1
        }
      }
    }
  }

  #add(entry: AuditEntry | null, file: number, at: number, sizeBytes: number): void {
    const index = this.#numbers.length
    const next = (this.#numbers.at(-1) ?? 0) + 1
    this.#numbers.push(Math.max(next, entry?.entry ?? 0))
    this.#fileOf.push(file)
    this.#at.push(at)
    this.#sizes.push(sizeBytes)
    this.#rowOf.push(entry !== null && isOfCall(entry) ? this.#addToCall(entry, index) : this.#addRow(entry, index))
  }

  #addToCall(entry: AuditEntry, index: number): number {
    const callId = entry.callId ?? ''
    const known = this.#callRows.get(callId)
    const row = known === undefined ? undefined : this.#rows[known]
    if (known === undefined || !row) {
      const made = this.#addRow(entry, index)
      this.#callRows.set(callId, made)
      return made
    }
    row.entries.push(index)
    row.atMs = entry.atMs
    if (entry.fact === 'decided') row.actor = entry.actor
    if (row.what === 'other' || entry.effect !== undefined) row.what = whatOf(entry)
    return known
  }

  #addRow(entry: AuditEntry | null, index: number): number {
    const before = this.#rows.at(-1)?.atMs ?? 0
    this.#rows.push({ what: entry ? whatOf(entry) : 'other', actor: entry?.actor ?? 'app', atMs: entry?.atMs ?? before, sessionId: entry?.sessionId ?? null, entries: [index] })
    return this.#rows.length - 1
  }

  #forget(): void {
    this.#files = []
    this.#numbers = []
    this.#fileOf = []
    this.#at = []
    this.#sizes = []
    this.#rowOf = []
    this.#rows = []
    this.#callRows = new Map()
  }
}
