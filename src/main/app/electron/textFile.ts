import { randomUUID } from 'node:crypto'
import { readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { fail, succeed, type Result } from '../../../shared/domain/result'

/** Largest file that is read as text. */
const mostBytes = 64 * 1024 * 1024

/** Reads a text file that the person chose. */
export async function readTextFile(file: string): Promise<Result<{ readonly name: string; readonly text: string }>> {
  try {
    const { size } = await stat(file)
    if (size > mostBytes) return fail('app.file-too-large', { path: file, bytes: size })
    const bytes = await readFile(file)
    return succeed({ name: path.basename(file), text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) })
  } catch (error) {
    return error instanceof TypeError ? fail('app.file-no-text', { path: file }) : fail('app.file-not-read', { path: file, problem: problemOf(error) })
  }
}

/** Writes a text where the person chose: beside it first, then in its place. */
export async function writeTextFile(file: string, text: string): Promise<Result<{ readonly path: string }>> {
  const beside = path.join(path.dirname(file), `.${path.basename(file)}.${randomUUID()}`)
  try {
    await writeFile(beside, text, { flag: 'wx', mode: 0o600, flush: true })
    await rename(beside, file)
    return succeed({ path: file })
  } catch (error) {
    await rm(beside, { force: true })
    return fail('app.file-not-written', { path: file, problem: problemOf(error) })
  }
}

function problemOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
