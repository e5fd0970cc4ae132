import type { CallId } from '../../../shared/domain/ids'
import type { ModelMessage } from '../../../shared/domain/model'

/** A result inside a part. `text` is the whole as it is stored; `message` is how it is sent. */
export interface PartResult {
  readonly callId: CallId
  readonly tool: string
  readonly text: string
  /** The whole output in the outputs store, when `text` is a cut of it already. */
  readonly outputRef: string | null
  readonly isTrimmed: boolean
  readonly message: ModelMessage
}

/** What one event put into the history: a message of the user, a reply with its results, a note, or a skill. Never taken apart (R25). */
export interface HistoryPart {
  readonly seq: number
  /** The number of its turn in the session, from 1; 0 before the first. */
  readonly turn: number
  readonly kind: 'user' | 'reply' | 'note' | 'skill'
  /** A summary stands for it. */
  readonly isCovered: boolean
  /** The person wants it kept whole. */
  readonly isPinned: boolean
  /** As they are sent, or would be were they not covered. */
  readonly messages: readonly ModelMessage[]
  readonly results: readonly PartResult[]
  /** Names of the skills whose text is in it. */
  readonly skills: readonly string[]
}
