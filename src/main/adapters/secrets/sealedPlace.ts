import { fail, succeed, type Result } from '../../../shared/domain/result'
import type { SecretPlace } from '../../core/ports/secretStore'
import { newSeal, openSeal, openText, sealText, type SealedFile } from './seal'
import type { SecretFiles } from './secretFiles'

/** The file under the user's pass phrase: shut at the start, open for the session once the phrase was given. */
export interface SealedPlace {
  /** Whether something is sealed that is not open yet. */
  isSealed(): boolean
  /** Known as long as the seal is open, so that it is masked like any secret. */
  passPhrase(): string | null
  /** Opens it; gives every value that opens. */
  open(passPhrase: string): Promise<Result<Readonly<Record<string, string>>>>
  /** Seals one more value; the first one makes the file. A wrong phrase changes nothing. */
  save(name: string, value: string, passPhrase: string): Promise<Result<SecretPlace>>
}

function isEmpty(file: SealedFile | null): boolean {
  return file === null || Object.keys(file.entries).length === 0
}

/** Makes the place over the files; `cost` is scrypt's N for a new seal. */
export function sealedPlace(files: SecretFiles, isThere: boolean, cost: number): SealedPlace {
  let opened: { readonly key: Buffer; readonly passPhrase: string } | null = null
  let isSealed = isThere

  async function open(passPhrase: string): Promise<Result<Readonly<Record<string, string>>>> {
    const sealed = await files.readSealed()
    if (!sealed.ok) return sealed
    if (sealed.value === null) return fail('settings.nothing-sealed')
    const key = await openSeal(sealed.value, passPhrase)
    if (key === null) return fail('settings.wrong-pass-phrase')
    opened = { key, passPhrase }
    isSealed = false
    const values = Object.entries(sealed.value.entries).map(([name, box]) => [name, openText(key, name, box)] as const)
    return succeed(Object.fromEntries(values.flatMap(([name, value]) => (value === null ? [] : [[name, value]]))))
  }

  return {
    isSealed: () => isSealed,
    passPhrase: () => opened?.passPhrase ?? null,
    open,
    async save(name, value, passPhrase) {
      const sealed = await files.readSealed()
      if (!sealed.ok) return sealed
      // A seal that holds nothing any more gives way: whoever lost its phrase removes the keys, and begins anew.
      if (isEmpty(sealed.value)) {
        const made = await newSeal(passPhrase, cost)
        const begun = await files.changeSealed((now) => (isEmpty(now) ? made : now))
        if (!begun.ok) return begun
      }
      // Also when it was just made: another process may have been quicker, with another phrase.
      const checked = await open(passPhrase)
      if (!checked.ok) return checked
      const written = await files.changeSealed((now) => now && opened && { ...now, entries: { ...now.entries, [name]: sealText(opened.key, name, value) } })
      return written.ok ? succeed('sealed') : written
    },
  }
}
