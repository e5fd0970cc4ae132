import { said, type Said } from '../../../shared/domain/result'
import type { SkillInput } from '../../../shared/domain/skill'
import { isInputName } from '../../../shared/domain/skillTemplate'
import type { Block, Field } from './frontMatter'
import type { Note } from './place'

const types: Readonly<Record<string, SkillInput['type']>> = {
  text: 'text', string: 'text', number: 'number', integer: 'number', boolean: 'boolean', bool: 'boolean', choice: 'choice', enum: 'choice',
}
const maxInputs = 50

/** `inputs`: a list of maps, each with a `name`, or a map of names. One that cannot be read is passed over, and said. */
export function readInputs(field: Field | undefined, note: Note): readonly SkillInput[] {
  if (field === undefined || field.value === null) return []
  const given: readonly (readonly [string, Field])[] | undefined = field.map
    ? [...field.map]
    : field.list?.map((one) => [one.map?.get('name')?.text ?? '', one] as const)
  if (given === undefined) note(field.at, said('skill.inputs-form'))
  const inputs = new Map<string, SkillInput>()
  for (const [name, one] of given ?? []) {
    const input = inputs.size >= maxInputs ? said('skill.inputs-many', { limit: maxInputs }) : inputs.has(name) ? said('skill.input-twice', { name }) : inputOf(name, one)
    if ('code' in input) note(one.at, input)
    else inputs.set(name, input)
  }
  return [...inputs.values()]
}

function inputOf(name: string, { map, text }: Field): SkillInput | Said {
  if (!isInputName(name)) return said('skill.input-name', { name })
  if (map === null && (text === null || !Object.hasOwn(types, text))) return said('skill.input-form', { name })
  const fields: Block = map ?? new Map()
  const options = (fields.get('options') ?? fields.get('enum'))?.list?.flatMap((one) => one.text ?? []) ?? []
  const fallback = fields.get('default')
  const type = map === null ? types[text ?? ''] : typeOf(fields, options, fallback?.value)
  if (type === undefined) return said('skill.input-type', { name, type: fields.get('type')?.text ?? '' })
  if (type === 'choice' && options.length === 0) return said('skill.input-options', { name })
  const value = fallback === undefined || fallback.value === null ? null : fallbackOf(type, options, fallback)
  if (value === undefined) return said('skill.input-default', { name })
  return { name, type, description: fields.get('description')?.text ?? '', options: type === 'choice' ? options : [], fallback: value }
}

function typeOf(fields: Block, options: readonly string[], fallback: unknown): SkillInput['type'] | undefined {
  const declared = fields.get('type')
  if (declared !== undefined && declared.value !== null) return Object.hasOwn(types, declared.text ?? '') ? types[declared.text ?? ''] : undefined
  if (options.length > 0) return 'choice'
  return typeof fallback === 'number' ? 'number' : typeof fallback === 'boolean' ? 'boolean' : 'text'
}

/** Undefined when it does not fit the type. */
function fallbackOf(type: SkillInput['type'], options: readonly string[], { value, text }: Field): SkillInput['fallback'] | undefined {
  if (type === 'number') return typeof value === 'number' && Number.isFinite(value) ? value : undefined
  if (type === 'boolean') return typeof value === 'boolean' ? value : undefined
  if (type === 'choice') return text !== null && options.includes(text) ? text : undefined
  return typeof value === 'string' ? value : (text ?? undefined)
}
