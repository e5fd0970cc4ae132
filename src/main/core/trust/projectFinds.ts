import type { Said } from '../../../shared/domain/result'
import type { Skill, SkillFault } from '../../../shared/domain/skill'
import type { TrustHook } from '../../../shared/domain/trust'
import type { McpServerConfig } from '../ports/mcpConfig'

/** A file that instructs. `hash` is of its bytes; `text` is the same without a byte order mark, with line feeds. */
export interface FoundInstructions {
  /** Relative to the folder, with slashes. */
  readonly path: string
  readonly text: string
  readonly hash: string
  readonly sizeBytes: number
}

/** An entry of `.mcp.json`. `hash` and `text` are of the whole entry as it was understood, values included: a changed value is another entry. */
export interface FoundServer {
  readonly path: string
  readonly config: McpServerConfig
  readonly text: string
  readonly hash: string
}

/** A skill whose `path` is relative to the folder. `hash` is of every file in the skill's folder, since its text sends the model to them. */
export interface FoundSkill {
  readonly skill: Skill
  readonly text: string
  readonly hash: string
  readonly sizeBytes: number
  /** The other files, relative to the skill's folder: `hash` and `sizeBytes` are of them too. */
  readonly others: readonly string[]
}

/** What of a folder could be configuration, in an order that no disk decides. */
export interface ProjectFinds {
  readonly instructions: readonly FoundInstructions[]
  readonly servers: readonly FoundServer[]
  readonly skills: readonly FoundSkill[]
  readonly hooks: readonly TrustHook[]
  /** What could not be read as what it claims to be, or lies outside; it takes no part. */
  readonly faults: readonly Said[]
  /** The same of skills' files, with lines. */
  readonly skillFaults: readonly SkillFault[]
}

/**
 * Looks at what a folder brings (R43, R56, R61). Only reads: nothing is started, sent or obeyed by looking. Bounded in bytes
 * and entries; no link is followed out of the folder, and nothing waits on a pipe.
 */
export interface ProjectConfig {
  /** `root` is the real path of the opened folder. A folder that is gone holds nothing. */
  look(root: string): Promise<ProjectFinds>
}
