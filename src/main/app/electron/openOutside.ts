import { shell } from 'electron'
import { externalAddress } from './externalAddress'

/**
 * Opens an address in the user's own browser or mail program. The caller has shown the address and the person has agreed.
 *
 * @returns whether it was opened; `false` for anything but a plain https or mailto address.
 */
export async function openOutside(text: string): Promise<boolean> {
  const address = externalAddress(text)
  if (address === undefined) return false
  await shell.openExternal(address)
  return true
}
