import type { ModelChoice, ModelMessage, ThinkingBlock } from '../../../shared/domain/model'
import type { PictureMessage } from './pictures'
import { isSameModel, type Way } from './way'

type Sent = ModelMessage | PictureMessage

/**
 * Which thinking goes back with each message (R88): what this very model made, in the turns that its provider wants it of. Never
 * what another model made: a signature would not fit, and one provider has no business with another's.
 */
export function thinkingToSend(messages: readonly Sent[], choice: ModelChoice, { quirks }: Pick<Way, 'quirks'>): (message: Sent, at: number) => readonly ThinkingBlock[] {
  if (quirks.reasoningReturn === 'never') return () => []
  const from = quirks.reasoningReturn === 'turn' ? messages.findLastIndex((message) => message.role === 'user') : -1
  return (message, at) => (at > from && message.role === 'assistant' && message.thinking && isSameModel(message.from, choice) ? message.thinking : [])
}
