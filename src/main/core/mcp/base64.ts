const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
const values = new Int8Array(128).fill(-1)
for (let at = 0; at < alphabet.length; at += 1) values[alphabet.charCodeAt(at)] = at
values['-'.charCodeAt(0)] = 62
values['_'.charCodeAt(0)] = 63

/** Bytes of base64 in either alphabet, line breaks passed over, padding optional; null when anything else is in it. */
export function decodeBase64(text: string): Uint8Array | null {
  const bytes = new Uint8Array(Math.floor((text.length * 3) / 4) + 3)
  let filled = 0
  let bits = 0
  let held = 0
  let at = 0
  for (; at < text.length; at += 1) {
    const unit = text.charCodeAt(at)
    if (unit === 0x0a || unit === 0x0d) continue
    const value = values[unit] ?? -1
    if (value < 0) break
    bits = ((bits << 6) | value) & 0xffffff
    held += 6
    if (held >= 8) {
      held -= 8
      bytes[filled] = (bits >> held) & 0xff
      filled += 1
    }
  }
  // A single letter too many holds no byte.
  return held === 6 || !/^[=\r\n]*$/u.test(text.slice(at)) ? null : bytes.slice(0, filled)
}
