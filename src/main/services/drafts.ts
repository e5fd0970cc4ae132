import type { WorkspaceId } from '../../shared/domain/ids'
import type { DraftView } from '../../shared/ipc/sessionViews'
import type { DraftStore } from '../core/ports/draftStore'

/** What was typed and not sent, of the opened folder (R109). */
export interface Drafts {
  list(): Promise<readonly DraftView[]>
  /** Resolves when it is on the disk; an empty payload removes it. */
  save(draft: DraftView): Promise<void>
}

/** Makes it. A registered secret is no more kept in a draft than in a message. */
export function makeDrafts(ports: { readonly store: DraftStore; readonly withoutKnown: (text: string) => string; readonly workspaceId: () => WorkspaceId | null }): Drafts {
  return {
    async list() {
      const workspaceId = ports.workspaceId()
      return workspaceId === null ? [] : ports.store.list(workspaceId)
    },
    async save({ sessionId, payload }) {
      const workspaceId = ports.workspaceId()
      if (workspaceId === null) return
      const kept = payload === '' ? '' : JSON.stringify(JSON.parse(payload), (_name, value: unknown) => (typeof value === 'string' ? ports.withoutKnown(value) : value))
      await ports.store.save(workspaceId, { sessionId, payload: kept })
    },
  }
}
