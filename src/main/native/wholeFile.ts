import { randomUUID } from 'node:crypto'
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'

/**
 * Replaces a file of our own as a whole: temporary file beside it, flush, rename, flush of the folder. A kill or a full disk
 * leaves the old content. For files in the data folder only; the user's files go through safePath.
 */
export async function writeWhole(file: string, content: string | Uint8Array): Promise<void> {
  const folder = path.dirname(file)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const temporary = `${file}.${randomUUID()}.tmp`
  try {
    const handle = await open(temporary, 'wx', 0o600)
    try {
      await handle.writeFile(content)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(temporary, file)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
  await flushFolder(folder)
}

/** Makes a rename or a new name in the folder durable. Systems that cannot open folders do it by themselves. */
export async function flushFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Removes what killed processes left beside a file while they replaced or locked it. */
export async function removeLeftOvers(file: string): Promise<void> {
  const folder = path.dirname(file)
  for (const name of await readdir(folder)) {
    if (!name.startsWith(`${path.basename(file)}.`) || !name.endsWith('.tmp')) continue
    const leftOver = path.join(folder, name)
    // A living process needs milliseconds for what it does with one.
    const isOld = await stat(leftOver).then((facts) => Date.now() - facts.mtimeMs > 60_000, () => false)
    if (isOld) await rm(leftOver, { force: true })
  }
}
