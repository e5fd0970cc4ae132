import { skillOrigins, type Skill } from '../../../shared/domain/skill'

/** Of each name, the skill that is used: the nearest origin's, else the first by path. */
export function usedOf<Some extends Pick<Skill, 'origin' | 'path' | 'name'>>(skills: readonly Some[]): ReadonlyMap<string, Some> {
  const used = new Map<string, Some>()
  for (const skill of skills) {
    const known = used.get(skill.name)
    if (known === undefined || isBefore(skill, known)) used.set(skill.name, skill)
  }
  return used
}

function isBefore(a: Pick<Skill, 'origin' | 'path'>, b: Pick<Skill, 'origin' | 'path'>): boolean {
  const nearer = skillOrigins.indexOf(a.origin) - skillOrigins.indexOf(b.origin)
  return nearer > 0 || (nearer === 0 && a.path < b.path)
}
