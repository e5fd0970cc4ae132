import type { CallView, ChatItem } from '../../../shared/domain/chatView'
import type { CallId } from '../../../shared/domain/ids'
import { objectOf } from './callWords'

/** What is looked for. */
export interface FindQuery {
  readonly text: string
  readonly isCase: boolean
  readonly isWord: boolean
}

/** A hit: in which row, in which part of it, the how manieth there. A part is folded away when `isFolded`. */
export interface Hit {
  readonly seq: number
  readonly kind: ChatItem['kind']
  readonly part: string
  readonly nth: number
  readonly isFolded: boolean
}

/** More hits are not counted. */
export const mostHits = 10_000
/** So many characters are looked through before others are let in. */
const atOnce = 300_000
/** Of one text no more is looked through. */
const mostOfOne = 2_000_000

/** The pattern of a query; null for none. Written in Chinese there is no border of words to ask for. */
export function patternOf({ text, isCase, isWord }: FindQuery): RegExp | null {
  if (text === '') return null
  const plain = text.replace(/[\\^$.*+?()[\]{}|/]/gu, '\\$&').replace(/\s+/gu, '\\s+')
  const wordly = /[\p{L}\p{N}_]/u
  const han = /\p{Script=Han}/u
  const border = (character: string | undefined, side: string): string => (isWord && character !== undefined && wordly.test(character) && !han.test(character) ? side : '')
  return new RegExp(`${border([...text][0], '(?<![\\p{L}\\p{N}_])')}${plain}${border([...text].at(-1), '(?![\\p{L}\\p{N}_])')}`, isCase ? 'gu' : 'giu')
}

interface Piece {
  readonly part: string
  readonly text: string
  readonly isFolded: boolean
}

/** The name of a part of a row, as its element says in `data-find`. */
export const partOf = {
  row: (seq: number): string => `row ${seq}`,
  call: (callId: CallId): string => `call ${callId}`,
}

/** The texts of a row, folded ones too. `outputOf`: what a command has printed, where that is still known. */
export function piecesOf(item: ChatItem, outputOf: (callId: CallId) => string): readonly Piece[] {
  switch (item.kind) {
    case 'user':
    case 'agent': return [{ part: partOf.row(item.seq), text: item.text, isFolded: false }]
    case 'thinking': return [{ part: partOf.row(item.seq), text: item.text, isFolded: true }]
    case 'calls': return item.calls.flatMap((call) => callPieces(call, outputOf))
    default: return []
  }
}

function callPieces(call: CallView, outputOf: (callId: CallId) => string): readonly Piece[] {
  const part = partOf.call(call.callId)
  const result = outputOf(call.callId) || call.text
  return [{ part, text: objectOf(call), isFolded: false }, { part, text: result, isFolded: true }]
}

/**
 * Looks through rows for a pattern, oldest first, a piece at a time, so that ten thousand messages hold nothing up. Ends early
 * when `isOver`. Answers with at most `mostHits`.
 */
export async function findIn(items: readonly ChatItem[], pattern: RegExp, outputOf: (callId: CallId) => string, isOver: () => boolean): Promise<readonly Hit[]> {
  const hits: Hit[] = []
  let looked = 0
  for (const item of items) {
    const counts = new Map<string, number>()
    for (const { part, text, isFolded } of piecesOf(item, outputOf)) {
      looked += text.length
      for (const match of text.slice(0, mostOfOne).matchAll(pattern)) {
        if (match[0] === '') continue
        const nth = counts.get(part) ?? 0
        counts.set(part, nth + 1)
        hits.push({ seq: item.seq, kind: item.kind, part, nth, isFolded })
        if (hits.length === mostHits) return hits
      }
    }
    if (looked < atOnce) continue
    looked = 0
    await new Promise((resolve) => setTimeout(resolve))
    if (isOver()) return hits
  }
  return hits
}
