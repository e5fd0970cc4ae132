import { safeStorage } from 'electron'

/**
 * The system's keychain by Electron's safeStorage. On Linux without a keyring its backend is `basic_text`, which anyone can
 * decrypt with a known constant: that is no keychain, and none is offered then.
 */
export const systemKeychain = {
  isAvailable(): boolean {
    if (!safeStorage.isEncryptionAvailable()) return false
    return process.platform !== 'linux' || safeStorage.getSelectedStorageBackend() !== 'basic_text'
  },
  encrypt: (text: string): Uint8Array => safeStorage.encryptString(text),
  decrypt: (bytes: Uint8Array): string => safeStorage.decryptString(Buffer.from(bytes)),
}
