/** The words of a text as numbers, in order: for comparing texts run by run without cutting Chinese into words. */
export interface Words {
  readonly hashes: readonly number[]
  /** 1 for a word, 0.6 for a Chinese character. */
  readonly weights: readonly number[]
  /** Words of four letters and more, and Chinese characters: those that carry meaning. */
  readonly isLong: readonly boolean[]
}

const characterWeight = 0.6
const longWord = 4
const prime = 0x01000193

/** Letters and digits in runs are words, a Chinese character is one for itself; case and width do not count. Linear. */
export function wordsOf(text: string): Words {
  const plain = text.normalize('NFKC').toLowerCase()
  const hashes: number[] = []
  const weights: number[] = []
  const isLong: boolean[] = []
  const add = (hash: number, weight: number, long: boolean): void => {
    hashes.push(hash)
    weights.push(weight)
    isLong.push(long)
  }
  let hash = 0
  let length = 0
  for (let at = 0; at <= plain.length; at++) {
    const unit = plain.charCodeAt(at)
    if (isLetter(unit)) {
      hash = Math.imul(hash ^ unit, prime)
      length++
      continue
    }
    if (length > 0) add(hash | 0, 1, length >= longWord)
    hash = 0
    length = 0
    if (isCharacter(unit)) add(-unit, characterWeight, true)
  }
  return { hashes, weights, isLong }
}

function isLetter(unit: number): boolean {
  if (unit < 0x80) return (unit >= 0x30 && unit <= 0x39) || (unit >= 0x61 && unit <= 0x7a)
  return unit >= 0xaa && unit < 0x2000 && unit !== 0xab && unit !== 0xbb && unit !== 0xd7 && unit !== 0xf7
}

/** Ideographs, kana, hangul and what stands outside the basic plane (rare ideographs, emoji), by UTF-16 unit. */
function isCharacter(unit: number): boolean {
  return (unit >= 0x3040 && unit <= 0x9fff) || (unit >= 0xac00 && unit <= 0xdfff) || (unit >= 0xf900 && unit <= 0xfaff)
}
