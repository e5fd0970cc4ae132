import type { CancelSignal } from './cancelSignal'

/** The right to change files in a workspace: at most one holder over all sessions and processes. */
export interface LaneLock {
  /** Waits in turn; resolves with the release. Rejects with `cancelled` only through the signal: then resolves null. A dead owner's lock is taken over. */
  enter(workspaceId: string, signal: CancelSignal): Promise<(() => Promise<void>) | null>
}
