/** Slots for pairs of letters. A usual piece of output has some hundred pairs, so most of what it does not hold is seen not to be there. */
const slots = 4096
/** Looking for each hint is cheaper in a short text. */
const shortText = 512

/** Tells quickly what a text cannot hold. */
export interface TextPairs {
  /** False only where the text holds the word in no case at all. ASCII words only. */
  mayHold(word: string): boolean
}

const everything: TextPairs = { mayHold: () => true }
const slotsOfWord = new Map<string, readonly number[]>()

/**
 * Notes once which pairs of letters follow one another in a text, so that looking for each of a hundred words is hardly ever
 * needed: two thirds of the time that redaction took (O1).
 * @param lower the text in small letters
 */
export function pairsOf(lower: string): TextPairs {
  if (lower.length < shortText) return everything
  const seen = new Uint8Array(slots)
  let before = 0
  for (let at = 0; at < lower.length; at++) {
    const now = lower.charCodeAt(at)
    seen[slotOf(before, now)] = 1
    before = now
  }
  return {
    mayHold(word) {
      let wanted = slotsOfWord.get(word)
      if (wanted === undefined) slotsOfWord.set(word, (wanted = slotsOf(word.toLowerCase())))
      for (const slot of wanted) if (seen[slot] === 0) return false
      return true
    },
  }
}

function slotsOf(word: string): readonly number[] {
  return Array.from({ length: Math.max(0, word.length - 1) }, (_, at) => slotOf(word.charCodeAt(at), word.charCodeAt(at + 1)))
}

function slotOf(first: number, second: number): number {
  return (first * 61 + second) & (slots - 1)
}
