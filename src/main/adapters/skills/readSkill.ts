import { said } from '../../../shared/domain/result'
import type { Skill, SkillFault } from '../../../shared/domain/skill'
import { placeholdersOf } from '../../../shared/domain/skillTemplate'
import { blockOf, readFrontMatter, type Block, type Field } from './frontMatter'
import { faultsIn, type Note, type SkillPlace } from './place'
import { readInputs } from './readInputs'
import { readTools } from './readTools'
import { schemaFault } from './schemaFault'

/** What became of one file: a skill, with what was passed over in it, or a fault that is fatal. */
export interface ReadSkill {
  readonly skill: Skill | null
  readonly faults: readonly SkillFault[]
}

/** The standard's limits (agentskills.io/specification). Beyond them it is said and still read; a name far beyond is none. */
const standard = { name: 64, description: 1024 } as const
const longestName = 200
const standardName = /^[\p{Ll}\p{Lo}\p{Lm}\p{Mn}\p{Mc}\p{N}]+(?:-[\p{Ll}\p{Lo}\p{Lm}\p{Mn}\p{Mc}\p{N}]+)*$/u
const unseen = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u
const maxTriggers = 50
const maxSchemaCharacters = 64 * 1024

/**
 * Reads a SKILL.md: the open standard's fields, and ours (R59), which stand in `metadata` under `countersign` so that the
 * file stays one of the standard; the same names at the top are read too. Fields that nobody knows are let be. Line ends
 * come out as line feeds; of the body nothing else is changed.
 */
export function readSkill(place: SkillPlace, raw: string): ReadSkill {
  const text = raw.replace(/^\ufeff/, '').replace(/\r\n?/g, '\n')
  const { faults, note } = faultsIn(place, text)
  const front = readFrontMatter(text, note)
  if (front === null) return { skill: null, faults }
  const top = blockOf(front.map, front.values, front.from)
  const metadata = top.get('metadata')?.map ?? null
  const ours = metadata?.get('countersign')?.map ?? null
  const field = (name: string): Field | undefined => ours?.get(name) ?? top.get(name)

  const name = readName(top, front.from, note)
  const description = readDescription(top, front.from, note)
  const inputs = readInputs(field('inputs'), note)
  const template = readTemplate(field('prompt'), note)
  noteUnknown(template, inputs.map((input) => input.name), { note, text, at: field('prompt')?.at ?? 0 })
  const read = {
    version: ours?.get('version')?.text ?? metadata?.get('version')?.text ?? top.get('version')?.text ?? null,
    triggers: readTriggers(field('triggers'), note),
    inputs,
    tools: readTools(top.get('allowed-tools'), note),
    outputSchema: readSchema(field('output-schema'), note),
    template,
    body: front.body,
    bodyBytes: new TextEncoder().encode(front.body).length,
  }
  if (name === null || description === null) return { skill: null, faults }
  return { skill: { ...place, name, description, ...read }, faults }
}

function readName(top: Block, from: number, note: Note): string | null {
  const field = top.get('name')
  const name = field?.text?.normalize('NFC') ?? null
  if (field === undefined || name === null) {
    note(field?.at ?? from, said(field !== undefined && field.value !== null && field.value !== '' ? 'skill.name-not-text' : 'skill.name-missing'), true)
    return null
  }
  if (unseen.test(name) || name.length > longestName) {
    note(field.at, said(unseen.test(name) ? 'skill.name-unseen' : 'skill.name-too-long', { limit: longestName }), true)
    return null
  }
  if (name.length > standard.name || !standardName.test(name)) note(field.at, said('skill.name-form', { limit: standard.name }))
  return name
}

function readDescription(top: Block, from: number, note: Note): string | null {
  const field = top.get('description')
  if (field === undefined || field.text === null) {
    note(field?.at ?? from, said(field?.map || field?.list ? 'skill.description-not-text' : 'skill.description-missing'), true)
    return null
  }
  if ([...field.text].length > standard.description) note(field.at, said('skill.description-long', { limit: standard.description }))
  return field.text
}

function readTriggers(field: Field | undefined, note: Note): readonly string[] {
  if (field === undefined || field.value === null) return []
  const texts = (field.list ?? [field]).map((one) => one.text)
  if (texts.some((one) => one === null)) note(field.at, said('skill.triggers-form'))
  return [...new Set(texts.flatMap((one) => one ?? []))].slice(0, maxTriggers)
}

function readTemplate(field: Field | undefined, note: Note): string | null {
  if (field === undefined || field.value === null) return null
  if (typeof field.value === 'string' && field.value.trim() !== '') return field.value
  note(field.at, said('skill.prompt-form'))
  return null
}

/** A placeholder without an input stays as it is; its place is looked for behind the field's beginning. */
function noteUnknown(template: string | null, known: readonly string[], { note, text, at }: { readonly note: Note; readonly text: string; readonly at: number }): void {
  const unknown = new Set(placeholdersOf(template ?? '').filter((one) => !known.includes(one)))
  if (unknown.size === 0) return
  for (const { index, 1: name = '' } of text.slice(at).matchAll(/\{\{[ \t]*([^\s{}]+)[ \t]*\}\}/gu)) {
    if (!unknown.delete(name)) continue
    note(at + index, said('skill.placeholder-unknown', { name }))
    if (unknown.size === 0) return
  }
  // Written in another way there, as YAML's escapes allow.
  for (const name of unknown) note(at, said('skill.placeholder-unknown', { name }))
}

function readSchema(field: Field | undefined, note: Note): Skill['outputSchema'] {
  if (field === undefined || field.value === null) return null
  const value = typeof field.value === 'string' ? fromJson(field.value) : field.value
  if (typeof value !== 'object' || value === null || Array.isArray(value) || lengthOf(value) > maxSchemaCharacters) {
    note(field.at, said('skill.schema-form'))
    return null
  }
  const fault = schemaFault(value)
  if (fault === null) return value as Readonly<Record<string, unknown>>
  note(placeOf(field, fault), said('skill.schema-bad', { path: fault.join('.').slice(0, 200) }))
  return null
}

/** Where the keys lead in the file; in a schema written as JSON, its beginning. */
function placeOf(field: Field, [key, ...rest]: readonly string[]): number {
  if (key === undefined) return field.at
  const next = field.map?.get(key) ?? field.list?.[Number(key)]
  return next ? placeOf(next, rest) : field.at
}

/** Infinite for one that holds itself, by an alias. */
function lengthOf(value: object): number {
  try {
    return JSON.stringify(value).length
  } catch (error) {
    if (error instanceof TypeError) return Number.POSITIVE_INFINITY
    throw error
  }
}

function fromJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined // no JSON: said as a field that is no schema
  }
}
