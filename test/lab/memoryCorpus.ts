/** Texts and queries of the memory measurements: 20,000 Chinese and as many Latin words, used as often as their rank lets them (Zipf). */
export interface Corpus {
  /** From 0 to 1, the same sequence for the same seed. */
  random(): number
  entry(): { readonly text: string; readonly words: readonly string[] }
  queries(kind: 'rare' | 'common' | 'mixed', count: number, terms: number): readonly (readonly string[])[]
}

const vocabulary = 20_000

export function corpusOf(seed: number): Corpus {
  const random = sequence(seed)
  const upTo = (count: number) => Math.floor(random() * count)
  const han = () => String.fromCharCode(0x4e00 + upTo(3000))
  const chinese = Array.from({ length: vocabulary }, (_, at) => Array.from({ length: at % 5 === 0 ? 3 : at % 17 === 0 ? 4 : 2 }, han).join(''))
  const latin = Array.from({ length: vocabulary }, () => Array.from({ length: 4 + upTo(7) }, () => String.fromCharCode(97 + upTo(26))).join(''))
  // Low ranks are common.
  const rank = () => Math.min(vocabulary - 1, Math.floor(vocabulary ** random()))
  const word = () => (random() < 0.7 ? chinese : latin)[rank()] ?? ''
  const rare = () => 5000 + upTo(15_000)
  const common = () => 1 + upTo(30)
  return {
    random,
    entry() {
      const words = Array.from({ length: 12 + upTo(20) }, word)
      return { words, text: words.map((one) => (one.charCodeAt(0) < 128 ? ` ${one} ` : one)).join('').trim() }
    },
    queries: (kind, count, terms) =>
      Array.from({ length: count }, () => [
        ...new Set(Array.from({ length: terms }, (_, at) => {
          const place = kind === 'rare' || (kind === 'mixed' && at % 4 < 2) ? rare() : common()
          return (at % 2 === 0 ? chinese : latin)[place] ?? ''
        })),
      ]),
  }
}

function sequence(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = state
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
