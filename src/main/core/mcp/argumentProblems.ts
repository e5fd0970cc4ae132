import type { OutputUnit } from '@cfworker/json-schema'

/** What is wrong with one argument; the path is from the top. */
export interface Problem {
  readonly path: readonly string[]
  readonly message: string
}

/** More are no help: the model would send all again anyway. */
const maxProblems = 8
const maxMessage = 300
/** Say only that something inside is wrong. */
const wrappers = ['$ref', '$recursiveRef', 'allOf', 'properties', 'patternProperties', 'additionalProperties', 'unevaluatedProperties', 'items', 'prefixItems', 'additionalItems', 'unevaluatedItems', 'dependentSchemas', 'if']

/** The validator's findings as few sentences, in its order; of a union only the nearest form is spoken of. */
export function argumentProblems(errors: readonly OutputUnit[]): readonly Problem[] {
  const problems = nearest(errors)
    .filter((error) => !wrappers.includes(error.keyword))
    .map(problemOf)
  const distinct = [...new Map(problems.map((problem) => [JSON.stringify(problem), problem])).values()]
  return distinct.length === 0 && errors.length > 0 ? [{ path: [], message: 'does not fit the schema' }] : distinct.slice(0, maxProblems)
}

/** Leaves out the forms of a union that are further from the value than another one. */
function nearest(errors: readonly OutputUnit[]): readonly OutputUnit[] {
  const at = errors.findIndex((error) => error.keyword === 'anyOf' || error.keyword === 'oneOf')
  const union = errors[at]
  if (!union) return errors
  const inside = `${union.keywordLocation}/`
  const others = errors.slice(at + 1)
  const nested = others.filter((error) => error.keywordLocation.startsWith(inside) && error.instanceLocation.startsWith(union.instanceLocation))
  const rest = others.filter((error) => !nested.includes(error))
  const forms = new Map<string, OutputUnit[]>()
  for (const error of nested) {
    const form = error.keywordLocation.slice(inside.length).split('/')[0] ?? ''
    forms.set(form, [...(forms.get(form) ?? []), error])
  }
  const [best = []] = [...forms.values()].sort((a, b) => distance(a, union) - distance(b, union))
  const fits = union.keyword === 'oneOf' && !union.error.includes('(0 matches)')
  return [...errors.slice(0, at), union, ...(fits || isWrongType(best, union) ? [] : nearest(best)), ...nearest(rest)]
}

/** A form of another type, or with another mark, is further than any that has the right one. */
function distance(errors: readonly OutputUnit[], union: OutputUnit): number {
  return (isWrongType(errors, union) ? 1000 : 0) + errors.filter((error) => error.keyword === 'const' || error.keyword === 'enum').length * 50 + errors.length
}

function isWrongType(errors: readonly OutputUnit[], union: OutputUnit): boolean {
  return errors.some((error) => error.keyword === 'type' && error.instanceLocation === union.instanceLocation)
}

function problemOf(error: OutputUnit): Problem {
  const path = pathOf(error.instanceLocation)
  const missing = /required property "(?<name>.*)"\.$/su.exec(error.error)?.groups?.['name']
  if (error.keyword === 'required' && missing !== undefined) return { path: [...path, missing], message: 'is missing' }
  const text = sentence(error)
  return { path, message: text.length > maxMessage ? `${text.slice(0, maxMessage - 1)}…` : text }
}

function sentence(error: OutputUnit): string {
  const type = /^Instance type "(?<given>.*)" is invalid\. Expected "(?<wanted>.*)"\.$/su.exec(error.error)?.groups
  if (type) return `must be ${String(type['wanted']).replaceAll('", "', ' or ')}, not ${String(type['given'])}`
  switch (error.keyword) {
    case 'false':
      return 'is not allowed here'
    case 'enum':
      return `must be one of ${error.error.replace(/^Instance does not match any of \[/u, '').replace(/\]\.$/u, '')}`
    case 'const':
      return `must be ${error.error.replace(/^Instance does not match /u, '').replace(/\.$/u, '')}`
    case 'anyOf':
      return 'fits none of the forms that the schema allows'
    case 'oneOf':
      return error.error.includes('(0 matches)') ? 'fits none of the forms that the schema allows' : 'fits more than one form where only one is allowed'
    case 'not':
      return 'has a form that the schema forbids'
    default:
      return error.error.replace(/^Instance /u, '').replace(/\.$/u, '')
  }
}

function pathOf(location: string): readonly string[] {
  return location
    .split('/')
    .slice(1)
    .map((step) => decoded(step).replaceAll('~1', '/').replaceAll('~0', '~'))
}

function decoded(step: string): string {
  try {
    return decodeURI(step)
  } catch {
    // A name with a lone %: as the validator wrote it.
    return step
  }
}
