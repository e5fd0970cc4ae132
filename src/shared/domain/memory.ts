import type { CallId, MemoryId, SessionId, WorkspaceId } from './ids'
import type { TaintSource } from './tool'

/** Whom an entry is for: the project it was saved in, by its real path, or everything (R34). */
export type MemoryScope = 'project' | 'general'
/** Every scope. */
export const memoryScopes = ['project', 'general'] as const satisfies readonly MemoryScope[]

/** How an entry came to be. `session` leads to the conversation it was saved or proposed in. */
export type MemorySource =
  | { readonly kind: 'person'; readonly by: 'table' | 'save' | 'import'; readonly sessionId: SessionId | null }
  /** Proposed by the model, accepted by the person. */
  | { readonly kind: 'agent'; readonly sessionId: SessionId; readonly callId: CallId }
  /** As `agent`, but it came from outside: never injected until the person has pinned it, or made it theirs by an edit. No session: imported as such. */
  | { readonly kind: 'outside'; readonly source: TaintSource; readonly sessionId: SessionId | null; readonly callId: CallId | null }

/**
 * One long-term fact. `atMs` is when it was last said: made, or its text changed; decay counts from it (R38). `rev` grows with
 * every change, and a change names the one it was made on, so that nobody overwrites what they have not seen.
 */
export interface Memory {
  readonly id: MemoryId
  readonly text: string
  readonly scope: MemoryScope
  /** Null exactly when the scope is general. */
  readonly workspaceId: WorkspaceId | null
  readonly source: MemorySource
  readonly isPinned: boolean
  readonly atMs: number
  readonly rev: number
  /** In the bin since then; null: not deleted. Emptied after 30 days. */
  readonly deletedAtMs: number | null
}

/** Most characters of one entry. */
export const memoryCharacters = 4000

/** Why an entry would be in the prompt, or not. `duplicate`: one that says the same is in it. */
export type MemoryFate = 'injected' | 'below' | 'outside' | 'budget' | 'duplicate'

/** The parts of an entry's score for one draft (R38, R39); score = match × decay. */
export interface MemoryScore {
  readonly match: number
  readonly decay: number
  readonly score: number
  /** Estimated tokens of the entry as it would be injected. */
  readonly tokens: number
  readonly fate: MemoryFate
}

/** An entry of the prompt of a turn, as it was then. `contradicts`: others of the same prompt that may say the opposite. */
export interface InjectedMemory {
  readonly id: MemoryId
  readonly text: string
  readonly scope: MemoryScope
  readonly atMs: number
  readonly score: number
  readonly tokens: number
  readonly contradicts: readonly MemoryId[]
}

/** Where words of a proposed fact stand already: what the wish to remember it came from. `read`: text from outside without these words, which may be told in others. */
export type TextOrigin =
  | { readonly kind: 'user' }
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'tool'; readonly tool: string }
  | { readonly kind: 'outside'; readonly source: TaintSource }
  | { readonly kind: 'read'; readonly source: TaintSource; readonly isThisTurn: boolean }

/** What makes a proposed fact one from outside: its words stand there, or its turn read something from there; null for neither. */
export function originOutside(origins: readonly TextOrigin[]): TaintSource | null {
  for (const origin of origins) if (origin.kind === 'outside') return origin.source
  for (const origin of origins) if (origin.kind === 'read' && origin.isThisTurn) return origin.source
  return null
}

/** An entry that says the same as another text, or may say the opposite. */
export interface RelatedMemory {
  readonly memory: Memory
  readonly relation: 'same' | 'contradicts'
}
