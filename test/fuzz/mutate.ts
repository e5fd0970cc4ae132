/** Numbers from 0 to 1, always the same for one seed (mulberry32). */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

const longest = 4000

/** A text of the pool, changed a few times: cut, doubled, crossed with another, and with pieces that mean something put in. */
export function mutate(pool: readonly string[], words: readonly string[], random: () => number): string {
  const below = (limit: number): number => Math.floor(random() * limit)
  const pick = (from: readonly string[]): string => from[below(from.length)] ?? ''
  let text = pick(pool)
  for (let left = below(6); left > 0; left--) {
    const at = below(text.length + 1)
    const end = Math.min(text.length, at + below(12))
    const piece = text.slice(at, end)
    const changes = [
      () => text.slice(0, at) + text.slice(end),
      () => text.slice(0, end) + piece.repeat(1 + below(4)) + text.slice(end),
      () => text.slice(0, at) + pick(words) + text.slice(at),
      () => text.slice(0, at) + pick(words) + text.slice(end),
      () => text.slice(0, at) + String.fromCodePoint(below(8) === 0 ? below(0xd800) : below(128)) + text.slice(end),
      () => text.slice(0, at) + pick(pool).slice(below(20)),
      () => `${text}${pick(words)}${pick(pool)}`,
      () => `${pick(words)}${text}${pick(words)}`,
      () => text.slice(0, at) + pick(words).repeat(1 + below(40)) + text.slice(at),
    ]
    text = (changes[below(changes.length)]?.() ?? text).slice(0, longest)
  }
  return text
}
