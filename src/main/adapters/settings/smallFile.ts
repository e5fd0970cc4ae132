import { constants, type Stats } from 'node:fs'
import { open } from 'node:fs/promises'

/** What reading a file of settings gave. `badLine`: it is not UTF-8 text, and that is where it stops being it. */
export type SmallFile =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'absent' }
  | { readonly kind: 'no-file' }
  | { readonly kind: 'too-large'; readonly sizeBytes: number }
  | { readonly kind: 'no-text'; readonly line: number }
  | { readonly kind: 'cannot'; readonly problem: string }

/** Reads a whole text file, at most `limitBytes`. A pipe or a device under its name is not waited for. */
export async function readSmallFile(file: string, limitBytes: number): Promise<SmallFile> {
  let bytes: Buffer
  try {
    // Opening a pipe waits for its other end, unless told not to.
    const handle = await open(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
    try {
      const facts: Stats = await handle.stat()
      if (!facts.isFile()) return { kind: 'no-file' }
      if (facts.size > limitBytes) return { kind: 'too-large', sizeBytes: facts.size }
      bytes = await handle.readFile()
    } finally {
      await handle.close()
    }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === undefined) throw error
    return code === 'ENOENT' || code === 'ENOTDIR' ? { kind: 'absent' } : { kind: 'cannot', problem: message }
  }
  const text = bytes.toString('utf8')
  const back = Buffer.from(text, 'utf8')
  if (back.equals(bytes)) return { kind: 'text', text }
  const bad = bytes.findIndex((byte, at) => byte !== back[at])
  return { kind: 'no-text', line: bytes.subarray(0, bad).toString('latin1').split(/\r\n|\r|\n/).length }
}
