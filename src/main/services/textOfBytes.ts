const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** The text that these bytes are, exactly: writing it gives the bytes back. Null for what is no UTF-8 or holds a zero byte. */
export function textOfBytes(bytes: Uint8Array): string | null {
  if (bytes.includes(0)) return null
  try {
    return utf8.decode(bytes)
  } catch {
    return null
  }
}
