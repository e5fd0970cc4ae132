import { randomUUID } from 'node:crypto'
import { open, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { said } from '../../../shared/domain/result'
import type { WriteExport } from '../../core/ports/exportFile'
import { StorageFault } from '../../core/ports/storageFault'
import { flushFolder } from '../../native/wholeFile'

/** Beside it first, flushed, then in its place. Never whole in memory, and for its owner alone. */
export const writeExport: WriteExport = async (file, parts) => {
  const beside = path.join(path.dirname(file), `.${path.basename(file)}.${randomUUID()}`)
  const notWritten = (error: unknown): StorageFault => new StorageFault(said('session.not-exported', { file, problem: error instanceof Error ? error.message : String(error) }))
  const handle = await open(beside, 'wx', 0o600).catch((error: unknown) => {
    throw notWritten(error)
  })
  try {
    try {
      for await (const part of parts) await handle.write(part).catch((error: unknown) => { throw notWritten(error) })
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(beside, file).catch((error: unknown) => { throw notWritten(error) })
    await flushFolder(path.dirname(file))
  } catch (error) {
    await rm(beside, { force: true })
    throw error
  }
}
