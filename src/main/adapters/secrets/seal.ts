import { createCipheriv, createDecipheriv, randomBytes, scrypt } from 'node:crypto'
import { z } from 'zod'

const hex = z.string().regex(/^(?:[0-9a-f]{2})+$/)
const boxSchema = z.object({ nonce: hex, tag: hex, text: z.string().regex(/^(?:[0-9a-f]{2})*$/) })

/** A sealed text: AES-256-GCM with a nonce of its own. */
export type Box = z.infer<typeof boxSchema>

/** The sealed file. Names are plain, so that a secret can be removed without the pass phrase; values are not. */
export const sealedSchema = z.object({
  v: z.literal(1),
  kdf: z.object({ name: z.literal('scrypt'), salt: hex, cost: z.number().int().min(2).max(2 ** 20), blockSize: z.number().int().min(1).max(16), parallel: z.number().int().min(1).max(16) }),
  /** A fixed text, to know the right pass phrase by. */
  check: boxSchema,
  entries: z.record(z.string(), boxSchema),
})
export type SealedFile = z.infer<typeof sealedSchema>

const checkText = 'countersign'
const checkName = ''

/** A new sealed file without entries. `cost` is scrypt's N. */
export async function newSeal(passPhrase: string, cost: number): Promise<SealedFile> {
  const kdf = { name: 'scrypt' as const, salt: randomBytes(16).toString('hex'), cost, blockSize: 8, parallel: 1 }
  const key = await keyOf(passPhrase, kdf)
  return { v: 1, kdf, check: sealText(key, checkName, checkText), entries: {} }
}

/** The key of a sealed file, or null for a wrong pass phrase. */
export async function openSeal(file: SealedFile, passPhrase: string): Promise<Buffer | null> {
  const key = await keyOf(passPhrase, file.kdf)
  return openText(key, checkName, file.check) === checkText ? key : null
}

/** Seals a text under its name: a box does not open under another one. */
export function sealText(key: Buffer, name: string, text: string): Box {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(name))
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return { nonce: nonce.toString('hex'), tag: cipher.getAuthTag().toString('hex'), text: sealed.toString('hex') }
}

/** The text, or null when key, name or content do not fit. */
export function openText(key: Buffer, name: string, box: Box): string | null {
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(box.nonce, 'hex'), { authTagLength: 16 })
    decipher.setAAD(Buffer.from(name)).setAuthTag(Buffer.from(box.tag, 'hex'))
    return Buffer.concat([decipher.update(Buffer.from(box.text, 'hex')), decipher.final()]).toString('utf8')
  } catch {
    return null // GCM says no more than that it does not fit
  }
}

function keyOf(passPhrase: string, { salt, cost, blockSize, parallel }: SealedFile['kdf']): Promise<Buffer> {
  const options = { N: cost, r: blockSize, p: parallel, maxmem: 256 * cost * blockSize }
  // The same phrase typed on another keyboard may come decomposed.
  const phrase = passPhrase.normalize('NFC')
  return new Promise((resolve, reject) => scrypt(phrase, Buffer.from(salt, 'hex'), 32, options, (error, key) => (error ? reject(error) : resolve(key))))
}
