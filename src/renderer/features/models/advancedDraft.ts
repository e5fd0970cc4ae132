import { catalogueModelSchema, pricesSchema, quirksSchema, type CatalogueModel, type Prices, type QuirkChanges, type Quirks } from '../../../shared/domain/catalogue'
import { headersFault } from '../../../shared/domain/requestHeaders'
import { said, type Said } from '../../../shared/domain/result'

export type QuirkName = keyof Quirks

/** How a field is written: plain text, one of a few words, a number, or anything else as JSON. */
export type QuirkKind = { readonly kind: 'text' | 'number' | 'json'; readonly example: string } | { readonly kind: 'choice'; readonly options: readonly (string | boolean | null)[]; readonly example: string }

const yesOrNo = { kind: 'choice', options: [true, false], example: 'true' } as const
const yesNoOrNot = { kind: 'choice', options: [true, false, null], example: 'true' } as const

/** Every field with the form it is written in; a new field of the catalogue does not compile without. */
export const quirkKinds: { readonly [Name in QuirkName]: QuirkKind } = {
  chatPath: { kind: 'text', example: 'chat/completions' },
  modelsPath: { kind: 'text', example: 'models' },
  keyHeader: { kind: 'text', example: 'bearer' },
  headers: { kind: 'json', example: '{"x-team":"harbor"}' },
  forcesHttp1: yesOrNo,
  asksForUsage: yesOrNo,
  reasoningFields: { kind: 'json', example: '["reasoning_content"]' },
  reasoningLists: { kind: 'json', example: '["reasoning_details"]' },
  reasoningReturn: { kind: 'choice', options: ['never', 'turn', 'always'], example: 'never' },
  reasoningReturnAs: { kind: 'json', example: '"reasoning_content"' },
  reasoningFiller: { kind: 'json', example: '" "' },
  systemRole: { kind: 'choice', options: ['system', 'developer'], example: 'system' },
  maxTokensField: { kind: 'text', example: 'max_tokens' },
  maxTokensDefault: { kind: 'json', example: '8192' },
  parallelCalls: yesNoOrNot,
  strictTools: yesNoOrNot,
  images: { kind: 'choice', options: ['data-url', 'base64', 'none'], example: 'data-url' },
  callIds: { kind: 'text', example: '^[a-zA-Z0-9_-]{1,64}$' },
  windowLimit: { kind: 'json', example: '32768' },
  marksCache: yesOrNo,
  schemaLimits: { kind: 'text', example: 'openai' },
  body: { kind: 'json', example: '{"temperature":0.2}' },
}
export const quirkNames = Object.keys(quirkKinds) as readonly QuirkName[]

/** A field as it is being written. */
export interface QuirkDraft {
  readonly name: QuirkName
  readonly text: string
  /** False while it only shows what holds without the person: then it is not saved. */
  readonly isSet: boolean
}

/** A model as it is being written; `''` is not known here. */
export interface OwnModelDraft {
  readonly key: number
  readonly id: string
  readonly windowTokens: string
  readonly maxOutputTokens: string
  readonly seesImages: '' | 'yes' | 'no'
  readonly callsTools: '' | 'yes' | 'no'
  readonly thinks: '' | 'yes' | 'no'
  readonly currency: string
  readonly input: string
  readonly cachedInput: string
  readonly cacheWrite: string
  readonly output: string
  /** What no field of the form shows; it stays. */
  readonly rest: Pick<CatalogueModel, 'name' | 'quirks' | 'sources'>
  readonly tiers: Prices['tiers']
}

export type OwnField = Exclude<keyof OwnModelDraft, 'key' | 'rest' | 'tiers'>

/** The text in which a value is shown. */
export function quirkText(name: QuirkName, value: unknown): string {
  return quirkKinds[name].kind === 'text' || quirkKinds[name].kind === 'choice' ? String(value) : JSON.stringify(value)
}

/** The value of one field, or what is wrong with its text. */
export function readQuirk({ name, text }: Pick<QuirkDraft, 'name' | 'text'>): { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly fault: Said } {
  const { kind, example } = quirkKinds[name]
  const raw = kind === 'text' ? text : kind === 'choice' ? choiceOf(name, text) : parsed(text)
  if (raw === undefined) return { ok: false, fault: said('provider.quirk-bad-json', { example }) }
  const read = quirksSchema.shape[name].safeParse(raw)
  if (!read.success) return { ok: false, fault: said('provider.quirk-bad-value', { example }) }
  const fault = name === 'headers' ? headersFault(read.data as Quirks['headers']) : null
  return fault ? { ok: false, fault } : { ok: true, value: read.data }
}

function choiceOf(name: QuirkName, text: string): unknown {
  const { options } = quirkKinds[name] as Extract<QuirkKind, { readonly kind: 'choice' }>
  return options.find((option) => String(option) === text)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined // told by the caller
  }
}

/** All fields that the person set, or null while one of them is wrong. */
export function readQuirks(drafts: readonly QuirkDraft[]): QuirkChanges | null {
  const read = drafts.filter((draft) => draft.isSet).map((draft) => [draft.name, readQuirk(draft)] as const)
  if (read.some(([, one]) => !one.ok)) return null
  return Object.fromEntries(read.flatMap(([name, one]) => (one.ok ? [[name, one.value]] : [])))
}

/** The draft of a model that is known, or of a new one. */
export function ownDraft(key: number, model: CatalogueModel): OwnModelDraft {
  const word = (value: boolean | null): OwnModelDraft['thinks'] => (value === null ? '' : value ? 'yes' : 'no')
  const number = (value: number | null | undefined): string => (value === null || value === undefined ? '' : String(value))
  const { id, windowTokens, maxOutputTokens, prices, seesImages, callsTools, thinks, ...rest } = model
  return {
    key, id, windowTokens: number(windowTokens), maxOutputTokens: number(maxOutputTokens), seesImages: word(seesImages), callsTools: word(callsTools), thinks: word(thinks),
    currency: prices?.currency ?? '', input: number(prices?.input), cachedInput: number(prices?.cachedInput), cacheWrite: number(prices?.cacheWrite), output: number(prices?.output), tiers: prices?.tiers, rest,
  }
}

const tokenFields = ['windowTokens', 'maxOutputTokens'] as const
const priceFields = ['input', 'cachedInput', 'cacheWrite', 'output'] as const

/** What is wrong with a draft, by field; empty when it can be kept. */
export function ownFaults(draft: OwnModelDraft, all: readonly OwnModelDraft[]): Readonly<Partial<Record<OwnField, Said>>> {
  const faults: Partial<Record<OwnField, Said>> = {}
  const id = draft.id.trim()
  if (id === '') faults.id = said('provider.own.bad-id')
  else if (all.some((one) => one.key !== draft.key && one.id.trim() === id)) faults.id = said('provider.own.twice')
  for (const field of tokenFields) if (draft[field].trim() !== '' && !/^[1-9]\d{0,9}$/.test(draft[field].trim())) faults[field] = said('provider.own.bad-tokens')
  for (const field of priceFields) if (draft[field].trim() !== '' && !/^\d{1,9}(\.\d{1,9})?$/.test(draft[field].trim())) faults[field] = said('provider.own.bad-price')
  const isPriced = [draft.currency, ...priceFields.map((field) => draft[field])].some((text) => text.trim() !== '')
  if (isPriced && !pricesSchema.shape.currency.safeParse(draft.currency.trim().toUpperCase()).success) faults.currency = said('provider.own.bad-currency')
  if (isPriced) for (const field of ['input', 'output'] as const) if (draft[field].trim() === '') faults[field] = said('provider.own.half-price')
  return faults
}

/** All models together, or null while one of them is wrong. */
export function readOwn(drafts: readonly OwnModelDraft[]): readonly CatalogueModel[] | null {
  if (drafts.some((draft) => Object.keys(ownFaults(draft, drafts)).length > 0)) return null
  const number = (text: string): number | null => (text.trim() === '' ? null : Number(text.trim()))
  const word = (text: OwnModelDraft['thinks']): boolean | null => (text === '' ? null : text === 'yes')
  return drafts.map((draft) => catalogueModelSchema.parse({
    ...draft.rest, id: draft.id.trim(), windowTokens: number(draft.windowTokens), maxOutputTokens: number(draft.maxOutputTokens), seesImages: word(draft.seesImages), callsTools: word(draft.callsTools), thinks: word(draft.thinks),
    prices: draft.input.trim() === '' ? null : { currency: draft.currency.trim().toUpperCase(), input: Number(draft.input), cachedInput: number(draft.cachedInput), cacheWrite: number(draft.cacheWrite), output: Number(draft.output), ...(draft.tiers ? { tiers: draft.tiers } : {}) },
  }))
}
