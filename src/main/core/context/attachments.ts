import type { MessageAttachment } from '../../../shared/domain/event'
import { said } from '../../../shared/domain/result'
import { say } from '../../../shared/words/say'
import { frameOutside } from '../mcp/outside'

/**
 * A message as the model reads it: the user's own words, then each attached resource in a frame of its own as data from
 * outside, its name and address inside the frame, since the server chose them (R50).
 */
export function withAttachments(text: string, attachments: readonly MessageAttachment[]): string {
  const framed = attachments.map((one) => `${say('en', said('model.attached', { server: one.server }))}\n${frameOutside(`${one.name} (${one.uri})\n${one.text}`, one.server)}`)
  return [...(text.trim() === '' ? [] : [text]), ...framed].join('\n\n')
}
