import { randomUUID } from 'node:crypto'
import { open, rename, rm } from 'node:fs/promises'
import { readExcerptLine } from './excerpt'

/**
 * Copies the lines as they stand, oldest first, into one file: it can be checked like the log itself, or like an excerpt. The
 * file appears whole or not at all.
 *
 * @returns how many entries there are.
 */
export async function exportLog(lines: AsyncIterable<string>, to: string): Promise<number> {
  const temporary = `${to}.${randomUUID()}.tmp`
  let entries = 0
  try {
    const handle = await open(temporary, 'wx', 0o600)
    try {
      for await (const line of lines) {
        await handle.write(`${line}\n`)
        if (readExcerptLine(line) === null) entries += 1
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
