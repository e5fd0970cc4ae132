import type { Result } from '../../../shared/domain/result'
import type { SkillOrigin, SkillSet } from '../../../shared/domain/skill'

/** A folder that holds skills, and whose it is. */
export interface SkillFolder {
  readonly origin: SkillOrigin
  readonly folder: string
}

/** Reads skills from folders. Files are only read; a bad one is a fault, and the others still load (R56). */
export interface SkillSource {
  /** Every skill below the folders, in the order that `SkillSet` promises. Links out of a folder are faults, not followed; nothing hangs on a loop. A folder that is not there holds none. */
  read(folders: readonly SkillFolder[]): Promise<SkillSet>
  /** A SKILL.md of the folder as it is now, by its path there. Nothing outside is read. */
  text(folder: SkillFolder, path: string): Promise<Result<string>>
  /** Calls back, a moment after the last change, when something below the folders changed. Returns what ends it. */
  watch(folders: readonly SkillFolder[], changed: () => void): () => void
}
