const modulus = 65_521
/** After so many bytes, one by one, the sums could outgrow 32 bits. */
const sumBytes = 1024
/** Words taken at once: in more, the sums of four bytes beside one another would run into each other. */
const laneWords = 20
/** The same for words. */
const sumWords = laneWords * 16

/** Whether the first byte of a word is its lowest. */
const isLittleEndian = new Uint8Array(Uint32Array.of(1).buffer)[0] === 1

/**
 * The check sum at the end of a zlib stream, which the runtime computes only as a part of compressing.
 * Words of four bytes are summed in two lanes of a number each: a third of the time of one byte after the other.
 * @param before the sum so far, 1 at the beginning.
 */
export function adler32(bytes: Uint8Array, before: number): number {
  // Words have to begin at a fourth place in memory.
  const lead = -bytes.byteOffset & 3
  if (!isLittleEndian || bytes.length < lead + 4) return byBytes(bytes, 0, bytes.length, before)
  const words = new Uint32Array(bytes.buffer, bytes.byteOffset + lead, (bytes.length - lead) >>> 2)
  const sum = byWords(words, byBytes(bytes, 0, lead, before))
  return byBytes(bytes, lead + words.length * 4, bytes.length, sum)
}

function byBytes(bytes: Uint8Array, start: number, end: number, before: number): number {
  let [a, b] = [before & 0xffff, before >>> 16]
  for (let from = start; from < end; from += sumBytes) {
    const to = Math.min(from + sumBytes, end)
    for (let i = from; i < to; i++) {
      a += bytes[i] ?? 0
      b += a
    }
    a %= modulus
    b %= modulus
  }
  return joined(a, b)
}

function byWords(words: Uint32Array, before: number): number {
  let [a, b] = [before & 0xffff, before >>> 16]
  for (let from = 0; from < words.length; from += laneWords) {
    const to = Math.min(from + laneWords, words.length)
    // Bytes 0 and 2 of each word, bytes 1 and 3; and for each the sum of its sums before each word.
    let [even, odd, evens, odds] = [0, 0, 0, 0]
    for (let i = from; i < to; i++) {
      const word = words[i] ?? 0
      evens += even
      odds += odd
      even += word & 0xff00ff
      odd += (word >>> 8) & 0xff00ff
    }
    const [first, second, third, fourth] = [even & 0xffff, odd & 0xffff, even >>> 16, odd >>> 16]
    // A byte counts once for itself and once for each that comes after it.
    const earlier = (evens & 0xffff) + (evens >>> 16) + (odds & 0xffff) + (odds >>> 16)
    b += (to - from) * 4 * a + 4 * earlier + 4 * first + 3 * second + 2 * third + fourth
    a += first + second + third + fourth
    if (to % sumWords === 0) {
      a %= modulus
      b %= modulus
    }
  }
  return joined(a % modulus, b % modulus)
}

function joined(a: number, b: number): number {
  return ((b << 16) | a) >>> 0
}
