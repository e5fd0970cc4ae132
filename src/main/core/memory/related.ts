import { normalText } from '../../../shared/domain/termText'

/** From this share of common words on, two texts say the same (unless they contradict each other). */
const sameShare = 0.9
/** Below this share of common words they are about different things. */
const subjectShare = 0.6
/** Words that two texts must have in common at least, to be about the same thing. */
const leastCommon = 2

/** English and Chinese words that turn a sentence round. `not` of English contractions is cut off before. */
const negations = new Set(['not', 'no', 'never', 'without', 'cannot', 'avoid', 'stop', 'forbid', 'forbidden', 'disallow', 'disable', 'disabled', 'neither', 'nor', 'except', '不', '别', '勿', '未', '没', '无', '非', '禁', '莫', '免'])
/** Chinese words in which one of those characters does not negate. */
const notNegating = /不但|不仅|不同|不过|无论|不管|非常|别人|别的|别名|分别|区别|类别|级别|个别|特别|没关系|未来|并非|差不多|不断|不错|是否/g
/** Words that carry no subject. */
const light = new Set(['a', 'an', 'the', 'is', 'are', 'be', 'was', 'to', 'of', 'in', 'on', 'at', 'for', 'and', 'or', 'we', 'i', 'you', 'our', 'my', 'it', 'its', 'this', 'that', 'do', 'does', 'did', 'should', 'must', 'always', 'please', 'will', 'with', 'by', 'as', 'have', 'has', 'can', 'use', 'using', 'uses', 'used', 'when', 'all', '的', '了', '是', '要', '请', '我', '们', '你', '在', '用', '使', '和', '与', '应', '该', '总', '都', '会', '把', '就', '也', '得', '需', '必', '须'])

/** What two texts are to each other. */
export type Relation = 'same' | 'contradicts'

/** A text as it is compared; made once for a text that is compared with many. */
export interface Fact {
  readonly normal: string
  /** All words, negations and numbers left out. */
  readonly words: ReadonlySet<string>
  /** The words that carry its subject, in order. */
  readonly subject: readonly string[]
  readonly numbers: ReadonlySet<string>
  readonly isNegated: boolean
}

/**
 * Whether two entries say the same, or may say the opposite of each other. A guess without a model, so that the person looks: it
 * asks for a large common subject and for one plain difference in it (a negation on one side alone, other numbers, or one
 * value in place of another). It does not know meaning: `fast` against `slow` in sentences that differ otherwise escapes it, and
 * so does what is said in another language. Symmetric.
 */
export function relationOf(a: Fact, b: Fact): Relation | null {
  if (a.normal === b.normal) return 'same'
  if (contradict(a, b)) return 'contradicts'
  const isEqualInSense = a.isNegated === b.isNegated && sameSet(a.numbers, b.numbers)
  return isEqualInSense && shareOf(a.words, b.words) >= sameShare && sameOrder(a, b) ? 'same' : null
}

/** Reads a text for comparing. */
export function factOf(text: string): Fact {
  const normal = normalText(text)
  const plain = normal.replace(/n['’]t\b/g, ' not ').replace(/['’]s\b/g, '').replace(notNegating, '')
  const tokens = plain.match(/v?\d+(?:[.:]\d+)*%?|\p{Script=Han}|[\p{L}\p{M}\p{N}_]+?(?=\p{Script=Han}|[^\p{L}\p{M}\p{N}_]|$)/gu) ?? []
  const words: string[] = []
  const numbers = new Set<string>()
  let negationCount = 0
  for (const token of tokens) {
    if (/^v?\d/.test(token)) numbers.add(token)
    else if (negations.has(token)) negationCount += 1
    else words.push(token)
  }
  return { normal, words: new Set(words), subject: [...new Set(words.filter((word) => !light.has(word)))], numbers, isNegated: negationCount % 2 === 1 }
}

function contradict(a: Fact, b: Fact): boolean {
  const common = a.subject.filter((word) => b.words.has(word))
  const onlyA = a.subject.filter((word) => !b.words.has(word))
  const onlyB = b.subject.filter((word) => !a.words.has(word))
  const share = common.length / (common.length + Math.max(onlyA.length, onlyB.length))
  if (common.length < leastCommon || share < subjectShare) return false
  if (a.isNegated !== b.isNegated) return true
  if (a.numbers.size > 0 && a.numbers.size === b.numbers.size && !sameSet(a.numbers, b.numbers)) return onlyA.length === 0 && onlyB.length === 0
  return sameSet(a.numbers, b.numbers) && isOneValue(a.subject, onlyA) && isOneValue(b.subject, onlyB)
}

/** One word, or neighbouring Chinese characters of one word, that stands where the other text has another. */
function isOneValue(subject: readonly string[], only: readonly string[]): boolean {
  const [first] = only
  if (first === undefined) return false
  if (only.length === 1) return true
  const from = subject.indexOf(first)
  return only.length <= 3 && only.every((word, index) => /\p{Script=Han}/u.test(word) && subject[from + index] === word)
}

function shareOf(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let common = 0
  for (const word of a) if (b.has(word)) common += 1
  const all = a.size + b.size - common
  return all === 0 ? 0 : common / all
}

function sameSet(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  return a.size === b.size && shareOf(a, b) >= (a.size === 0 ? 0 : 1)
}

/** The same words in another order may say something else: `A calls B`. */
function sameOrder(a: Fact, b: Fact): boolean {
  const [common, others] = [a.subject.filter((word) => b.words.has(word)), b.subject.filter((word) => a.words.has(word))]
  return common.every((word, index) => others[index] === word)
}
