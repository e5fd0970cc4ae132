import type { SchemaLimits } from '../../../shared/domain/schemaLimits'
import { cleanText, cutText } from './cleanText'
import { either, joined, leaves } from './mergeShapes'
import { anything, brief, isRaw, type Raw, type Shape, type TypeName } from './shape'
import { areOnlyTypes, partsOf, richest } from './shapeParts'
import { writeBounds, writeValues } from './writeBounds'

/** One schema being written. `schemas` counts what was. */
export interface Writing {
  readonly limits: SchemaLimits
  readonly maxDescription: number
  /** Properties of one object at most. */
  readonly maxProperties: number
  readonly rename: (name: string) => string
  schemas: number
}

/** The top: an object with `properties`, without combinations. What is no object becomes one that takes anything. */
export function writeTop(shape: Shape | null, writing: Writing): Raw {
  writing.schemas += 1
  const parts = (shape ? leaves(shape) : []).filter((each) => each.types.length === 0 || each.types.includes('object'))
  const object = { ...(parts.length === 0 ? anything : either(parts)), types: ['object' as const] }
  const written = writeSingle({ ...object, description: shape?.description ?? object.description, notes: joined(shape?.notes ?? [], object.notes) }, 0, writing)
  return 'properties' in written ? written : { ...written, properties: {} }
}

/** A nested schema at a depth that the limits know. */
function writeShape(shape: Shape, depth: number, writing: Writing): Raw {
  const { limits } = writing
  // Too large already: the try is over.
  if (writing.schemas > limits.maxSchemas) return {}
  const { parts, isNullable } = partsOf(shape)
  const outer = shape.choices.length === 0 ? anything : shape
  if (parts.length === 0) return isNullable ? writeNull(shape, writing) : writeAny(shape, depth, writing)
  if (limits.takesTypeArrays && parts.length > 1 && areOnlyTypes(parts)) return writeTypes({ ...joinedWords(outer, parts) }, parts, isNullable, writing)
  const mayNest = limits.keywords.includes('anyOf') && depth + 1 < limits.maxDepth
  if (parts.length > 1 && mayNest) {
    if (isNullable && limits.keywords.includes('nullable')) return { ...writeUnion(outer, parts, depth, writing), nullable: true }
    return writeUnion(outer, isNullable ? [...parts, { ...anything, types: ['null'] }] : parts, depth, writing)
  }
  return writeNullable(withOuter(outer, richest(parts)), isNullable, depth, writing)
}

function joinedWords(outer: Shape, parts: readonly Shape[]): Shape {
  const [first = anything] = parts
  return { ...anything, description: outer.description, notes: joined(outer.notes, ...parts.map((each) => each.notes)), bounds: { ...first.bounds, ...outer.bounds } }
}

function withOuter(outer: Shape, part: Shape): Shape {
  return { ...part, description: outer.description || part.description, notes: joined(outer.notes, part.notes), bounds: { ...part.bounds, ...outer.bounds } }
}

function writeTypes(words: Shape, parts: readonly Shape[], isNullable: boolean, writing: Writing): Raw {
  writing.schemas += 1
  const types = joined(parts.flatMap((each) => each.types), isNullable ? ['null'] : [])
  const notes = 'default' in words.bounds ? [`Default: ${brief(words.bounds['default'], 80)}.`] : []
  return { type: types.length === 1 ? types[0] : types, ...writeWords(words, notes, writing) }
}

function writeUnion(outer: Shape, members: readonly Shape[], depth: number, writing: Writing): Raw {
  writing.schemas += 1
  const notes = 'default' in outer.bounds ? [`Default: ${brief(outer.bounds['default'], 80)}.`] : []
  return { ...writeWords(outer, notes, writing), anyOf: members.map((member) => writeSingle(member, depth + 1, writing)) }
}

function writeNullable(part: Shape, isNullable: boolean, depth: number, writing: Writing): Raw {
  const { limits } = writing
  if (!isNullable) return writeSingle(part, depth, writing)
  if (limits.takesTypeArrays) {
    const schema = writeSingle(part, depth, writing)
    return { ...schema, type: [schema['type'], 'null'], ...(Array.isArray(schema['enum']) ? { enum: [...(schema['enum'] as readonly unknown[]), null] } : {}) }
  }
  if (limits.keywords.includes('nullable')) return { ...writeSingle(part, depth, writing), nullable: true }
  if (limits.keywords.includes('anyOf') && depth + 1 < limits.maxDepth) {
    const { default: _default, ...bounds } = part.bounds
    const outer = { ...anything, description: part.description, notes: part.notes, bounds: 'default' in part.bounds ? { default: part.bounds['default'] } : {} }
    return writeUnion(outer, [{ ...part, description: '', notes: [], bounds }, { ...anything, types: ['null'] }], depth, writing)
  }
  return writeSingle({ ...part, notes: joined(part.notes, ['May be null.']) }, depth, writing)
}

function writeNull(shape: Shape, writing: Writing): Raw {
  writing.schemas += 1
  // Where null is no type of its own, it is a text that may be null.
  if (writing.limits.keywords.includes('nullable')) return { type: 'string', nullable: true, ...writeWords(shape, ['Only null.'], writing) }
  return { type: 'null', ...writeWords(shape, [], writing) }
}

function writeAny(shape: Shape, depth: number, writing: Writing): Raw {
  const { limits } = writing
  const words = { ...anything, description: shape.description, notes: joined(shape.notes, ...shape.choices.map((each) => each.notes)), bounds: {} }
  const notes = 'default' in shape.bounds ? [`Default: ${brief(shape.bounds['default'], 80)}.`] : []
  if (!limits.needsType) {
    writing.schemas += 1
    return writeWords(words, notes, writing)
  }
  const types: readonly TypeName[] = ['string', 'number', 'boolean', 'object', 'array']
  const members = types.map((type): Shape => ({ ...anything, types: [type], items: type === 'array' ? { ...anything, types: ['string'] } : null }))
  if (limits.keywords.includes('anyOf') && depth + 2 < limits.maxDepth) return writeUnion({ ...words, notes: joined(words.notes, notes) }, members, depth, writing)
  writing.schemas += 1
  return { type: 'string', ...writeWords(words, [...notes, 'Takes any JSON value.'], writing) }
}

/** A shape of one type. */
function writeSingle(shape: Shape, depth: number, writing: Writing): Raw {
  writing.schemas += 1
  const [type = 'object'] = shape.types
  const values = writeValues(shape, type, writing.limits)
  const bounds = writeBounds(shape.bounds, type, writing.limits)
  const inner = type === 'object' ? writeObject(shape, depth, writing) : type === 'array' ? writeArray(shape, depth, writing) : { schema: {}, notes: [] }
  return { type, ...writeWords(shape, [...values.notes, ...bounds.notes, ...inner.notes], writing), ...values.schema, ...bounds.schema, ...inner.schema }
}

interface Inner {
  readonly schema: Raw
  readonly notes: readonly string[]
}

function writeObject(shape: Shape, depth: number, writing: Writing): Inner {
  const { limits } = writing
  const names = joined([...shape.properties.keys()], shape.rest === false ? [] : shape.required)
  if (depth > 0 && depth + 1 >= limits.maxDepth) return { schema: {}, notes: names.length === 0 ? [] : [`Has ${names.slice(0, 20).map((name) => writing.rename(name)).join(', ')}.`] }
  const wanted = new Set(shape.required)
  const shown = [...names.filter((name) => wanted.has(name)), ...names.filter((name) => !wanted.has(name))].slice(0, writing.maxProperties)
  const kept = names.filter((name) => shown.includes(name))
  const free = isRaw(shape.rest) ? (shape.rest as unknown as Shape) : anything
  const properties = Object.fromEntries(kept.map((name) => [writing.rename(name), writeShape(withName(shape.properties.get(name) ?? free, name, writing), depth + 1, writing)]))
  const required = kept.filter((name) => wanted.has(name)).map((name) => writing.rename(name))
  const rest = writeRest(shape, kept.length === 0 && depth > 0, depth, writing)
  const left = names.length - kept.length
  return {
    schema: { ...(kept.length > 0 || depth === 0 ? { properties } : {}), ...(required.length > 0 ? { required } : {}), ...rest.schema },
    notes: left > 0 ? [...rest.notes, `${left} more properties are not shown.`] : rest.notes,
  }
}

/** A name that had to be replaced may be all that says what is meant. */
function withName(shape: Shape, name: string, writing: Writing): Shape {
  return writing.rename(name) === name ? shape : { ...shape, notes: joined([`Stands for ${brief(name, 80)}.`], shape.notes) }
}

function writeRest(shape: Shape, isFree: boolean, depth: number, writing: Writing): Inner {
  const { limits } = writing
  const isTaken = limits.keywords.includes('additionalProperties')
  if (shape.rest === false) return { schema: isTaken ? { additionalProperties: false } : {}, notes: [] }
  if (shape.rest === null) return { schema: isTaken && isFree ? { additionalProperties: true } : {}, notes: isFree && !isTaken && shape.notes.length === 0 ? ['Names are free.'] : [] }
  if (isTaken && limits.takesMapValues && depth + 1 < limits.maxDepth) return { schema: { additionalProperties: writeShape(shape.rest, depth + 1, writing) }, notes: [] }
  const types = joined(...leaves(shape.rest).map((each) => each.types))
  return { schema: isTaken ? { additionalProperties: true } : {}, notes: [types.length === 0 ? 'Other names are free.' : `Other names are free, with values of type ${types.join(' or ')}.`] }
}

function writeArray(shape: Shape, depth: number, writing: Writing): Inner {
  const items = shape.tuple.length === 0 ? (shape.items ?? anything) : either([...shape.tuple, ...(shape.items ? [shape.items] : [])])
  const notes = shape.tuple.length === 0 ? [] : [`By position: ${shape.tuple.slice(0, 12).map(positionOf).join('; ')}.`]
  if (depth + 1 < writing.limits.maxDepth) {
    const union = shape.tuple.length === 0 ? items : { ...anything, choices: [...shape.tuple, ...(shape.items ? [shape.items] : [])].flatMap(leaves) }
    return { schema: { items: writeShape(union, depth + 1, writing) }, notes }
  }
  // The last depth holds one plain type.
  writing.schemas += 1
  const [first = 'string', ...others] = joined(...leaves(items).map((each) => each.types))
  const type = first === 'array' || first === 'null' ? 'string' : first
  return { schema: { items: { type } }, notes: [...notes, ...(type === first && others.length === 0 ? [] : ['Items may be any JSON value.'])] }
}

function positionOf(shape: Shape): string {
  const types = joined(...leaves(shape).map((each) => each.types)).join(' or ') || 'any'
  const values = shape.values?.length ? ` ${shape.values.slice(0, 5).map((each) => brief(each, 40)).join('/')}` : ''
  return shape.description === '' ? types + values : `${types}${values} (${cutText(cleanText(shape.description), 80)})`
}

function writeWords(shape: Shape, more: readonly string[], writing: Writing): Raw {
  const room = writing.maxDescription
  const notes = cutText(cleanText(joined(shape.notes, more).join(' ')), Math.floor(room / 2))
  const words = cutText(cleanText(shape.description), notes === '' ? room : room - notes.length - 1)
  const description = [words, notes].filter((each) => each !== '').join(' ')
  return description === '' ? {} : { description }
}
