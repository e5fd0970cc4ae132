/** Eleven characters of [0-9a-z]: 53 bits. See `shortHash`. */
export function textHash(text: string, attempt = 0): string {
  let high = 0xdeadbeef ^ attempt
  let low = 0x41c6ce57 ^ attempt
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at)
    high = Math.imul(high ^ unit, 0x9e3779b1)
    low = Math.imul(low ^ unit, 0x5f356495)
  }
  high = Math.imul(high ^ (high >>> 16), 0x85ebca6b) ^ Math.imul(low ^ (low >>> 13), 0xc2b2ae35)
  low = Math.imul(low ^ (low >>> 16), 0x85ebca6b) ^ Math.imul(high ^ (high >>> 13), 0xc2b2ae35)
  return (2 ** 32 * (low & 0x1fffff) + (high >>> 0)).toString(36).padStart(11, '0')
}

/**
 * Eight characters of [0-9a-z] that stand for a text: to tell names apart, not to prove anything. Who uses it must cope with
 * two texts of one hash. `attempt` gives another hash of the same text.
 */
export function shortHash(text: string, attempt = 0): string {
  return textHash(text, attempt).slice(-8)
}
