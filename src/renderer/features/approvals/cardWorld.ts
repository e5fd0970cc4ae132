import type { CallId, SessionId } from '../../../shared/domain/ids'
import type { SandboxFacts } from '../../../shared/domain/sandbox'
import type { TrustHook } from '../../../shared/domain/trust'

/** What a card needs to know of the window, and what it may ask of it. */
export interface CardWorld {
  /** The folder that is open; a command in it needs no word about where. */
  readonly root: string
  /** The session on screen. */
  readonly sessionId: SessionId | null
  /** What the self-test of the sandbox found; null where that is not known. */
  readonly sandbox: SandboxFacts | null
  /** Programs of the folder that a command may set off (DESIGN 5.11). */
  readonly hooks: readonly TrustHook[]
  readonly titleOf: (sessionId: SessionId) => string | null
  readonly onSession: (sessionId: SessionId) => void
  /** Opens the editor of rules with what a call proposes; null where there is none. */
  readonly onRule: ((callId: CallId) => void) | null
  /** Opens a rule that is there. */
  readonly onOpenRule: ((id: string) => void) | null
}
