/** SHA-256, hex. */
export interface Hasher {
  ofText(text: string): string
  ofBytes(bytes: Uint8Array): string
}
