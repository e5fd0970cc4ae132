import { relatedTo, searchWords } from './toolWords'

/** Share of the window above which tools of servers are found by a search instead of being sent whole (issue 3, item 7). */
export const deferralShare = 0.1

/** Taken where the window of a model is not known: what most models in use have at least. */
export const assumedWindowTokens = 128_000

/** True when the tools of the servers are too many to be sent whole. `windowTokens` null: not known. */
export function isDeferred(tokens: number, windowTokens: number | null): boolean {
  return tokens > deferralShare * (windowTokens ?? assumedWindowTokens)
}

/** A tool as the search sees it; names as the server gives them. */
export interface SearchableTool {
  readonly server: string
  readonly name: string
  readonly title: string
  readonly description: string
}

/** BM25 (Robertson, Zaragoza: The Probabilistic Relevance Framework, 2009) with its usual constants. */
const saturation = 1.2
const lengthShare = 0.75
const weights = { name: 4, title: 3, server: 2, description: 1 } as const
/** A word that only means the same counts less than the word itself, one that begins with it a little more. */
const relatedShare = 0.4
const prefixShare = 0.5
/** A description is read this far: what a tool does stands at its beginning. */
const readDescription = 2000
const stopWords = new Set(searchWords('a an the of to for in on at by with from and or is are be it this that i me my we our you your can how do does what which please tool tools want need use using'))
const chineseStops = new Set(['一个', '一下', '的工', '工具', '我想', '我要', '如何', '怎么', '可以', '请帮', '帮我'])

interface Indexed {
  /** Weighted count of each word. */
  readonly counts: ReadonlyMap<string, number>
  readonly length: number
}

const indexed = new WeakMap<SearchableTool, Indexed>()

/**
 * The tools that fit a query, best first, at most `limit`; none that does not fit at all. First come tools whose whole
 * name is the query, with or without their server's; then by words in name, title, server and description, which camel
 * and snake case, plurals and endings do not hide, with words of the same meaning in English and Chinese counting less.
 * The same for the same tools, whatever their order.
 */
export function searchTools<T extends SearchableTool>(query: string, tools: readonly T[], limit: number): readonly T[] {
  const entries = tools.map((tool) => ({ tool, words: indexOf(tool) }))
  const terms = termsOf(query, entries.map(({ words }) => words))
  const averageLength = entries.reduce((sum, { words }) => sum + words.length, 0) / Math.max(1, entries.length)
  const exact = plainName(query)
  return entries
    .map(({ tool, words }) => ({ tool, score: (isNamed(tool, exact) ? 1e6 : 0) + scoreOf(words, terms, averageLength) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || compare(a.tool.server, b.tool.server) || compare(a.tool.name, b.tool.name))
    .slice(0, Math.max(0, limit))
    .map(({ tool }) => tool)
}

function indexOf(tool: SearchableTool): Indexed {
  const known = indexed.get(tool)
  if (known) return known
  const counts = new Map<string, number>()
  let length = 0
  for (const field of ['name', 'title', 'server', 'description'] as const) {
    const words = searchWords(tool[field].slice(0, readDescription))
    // Twice in a name is not more than once.
    for (const word of field === 'description' ? words : new Set(words)) counts.set(word, (counts.get(word) ?? 0) + weights[field])
    length += words.length
  }
  const made = { counts, length }
  indexed.set(tool, made)
  return made
}

/** Words to look for with their weight: rare ones weigh more. Each word of the query is a list of ways to say it. */
type Term = readonly { readonly word: string; readonly weight: number }[]

function termsOf(query: string, all: readonly Indexed[]): readonly Term[] {
  const words = [...new Set(searchWords(query.slice(0, readDescription)))].filter((word) => !chineseStops.has(word))
  const telling = words.filter((word) => !stopWords.has(word))
  const frequency = new Map<string, number>()
  for (const { counts } of all) for (const word of counts.keys()) frequency.set(word, (frequency.get(word) ?? 0) + 1)
  const rarity = (word: string): number => {
    const found = frequency.get(word) ?? 0
    return Math.log(1 + (all.length - found + 0.5) / (found + 0.5))
  }
  return (telling.length > 0 ? telling : words).map((word) => [
    { word, weight: rarity(word) },
    ...[...relatedTo(word)].map((other) => ({ word: other, weight: relatedShare * rarity(other) })),
    ...[...frequency.keys()].filter((other) => other !== word && isBeginning(word, other)).map((other) => ({ word: other, weight: prefixShare * rarity(other) })),
  ])
}

/** `config` finds `configuration`, and the other way round. */
function isBeginning(word: string, other: string): boolean {
  return Math.min(word.length, other.length) >= 4 && /^[a-z]+$/u.test(word) && (other.startsWith(word) || word.startsWith(other))
}

function scoreOf({ counts, length }: Indexed, terms: readonly Term[], averageLength: number): number {
  const room = saturation * (1 - lengthShare + (lengthShare * length) / Math.max(1, averageLength))
  let score = 0
  for (const term of terms) {
    let best = 0
    for (const { word, weight } of term) {
      const count = counts.get(word) ?? 0
      if (count > 0) best = Math.max(best, (weight * count * (saturation + 1)) / (count + room))
    }
    score += best
  }
  return score
}

function isNamed(tool: SearchableTool, exact: string): boolean {
  if (exact === '') return false
  return [tool.name, tool.title, `${tool.server}${tool.name}`, `mcp${tool.server}${tool.name}`].some((name) => plainName(name) === exact)
}

/** A name without what separates its words. */
function plainName(text: string): string {
  return text.normalize('NFKC').toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '')
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
