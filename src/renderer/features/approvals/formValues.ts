import type { McpFormField } from '../../../shared/domain/mcp'
import { said, type Said } from '../../../shared/domain/result'

type FieldDraft = string | boolean | readonly string[]
/** What the person typed or chose, by the field's name; a field that was not touched is not in it. */
export type FormDraft = Readonly<Record<string, FieldDraft>>

/** A draft as it is kept with the card. */
export function readDraft(kept: string | null): FormDraft {
  return kept === null ? {} : (JSON.parse(kept) as FormDraft)
}

/** Whether the person touched a field. */
export function isTouched(field: McpFormField, draft: FormDraft): boolean {
  return Object.hasOwn(draft, field.name)
}

/** A field as it stands: touched, else as the server proposed it, else empty. */
export function shownValue(field: McpFormField, draft: FormDraft): FieldDraft {
  const touched = isTouched(field, draft) ? draft[field.name] : undefined
  if (touched !== undefined) return touched
  if (field.kind === 'boolean') return field.initial === true
  if (field.kind === 'choices') return Array.isArray(field.initial) ? (field.initial as readonly string[]) : []
  return typeof field.initial === 'string' || typeof field.initial === 'number' ? String(field.initial) : ''
}

/** Why a field cannot be sent as it stands; null where it can. */
export function faultOf(field: McpFormField, draft: FormDraft): Said | null {
  const value = shownValue(field, draft)
  if (typeof value === 'boolean') return null
  if (value.length === 0) return field.isRequired ? said('approval.form.missing') : null
  if (typeof value !== 'string') return outOf(field, value.length, 'few', 'many')
  if (field.kind === 'choice') return field.options.some((option) => option.value === value) ? null : said('approval.form.missing')
  if (field.kind === 'text') return outOf(field, [...value].length, 'short', 'long') ?? formatFault(field, value)
  const number = numberOf(value)
  if (number === null) return said('approval.form.no-number')
  if (field.kind === 'integer' && !Number.isSafeInteger(number)) return said('approval.form.no-whole')
  return outOf(field, number, 'small', 'large')
}

/** The values by name as the server gets them; null while a field has a fault. An empty field that is not required is left out. */
export function valuesOf(fields: readonly McpFormField[], draft: FormDraft): Readonly<Record<string, unknown>> | null {
  if (fields.some((field) => faultOf(field, draft) !== null)) return null
  return Object.fromEntries(fields.flatMap((field) => {
    const value = shownValue(field, draft)
    const isLeftOut = typeof value === 'boolean' ? !isTouched(field, draft) && field.initial === null && !field.isRequired : value.length === 0
    if (isLeftOut) return []
    return [[field.name, (field.kind === 'number' || field.kind === 'integer') && typeof value === 'string' ? numberOf(value) : value]]
  }))
}

function numberOf(text: string): number | null {
  const number = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(text.trim()) ? Number(text) : NaN
  return Number.isFinite(number) ? number : null
}

function outOf({ minimum, maximum }: McpFormField, size: number, below: 'few' | 'short' | 'small', above: 'many' | 'long' | 'large'): Said | null {
  if (minimum !== null && size < minimum) return said(`approval.form.${below}`, { minimum })
  return maximum !== null && size > maximum ? said(`approval.form.${above}`, { maximum }) : null
}

const dayForm = /^(\d{4})-(\d{2})-(\d{2})$/
const timeForm = /^(\d{4}-\d{2}-\d{2})T(?:[01]\d|2[0-3]):[0-5]\d:(?:[0-5]\d|60)(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})$/i
const formats = {
  email: (text: string) => /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)*$/.test(text),
  uri: (text: string) => /^[a-z][a-z0-9+.-]*:[^\s]+$/i.test(text) && URL.canParse(text),
  date: isDay,
  'date-time': (text: string) => isDay(timeForm.exec(text)?.[1] ?? ''),
} as const

function formatFault({ format }: McpFormField, text: string): Said | null {
  return format === null || formats[format](text) ? null : said(`approval.form.format.${format}`)
}

/** A day that the calendar has. */
function isDay(text: string): boolean {
  const [, year, month, day] = dayForm.exec(text) ?? []
  if (year === undefined) return false
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)))
  return date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day)
}
