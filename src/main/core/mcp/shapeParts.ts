import { distinct, either, joined, leaves } from './mergeShapes'
import { allows, anything, brief, isAnything, isPlain, typeOf, type Shape, type TypeName } from './shape'

/** A shape as parts of one type each; no parts and not nullable: any value. */
export interface Parts {
  readonly parts: readonly Shape[]
  readonly isNullable: boolean
}

const everyType: readonly TypeName[] = ['string', 'number', 'boolean', 'object', 'array']

/** Takes a union apart by types. Of a scalar type there is one part at most; objects and arrays stay apart where they differ. */
export function partsOf(shape: Shape): Parts {
  const all = leaves(shape)
  if (all.some(isAnything)) return { parts: [], isNullable: false }
  const split = all.flatMap((leaf) => typesOf(leaf).map((type) => narrow(leaf, type))).filter((each) => each !== null)
  const isNullable = split.some((each) => each.types[0] === 'null')
  const byType = new Map<TypeName, Shape[]>()
  for (const part of split) {
    const [type] = part.types
    if (type && type !== 'null') byType.set(type, [...(byType.get(type) ?? []), part])
  }
  return { parts: withoutDoubles([...byType].flatMap(([type, parts]) => group(type, parts))), isNullable }
}

function typesOf(leaf: Shape): readonly TypeName[] {
  if (leaf.types.length > 0) return leaf.types
  if (leaf.values) return joined(leaf.values.map(typeOf))
  const structured: readonly TypeName[] = [...(leaf.properties.size > 0 || leaf.required.length > 0 ? ['object' as const] : []), ...(leaf.items || leaf.tuple.length > 0 ? ['array' as const] : [])]
  return structured.length > 0 ? structured : everyType
}

/** The shape for one of its types; null when it has values and none is of that type. */
function narrow(leaf: Shape, type: TypeName): Shape | null {
  const values = leaf.values?.filter((value) => allows([type], typeOf(value))) ?? null
  if (values?.length === 0) return null
  const own: Shape = { ...anything, types: [type], values, description: leaf.description, notes: leaf.notes, bounds: leaf.bounds }
  if (type === 'object') return { ...own, properties: leaf.properties, required: leaf.required, rest: leaf.rest }
  return type === 'array' ? { ...own, items: leaf.items, tuple: leaf.tuple } : own
}

function group(type: TypeName, parts: readonly Shape[]): readonly Shape[] {
  const own = distinct(parts)
  if (own.length < 2 || type === 'object' || type === 'array') return own
  const values = own.flatMap((each) => each.values ?? [])
  const described = own.filter((each) => each.description !== '' && each.values?.length === 1).map((each) => `${brief(each.values?.[0], 60)}: ${each.description}`)
  const open = own.find((each) => each.values === null)
  const merged = { ...either(own), types: [type] }
  const first = open?.description ?? (described.length === 0 ? (own[0]?.description ?? '') : '')
  const notes = [...described, ...(open && values.length > 0 ? [`Such as ${values.slice(0, 12).map((each) => brief(each, 60)).join(', ')}.`] : [])]
  return [{ ...merged, description: first, notes: joined(merged.notes, notes) }]
}

/** A whole number is a number: beside one that may be any, it says nothing. */
function withoutDoubles(parts: readonly Shape[]): readonly Shape[] {
  const hasNumber = parts.some((each) => each.types[0] === 'number' && each.values === null)
  return hasNumber ? parts.filter((each) => each.types[0] !== 'integer') : parts
}

const richness: readonly TypeName[] = ['object', 'array', 'string', 'number', 'integer', 'boolean']

/** One part for all of them, for a provider without unions: the one that can say most. A note names the other types. */
export function richest(parts: readonly Shape[]): Shape {
  const [type = 'string'] = richness.filter((each) => parts.some((part) => part.types[0] === each))
  const same = parts.filter((part) => part.types[0] === type)
  const others = joined(parts.flatMap((part) => part.types)).filter((each) => each !== type)
  const merged = same.length === 1 && same[0] ? same[0] : { ...either(same), types: [type] }
  return others.length === 0 ? merged : { ...merged, notes: joined(merged.notes, [`May also be ${others.join(' or ')}.`]) }
}

/** True when the parts can be said by a list of types alone. */
export function areOnlyTypes(parts: readonly Shape[]): boolean {
  return parts.every((part) => isPlain(part) && part.types[0] !== 'array' && Object.keys(part.bounds).every((keyword) => keyword === 'default') && part.description === '')
}
