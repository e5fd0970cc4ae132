import type { ModelFault } from '../../../shared/domain/model'
import { said } from '../../../shared/domain/result'
import type { ListedModel } from '../../core/ports/providerProbe'
import type { Quirks } from './catalogue'
import type { Reached } from './endpoint'
import { faultOfError, faultOfStatus, type FaultContext } from './faults'
import { openHttp, readText } from './http'
import { errorInBody } from './openai/errorBody'

export type Listed = { readonly ok: true; readonly models: readonly ListedModel[] } | { readonly ok: false; readonly fault: ModelFault; readonly status: number | null }

const listMs = 15_000
const listBytes = 8 << 20

/** Asks a provider for its models. Takes at most 15 seconds; `status` is null when no answer came. */
export async function listModels(to: Reached, model: string, quirks: Quirks, limitMs = listMs): Promise<Listed> {
  const context: FaultContext = { ...to.context, model }
  const answered = await getText({ to, url: `${to.base}/${quirks.modelsPath}`, limitMs, context })
  if (!answered.ok) return answered
  const models = readList(answered.text, quirks)
  if (models) return { ok: true, models }
  return { ok: false, status: answered.status, fault: { kind: 'protocol', say: said('model.no-list', { provider: context.provider }), canRetry: false } }
}

/** One GET; the whole text of a 2xx answer, or the fault of anything else. */
export async function getText(ask: { readonly to: Reached; readonly url: string; readonly limitMs: number; readonly context: FaultContext }): Promise<{ readonly ok: true; readonly status: number; readonly text: string } | { readonly ok: false; readonly fault: ModelFault; readonly status: number | null }> {
  const { to, context } = ask
  const over = AbortSignal.timeout(ask.limitMs)
  const opened = await openHttp({ dispatcher: to.dispatcher, method: 'GET', url: new URL(ask.url), headers: { ...to.headers, accept: 'application/json' }, stallMs: ask.limitMs, signal: over })
  if (opened.kind !== 'answer') {
    const stalled: ModelFault = { kind: 'stalled', say: said('model.connect-timeout', { host: context.provider, seconds: Math.ceil(ask.limitMs / 1000) }), canRetry: true }
    return { ok: false, status: null, fault: opened.kind === 'broken' ? faultOfError(opened.error, context) : stalled }
  }
  const { status } = opened.answer
  const text = await readText(opened.answer, listBytes)
  if (status >= 200 && status < 300) return { ok: true, status, text }
  return { ok: false, status, fault: faultOfStatus({ status, error: errorInBody(text) }, context) }
}

type Fields = Readonly<Record<string, unknown>>

/** `{data: [...]}`, `{models: [...]}` or a bare list, of names or of objects with `id` or `name`. */
function readList(text: string, quirks: Quirks): readonly ListedModel[] | null {
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    return null
  }
  const list = Array.isArray(body) ? (body as readonly unknown[]) : isFields(body) ? (body['data'] ?? body['models']) : null
  if (!Array.isArray(list)) return null
  const models = (list as readonly unknown[]).flatMap((entry): readonly ListedModel[] => {
    if (typeof entry === 'string') return [{ id: entry, windowTokens: null, seesImages: null }]
    const id = isFields(entry) ? (entry['id'] ?? entry['name'] ?? entry['model']) : null
    return isFields(entry) && typeof id === 'string' && id !== '' ? [{ id, windowTokens: windowOf(entry, quirks), seesImages: seesImagesOf(entry, quirks) }] : []
  })
  return models.filter((model, at) => models.findIndex((other) => other.id === model.id) === at)
}

function windowOf(entry: Fields, quirks: Quirks): number | null {
  for (const field of quirks.windowFields) {
    const value = valueAt(entry, field)
    if (typeof value === 'number' && Number.isInteger(value) && value > 0) return value
  }
  return null
}

/** True or false as the list says it, in a flag or in a list of what goes in; null where it says nothing. */
function seesImagesOf(entry: Fields, quirks: Quirks): boolean | null {
  const { imageFields, imageWords } = quirks
  for (const field of imageFields) {
    const value = valueAt(entry, field)
    if (typeof value === 'boolean') return value
    if (Array.isArray(value)) return value.some((word) => typeof word === 'string' && imageWords.includes(word.toLowerCase()))
  }
  return null
}

/** `a.b` is the field b of the object a. */
function valueAt(entry: Fields, field: string): unknown {
  return field.split('.').reduce<unknown>((value, name) => (isFields(value) ? value[name] : undefined), entry)
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
