import type { Result } from '../../../shared/domain/result'

/** Where a key lives (R92). `sealed`: a file under the user's pass phrase; `session`: memory only. */
export type SecretPlace = 'environment' | 'keychain' | 'sealed' | 'session'

/** Keys and tokens. Values never leave main; what the window sees is the place and the last four characters. */
export interface SecretStore {
  get(name: string): Promise<string | null>
  /** Environment first; then what was saved. */
  status(name: string): Promise<{ readonly place: SecretPlace; readonly lastFour: string } | null>
  /** Saves to the best place there is, `session` when no keychain works and no pass phrase is given. */
  set(name: string, value: string, passPhrase?: string): Promise<Result<SecretPlace>>
  /** From every place but the environment. Rejects with a `StorageFault` when a file could not be changed. */
  remove(name: string): Promise<void>
  /** Opens the sealed file for this session. */
  unseal(passPhrase: string): Promise<Result<null>>
  /** What this system offers, for the form. */
  readonly hasKeychain: boolean
  readonly isSealed: boolean
  /** Whether it lies in the sealed file, shut, and nowhere else: then `get` gives null until `unseal`. */
  isLocked(name: string): boolean
  /** Every value known now, for the redactor. */
  known(): readonly string[]
}
