import type { SkipReason } from '../../../../shared/domain/snapshot'
import { newFolder, type FileNode, type FolderNode, type Stamp } from './folderModel'
import type { RawId } from '../store/gitObjects'
import { parseRules } from './ignoreRules'

const reasons: readonly SkipReason[] = ['ignored', 'too-large', 'too-many', 'unreadable', 'special', 'time-budget', 'repository']
const flags = { settled: 1, empty: 2, hasIgnore: 4, racyIgnore: 8 } as const

/** One folder as the stat cache keeps it: what the disk said of it, of its files, and the names of its folders. No tree ids: rows of two processes may mix. */
export function encodeFolder(folder: FolderNode): Buffer {
  const out = new Writer()
  out.byte((folder.isSettled ? flags.settled : 0) | (folder.isEmpty ? flags.empty : 0) | (folder.ignore ? flags.hasIgnore : 0) | (folder.ignore?.isRacy ? flags.racyIgnore : 0))
  out.stamp(folder.stamp)
  if (folder.ignore) {
    out.stamp(folder.ignore.stamp)
    out.text(folder.ignore.text)
  }
  out.number(folder.files.size)
  for (const [name, file] of folder.files) {
    out.text(name)
    out.byte(file.isRacy ? 1 : 0)
    out.stamp(file.stamp)
    out.text(file.id)
  }
  out.number(folder.skipped.length)
  for (const { name, reason } of folder.skipped) {
    out.text(name)
    out.byte(reasons.indexOf(reason))
  }
  out.number(folder.folders.size)
  for (const name of folder.folders.keys()) out.text(name)
  return out.bytes()
}

/**
 * The folder of a row, and the names its folders should have; they come from rows of their own. Null when a file's content is
 * no longer stored: then the folder is to be read again.
 */
export function decodeFolder(bytes: Buffer, parent: FolderNode | null, name: string, isStored: (id: RawId) => boolean): { readonly folder: FolderNode; readonly folders: readonly string[] } | null {
  const from = new Reader(bytes)
  const folder = newFolder(parent, name)
  const flag = from.byte()
  folder.stamp = from.stamp()
  if (flag & flags.hasIgnore) {
    const stamp = from.stamp()
    const text = from.text()
    folder.ignore = { stamp, text, rules: parseRules(text), isRacy: (flag & flags.racyIgnore) !== 0 }
  }
  folder.files = readFiles(from)
  folder.skipped = Array.from({ length: from.number() }, () => ({ name: from.text(), reason: reasons[from.byte()] ?? 'ignored' }))
  const folders = Array.from({ length: from.number() }, () => from.text())
  folder.isSettled = (flag & flags.settled) !== 0
  folder.isEmpty = (flag & flags.empty) !== 0
  folder.isUnsaved = false
  return [...folder.files.values()].every(({ id }) => isStored(id)) ? { folder, folders } : null
}

function readFiles(from: Reader): Map<string, FileNode> {
  const files = new Map<string, FileNode>()
  for (let left = from.number(); left > 0; left--) {
    const name = from.text()
    const isRacy = from.byte() === 1
    files.set(name, { isRacy, stamp: from.stamp(), id: from.text() })
  }
  return files
}

class Writer {
  #room = Buffer.allocUnsafe(1024)
  #at = 0

  byte(value: number): void {
    this.#reserve(1)
    this.#at = this.#room.writeUInt8(value, this.#at)
  }

  number(value: number): void {
    this.#reserve(4)
    this.#at = this.#room.writeUInt32LE(value, this.#at)
  }

  text(value: string): void {
    this.number(value.length)
    this.#reserve(value.length)
    this.#at += this.#room.write(value, this.#at, 'latin1')
  }

  stamp({ size, mtimeNs, ctimeNs, ino, mode }: Stamp): void {
    this.#reserve(36)
    for (const value of [size, mtimeNs, ctimeNs, ino]) this.#at = this.#room.writeBigInt64LE(BigInt.asIntN(64, value), this.#at)
    this.#at = this.#room.writeUInt32LE(mode, this.#at)
  }

  bytes(): Buffer {
    return this.#room.subarray(0, this.#at)
  }

  #reserve(count: number): void {
    if (this.#at + count <= this.#room.length) return
    const wider = Buffer.allocUnsafe(Math.max(this.#room.length * 2, this.#at + count))
    this.#room.copy(wider, 0, 0, this.#at)
    this.#room = wider
  }
}

class Reader {
  readonly #bytes: Buffer
  #at = 0

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  byte(): number {
    return this.#bytes.readUInt8(this.#at++)
  }

  number(): number {
    this.#at += 4
    return this.#bytes.readUInt32LE(this.#at - 4)
  }

  text(): string {
    const length = this.number()
    this.#at += length
    return this.#bytes.toString('latin1', this.#at - length, this.#at)
  }

  stamp(): Stamp {
    const big = (): bigint => {
      this.#at += 8
      return this.#bytes.readBigInt64LE(this.#at - 8)
    }
    const [size, mtimeNs, ctimeNs, ino] = [big(), big(), big(), big()]
    return { size, mtimeNs, ctimeNs, ino: BigInt.asUintN(64, ino), mode: this.number() }
  }
}
