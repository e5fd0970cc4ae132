import * as fs from 'node:fs'
import { diskPath } from '../../../native/byteText'
import type { Stamp } from './folderModel'

/** The system's clock for file times moves in ticks of up to this; a change within one leaves no trace. */
const tickNs = 20_000_000n
/** Disks that keep whole seconds, or two (FAT). */
const coarseTickNs = 2_100_000_000n

/** What stands at a path given as byte text, never what a link there points to; undefined for nothing. */
export function lstat(path: string): fs.BigIntStats | undefined {
  return lstatAt(diskPath(path))
}

const exactly = { bigint: true, throwIfNoEntry: false } as const

/** The same for a path as the disk calls take it. */
export function lstatAt(place: string | Buffer): fs.BigIntStats | undefined {
  try {
    return fs.lstatSync(place, exactly)
  } catch (error) {
    // The folder became unsearchable, or a file, in between: what is below cannot be seen.
    if (['EACCES', 'EPERM', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined
    throw error
  }
}

/** Why nothing can be said of a name that its folder lists: gone meanwhile, or out of reach (no right to enter, a path too long for the system). */
export function whyUnseen(path: string): 'unreadable' | 'gone' {
  try {
    fs.lstatSync(diskPath(path))
    return 'gone' // there again: the next scan meets it
  } catch (error) {
    return ['EACCES', 'EPERM', 'ENAMETOOLONG', 'ELOOP'].includes((error as NodeJS.ErrnoException).code ?? '') ? 'unreadable' : 'gone'
  }
}

/** A stamp, or what it is made from. */
export type ReadStamp = Omit<Stamp, 'mode'> & { readonly mode: number | bigint }

export function stampOf(stats: ReadStamp): Stamp {
  return { size: stats.size, mtimeNs: stats.mtimeNs, ctimeNs: stats.ctimeNs, ino: stats.ino, mode: Number(stats.mode) }
}

/** True when the disk still says what it said. */
export function isUnmoved(stamp: Stamp, stats: fs.BigIntStats): boolean {
  return stamp.mtimeNs === stats.mtimeNs && stamp.ctimeNs === stats.ctimeNs && stamp.size === stats.size && stamp.ino === stats.ino && stamp.mode === Number(stats.mode)
}

/** Whether something changed last so shortly before it was read that one more change could carry the same times. */
export function isRacy(stamp: Stamp, readAtMs: number): boolean {
  const last = stamp.mtimeNs > stamp.ctimeNs ? stamp.mtimeNs : stamp.ctimeNs
  const tick = stamp.ctimeNs % 1_000_000_000n === 0n ? coarseTickNs : tickNs
  return last > BigInt(readAtMs) * 1_000_000n - tick
}

export function isHeldKind(stats: fs.BigIntStats): boolean {
  return stats.isFile() || stats.isSymbolicLink()
}

/** Git's mode of a file or link; it knows one permission bit, the owner's right to execute. */
export function gitMode(mode: number): '100644' | '100755' | '120000' {
  if ((mode & 0o170000) === 0o120000) return '120000'
  return mode & 0o100 ? '100755' : '100644'
}

/** What reading came to. Not steady: it moved while it was read. */
type StreamedHeld = { readonly kind: 'stored'; readonly id: string; readonly isSteady: boolean } | { readonly kind: 'unreadable' | 'gone' } | { readonly kind: 'torn' }

/** Reads a file piece by piece into a store. `torn` when it got shorter meanwhile: then nothing of it was stored. */
export function streamHeld(path: string, stats: ReadStamp, put: (size: number, read: (into: Buffer) => number) => string | null): StreamedHeld {
  return orReason(() => {
    const fd = openHeld(path)
    try {
      if (!fs.fstatSync(fd).isFile()) return { kind: 'gone' }
      const id = put(Number(stats.size), (into) => fs.readSync(fd, into, 0, into.length, null))
      return id === null ? { kind: 'torn' } : { kind: 'stored', id, isSteady: isUnmoved(stampOf(stats), fs.fstatSync(fd, { bigint: true })) }
    } finally {
      fs.closeSync(fd)
    }
  })
}

/** The bytes of a file, or a link's target, as long as it is still the one that was asked for. They are good until the next one is read. */
type HeldBytes = { readonly kind: 'read'; readonly body: Uint8Array; readonly isSteady: boolean } | { readonly kind: 'unreadable' | 'gone' }

/**
 * Reads without following a link and without hanging on a pipe that took the file's place. `isSteady` is false when the file
 * moved while it was read: what was read is then one of its moments, and it is read again next time.
 */
export function readHeld(path: string, stats: ReadStamp): HeldBytes {
  return orReason(() => {
    if (isLinkMode(stats.mode)) return { kind: 'read', body: fs.readlinkSync(diskPath(path), { encoding: 'buffer' }), isSteady: true }
    return readFile(path, stats)
  })
}

/** What disks say of files that cannot be read now is a reason; everything else is thrown. */
function orReason<T>(read: () => T): T | { readonly kind: 'unreadable' | 'gone' } {
  try {
    return read()
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'ELOOP' || code === 'EINVAL') return { kind: 'gone' }
    if (code === 'EACCES' || code === 'EPERM' || code === 'EIO' || code === 'EBUSY' || code === 'ETXTBSY') return { kind: 'unreadable' }
    throw error
  }
}

export function isLinkMode(mode: number | bigint): boolean {
  return (Number(mode) & 0o170000) === 0o120000
}

function openHeld(path: string): number {
  return fs.openSync(diskPath(path), fs.constants.O_RDONLY | (fs.constants.O_NOFOLLOW ?? 0) | (fs.constants.O_NONBLOCK ?? 0))
}

function readFile(path: string, stats: ReadStamp): HeldBytes {
  const fd = openHeld(path)
  try {
    const size = Number(stats.size)
    const bytes = roomFor(size)
    let got = 0
    for (let read = -1; read !== 0 && got < size; got += read) read = fs.readSync(fd, bytes, got, size - got, null)
    // One that has grown has another size now.
    const after = fs.fstatSync(fd, { bigint: true })
    if (!after.isFile()) return { kind: 'gone' }
    return { kind: 'read', body: bytes.subarray(0, got), isSteady: got === size && isUnmoved(stampOf(stats), after) }
  } finally {
    fs.closeSync(fd)
  }
}

/** Most files fit into it: no memory is asked for to read them. */
const room = Buffer.allocUnsafeSlow(1 << 18)

function roomFor(bytes: number): Buffer {
  return bytes <= room.length ? room : Buffer.allocUnsafe(bytes)
}
