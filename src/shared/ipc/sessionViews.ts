import type { SessionId } from '../domain/ids'
import type { SearchSnippet } from '../domain/searchText'
import type { SessionSummary } from '../domain/session'
import type { AttachedFile, MessageAttachment } from '../domain/event'

/** A message that a search found. */
export interface SessionHit {
  readonly sessionId: SessionId
  readonly seq: number
  readonly atMs: number
  readonly by: 'user' | 'agent'
  readonly snippet: SearchSnippet
  readonly title: string
  readonly project: string
  readonly root: string
  /** In the opened folder. */
  readonly isHere: boolean
  readonly isRolledBack: boolean
  readonly isDeleted: boolean
}

/** What was found, newest first. `isWhole` false: not everything that was said is looked through yet. */
export interface SessionHits {
  readonly hits: readonly SessionHit[]
  readonly hasMore: boolean
  readonly isWhole: boolean
}

/** A fork that was made. Where it parted before a message, that message's words stand ready to be edited. */
export interface SessionFork {
  readonly session: SessionSummary
  readonly text: string
  readonly attachments: readonly Pick<MessageAttachment, 'server' | 'uri' | 'name'>[]
  readonly files: readonly AttachedFile[]
}

/** The forms a session can be given away in. */
export const exportFormats = ['md', 'json', 'html'] as const
export type ExportFormat = (typeof exportFormats)[number]

/** What was typed and not sent, as the window keeps it. */
export interface DraftView {
  readonly sessionId: string
  readonly payload: string
}

/**
 * So many events come in one answer of `session/read` at most: a longer one holds up both processes while it is packed (i05). Fewer
 * are the last ones.
 */
export const readPageEvents = 200
