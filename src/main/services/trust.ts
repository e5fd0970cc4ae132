import type { Result } from '../../shared/domain/result'
import type { Workspace } from '../../shared/domain/session'
import type { TrustFindings, TrustRef } from '../../shared/domain/trust'
import type { McpServerConfig } from '../core/ports/mcpConfig'
import type { SkillFolder } from '../core/ports/skillSource'

/** What of the opened folder counts as configuration now: only what the person trusted, with exactly the content they saw. */
export interface TrustedParts {
  /** In the order in which they stand in the prompt. */
  readonly instructions: readonly { readonly path: string; readonly text: string }[]
  readonly servers: readonly McpServerConfig[]
  /** The project's skills folders, and which SKILL.md of them take part, by their hash. */
  readonly skills: { readonly folders: readonly SkillFolder[]; readonly trusted: ReadonlyMap<string, string> }
}

/**
 * Trust of the opened folder (SECURITY decision 12; R43, R56, R61). Nothing is started or sent by looking; a file that changed
 * since it was trusted takes no part until it was seen again.
 */
export interface Trust {
  /** Looks at the folder; `trustsAll` is the person's word on the command line for this process, and is recorded. */
  useFolder(workspace: Workspace | null, trustsAll?: boolean): Promise<void>
  /** Read anew. Null when no folder is open. */
  findings(): Promise<TrustFindings | null>
  /** Fails when an item is no longer as it was shown; then nothing was decided. */
  decide(trusted: readonly TrustRef[], declined: readonly TrustRef[]): Promise<Result<TrustFindings>>
  /** As of the last look; what takes part is read again and compared at the begin of each turn (`refresh`). */
  parts(): TrustedParts
  refresh(): Promise<void>
  onChange(listener: (findings: TrustFindings | null) => void): () => void
}
