import type { ModelMessage } from '../../../shared/domain/model'
import { shortHash } from '../mcp/shortHash'
import { estimateTokens } from './estimate'
import type { HistoryPart } from './historyPart'
import { trimPlaces } from './trimResult'

/** Of one result, so much is told to whoever summarises: what it was, not all of it. */
const resultCharacters = 3_000
const argumentCharacters = 1_000

/** A piece of the conversation as text: one turn, or an earlier summary. */
export interface TranscriptPiece {
  readonly messages: number
  readonly text: string
  readonly tokens: number
}

/** The conversation as text, a piece a turn, in order. Results are told by head and tail. */
export function transcriptOf(parts: readonly HistoryPart[]): readonly TranscriptPiece[] {
  const turns = new Map<number, HistoryPart[]>()
  for (const part of parts) turns.set(part.turn, [...(turns.get(part.turn) ?? []), part])
  return [...turns].map(([turn, own]) => pieceOf(own.flatMap((part) => part.messages), turn))
}

/** An earlier summary as the first piece of the next. */
export function earlierPiece(summary: string): TranscriptPiece {
  const text = `[summary of everything before]\n${summary}`
  return { messages: 1, text, tokens: estimateTokens(text) }
}

/**
 * Groups of whole pieces, each of at least so many messages and at most so many tokens (R27); a single piece that is larger is
 * cut in the middle, and says so.
 */
export function groupsOf(pieces: readonly TranscriptPiece[], messages: number, tokens: number): readonly string[] {
  const groups: { texts: string[]; messages: number; tokens: number }[] = []
  for (const piece of pieces) {
    const fitting = piece.tokens <= tokens ? piece : shortened(piece, tokens)
    const last = groups.at(-1)
    if (last && last.messages < messages && last.tokens + fitting.tokens <= tokens) {
      last.texts.push(fitting.text)
      last.messages += fitting.messages
      last.tokens += fitting.tokens
    } else groups.push({ texts: [fitting.text], messages: fitting.messages, tokens: fitting.tokens })
  }
  return groups.map((group) => group.texts.join('\n\n'))
}

/** Text between two lines whose mark it does not hold: it cannot end its frame. */
export function marked(text: string): string {
  for (let attempt = 0; ; attempt += 1) {
    const mark = shortHash(text, attempt)
    if (!text.includes(mark)) return `[conversation ${mark}]\n${text}\n[end of conversation ${mark}]`
  }
}

function pieceOf(messages: readonly ModelMessage[], turn: number): TranscriptPiece {
  const text = messages.map((message) => lineOf(message, turn)).join('\n\n')
  return { messages: messages.length, text, tokens: estimateTokens(text) }
}

function lineOf(message: ModelMessage, turn: number): string {
  switch (message.role) {
    case 'system':
    case 'user':
      return `[turn ${turn}] user:\n${message.text}`
    case 'assistant':
      return [`[turn ${turn}] agent:`, ...(message.text === '' ? [] : [message.text]), ...message.calls.map((call) => `calls ${call.name} ${shortText(call.argumentsText, argumentCharacters)}`)].join('\n')
    case 'tool':
      return `[turn ${turn}] result of ${message.name}:\n${shortText(message.text, resultCharacters)}`
  }
}

function shortened(piece: TranscriptPiece, tokens: number): TranscriptPiece {
  const text = shortText(piece.text, Math.max(400, Math.floor((piece.text.length * tokens * 0.9) / piece.tokens)))
  return { ...piece, text, tokens: estimateTokens(text) }
}

function shortText(text: string, characters: number): string {
  if (text.length <= characters) return text
  const { headCharacters, tailCharacters } = trimPlaces(text, characters)
  const left = text.length - headCharacters - tailCharacters
  return left <= 0 ? text : `${text.slice(0, headCharacters)}\n[… ${left} characters left out …]\n${text.slice(text.length - tailCharacters)}`
}
