import type { ModelMessage, ToolSpec } from '../../../shared/domain/model'
import { estimateTokens } from './estimate'

/** What providers take for one picture of a usual size; none of them says it before it is sent. */
const pictureTokens = 1_000

const known = new WeakMap<object, number>()

/** An estimate of a message (R31). One that did not change is the same object, and costs its length once. */
export function messageTokens(message: ModelMessage): number {
  return kept(message, estimateMessage)
}

/** An estimate of a tool as it is sent. */
export function specTokens(spec: ToolSpec): number {
  return kept(spec, (tool) => estimateTokens(JSON.stringify(tool)))
}

/** All messages together; nothing that was counted before is counted again. */
export function tokensOf(messages: readonly ModelMessage[]): number {
  let sum = 0
  for (const message of messages) sum += messageTokens(message)
  return sum
}

function estimateMessage(message: ModelMessage): number {
  const pictures = message.role === 'user' || message.role === 'tool' ? (message.images?.length ?? 0) * pictureTokens : 0
  return pictures + estimateTokens(textOf(message))
}

/** Thinking that came as plain text and in blocks is one text: it counts once. */
function textOf(message: ModelMessage): string {
  if (message.role !== 'assistant') return message.text
  return [message.text, message.reasoning ?? '', ...message.calls.flatMap((call) => [call.name, call.argumentsText])].join('\n')
}

function kept<Thing extends object>(thing: Thing, estimate: (thing: Thing) => number): number {
  const before = known.get(thing)
  if (before !== undefined) return before
  const tokens = estimate(thing)
  known.set(thing, tokens)
  return tokens
}
