import type { Result } from '../../../shared/domain/result'
import type { LoadedSkill, SkillInputs } from '../../../shared/domain/skill'

/** Gives skills by name, as `load_skill` uses them (R58). */
export interface SkillDesk {
  /** The skill that the name means now, with its inputs filled in. A fault names what is unknown, switched off, missing or wrong, and what there is. */
  load(name: string, inputs: SkillInputs): Promise<Result<LoadedSkill>>
}
