import type { CallArgs } from '../../../shared/domain/call'
import { FlowIndex, gramLength, type FlowMatch } from './flowIndex'
import { isIdLike, readingsOf, unitsOf, type FlowUnits } from './flowText'
import { oneLine } from './hiddenText'

/** Where text that the model has read came from. */
export type FlowSource = FlowReceiver | { readonly kind: 'secret-file' | 'project-file'; readonly path: string }

/** Who is given text, and may have given some. */
export type FlowReceiver = { readonly kind: 'server'; readonly server: string } | { readonly kind: 'web'; readonly host: string }

/** Arguments hold text of `source`; `sample` is a short piece of it, in one line, for the card; of a secret file only its first characters. */
export interface FlowFinding {
  readonly source: FlowSource
  readonly sample: string
}

/**
 * Remembers what came from where, and finds it again in arguments (SECURITY 5, cross-server leak). Keep one a session.
 *
 * Found are ids and numbers of 12 characters and more, other stretches from about 24 on that are no common phrase, whole
 * or as a part, whatever the white space, punctuation, case, and escaping, and also in base64, hex or percent encoding,
 * twice at most. Not found is what was put in other words, encrypted, cut into short pieces or lies more than a few
 * million characters back. Time is linear, memory bounded.
 */
export interface DataFlow {
  add(source: FlowSource, text: string): void
  /** One finding a source, longest first. What the receiver itself gave, and what it was told of itself, is no finding. A name alone is a server's. */
  find(args: CallArgs, to: string | FlowReceiver): readonly FlowFinding[]
}

/** What is remembered, in characters. */
export interface FlowLimits {
  /** Of one server, or of all files of a kind, at least this and at most twice as much. */
  readonly source: number
  /** Of everything; beyond, what was added to longest ago is forgotten. */
  readonly all: number
  /** Of one text: its beginning and its end, a half each, as the model reads it. */
  readonly text: number
}

/** A few megabytes a source. A text of a million characters, ten times what a model reads at once, takes well under a second. */
const flowLimits: FlowLimits = { source: 1_500_000, all: 16_000_000, text: 1_000_000 }
const mostArgument = 1_000_000
const mostFindings = 20

interface Candidate {
  readonly source: FlowSource
  readonly raw: string
  readonly length: number
}

/** Makes an empty memory of flows. */
export function makeDataFlow(limits: FlowLimits = flowLimits): DataFlow {
  const indexes = new Map<string, FlowIndex<FlowSource>>()
  return {
    add(source, text) {
      const key = keyOf(source)
      const index = indexes.get(key) ?? new FlowIndex<FlowSource>(limits.source)
      // Last in order is what was added to last.
      indexes.delete(key)
      indexes.set(key, index)
      const taken = text.length <= limits.text ? text : `${text.slice(0, limits.text / 2)}\n${text.slice(-limits.text / 2)}`
      for (const reading of readingsOf(taken, limits.text)) {
        const { units, places } = unitsOf(reading)
        index.add(units, idPlaces(reading, places), source)
      }
      let letters = [...indexes.values()].reduce((sum, each) => sum + each.length, 0)
      for (const [oldest, each] of indexes) {
        if (letters <= limits.all || oldest === key) break
        letters -= each.length
        indexes.delete(oldest)
      }
    },
    find(args, to) {
      const ownKey = keyOf(typeof to === 'string' ? { kind: 'server', server: to } : to)
      const own = indexes.get(ownKey)
      const best = new Map<string, Candidate>()
      for (const raw of leavesOf(args).flatMap((leaf) => readingsOf(leaf, mostArgument, true))) {
        if (raw.length < gramLength) continue
        const text = unitsOf(raw)
        for (const [key, index] of indexes) {
          if (key === ownKey) continue
          index.matches(text.units, (match, source) => {
            const name = JSON.stringify(source)
            const length = match.end - match.start
            if (length <= (best.get(name)?.length ?? 0)) return false
            const stretch = raw.slice(text.places[match.start], (text.places[match.end - 1] ?? raw.length) + 1)
            if (isTelling(stretch, raw, text, match, source) && !isKnownTo(own, text.units.subarray(match.start, match.end))) best.set(name, { source, raw: stretch, length })
            return false
          })
        }
      }
      return [...best.values()].sort((a, b) => b.length - a.length).slice(0, mostFindings).map(({ source, raw }) => ({ source, sample: sampleOf(raw, source) }))
    },
  }
}

function keyOf(source: FlowSource): string {
  if (source.kind === 'web') return `web:${source.host}`
  return source.kind === 'server' ? `server:${source.server}` : source.kind
}

function sampleOf(raw: string, source: FlowSource): string {
  return source.kind === 'secret-file' ? `${oneLine(raw, 60).slice(0, 4)}…` : oneLine(raw, 60)
}

/** The receiving server gave all of it itself. */
function isKnownTo(own: FlowIndex<FlowSource> | undefined, stretch: Uint16Array): boolean {
  let isKnown = false
  own?.matches(stretch, ({ start, end }) => {
    isKnown = start === 0 && end === stretch.length
    return isKnown
  })
  return isKnown
}

const token = /[A-Za-z0-9][A-Za-z0-9_-]{11,}/gu

/** Where ids begin, as places among the letters. */
function idPlaces(raw: string, places: Uint32Array): readonly number[] {
  const found: number[] = []
  let unit = 0
  for (const match of raw.matchAll(token)) {
    while (unit < places.length && (places[unit] ?? 0) < match.index) unit += 1
    if (isIdLike(match[0])) found.push(unit)
  }
  return found
}

const shortestDense = 20
const shortestProse = 32
const shortestWhole = 24

/** True for a stretch that does not stand in two texts by chance: an id as a whole, something dense, or prose of some length that says something. */
function isTelling(stretch: string, raw: string, { units, places }: FlowUnits, match: FlowMatch, source: FlowSource): boolean {
  const distinct = new Set(units.subarray(match.start, match.end)).size
  if (distinct < 4) return false
  const from = places[match.start] ?? 0
  const isAlone = (at: number, length: number): boolean => !/[A-Za-z0-9]/u.test(raw[from + at - 1] ?? '') && !/[A-Za-z0-9]/u.test(raw[from + at + length] ?? '')
  for (const id of stretch.matchAll(token)) if (isIdLike(id[0]) && isAlone(id.index, id[0].length)) return true
  const weight = weightOf(stretch)
  const gaps = stretch.match(/\s+/gu)?.length ?? 0
  if (weight >= shortestDense && gaps * 10 <= weight && isIdLike(stretch.replace(/\s+/gu, ''))) return true
  if (distinct < 8) return false
  const content = weightOf((stretch.match(/\p{L}+/gu) ?? []).filter((word) => !common.has(word.toLowerCase())).join(''))
  if (weight >= shortestProse && content >= 20) return true
  const isWhole = (match.end - match.start) * 10 >= units.length * 9
  return weight >= shortestWhole && content >= 16 && (isWhole || source.kind === 'secret-file')
}

/** Letters and digits, those of scripts without spaces counted twice: they say more. */
function weightOf(text: string): number {
  let weight = 0
  for (const [character] of text.matchAll(/[\p{L}\p{N}]/gu)) weight += /[\u2e80-\u9fff\uac00-\ud7af]/u.test(character) ? 2 : 1
  return weight
}

/** Words that say nothing by themselves. */
const common = new Set(
  ('a about after all also an and any are as at be been but by can could did do does for from get had has have how i if in into is it its just let like may me more my new no not of on one only or other our out ' +
    'over please see should so some such than thank thanks that the their them then there these they this to up use using used was we were what when where which who will with would you your found result results ' +
    'error failed success true false null content type text application json http https www com org').split(' '),
)

/** Every string and number of arguments, keys too, as far as the limit goes. */
function leavesOf(args: CallArgs): readonly string[] {
  const leaves: string[] = []
  let left = mostArgument
  const open: unknown[] = [args]
  while (open.length > 0 && left > 0) {
    const value = open.pop()
    if (typeof value === 'string' || typeof value === 'number') {
      const text = String(value).slice(0, left)
      left -= text.length
      leaves.push(text)
    } else if (typeof value === 'object' && value !== null) {
      for (const [key, each] of Object.entries(value).reverse()) {
        open.push(each)
        if (!Array.isArray(value) && key.length >= gramLength) open.push(key)
      }
    }
  }
  return leaves
}
