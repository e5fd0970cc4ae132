import { randomUUID } from 'node:crypto'
import { open, rename, rm } from 'node:fs/promises'
import { linesOf, type AuditFile } from './auditFiles'

/**
 * Copies the lines as they stand, oldest first, into one file: it can be checked like the log itself. The file appears whole
 * or not at all.
 *
 * @returns how many entries there are.
 */
export async function exportLog(files: readonly AuditFile[], to: string): Promise<number> {
  const temporary = `${to}.${randomUUID()}.tmp`
  let entries = 0
  try {
    const handle = await open(temporary, 'wx', 0o600)
    try {
      for (const file of files) {
        for await (const line of linesOf(file)) {
          await handle.write(`${line}\n`)
          entries += 1
        }
      }
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(temporary, to)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
  return entries
}
