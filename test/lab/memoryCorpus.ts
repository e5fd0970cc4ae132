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

const subjects = ['gateway', 'order service', 'search index', 'login page', 'build server', 'mail queue', '结算服务', '登录页面', '部署脚本', '缓存']
const verbs = ['listens on port', 'retries at most', 'keeps its logs for days', 'times out after seconds', 'writes to table', '监听端口', '最多重试次数', '保留日志天数']
const places = ['in staging', 'in production', 'on the test machine', 'for the release', '在预发环境', '在生产环境']

/** Entries as a tool would write them: few words, so that a draft finds nearly all, and many may contradict each other. */
export function templatesOf(seed: number): Corpus {
  const random = sequence(seed)
  const one = (from: readonly string[]) => from[Math.floor(random() * from.length)] ?? ''
  return {
    random,
    entry() {
      const words = [one(subjects), one(verbs), String(Math.floor(random() * 9000)), one(places), 'rule', String(Math.floor(random() * 300))]
      return { words, text: `The ${words.join(' ')}.` }
    },
    queries: (_kind, count, terms) => Array.from({ length: count }, () => {
      const all = new Set<string>()
      while (all.size < terms) all.add(all.size % 3 === 2 ? String(Math.floor(random() * 9000)) : one([...subjects, ...verbs, ...places].flatMap((words) => words.split(' '))) + (all.size > 24 ? ` w${all.size}` : ''))
      return [...all]
    }),
  }
}
