import { performance } from 'node:perf_hooks'
import { unknownFacts, type ModelFault, type ModelImage, type ModelRequest, type StreamPart, type ToolSpec } from '../../../shared/domain/model'
import { said, succeed } from '../../../shared/domain/result'
import type { ProviderTest } from '../../../shared/ipc/views'
import type { ProviderEndpoint, ProviderProbe } from '../../core/ports/providerProbe'
import { knownModel } from './catalogue'
import { createModelClient, type ModelClientParts } from './client'
import { reach, type Reached } from './endpoint'
import { ask as askOnce, listModels, type Listed } from './models'
import { makeWays, type Ways } from './way'

type Step = ProviderTest['steps'][number]
type ProbeParts = Pick<ModelClientParts, 'catalogue' | 'network' | 'inProcess'> & { readonly ways: Ways }

/** A short answer is asked for; a model that thinks may take this long. */
const answerMs = 60_000
const ollamaMs = 700

/** Makes the questions that settings ask of a provider. They go the same way as a turn does, in its protocol. */
export function createProviderProbe(given: Pick<ModelClientParts, 'catalogue' | 'network' | 'inProcess'>): ProviderProbe {
  const parts: ProbeParts = { ...given, ways: makeWays(given.catalogue) }
  return {
    async models(endpoint, patienceMs) {
      const to = way(endpoint, '', parts)
      if (!to.ok) return { ok: false, fault: to.fault.say }
      const listed = await listModels(to.value, '', parts.ways.of(endpoint, ''), patienceMs)
      return listed.ok ? succeed(listed.models) : { ok: false, fault: listed.fault.say }
    },
    async test(endpoint, model, onStep = () => undefined) {
      const steps: Step[] = []
      const tell = (...done: readonly Step[]): void => done.forEach((step) => { steps.push(step); onStep(step) })
      const to = way(endpoint, model, parts)
      if (!to.ok) {
        tell({ step: 'address', ok: false, say: to.fault.say })
        return { steps }
      }
      const startedAt = performance.now()
      const listed = await listModels(to.value, model, parts.ways.of(endpoint, model))
      const tookMs = performance.now() - startedAt
      const key = listed.ok ? await checkKey(endpoint, parts) : null
      tell(...checkList({ listed, key }, to.value, model, tookMs))
      if (steps.every((step) => step.ok !== false) && model !== '') await checkAnswers(endpoint, model, { listed, tell }, parts)
      return { steps }
    },
    async findOllama() {
      const { origin, versionPath } = parts.catalogue.local.ollama
      const endpoint: ProviderEndpoint = { baseUrl: origin, key: null, protocol: 'ollama' }
      const to = way(endpoint, '', parts)
      if (!to.ok) return null
      const version = await askOnce({ to: to.value, url: `${origin}${versionPath}`, limitMs: ollamaMs, context: { ...to.value.context, model: '' } })
      if (!version.ok || !version.text.includes('"version"')) return null
      const listed = await listModels(to.value, '', parts.ways.of(endpoint, ''), undefined, true)
      return { baseUrl: origin, models: listed.ok ? listed.models.map((one) => one.id) : [] }
    },
  }
}

function way(endpoint: ProviderEndpoint, model: string, { ways, network, inProcess }: ProbeParts): ReturnType<typeof reach> {
  return reach(endpoint, ways.of(endpoint, model).quirks, network, inProcess)
}

/** What the list of models tells about address, key and model. A server without a list is judged by its answers. */
function checkList({ listed, key }: { readonly listed: Listed; readonly key: Step | null }, to: Reached, model: string, tookMs: number): readonly Step[] {
  const { provider } = to.context
  if (!listed.ok && listed.status === null) return [{ step: 'address', ok: false, say: listed.fault.say }]
  const isRefused = !listed.ok && (listed.fault.kind === 'auth' || listed.status === 402)
  const hasNoList = !listed.ok && (listed.status === 404 || listed.status === 405 || (listed.status !== null && listed.status < 300))
  if (!listed.ok && !isRefused && !hasNoList) return [{ step: 'address', ok: false, say: listed.fault.say }]
  const address: Step = { step: 'address', ok: true, say: said('model.test-address-ok', { host: provider, ms: Math.round(tookMs) }) }
  if (!listed.ok && isRefused) return [address, { step: 'key', ok: false, say: listed.fault.say }]
  if (!listed.ok) return model === '' ? [address, { step: 'model', ok: false, say: said('model.no-list', { provider }) }] : [address]
  return [address, ...(key ? [key] : []), { step: 'model', ...checkModel(listed.models.map((one) => one.id), provider, model) }]
}

/** A list that came says something of the key only where it does not come without one: some addresses show it to anyone. */
async function checkKey(endpoint: ProviderEndpoint, parts: ProbeParts): Promise<Step> {
  if (!endpoint.key) return { step: 'key', ok: true, say: said('model.test-key-none') }
  const without = { ...endpoint, key: null }
  const bare = way(without, '', parts)
  const listed = bare.ok ? await listModels(bare.value, '', parts.ways.of(without, ''), undefined, true) : null
  if (bare.ok && listed?.ok) return { step: 'key', ok: null, say: said('model.test-key-unproven', { host: bare.value.context.provider }) }
  const isRefused = listed?.ok === false && (listed.status === 401 || listed.status === 403)
  return isRefused ? { step: 'key', ok: true, say: said('model.test-key-ok') } : { step: 'key', ok: null, say: said('model.test-key-unchecked') }
}

/** A list may leave out names that work: the model itself has the last word, by its answer. */
function checkModel(names: readonly string[], provider: string, model: string): Pick<Step, 'ok' | 'say'> {
  const some = names.slice(0, 8)
  if (model === '') return { ok: false, say: said('model.test-model-none', { provider, some }) }
  if (names.includes(model)) return { ok: true, say: said('model.test-model-ok', { model }) }
  return { ok: null, say: said('model.test-model-unlisted', { provider, model, some }) }
}

const probeTool: ToolSpec = {
  name: 'report_ready',
  description: 'Reports that you are ready. Call it exactly once.',
  parameters: { type: 'object', properties: { ready: { type: 'boolean' } }, required: ['ready'] },
}

/** A red square of 64 by 64. */
const picture = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAEAAAABACAMAAACdt4HsAAAAA1BMVEX/AAAZ4gk3AAAAG0lEQVR42u3BgQAAAADDoPlT3+AEVQEAAAB8AxBAAAG9PLePAAAAAElFTkSuQmCC', 'base64')
const pictureOf: ModelImage = { ref: 'probe', mimeType: 'image/png', sizeBytes: picture.length }
const isRed = /\bred\b|红|#f{2}0{4}\b/i

type Ask = (request: Omit<ModelRequest, 'choice'>) => Promise<Timed>

/** Three small requests: does an answer stream, does the model call a tool it is asked to call, and does it see a picture? */
async function checkAnswers(endpoint: ProviderEndpoint, model: string, { listed, tell }: { readonly listed: Listed; readonly tell: (step: Step) => void }, parts: ProbeParts): Promise<void> {
  const choice = { provider: 'probe', model }
  const client = createModelClient({
    ...parts,
    endpoint: () => Promise.resolve(endpoint),
    stallMs: () => Promise.resolve(answerMs),
    retries: { times: 0, baseMs: 0, longestMs: 0 },
    pictures: { readBlob: () => Promise.resolve(picture) },
    facts: () => Promise.resolve({ ...unknownFacts, seesImages: true }),
  })
  const ask: Ask = async (request) => readTimed(client.stream({ choice, ...request }, AbortSignal.timeout(answerMs)))
  const plain = await ask({ messages: [{ role: 'user', text: 'Answer with the single word: ready' }], tools: [] })
  if (plain.fault) return tell({ step: 'streaming', ok: false, say: plain.fault.say })
  tell({ step: 'streaming', ok: true, say: plain.pieces > 1 ? said('model.test-streaming-ok', { pieces: plain.pieces, ms: plain.firstMs }) : said('model.test-streaming-whole') })
  const tooled = await ask({ messages: [{ role: 'user', text: 'Call the tool report_ready now.' }], tools: [probeTool] })
  const hasCalled = tooled.fault === null && tooled.called.includes(probeTool.name)
  tell({ step: 'tools', ok: hasCalled, say: hasCalled ? said('model.test-tools-ok', { model }) : (tooled.fault?.say ?? said('model.test-tools-none', { model })) })
  tell(await checkImages(sightOf(endpoint, model, listed, parts), model, ask))
}

/** A model that is known to be blind is not asked. A refusal of the picture means that it is. */
async function checkImages(sees: boolean | null, model: string, ask: Ask): Promise<Step> {
  const blind: Step = { step: 'images', ok: null, say: said('model.test-images-none', { model }) }
  if (sees === false) return blind
  const shown = await ask({ messages: [{ role: 'user', text: 'What colour is this picture? Answer with one word.', images: [pictureOf] }], tools: [] })
  if (shown.fault) return shown.fault.kind === 'refused' || shown.fault.kind === 'protocol' ? blind : { step: 'images', ok: false, say: shown.fault.say }
  return isRed.test(shown.text) ? { step: 'images', ok: true, say: said('model.test-images-ok', { model }) } : { step: 'images', ok: null, say: said('model.test-images-unsure', { model }) }
}

function sightOf(endpoint: ProviderEndpoint, model: string, listed: Listed, { catalogue, ways }: ProbeParts): boolean | null {
  if (ways.of(endpoint, model).quirks.images === 'none') return false
  const own = endpoint.models?.find((one) => one.id === model)?.seesImages
  const told = listed.ok ? listed.models.find((one) => one.id === model)?.seesImages : null
  return own ?? told ?? (endpoint.preset === undefined ? null : (knownModel(catalogue, endpoint.preset, model)?.seesImages ?? null))
}

interface Timed {
  /** Null when the answer stopped as it should. */
  readonly fault: ModelFault | null
  readonly text: string
  readonly called: readonly string[]
  readonly pieces: number
  readonly firstMs: number
}

async function readTimed(stream: AsyncIterable<StreamPart>): Promise<Timed> {
  const startedAt = performance.now()
  const called: string[] = []
  // A stream that only ends was over its time.
  let fault: ModelFault | null = { kind: 'stalled', say: said('model.test-late', { seconds: answerMs / 1000 }), canRetry: true }
  let text = ''
  let pieces = 0
  let firstMs = 0
  for await (const part of stream) {
    if (part.kind === 'stopped') fault = null
    if (part.kind === 'failed') fault = part.fault
    if (part.kind === 'text-delta') text += part.text
    if (part.kind === 'call-piece' && part.name) called.push(part.name)
    if (part.kind !== 'text-delta' && part.kind !== 'thinking-delta' && part.kind !== 'call-piece') continue
    if (pieces++ === 0) firstMs = Math.round(performance.now() - startedAt)
  }
  return { fault, text, called, pieces, firstMs }
}
