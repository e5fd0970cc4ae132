import { open, readdir, stat } from 'node:fs/promises'
import path from 'node:path'
import type { AuditHead } from '../../../shared/domain/audit'
import { noHead, readLine } from './auditLine'

/** One file of the log, and how much of it there is. */
export interface AuditFile {
  readonly number: number
  readonly file: string
  readonly sizeBytes: number
  /** When it was last written to. */
  readonly writtenAtMs: number
}

/** The path of a file of the log, numbered from 1. */
export function auditFile(dir: string, number: number): string {
  return path.join(dir, `audit-${String(number).padStart(6, '0')}.jsonl`)
}

/** The files that are there, oldest first. */
export async function listAuditFiles(dir: string): Promise<readonly AuditFile[]> {
  const numbers = (await readdir(dir)).flatMap((name) => /^audit-(\d{6})\.jsonl$/.exec(name)?.[1] ?? []).map(Number)
  return Promise.all(
    numbers.sort((a, b) => a - b).map(async (number) => {
      const file = auditFile(dir, number)
      const facts = await stat(file)
      return { number, file, sizeBytes: facts.size, writtenAtMs: facts.mtimeMs }
    }),
  )
}

/** The end of a file: its last line that could be read, the lines behind that which could not, and what has no line end. */
export interface FileEnd {
  readonly head: AuditHead | null
  /** Bytes up to and with the last line end. */
  readonly wholeBytes: number
  readonly rest: Buffer
}

/** Looks for the last line from behind, in growing pieces. */
export async function readEnd({ file, sizeBytes }: AuditFile): Promise<FileEnd> {
  for (let wanted = 64 * 1024; ; wanted *= 4) {
    const from = Math.max(0, sizeBytes - wanted)
    const bytes = await readRange(file, from, sizeBytes)
    const lastEnd = bytes.lastIndexOf(10)
    const lines = bytes.subarray(0, Math.max(0, lastEnd)).toString('utf8').split('\n')
    // The first piece may begin in the middle of a line.
    const head = headIn(from === 0 ? lines : lines.slice(1))
    if (head !== null || from === 0) return { head, wholeBytes: lastEnd < 0 ? 0 : from + lastEnd + 1, rest: Buffer.from(bytes.subarray(lastEnd + 1)) }
  }
}

/** Lines that cannot be read still count: the next one has its number behind them. */
function headIn(lines: readonly string[]): AuditHead | null {
  for (let at = lines.length - 1; at >= 0; at -= 1) {
    const line = readLine(lines[at] ?? '')
    if (line !== null) return { entries: line.entry + (lines.length - 1 - at), chain: line.chain }
  }
  return null
}

/** A line and where it stands; `isWhole` is false for a rest without line end. */
export interface PlacedLine {
  readonly text: string
  readonly at: number
  readonly sizeBytes: number
  readonly isWhole: boolean
}

/** The lines of a file up to its size, read piece by piece so that nobody waits for a long file. A rest without line end comes last. */
export async function* linesOf(file: AuditFile): AsyncGenerator<string> {
  for await (const lines of placedLinesOf(file, 0)) for (const line of lines) yield line.text
}

/** The lines of all files, one after the other. */
export async function* allLinesOf(files: readonly AuditFile[]): AsyncGenerator<string> {
  for (const file of files) yield* linesOf(file)
}

/** The lines of one file from a byte on at which a line begins, in batches: one for each piece that was read. */
export async function* placedLinesOf({ file, sizeBytes }: Pick<AuditFile, 'file' | 'sizeBytes'>, from: number): AsyncGenerator<readonly PlacedLine[]> {
  const handle = await open(file, 'r')
  try {
    const piece = Buffer.alloc(64 * 1024)
    let pending: Buffer[] = []
    let lineAt = from
    for (let at = from; at < sizeBytes; ) {
      const { bytesRead } = await handle.read(piece, 0, Math.min(piece.length, sizeBytes - at), at)
      if (bytesRead === 0) break
      const lines: PlacedLine[] = []
      let start = 0
      for (let end = piece.indexOf(10); end >= 0 && end < bytesRead; end = piece.indexOf(10, start)) {
        lines.push({ text: Buffer.concat([...pending, piece.subarray(start, end)]).toString('utf8'), at: lineAt, sizeBytes: at + end - lineAt, isWhole: true })
        pending = []
        start = end + 1
        lineAt = at + start
      }
      if (start < bytesRead) pending.push(Buffer.from(piece.subarray(start, bytesRead)))
      at += bytesRead
      yield lines
    }
    if (pending.length > 0) {
      const rest = Buffer.concat(pending)
      yield [{ text: rest.toString('utf8'), at: lineAt, sizeBytes: rest.length, isWhole: false }]
    }
  } finally {
    await handle.close()
  }
}

async function readRange(file: string, from: number, to: number): Promise<Buffer> {
  const handle = await open(file, 'r')
  try {
    const bytes = Buffer.alloc(to - from)
    const { bytesRead } = await handle.read(bytes, 0, bytes.length, from)
    return bytes.subarray(0, bytesRead)
  } finally {
    await handle.close()
  }
}

/** The head that the files themselves say: the last line of the newest file that has one. */
export async function headOf(files: readonly AuditFile[]): Promise<AuditHead> {
  for (const file of [...files].reverse()) {
    const { head } = await readEnd(file)
    if (head !== null) return head
  }
  return noHead
}
