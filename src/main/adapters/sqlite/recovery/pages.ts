import { closeSync, existsSync, fstatSync, openSync, readSync } from 'node:fs'
import { readWal } from './walFrames'

/** One way of reading the pages. Null for a page that is not there; numbers begin at 1. */
export interface PageView {
  readonly usableBytes: number
  read(page: number): Buffer | null
}

/**
 * The pages of a damaged database. `sure` gives the newest image whose checksum in the log fits, else the file's; `late` the
 * newest in the log at all. `latePages` are those that differ.
 */
export interface Pages {
  readonly count: number
  readonly latePages: readonly number[]
  readonly sure: PageView
  readonly late: PageView
  close(): void
}

/** Opens the files as bytes. Nothing is asked of SQLite, nothing is written, and any content is accepted. */
export function openPages(file: string): Pages {
  const fd = openSync(file, 'r')
  const walFd = existsSync(`${file}-wal`) ? openSync(`${file}-wal`, 'r') : null
  const wal = readWal(`${file}-wal`)
  const frames = (wal?.frames ?? []).filter((frame) => frame.page > 0 && frame.page < 2 ** 31)
  const header = Buffer.alloc(100)
  readSync(fd, header, 0, 100, 0)
  const stored = pageSizeOf(header)
  const pageSize = stored ?? wal?.pageSize ?? 4096
  const inFile = Math.floor(fstatSync(fd).size / pageSize)

  const viewOf = (places: ReadonlyMap<number, number>): PageView => ({
    usableBytes: pageSize - (stored === null ? 0 : (header[20] ?? 0)),
    read(page) {
      const inLog = places.get(page)
      if (inLog !== undefined && walFd !== null) return readPage(walFd, inLog, pageSize)
      return page >= 1 && page <= inFile ? readPage(fd, (page - 1) * pageSize, pageSize) : null
    },
  })
  const sure = new Map(frames.filter((frame) => frame.isSure).map((frame) => [frame.page, frame.at]))
  const late = new Map(frames.map((frame) => [frame.page, frame.at]))
  return {
    count: [...late.keys()].reduce((most, page) => Math.max(most, page), inFile),
    latePages: [...late.keys()].filter((page) => late.get(page) !== sure.get(page)),
    sure: viewOf(sure),
    late: viewOf(late),
    close() {
      closeSync(fd)
      if (walFd !== null) closeSync(walFd)
    },
  }
}

function readPage(fd: number, at: number, size: number): Buffer | null {
  const bytes = Buffer.alloc(size)
  return readSync(fd, bytes, 0, size, at) === size ? bytes : null
}

function pageSizeOf(header: Buffer): number | null {
  if (header.toString('latin1', 0, 15) !== 'SQLite format 3') return null
  const stored = header.readUInt16BE(16)
  const size = stored === 1 ? 65536 : stored
  return size >= 512 && (size & (size - 1)) === 0 ? size : null
}
