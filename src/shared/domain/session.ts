import type { SessionId, WorkspaceId } from './ids'

/** How often to ask (R64). No level is without guards; `read-only` offers the model only tools that read. */
export const askingLevels = ['all', 'writes', 'commands', 'read-only'] as const
export type AskingLevel = (typeof askingLevels)[number]

/** Levels from strictest to loosest; loosening happens only in main, by a person. */
const looseness: Readonly<Record<AskingLevel, number>> = { 'read-only': 0, all: 1, writes: 2, commands: 3 }

/** True when `to` asks less than `from`. */
export function isLooser(from: AskingLevel, to: AskingLevel): boolean {
  return looseness[to] > looseness[from]
}

/** The opened folder. `root` is its real path and the fence (R65); a workspace is known by it. */
export interface Workspace {
  readonly id: WorkspaceId
  readonly root: string
  readonly name: string
}

/** Where a session came from: it begins with the other's events up to `seq`, under the same numbers. */
export interface ForkPoint {
  readonly sessionId: SessionId
  readonly seq: number
}

/** A row of the session list. `state` is derived from the last events, `waiting` means an approval is open. */
export interface SessionSummary {
  readonly id: SessionId
  readonly workspaceId: WorkspaceId
  readonly title: string
  readonly openedAtMs: number
  readonly lastAtMs: number
  readonly state: 'idle' | 'running' | 'waiting' | 'stopped' | 'failed'
  readonly isPinned: boolean
  /** Out of the list since then; nothing of it is removed. */
  readonly deletedAtMs: number | null
  readonly forkedFrom: ForkPoint | null
}
