import { closeSync, existsSync, fstatSync, openSync, readSync } from 'node:fs'

/** A page image in the write-ahead log. `isSure` says that its checksum fits. */
export interface Frame {
  readonly page: number
  /** Where the page's bytes begin in the log. */
  readonly at: number
  readonly isCommit: boolean
  readonly isSure: boolean
}

/** What the log holds of its present generation. `isBroken`: whole transactions stand behind a place that cannot be read. */
export interface WalFacts {
  readonly pageSize: number
  readonly frames: readonly Frame[]
  readonly isBroken: boolean
}

const headerBytes = 32
const frameHeaderBytes = 24

/**
 * Reads a write-ahead log as SQLite's file format document describes it (section 4), and judges each frame by itself. SQLite
 * stops at the first bad frame without a word; committed frames behind it are acknowledged events that would be lost.
 */
export function readWal(file: string): WalFacts | null {
  if (!existsSync(file)) return null
  const fd = openSync(file, 'r')
  try {
    const sizeBytes = fstatSync(fd).size
    if (sizeBytes <= headerBytes) return null
    const header = Buffer.alloc(headerBytes)
    readSync(fd, header, 0, headerBytes, 0)
    return isHeader(header) ? readFrames(fd, sizeBytes, header) : withoutHeader(fd, sizeBytes, header)
  } finally {
    closeSync(fd)
  }
}

function isHeader(header: Buffer): boolean {
  const magic = header.readUInt32BE(0)
  if (magic !== 0x377f0682 && magic !== 0x377f0683) return false
  const sum = checksum(header.subarray(0, 24), [0, 0], isBigEndian(magic))
  return sum[0] === header.readUInt32BE(24) && sum[1] === header.readUInt32BE(28)
}

/** A log whose first bytes are bad: the salt of its first frame stands for it, and nothing in it is sure. */
function withoutHeader(fd: number, sizeBytes: number, header: Buffer): WalFacts {
  const first = Buffer.alloc(frameHeaderBytes)
  if (header.every((byte) => byte === 0)) return { pageSize: 4096, frames: [], isBroken: false }
  readSync(fd, first, 0, frameHeaderBytes, headerBytes)
  const guessed = Buffer.alloc(headerBytes)
  guessed.writeUInt32BE(0x377f0682, 0)
  guessed.writeUInt32BE(4096, 8)
  first.copy(guessed, 16, 8, 16)
  const facts = readFrames(fd, sizeBytes, guessed)
  return { ...facts, isBroken: facts.frames.length > 0 }
}

function readFrames(fd: number, sizeBytes: number, header: Buffer): WalFacts {
  const pageSize = header.readUInt32BE(8)
  const isBig = isBigEndian(header.readUInt32BE(0))
  const salt = header.subarray(16, 24)
  const frames: Frame[] = []
  const frame = Buffer.alloc(frameHeaderBytes + pageSize)
  let seed: Sum = [header.readUInt32BE(24), header.readUInt32BE(28)]
  let isBroken = false
  let badAt = -1
  for (let at = headerBytes, index = 0; at + frame.length <= sizeBytes; at += frame.length, index += 1) {
    readSync(fd, frame, 0, frame.length, at)
    const isOfNow = frame.subarray(8, 16).equals(salt)
    // Most of a log may be room for what is to come.
    const sum = isOfNow ? checksum(frame.subarray(frameHeaderBytes), checksum(frame.subarray(0, 8), seed, isBig), isBig) : null
    // The sum runs on over the frames: the one that is stored seeds the next, so that each can be judged alone.
    seed = [frame.readUInt32BE(16), frame.readUInt32BE(20)]
    const isSure = sum !== null && sum[0] === seed[0] && sum[1] === seed[1]
    if (!isSure && badAt < 0) badAt = index
    if (!isOfNow) continue
    const isCommit = frame.readUInt32BE(4) !== 0
    if (badAt >= 0 && badAt < index && isCommit) isBroken = true
    frames.push({ page: frame.readUInt32BE(0), at: at + frameHeaderBytes, isCommit, isSure })
  }
  return { pageSize, frames, isBroken }
}

type Sum = readonly [number, number]

function isBigEndian(magic: number): boolean {
  return (magic & 1) === 1
}

function checksum(bytes: Buffer, seed: Sum, isBig: boolean): Sum {
  let [first, second] = seed
  for (let at = 0; at + 8 <= bytes.length; at += 8) {
    first = (first + (isBig ? bytes.readUInt32BE(at) : bytes.readUInt32LE(at)) + second) >>> 0
    second = (second + (isBig ? bytes.readUInt32BE(at + 4) : bytes.readUInt32LE(at + 4)) + first) >>> 0
  }
  return [first, second]
}
