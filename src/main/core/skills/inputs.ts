import { fail, succeed, type Result } from '../../../shared/domain/result'
import type { Skill, SkillInput, SkillInputs } from '../../../shared/domain/skill'

/**
 * The inputs of a skill, typed, with what is not given by default (R59). A number or a yes-or-no that was written as text is
 * taken as it is meant. A fault names all that is missing, or the first that is unknown or does not fit.
 */
export function fillInputs({ name: skill, inputs }: Pick<Skill, 'name' | 'inputs'>, given: SkillInputs): Result<SkillInputs> {
  const unknown = Object.keys(given).find((name) => !inputs.some((input) => input.name === name))
  if (unknown !== undefined) return fail('skill.input-unknown', { skill, name: unknown, names: inputs.map((input) => input.name) })
  const missing = inputs.filter((input) => input.fallback === null && (!Object.hasOwn(given, input.name) || isBlank(input, given[input.name])))
  if (missing.length > 0) return fail('skill.inputs-missing', { skill, names: missing.map((input) => input.name) })
  const filled: [string, string | number | boolean][] = []
  for (const input of inputs) {
    const value = Object.hasOwn(given, input.name) ? given[input.name] : undefined
    const taken = value === undefined || isBlank(input, value) ? input.fallback : takenAs(input, value)
    if (taken === null) return wrong(skill, input)
    filled.push([input.name, taken])
  }
  return succeed(Object.fromEntries(filled))
}

/** An empty field of a form says nothing, but where text is asked for and may be empty. */
function isBlank(input: SkillInput, value: string | number | boolean | undefined): boolean {
  return typeof value === 'string' && value.trim() === '' && (input.type !== 'text' || input.fallback === null)
}

/** Null when the value does not fit. */
function takenAs({ type, options }: SkillInput, value: string | number | boolean): string | number | boolean | null {
  switch (type) {
    case 'text':
      return String(value)
    case 'number': {
      const number = typeof value === 'string' ? Number(value.trim()) : value
      return typeof number === 'number' && Number.isFinite(number) ? number : null
    }
    case 'boolean':
      return typeof value === 'boolean' ? value : value === 'true' ? true : value === 'false' ? false : null
    case 'choice':
      return options.includes(String(value)) ? String(value) : null
  }
}

function wrong(skill: string, { type, name, options }: SkillInput): ReturnType<typeof fail> {
  return type === 'choice' ? fail('skill.input-not-offered', { skill, name, options }) : fail(type === 'number' ? 'skill.input-not-number' : 'skill.input-not-boolean', { skill, name })
}
