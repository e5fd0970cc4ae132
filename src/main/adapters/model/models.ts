import type { ModelFault } from '../../../shared/domain/model'
import { said } from '../../../shared/domain/result'
import type { ListedModel } from '../../core/ports/providerProbe'
import type { ListFields } from './catalogue'
import type { Reached } from './endpoint'
import { errorInBody } from './errorBody'
import { faultOfError, faultOfStatus, type FaultContext } from './faults'
import { isFields, parseJson, valueAt, type Fields } from './fields'
import { openHttp, readText } from './http'
import { rooms } from './rooms'
import type { Way } from './way'

export type Listed = { readonly ok: true; readonly models: readonly ListedModel[] } | { readonly ok: false; readonly fault: ModelFault; readonly status: number | null }

const listMs = 15_000
const listBytes = 8 << 20
/** Models that are asked about one by one, and how many at a time. */
const askedAbout = 40
const askedAtOnce = 4

/** Asks a provider for its models. Takes at most 15 seconds; `status` is null when no answer came. `namesOnly`: nothing is asked about each. */
export async function listModels(to: Reached, model: string, way: Way, limitMs = listMs, namesOnly = false): Promise<Listed> {
  const context: FaultContext = { ...to.context, model }
  const noList: Listed = { ok: false, status: 404, fault: { kind: 'protocol', say: said('model.no-list', { provider: context.provider }), canRetry: false } }
  if (way.quirks.modelsPath === '') return noList
  const until = Date.now() + limitMs
  const answered = await ask({ to, url: `${to.base}/${way.quirks.modelsPath}`, limitMs, context })
  if (!answered.ok) return answered
  const entries = rooms[way.protocol].entries(parseJson(answered.text))
  if (!entries) return { ...noList, status: answered.status }
  const models = readEntries(entries, way.lists)
  return { ok: true, models: namesOnly ? models : await withAbout(models, { to, way, until, context }) }
}

interface Ask {
  readonly to: Reached
  readonly url: string
  readonly limitMs: number
  readonly context: FaultContext
  /** Posted when given. */
  readonly body?: string
}

/** One request that is answered in one piece: the whole text of a 2xx answer, or the fault of anything else. */
export async function ask({ to, url, limitMs, context, body }: Ask): Promise<{ readonly ok: true; readonly status: number; readonly text: string } | { readonly ok: false; readonly fault: ModelFault; readonly status: number | null }> {
  const over = AbortSignal.timeout(limitMs)
  const posted = body === undefined ? {} : { body }
  const headers = { ...to.headers, accept: 'application/json', ...(body === undefined ? {} : { 'content-type': 'application/json' }) }
  const opened = await openHttp({ dispatcher: to.dispatcher, method: body === undefined ? 'GET' : 'POST', url: new URL(url), headers, ...posted, stallMs: limitMs, signal: over })
  if (opened.kind !== 'answer') {
    const stalled: ModelFault = { kind: 'stalled', say: said('model.connect-timeout', { host: context.provider, seconds: Math.ceil(limitMs / 1000) }), canRetry: true }
    return { ok: false, status: null, fault: opened.kind === 'broken' ? faultOfError(opened.error, context) : stalled }
  }
  const { status } = opened.answer
  const text = await readText(opened.answer, listBytes)
  if (status >= 200 && status < 300) return { ok: true, status, text }
  return { ok: false, status, fault: faultOfStatus({ status, error: errorInBody(text) }, context) }
}

/** Names, or objects with `id`, `name` or `model`; each once. */
function readEntries(entries: readonly unknown[], lists: ListFields): readonly ListedModel[] {
  const models = entries.flatMap((entry): readonly ListedModel[] => {
    if (typeof entry === 'string') return [{ id: entry, windowTokens: null, seesImages: null }]
    const id = isFields(entry) ? (entry['id'] ?? entry['name'] ?? entry['model']) : null
    return isFields(entry) && typeof id === 'string' && id !== '' ? [{ id, windowTokens: windowOf(entry, lists), seesImages: seesImagesOf(entry, lists) }] : []
  })
  return models.filter((model, at) => models.findIndex((other) => other.id === model.id) === at)
}

interface About {
  readonly to: Reached
  readonly way: Way
  readonly until: number
  readonly context: FaultContext
}

/** Where a protocol tells of a model only when asked for it. What does not come in time stays unknown. */
async function withAbout(models: readonly ListedModel[], { to, way, until, context }: About): Promise<readonly ListedModel[]> {
  const { about } = rooms[way.protocol]
  if (!about) return models
  const told = [...models]
  for (let at = 0; at < Math.min(models.length, askedAbout) && Date.now() < until; at += askedAtOnce) {
    const some = await Promise.all(
      models.slice(at, at + askedAtOnce).map(async (model) => {
        const answered = await ask({ to, url: `${to.base}/${about.path}`, limitMs: Math.max(1, until - Date.now()), context, body: about.body(model.id) })
        return answered.ok ? about.read(parseJson(answered.text), model.id, way.quirks) : model
      }),
    )
    told.splice(at, some.length, ...some)
  }
  return told
}

function windowOf(entry: Fields, lists: ListFields): number | null {
  for (const field of lists.windowFields) {
    const value = valueAt(entry, field)
    if (typeof value === 'number' && Number.isInteger(value) && value > 0) return value
  }
  return null
}

/** True or false as the list says it, in a flag or in a list of what goes in; null where it says nothing. */
function seesImagesOf(entry: Fields, { imageFields, imageWords }: ListFields): boolean | null {
  for (const field of imageFields) {
    const value = valueAt(entry, field)
    if (typeof value === 'boolean') return value
    if (Array.isArray(value)) return value.some((word) => typeof word === 'string' && imageWords.includes(word.toLowerCase()))
  }
  return null
}
