import type { SkillInput, SkillInputs } from '../../../shared/domain/skill'

/** What stands in the fields of the form, by name. */
export type TypedValues = Readonly<Record<string, string>>

/** What a field begins with: what was given before, else what the skill says, else nothing. */
export function startText({ name, fallback }: SkillInput, given: SkillInputs): string {
  const value = Object.hasOwn(given, name) ? given[name] : fallback
  return value === null || value === undefined ? '' : String(value)
}

/** Why a field cannot be used; null when it can. Only an input that the skill has no value for must be there. */
export function faultOf(input: SkillInput, typed: TypedValues): 'session.form.missing' | 'skill.form.not-number' | null {
  const text = typed[input.name] ?? ''
  const isEmpty = input.type === 'text' ? text === '' : text.trim() === ''
  if (isEmpty) return input.fallback === null ? 'session.form.missing' : null
  return input.type === 'number' && !Number.isFinite(Number(text)) ? 'skill.form.not-number' : null
}

/** The values of the form by their types. Where the skill's own value stands, or a field that needs one is empty, nothing is given. */
export function givenInputs(inputs: readonly SkillInput[], typed: TypedValues): SkillInputs {
  return Object.fromEntries(inputs.flatMap((input) => {
    const text = typed[input.name] ?? ''
    if (text === startText(input, {}) || (input.type !== 'text' && text.trim() === '')) return []
    return [[input.name, valueOf(input, text)] as const]
  }))
}

function valueOf({ type }: SkillInput, text: string): string | number | boolean {
  if (type === 'number') return Number(text)
  return type === 'boolean' ? text === 'true' : text
}
