import { createHash, webcrypto } from 'node:crypto'
import * as fs from 'node:fs'
import { promisify } from 'node:util'

/**
 * Disk work written once, run in two ways: at once in a worker thread (`runNow`), or without holding up the event loop in
 * the main process (`runLater`). A step is a generator that yields disk calls; the order of the calls, and so what is safe
 * about them, is the same in both.
 */
export type Steps<T> = Generator<DiskCall, T, unknown>

interface DiskCall {
  now(): unknown
  later(): Promise<unknown>
}

/** Runs the steps at once, blocking. For worker threads. */
export function runNow<T>(steps: Steps<T>): T {
  let turn = steps.next()
  while (!turn.done) {
    const outcome = attempt(turn.value)
    turn = outcome.ok ? steps.next(outcome.value) : steps.throw(outcome.error)
  }
  return turn.value
}

/** Runs the steps one after the other without blocking. For the main process. */
export async function runLater<T>(steps: Steps<T>): Promise<T> {
  let turn = steps.next()
  while (!turn.done) {
    try {
      turn = steps.next(await turn.value.later())
    } catch (error) {
      // An error that the steps throw themselves has ended them: `throw` on ended steps throws it on.
      turn = steps.throw(error)
    }
  }
  return turn.value
}

function attempt(call: DiskCall): { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly error: unknown } {
  try {
    return { ok: true, value: call.now() }
  } catch (error) {
    return { ok: false, error }
  }
}

function* call<T>(now: () => T, later: () => Promise<T>): Steps<T> {
  return (yield { now, later }) as T
}

/** Steps that ask nothing of the disk. */
export function* answer<T>(value: T): Steps<T> {
  yield* call(() => undefined, () => Promise.resolve(undefined))
  return value
}

const later = {
  open: promisify(fs.open),
  close: promisify(fs.close),
  fstat: promisify<number, { bigint: true }, fs.BigIntStats>(fs.fstat),
  fsync: promisify(fs.fsync),
  fchmod: promisify(fs.fchmod),
  fchown: promisify(fs.fchown),
}

/** Identity and kind of what stands at a path, never of what a link there points to. Times in nanoseconds. */
export type Stats = fs.BigIntStats

/** A path as node's calls take it: text, or exact bytes where a name is no text. */
export type DiskPath = string | Buffer

/** The disk calls that safe paths are made of. Errors are thrown as node gives them, with `code`. */
export const disk = {
  lstat: (path: DiskPath): Steps<Stats> => call(() => fs.lstatSync(path, { bigint: true }), () => fs.promises.lstat(path, { bigint: true })),
  fstat: (fd: number): Steps<Stats> => call(() => fs.fstatSync(fd, { bigint: true }), () => later.fstat(fd, { bigint: true })),
  /** The raw target; a link's text need not be UTF-8. */
  readlink: (path: DiskPath): Steps<Buffer> => call(() => fs.readlinkSync(path, { encoding: 'buffer' }), () => fs.promises.readlink(path, { encoding: 'buffer' })),
  open: (path: DiskPath, flags: number, mode?: number): Steps<number> => call(() => fs.openSync(path, flags, mode), () => later.open(path, flags, mode ?? 0o666)),
  close: (fd: number): Steps<void> => call(() => fs.closeSync(fd), () => later.close(fd)),
  fsync: (fd: number): Steps<void> => call(() => fs.fsyncSync(fd), () => later.fsync(fd)),
  fchmod: (fd: number, mode: number): Steps<void> => call(() => fs.fchmodSync(fd, mode), () => later.fchmod(fd, mode)),
  fchown: (fd: number, uid: number, gid: number): Steps<void> => call(() => fs.fchownSync(fd, uid, gid), () => later.fchown(fd, uid, gid)),
  chmod: (path: DiskPath, mode: number): Steps<void> => call(() => fs.chmodSync(path, mode), () => fs.promises.chmod(path, mode)),
  access: (path: DiskPath, mode: number): Steps<void> => call(() => fs.accessSync(path, mode), () => fs.promises.access(path, mode)),
  mkdir: (path: DiskPath, mode: number): Steps<unknown> => call<unknown>(() => fs.mkdirSync(path, mode), () => fs.promises.mkdir(path, mode)),
  rmdir: (path: DiskPath): Steps<void> => call(() => fs.rmdirSync(path), () => fs.promises.rmdir(path)),
  unlink: (path: DiskPath): Steps<void> => call(() => fs.unlinkSync(path), () => fs.promises.unlink(path)),
  symlink: (target: string | Buffer, path: DiskPath): Steps<void> => call(() => fs.symlinkSync(target, path), () => fs.promises.symlink(target, path)),
  readdir: (path: string): Steps<fs.Dirent[]> => call(() => fs.readdirSync(path, { withFileTypes: true }), () => fs.promises.readdir(path, { withFileTypes: true })),
  realpath: (path: string): Steps<string> => call(() => fs.realpathSync.native(path), () => promisify(fs.realpath.native)(path)),
  /** Everything from the descriptor's position on, at most `limit` bytes. */
  readAll: (fd: number, size: number, limit: number): Steps<Uint8Array> => readAll(fd, size, limit),
  writeAll: (fd: number, bytes: Uint8Array): Steps<void> => writeAll(fd, bytes),
  sha256: (bytes: Uint8Array): Steps<string> => call(() => hashNow(bytes), () => hashLater(bytes)),
  /**
   * Several short calls that nothing else of this process may come between: the last check and the act it guards. They
   * block in both ways of running; keep them to names and descriptors, never contents.
   */
  together: <T>(act: () => T): Steps<T> => call(act, () => new Promise<T>((resolve) => resolve(act()))),
}

const chunkBytes = 1 << 20

function* readAll(fd: number, size: number, limit: number): Steps<Uint8Array> {
  const chunks: Buffer[] = []
  let total = 0
  // One byte more than the file should have, so that its end is seen in the first read.
  let want = Math.min(size, limit) + 1
  while (total < limit) {
    const room = Buffer.allocUnsafe(Math.min(want, chunkBytes, limit - total))
    const got = yield* call(() => fs.readSync(fd, room, 0, room.length, null), () => readLater(fd, room))
    if (got === 0) break
    chunks.push(room.subarray(0, got))
    total += got
    want = Math.max(want - got, 4096)
  }
  return chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks, total)
}

function* writeAll(fd: number, bytes: Uint8Array): Steps<void> {
  let done = 0
  while (done < bytes.length) {
    const part = bytes.subarray(done, done + chunkBytes)
    done += yield* call(() => fs.writeSync(fd, part), () => writeLater(fd, part))
  }
}

async function readLater(fd: number, room: Buffer): Promise<number> {
  return new Promise((resolve, reject) => fs.read(fd, room, 0, room.length, null, (error, got) => (error ? reject(error) : resolve(got))))
}

async function writeLater(fd: number, part: Uint8Array): Promise<number> {
  return new Promise((resolve, reject) => fs.write(fd, part, (error, put) => (error ? reject(error) : resolve(put))))
}

function hashNow(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

/** Large content is hashed in node's thread pool. */
async function hashLater(bytes: Uint8Array): Promise<string> {
  if (bytes.length < 256 * 1024) return hashNow(bytes)
  return Buffer.from(await webcrypto.subtle.digest('SHA-256', bytes)).toString('hex')
}

/** The error code of a failed disk call (`ENOENT`); '' for anything else. */
export function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
}
