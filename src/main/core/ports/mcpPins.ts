import type { WorkspaceId } from '../../../shared/domain/ids'
import type { McpToolDefinition } from '../../../shared/domain/mcp'

/** What was accepted of a server (R54): how it is started, or one of its tools. `definition` is what the hash was made of. */
export type McpPin =
  | { readonly server: string; readonly subject: 'start'; readonly hash: string; readonly definition: string; readonly acceptedAtMs: number }
  | { readonly server: string; readonly subject: 'tool'; readonly tool: string; readonly hash: string; readonly definition: McpToolDefinition; readonly acceptedAtMs: number }

/** A switch that is not in mcp.json. `workspaceId` null: for every folder; `tool` null: for the whole server. */
export interface McpSwitch {
  readonly server: string
  readonly workspaceId: WorkspaceId | null
  readonly tool: string | null
  readonly kind: 'here' | 'tool' | 'network' | 'sampling' | 'elicitation' | 'project-text'
  readonly isOn: boolean
}

/** Accepted definitions and switches, in the database. Rejects with a `StorageFault`. */
export interface McpPins {
  pins(): Promise<readonly McpPin[]>
  /** Replaces the pins of the same subject. */
  pin(pins: readonly McpPin[]): Promise<void>
  /** `tool` null: how it is started. */
  unpin(server: string, tool: string | null): Promise<void>
  switches(): Promise<readonly McpSwitch[]>
  set(change: McpSwitch): Promise<void>
  /** A server got another name; its pins and switches go with it. */
  rename(from: string, to: string): Promise<void>
  /** Everything of a server that was deleted. */
  forget(server: string): Promise<void>
}
