import type { AgentEvent, AttachedFile } from '../../../shared/domain/event'
import type { CallId, TurnId } from '../../../shared/domain/ids'
import type { TextOrigin } from '../../../shared/domain/memory'
import type { TaintSource } from '../../../shared/domain/tool'
import { lettersOf, readable } from './readable'
import { wordsOf, type Words } from './words'

/** Most characters of a session that are looked through: text from outside first, then the nearest. */
const mostCharacters = 2_000_000
/** A run of this weight is no chance; a word weighs 1, a Chinese character 0.6. */
const longRun = 4
const shortRun = 2
/** So much of a fact's longer words in one place of a text is a retelling of it. */
const retoldShare = 0.7
const fewestRetold = 4
/** Letters in a row, words and all, that are no chance; a shorter fact is looked for whole. */
const longLetters = 20
const shortLetters = 10

interface Source {
  readonly origin: TextOrigin
  readonly text: string
}

/** Tools whose results repeat what the model said itself. */
const ownWords: ReadonlySet<string> = new Set(['save_memory', 'update_plan', 'write_file', 'edit_file'])

/**
 * Where words of a text stand in a session, the nearest first, each origin once: the user's messages, files and other results
 * that the agent read, and what came from outside. A source counts when it holds a run of the text's words (four, or half of a
 * shorter text), or most of its longer words close together, also in a disguise that a model sees through (`readable`). What the
 * model said by itself is no origin.
 *
 * What was put in entirely other words or another language is not found: so behind them stands all text from outside that was
 * read, by page host and server, and whether in this turn.
 */
export function originsOf(events: readonly AgentEvent[], text: string, turnId: TurnId): readonly TextOrigin[] {
  const found = wordOrigins(events, text)
  const told = new Set(found.flatMap((origin) => (origin.kind === 'outside' ? [nameOf(origin.source)] : [])))
  return [...found, ...readOutside(events, turnId).filter(({ source }) => !told.has(nameOf(source)))]
}

/** What was read from outside, the latest of each host and server first; what this turn read before the rest. */
function readOutside(events: readonly AgentEvent[], turnId: TurnId): readonly Extract<TextOrigin, { readonly kind: 'read' }>[] {
  const read = new Map<string, Extract<TextOrigin, { readonly kind: 'read' }>>()
  for (const event of [...events].reverse()) {
    if (event.type !== 'taint-marked') continue
    const name = nameOf(event.source)
    const isThisTurn = event.turnId === turnId
    if (!read.has(name) || (isThisTurn && !read.get(name)?.isThisTurn)) read.set(name, { kind: 'read', source: event.source, isThisTurn })
  }
  return [...read.values()].sort((a, b) => Number(b.isThisTurn) - Number(a.isThisTurn))
}

function nameOf(source: TaintSource): string {
  return `${source.kind} ${source.kind === 'web' ? source.host : source.kind === 'mcp' ? source.server : source.path}`
}

function wordOrigins(events: readonly AgentEvent[], text: string): readonly TextOrigin[] {
  const plain = readable(text)
  const fact = wordsOf(plain)
  if (fact.hashes.length === 0) return []
  const sources = sourcesIn(events).reverse()
  const looked = withinLimit([...sources.filter(isOutside), ...sources.filter((source) => !isOutside(source))])
  const hasWords = finderFor(fact)
  const hasLetters = letterFinderFor(plain)
  const found = new Map<string, TextOrigin>()
  for (const source of sources) {
    const key = JSON.stringify(source.origin)
    if (found.has(key) || !looked.has(source)) continue
    const told = readable(source.text)
    if (hasWords(wordsOf(told)) || hasLetters(told)) found.set(key, source.origin)
  }
  return [...found.values()]
}

function isOutside(source: Source): boolean {
  return source.origin.kind === 'outside'
}

function withinLimit(sources: readonly Source[]): ReadonlySet<Source> {
  let left = mostCharacters
  return new Set(sources.filter(({ text }) => {
    const fits = text.length <= left
    if (fits) left -= text.length
    return fits
  }))
}

function sourcesIn(events: readonly AgentEvent[]): Source[] {
  const calls = new Map<CallId, { readonly tool: string; readonly args: Readonly<Record<string, unknown>> | null }>()
  const taints = new Map<CallId, TaintSource>()
  return events.flatMap((event): readonly Source[] => {
    switch (event.type) {
      case 'user-message-added':
        return [{ origin: { kind: 'user' }, text: event.text }, ...(event.attachments ?? []).map((one): Source => ({ origin: { kind: 'outside', source: { kind: 'mcp', server: one.server } }, text: one.text })), ...(event.files ?? []).map(fileSource)]
      case 'skill-loaded':
        return [{ origin: { kind: 'tool', tool: 'load_skill' }, text: event.text }]
      case 'tool-called':
        calls.set(event.callId, event)
        return []
      case 'taint-marked':
        if (event.callId !== null) taints.set(event.callId, event.source)
        return []
      case 'tool-finished':
        return resultSource(event.text, calls.get(event.callId) ?? null, taints.get(event.callId) ?? null)
      default:
        return []
    }
  })
}

function fileSource({ path, name, text }: AttachedFile): Source {
  return { origin: path === null ? { kind: 'outside', source: { kind: 'file', path: name } } : { kind: 'file', path }, text }
}

function resultSource(text: string, call: { readonly tool: string; readonly args: Readonly<Record<string, unknown>> | null } | null, taint: TaintSource | null): readonly Source[] {
  if (taint !== null) return [{ origin: { kind: 'outside', source: taint }, text }]
  if (call === null || ownWords.has(call.tool)) return []
  if (call.tool === 'ask_user') return [{ origin: { kind: 'user' }, text }]
  const path = call.args?.['path']
  if (call.tool === 'read_file' && typeof path === 'string') return [{ origin: { kind: 'file', path }, text }]
  return [{ origin: { kind: 'tool', tool: call.tool }, text }]
}

/** Whether a text holds the fact's words: linear in the text. */
function finderFor(fact: Words): (source: Words) => boolean {
  const weight = fact.weights.reduce((sum, each) => sum + each, 0)
  const enough = Math.min(longRun, weight, Math.max(shortRun, weight / 2)) - 1e-9
  const places = new Map<number, number[]>()
  fact.hashes.forEach((hash, at) => places.set(hash, [...(places.get(hash) ?? []), at]))
  return (source) => hasRun(fact, source, places, enough) || isRetold(fact, source)
}

/** Whether a text holds the fact's letters without regard to where words begin. Any run of twice the length holds one of the pieces. */
function letterFinderFor(fact: string): (source: string) => boolean {
  const letters = lettersOf(fact)
  if (letters.length < shortLetters) return () => false
  const pieces = letters.length < longLetters ? [letters] : Array.from({ length: Math.floor(letters.length / longLetters) }, (_, at) => letters.slice(at * longLetters, (at + 1) * longLetters))
  return (source) => {
    const all = lettersOf(source)
    return pieces.some((piece) => all.includes(piece))
  }
}

function hasRun(fact: Words, source: Words, places: ReadonlyMap<number, readonly number[]>, enough: number): boolean {
  // Weight of the run that ends at each place of the fact, for the word before and for this one.
  let before = new Map<number, number>()
  for (const hash of source.hashes) {
    const now = new Map<number, number>()
    for (const at of places.get(hash) ?? []) {
      const run = (before.get(at - 1) ?? 0) + (fact.weights[at] ?? 0)
      if (run >= enough) return true
      now.set(at, run)
    }
    before = now
  }
  return false
}

function isRetold(fact: Words, source: Words): boolean {
  const wanted = new Set(fact.hashes.filter((_, at) => fact.isLong[at]))
  if (wanted.size < fewestRetold) return false
  const room = fact.hashes.length * 2 + 12
  const inside = new Map<number, number>()
  for (const [at, hash] of source.hashes.entries()) {
    if (wanted.has(hash)) inside.set(hash, (inside.get(hash) ?? 0) + 1)
    const gone = source.hashes[at - room]
    if (gone !== undefined && wanted.has(gone)) {
      const left = (inside.get(gone) ?? 0) - 1
      if (left === 0) inside.delete(gone)
      else inside.set(gone, left)
    }
    if (inside.size >= wanted.size * retoldShare) return true
  }
  return false
}
