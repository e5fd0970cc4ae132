import { said } from '../../../shared/domain/result'
import type { Skill, SkillFault } from '../../../shared/domain/skill'
import { foldLookalikes } from '../mcp/confusables'

/**
 * Skills whose name is another's to the eye and not to the machine, as one with a letter of another script or a capital: neither
 * hides the other, and whoever reads the list takes one for both. Of those that look alike, all but the first are named.
 */
export function lookAlikes(skills: readonly Pick<Skill, 'origin' | 'path' | 'name'>[]): readonly SkillFault[] {
  const first = new Map<string, Pick<Skill, 'name'>>()
  return skills.flatMap(({ origin, path, name }): readonly SkillFault[] => {
    const seen = foldLookalikes(name).toLowerCase()
    const other = first.get(seen)
    if (other === undefined) first.set(seen, { name })
    if (other === undefined || other.name === name) return []
    return [{ origin, path, line: 0, column: 0, text: '', say: said('skill.looks-like', { name, other: other.name }), isFatal: false }]
  })
}
