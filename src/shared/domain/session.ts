import type { SessionId, WorkspaceId } from './ids'

/** How often to ask (R64). No level is without guards; `read-only` offers the model only tools that read. */
export const askingLevels = ['all', 'writes', 'commands', 'read-only'] as const
export type AskingLevel = (typeof askingLevels)[number]

/** The opened folder. `root` is its real path and the fence (R65); a workspace is known by it. */
export interface Workspace {
  readonly id: WorkspaceId
  readonly root: string
  readonly name: string
}

/** A row of the session list. `state` is derived from the last events, `waiting` means an approval is open. */
export interface SessionSummary {
  readonly id: SessionId
  readonly workspaceId: WorkspaceId
  readonly title: string
  readonly openedAtMs: number
  readonly lastAtMs: number
  readonly state: 'idle' | 'running' | 'waiting' | 'stopped' | 'failed'
}
