// Reading large archives piece by piece: one file out of a .tgz, and the entries of a .zip. Nothing is held in memory whole.
import { createReadStream, createWriteStream, closeSync, fstatSync, mkdirSync, openSync, readSync } from 'node:fs'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createInflateRaw } from 'node:zlib'

const block = 512

/**
 * The bytes of one file of a gzipped tar archive, as a stream of chunks.
 * @param {AsyncIterable<Buffer>} tar the unzipped archive
 * @param {string} wanted
 * @returns {AsyncGenerator<Buffer>}
 */
async function* fileInTar(tar, wanted) {
  /** @type {Buffer} */
  let rest = Buffer.alloc(0) // bytes that belong to the next header
  let toRead = 0 // bytes of the present file that are still to come
  let toSkip = 0 // the same with its padding
  let isWanted = false
  for await (const chunk of tar) {
    let piece = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk
    rest = Buffer.alloc(0)
    while (piece.length > 0) {
      if (toSkip > 0) {
        const used = piece.subarray(0, toSkip)
        if (isWanted && toRead > 0) yield used.subarray(0, toRead)
        toRead = Math.max(0, toRead - used.length)
        toSkip -= used.length
        piece = piece.subarray(used.length)
        if (toSkip === 0 && isWanted) return
        continue
      }
      if (piece.length < block) {
        rest = piece
        break
      }
      const name = piece.toString('utf8', 0, 100).replace(/\0.*$/s, '')
      const size = Number.parseInt(piece.toString('latin1', 124, 136), 8) || 0
      isWanted = name === wanted
      toRead = size
      toSkip = Math.ceil(size / block) * block
      piece = piece.subarray(block)
    }
  }
  throw new Error(`${wanted} is not (wholly) in the archive`)
}

/**
 * Writes one file of a .tgz to disk.
 * @param {string} tgz
 * @param {string} wanted the name inside
 * @param {string} to
 */
export async function extractFromTgz(tgz, wanted, to) {
  const unzipped = createReadStream(tgz, { highWaterMark: 1 << 20 }).pipe(createGunzip({ chunkSize: 1 << 20 }))
  await pipeline(Readable.from(fileInTar(unzipped, wanted)), createWriteStream(to))
}

/** @typedef {{ name: string, mode: number, method: number, packedBytes: number, sizeBytes: number, headerAt: number }} ZipEntry */

/** @param {number} fd; @param {number} at; @param {number} length */
function readAt(fd, at, length) {
  const bytes = Buffer.alloc(length)
  if (readSync(fd, bytes, 0, length, at) !== length) throw new Error('the archive ends early')
  return bytes
}

/**
 * The entries of a .zip, by its table at the end.
 * @param {string} zip
 * @returns {ZipEntry[]}
 */
export function zipEntries(zip) {
  const fd = openSync(zip, 'r')
  try {
    const size = fstatSync(fd).size
    const tailBytes = readAt(fd, Math.max(0, size - 65_557), Math.min(size, 65_557))
    const end = tailBytes.lastIndexOf(Buffer.from([0x50, 0x4b, 5, 6]))
    if (end < 0) throw new Error('not a zip archive')
    const table = readAt(fd, tailBytes.readUInt32LE(end + 16), tailBytes.readUInt32LE(end + 12))
    const entries = []
    let at = 0
    for (let left = tailBytes.readUInt16LE(end + 10); left > 0; left--) {
      const nameLength = table.readUInt16LE(at + 28)
      entries.push({
        name: table.toString('utf8', at + 46, at + 46 + nameLength),
        mode: table.readUInt32LE(at + 38) >>> 16,
        method: table.readUInt16LE(at + 10),
        packedBytes: table.readUInt32LE(at + 20),
        sizeBytes: table.readUInt32LE(at + 24),
        headerAt: table.readUInt32LE(at + 42),
      })
      at += 46 + nameLength + table.readUInt16LE(at + 30) + table.readUInt16LE(at + 32)
    }
    return entries
  } finally {
    closeSync(fd)
  }
}

/**
 * Writes one entry of a .zip to disk and checks its size.
 * @param {string} zip
 * @param {ZipEntry} entry
 * @param {string} to
 */
export async function extractFromZip(zip, entry, to) {
  const fd = openSync(zip, 'r')
  let start
  try {
    const header = readAt(fd, entry.headerAt, 30)
    start = entry.headerAt + 30 + header.readUInt16LE(26) + header.readUInt16LE(28)
  } finally {
    closeSync(fd)
  }
  mkdirSync(path.dirname(to), { recursive: true })
  const out = createWriteStream(to, { mode: entry.mode & 0o755 || 0o644 })
  if (entry.packedBytes === 0) await pipeline(Readable.from([]), out)
  else {
    const packed = createReadStream(zip, { start, end: start + entry.packedBytes - 1, highWaterMark: 1 << 20 })
    if (entry.method === 0) await pipeline(packed, out)
    else await pipeline(packed, createInflateRaw({ chunkSize: 1 << 20 }), out)
  }
  if (out.bytesWritten !== entry.sizeBytes) throw new Error(`${entry.name} has the wrong size in the archive`)
}
