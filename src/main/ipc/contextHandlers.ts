import type { HostServices } from '../services/hostServices'
import type { Handlers } from './answer'

type Part<Prefix extends string> = Pick<Handlers, Extract<keyof Handlers, `${Prefix}/${string}`>>

/** What the model is sent of a conversation, and what a person does to it. */
export function contextHandlers({ contextPages }: Pick<HostServices, 'contextPages'>): Part<'context'> {
  return {
    'context/read': ({ sessionId }) => contextPages.read(sessionId),
    'context/compact': ({ sessionId, words }) => contextPages.compact(sessionId, words),
    'context/cancel': ({ sessionId }) => {
      contextPages.cancel(sessionId)
      return Promise.resolve(null)
    },
    'context/undo': ({ sessionId, compactionId }) => contextPages.undo(sessionId, compactionId),
    'context/pin': ({ sessionId, messageSeq, isPinned }) => contextPages.pin(sessionId, messageSeq, isPinned),
    'context/edit-summary': ({ sessionId, compactionId, summary }) => contextPages.editSummary(sessionId, compactionId, summary),
    'context/remember': ({ sessionId, compactionId, text }) => contextPages.remember(sessionId, compactionId, text),
  }
}
