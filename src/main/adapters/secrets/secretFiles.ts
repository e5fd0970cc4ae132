import { mkdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'
import { fail, succeed, type Result } from '../../../shared/domain/result'
import { withFileLock } from '../../native/fileLock'
import { removeLeftOvers, writeWhole } from '../../native/wholeFile'
import { sealedSchema, type SealedFile } from './seal'

/** What the keychain has encrypted, base64 by name: no use without it. */
const keychainSchema = z.object({ v: z.literal(1), entries: z.record(z.string(), z.string()) })
export type KeychainFile = z.infer<typeof keychainSchema>

const lockMs = 10_000

/** The two files of the secret store in the data folder. A change is read, made and written under a lock. */
export interface SecretFiles {
  readKeychain(): Promise<Result<KeychainFile>>
  /** Null when nothing was ever sealed. */
  readSealed(): Promise<Result<SealedFile | null>>
  changeKeychain(change: (file: KeychainFile) => KeychainFile): Promise<Result<null>>
  changeSealed(change: (file: SealedFile | null) => SealedFile | null): Promise<Result<null>>
}

/** Opens the files in a folder. A damaged one is never overwritten: every change of it is the fault that says so. */
export function secretFilesIn(folder: string): SecretFiles {
  const keychainFile = path.join(folder, 'secrets.keychain.json')
  const sealedFile = path.join(folder, 'secrets.sealed.json')
  const readKeychain = async () => {
    const read = await readParsed(keychainFile, keychainSchema)
    return read.ok ? succeed(read.value ?? { v: 1 as const, entries: {} }) : read
  }
  const readSealed = () => readParsed(sealedFile, sealedSchema)

  async function change<T>(file: string, read: () => Promise<Result<T>>, make: (now: T) => T): Promise<Result<null>> {
    try {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      return await withFileLock(`${file}.lock`, lockMs, async () => {
        await removeLeftOvers(file)
        const now = await read()
        if (!now.ok) return now
        const next = make(now.value)
        if (next !== now.value) await writeWhole(file, `${JSON.stringify(next, null, 2)}\n`)
        return succeed(null)
      })
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException
      return code === 'ENOSPC' || code === 'EDQUOT' ? fail('app.disk-full', { file }) : fail('settings.secret-not-saved', { file, problem: message })
    }
  }

  return {
    readKeychain,
    readSealed,
    changeKeychain: (make) => change(keychainFile, readKeychain, make),
    changeSealed: (make) => change(sealedFile, readSealed, make),
  }
}

async function readParsed<T>(file: string, schema: z.ZodType<T>): Promise<Result<T | null>> {
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    return code === 'ENOENT' ? succeed(null) : fail('settings.cannot-open', { file, problem: message })
  }
  try {
    return succeed(schema.parse(JSON.parse(text)))
  } catch {
    return fail('settings.secrets-damaged', { file })
  }
}
