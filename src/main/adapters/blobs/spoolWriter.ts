import { createHash } from 'node:crypto'
import { mkdir, open, rm, type FileHandle } from 'node:fs/promises'
import path from 'node:path'
import type { SpoolWriter } from '../../core/ports/outputSpool'

const blockBytes = 64 * 1024
/** What waits in a block that is not full reaches the disk after this long, so that a crash loses little. */
const idleMs = 200

/**
 * Writes a growing file block by block, one write at a time, and hashes on the way.
 * @param adopt takes the flushed file over under its hash
 */
export function makeSpoolWriter(file: string, adopt: (file: string, hash: string) => Promise<string>): SpoolWriter {
  const hash = createHash('sha256')
  let block = Buffer.allocUnsafe(blockBytes)
  // Blocks that are on the disk are filled again: new ones would lie about until they are collected (O1).
  const empty: (typeof block)[] = []
  let filled = 0
  let queued = 0
  let hasFailed = false
  let listener = (): void => {}
  let timer: NodeJS.Timeout | undefined
  // Opened with the first block: most outputs are dropped before one is full, and then never touch the disk.
  let opened: Promise<FileHandle> | undefined
  let last: Promise<void> = Promise.resolve()

  const writeBlock = (): void => {
    clearTimeout(timer)
    timer = undefined
    if (filled === 0) return
    const bytes = block.subarray(0, filled)
    const full = block
    block = empty.pop() ?? Buffer.allocUnsafe(blockBytes)
    filled = 0
    queued += bytes.length
    hash.update(bytes)
    last = last.then(async () => {
      try {
        opened ??= openNew(file)
        if (!hasFailed) await writeAll(await opened, bytes)
      } catch {
        hasFailed = true // full or gone; keep() says so
      }
      queued -= bytes.length
      empty.push(full)
      listener()
    })
  }
  const close = async (sync: boolean): Promise<void> => {
    writeBlock()
    await last
    try {
      const handle = await opened
      if (sync && !hasFailed) await handle?.sync()
      await handle?.close()
    } catch {
      hasFailed = true
    }
  }
  return {
    write(bytes) {
      for (let from = 0; from < bytes.length; ) {
        const piece = bytes.subarray(from, from + blockBytes - filled)
        block.set(piece, filled)
        filled += piece.length
        from += piece.length
        if (filled === blockBytes) writeBlock()
      }
      if (filled > 0) timer ??= setTimeout(writeBlock, idleMs)
    },
    waitingBytes: () => queued,
    onWritten: (added) => {
      listener = added
    },
    async keep() {
      await close(true)
      const kept = hasFailed || opened === undefined ? null : await adopt(file, hash.digest('hex')).catch(() => null)
      if (kept === null) await removeIfThere(file)
      return kept
    },
    async drop() {
      await close(false)
      await removeIfThere(file)
    },
  }
}

async function openNew(file: string): Promise<FileHandle> {
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 })
  await rm(file, { force: true })
  return open(file, 'wx', 0o600)
}

/** Where even this is refused, there is nothing that could be done about it. */
async function removeIfThere(file: string): Promise<void> {
  await rm(file, { force: true }).catch(() => undefined)
}

async function writeAll(handle: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let from = 0; from < bytes.length; ) {
    const { bytesWritten } = await handle.write(bytes, from)
    if (bytesWritten === 0) throw new Error('nothing was written')
    from += bytesWritten
  }
}
