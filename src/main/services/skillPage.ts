import type { Skill, SkillIndex, SkillRef, SkillSet } from '../../shared/domain/skill'
import type { SkillPage, SkillRow } from '../../shared/ipc/views'
import type { SkillUses } from '../core/ports/skillRecord'
import { usedOf } from '../core/skills/choose'

/** What the database knows of skills, by `placeKey`. */
export interface SkillFacts {
  readonly switches: ReadonlyMap<string, boolean>
  readonly uses: ReadonlyMap<string, SkillUses>
}

/** One string for where a skill lies. */
export function placeKey({ origin, path }: Pick<Skill, 'origin' | 'path'>): string {
  return `${origin} ${path}`
}

/** What the page is made of. */
export interface PageParts {
  readonly set: SkillSet
  readonly facts: SkillFacts
  readonly index: SkillIndex
  readonly folder: string
  /** False only for a skill of the opened folder that the person did not trust as it is. */
  readonly isTrusted: (skill: Skill) => boolean
}

/** The skills page: every skill that loads as a row, those that are hidden by another of their name too; and what was wrong. */
export function skillPage({ set, facts, index, folder, isTrusted }: PageParts): SkillPage {
  const isOn = (skill: Skill): boolean => isTrusted(skill) && (facts.switches.get(placeKey(skill)) ?? true)
  const used = usedOf(set.skills.filter(isOn))
  const rows = set.skills.flatMap((skill, at): SkillRow[] => {
    const entry = index.entries[at]
    if (entry === undefined) throw new Error('the index is not of these skills')
    const { body: _, template: __, ...shown } = skill
    const instead = used.get(skill.name)
    const uses = facts.uses.get(placeKey(skill))
    return [{ skill: shown, isOn: isOn(skill), isTrusted: isTrusted(skill), hiddenBy: instead === undefined || instead === skill ? null : refOf(instead), index: entry, lastUsedAtMs: uses?.lastAtMs ?? null, usesThisMonth: uses?.times ?? 0 }]
  })
  return { rows, faults: set.faults, indexBytes: index.bytes, folder }
}

function refOf({ origin, path, name, version }: Skill): SkillRef {
  return { origin, path, name, version }
}
