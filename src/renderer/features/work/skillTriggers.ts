import type { SkillRow } from '../../../shared/ipc/views'

/** Beyond this nobody looks: a long text is pasted, and it would be searched at each key. */
const mostCharacters = 20_000
const letter = /[\p{Script=Latin}\p{N}_]/u

/** The first skill, in the order of the list, of which a trigger stands in the text; case does not count, and `load` is not in `download`. */
export function findTrigger(text: string, rows: readonly SkillRow[]): SkillRow | null {
  if (text === '') return null
  const words = text.slice(0, mostCharacters).toLowerCase()
  return rows.find(({ skill }) => skill.triggers.some((trigger) => holds(words, trigger.trim().toLowerCase()))) ?? null
}

function holds(text: string, trigger: string): boolean {
  if (trigger === '') return false
  for (let at = text.indexOf(trigger); at !== -1; at = text.indexOf(trigger, at + 1)) {
    const end = at + trigger.length
    if (!isJoined(text[at - 1], trigger[0]) && !isJoined(trigger.at(-1), text[end])) return true
  }
  return false
}

/** Two characters of one word. Chinese has no gaps between words, so there a trigger stands anywhere. */
function isJoined(before: string | undefined, after: string | undefined): boolean {
  return before !== undefined && after !== undefined && letter.test(before) && letter.test(after)
}
