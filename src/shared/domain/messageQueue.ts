import type { AgentEvent, EventDraft } from './event'
import type { MessageId } from './ids'

type QueuedEvent = Extract<AgentEvent, { readonly type: 'message-queued' }>

/** A message that waits for the next step boundary of a turn, or for the person (R10). `atMs`: when it was typed or last edited. */
export type QueuedMessage = Omit<Extract<EventDraft, { readonly type: 'message-queued' }>, 'type'> & { readonly atMs: number }

/** The waiting messages after one more event: edited ones keep their place, withdrawn and delivered ones are gone. */
export function applyToQueue(queue: readonly QueuedMessage[], event: AgentEvent): readonly QueuedMessage[] {
  switch (event.type) {
    case 'message-queued': {
      const message = messageOf(event)
      return isWaiting(queue, event.messageId) ? queue.map((one) => (one.messageId === event.messageId ? message : one)) : [...queue, message]
    }
    case 'message-withdrawn':
    case 'user-message-added':
      return isWaiting(queue, event.messageId) ? queue.filter((one) => one.messageId !== event.messageId) : queue
    default:
      return queue
  }
}

/** The messages of a session that wait, oldest first. */
export function queueOf(events: readonly AgentEvent[]): readonly QueuedMessage[] {
  return events.reduce(applyToQueue, [])
}

function isWaiting(queue: readonly QueuedMessage[], id: MessageId): boolean {
  return queue.some((one) => one.messageId === id)
}

function messageOf({ messageId, text, attachments, files, skills, atMs }: QueuedEvent): QueuedMessage {
  return { messageId, text, ...(attachments === undefined ? {} : { attachments }), ...(files === undefined ? {} : { files }), ...(skills === undefined ? {} : { skills }), atMs }
}
