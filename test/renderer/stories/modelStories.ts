import { go } from '../../../src/renderer/app/appStore'
import { refreshModels, selectProvider, testProvider } from '../../../src/renderer/features/models/modelStore'
import { showPicks } from '../../../src/renderer/features/work/modelPicks'
import { unknownFacts, type ModelFacts } from '../../../src/shared/domain/model'
import { said } from '../../../src/shared/domain/result'
import type { CataloguePage, ModelRow } from '../../../src/shared/ipc/modelViews'
import type { ProviderRow, ProviderTest } from '../../../src/shared/ipc/views'
import type { MemoryAnswers, MemoryHost } from '../../support/memoryHost'
import { sessionId } from './world'

const usd = (input: number, output: number, cachedInput: number | null = null): ModelFacts['prices'] => ({ currency: 'USD', input, cachedInput, cacheWrite: null, output })
const model = (id: string, facts: Partial<ModelFacts>, more: Partial<ModelRow> = {}): ModelRow => ({ id, name: null, facts: { ...unknownFacts, ...facts }, pricesFrom: facts.prices ? 'catalogue' : null, sources: facts.prices ? ['https://provider.example/pricing'] : [], ...more })

const harbor: readonly ModelRow[] = [
  model('tern-2', { windowTokens: 262_144, maxOutputTokens: 65_536, callsTools: true, seesImages: false, thinks: true, prices: usd(0.6, 2.5, 0.06) }),
  model('tern-2-fast', { windowTokens: 262_144, maxOutputTokens: 65_536, callsTools: true, seesImages: false, thinks: false, prices: usd(1.15, 8) }),
  model('tern-view', { windowTokens: 131_072, callsTools: true, seesImages: true, thinks: false, prices: usd(0.2, 2) }, { pricesFrom: 'you' }),
  model('tern-8k', { windowTokens: 8192, maxOutputTokens: 4096, callsTools: false, seesImages: false, thinks: false, prices: { currency: 'CNY', input: 0.2, cachedInput: null, cacheWrite: null, output: 2 } }),
]
const tests: ProviderTest['steps'] = [
  { step: 'address', ok: true, say: said('model.test-address-ok', { host: 'api.provider.example', ms: 412 }) },
  { step: 'key', ok: true, say: said('model.test-key-ok') },
  { step: 'model', ok: true, say: said('model.test-model-ok', { model: 'tern-2' }) },
  { step: 'streaming', ok: true, say: said('model.test-streaming-ok', { pieces: 14, ms: 380 }) },
  { step: 'tools', ok: true, say: said('model.test-tools-ok', { model: 'tern-2' }) },
  { step: 'images', ok: null, say: said('model.test-images-none', { model: 'tern-2' }) },
]

const row = (one: Partial<ProviderRow>): ProviderRow => ({ id: 'x', name: 'x', baseUrl: 'https://x.example/v1', model: '', isActive: false, origin: 'catalogue', key: null, hasKeychain: true, isSealed: false, isKeySealed: false, ...(one.id === undefined || one.origin === 'found' ? {} : { preset: one.id }), ...one })
const builtIn = ['OpenAI', 'Moonshot Kimi', 'Zhipu GLM', 'Qwen', 'StepFun', 'MiniMax', 'NVIDIA', 'OpenRouter', 'Agnes', 'LM Studio']
const idOf = (name: string): string => name.toLowerCase().replace(/\W/g, '')

const rows: readonly ProviderRow[] = [
  row({ id: 'harbor', preset: 'none', origin: 'settings', name: 'Harbor gateway', baseUrl: 'https://api.provider.example/v1', model: 'tern-2', isActive: true, key: { place: 'keychain', lastFour: '4f2a' }, models: [{ id: 'tern-view', windowTokens: null, maxOutputTokens: null, seesImages: null, callsTools: null, thinks: null, prices: usd(0.2, 2) }] }),
  row({ id: 'deepseek', name: 'DeepSeek', model: 'plover-code', key: { place: 'environment', lastFour: '91bd', variable: 'DEEPSEEK_API_KEY' } }),
  row({ id: 'anthropic', name: 'Anthropic', origin: 'settings', protocol: 'anthropic', baseUrl: 'https://api.anthropic.example', model: 'finch-4', key: { place: 'keychain', lastFour: '77c0' } }),
  row({ id: 'ollama', name: 'Ollama', baseUrl: 'http://127.0.0.1:11434', protocol: 'ollama', model: 'wren-coder:30b', origin: 'found' }),
  row({ id: 'practice', name: 'Practice', model: 'tutor', origin: 'practice' }),
  ...builtIn.map((name) => row({ id: idOf(name), name })),
]

const page: CataloguePage = {
  offered: [...['anthropic', 'deepseek'], ...builtIn.map(idOf)].map((id) => ({ id, name: id, protocol: id === 'anthropic' ? 'anthropic' : 'openai', baseUrl: id === 'anthropic' ? 'https://api.anthropic.example' : 'https://x.example/v1', keyPage: id === 'lmstudio' ? null : `https://${id}.example/keys`, docs: `https://${id}.example/docs`, defaultModel: null, keyVariables: [`${id.toUpperCase()}_API_KEY`], needsKey: id !== 'lmstudio', quirks: {} })),
  models: {
    harbor, deepseek: [model('plover-code', { windowTokens: 128_000, callsTools: true, seesImages: false, thinks: true, prices: usd(0.28, 0.42) })],
    ollama: ['wren-coder:30b', 'wren-small:4b', 'nomic-embed'].map((id) => model(id, { windowTokens: id === 'nomic-embed' ? 2048 : 32_768 })),
    anthropic: [model('finch-4', { windowTokens: 200_000, maxOutputTokens: 64_000, callsTools: true, seesImages: true, thinks: true, prices: usd(3, 15, 0.3) })],
    openai: Array.from({ length: 60 }, (_, at) => model(`gull-${at + 1}`, at % 3 === 0 ? { windowTokens: 400_000 } : {})),
  },
  listedAtMs: { harbor: Date.UTC(2026, 7, 14, 12) },
  quirks: {},
  network: { proxies: [{ variable: 'HTTPS_PROXY', host: 'proxy.harbor.example:3128' }], exempt: { variable: 'NO_PROXY', hosts: 'localhost,.harbor.example' }, authority: { file: '/etc/ssl/harbor/ca.pem', from: 'environment', variable: 'NODE_EXTRA_CA_CERTS', isRead: false } },
}

/** Providers in all their states. */
export function modelAnswers(story: string): MemoryAnswers {
  if (!story.startsWith('models') && !story.startsWith('picker')) return {}
  return {
    'provider/list': () => rows, 'catalogue/read': () => page,
    'provider/test': () => ({ steps: tests }),
    'provider/refresh': ({ provider }) => ({ ok: true, value: { models: [...(page.models[provider] ?? []), model('tern-3', { windowTokens: 1_000_000 })], fresh: ['tern-3'], listedAtMs: Date.now() } }),
  }
}

/** The page and the list over the message box, each in one of its states. */
export async function playModels(story: string, memory: MemoryHost): Promise<void> {
  const turn = { v: 1, sessionId, seq: 900, atMs: Date.now() }
  const refused = said('model.key-refused', { status: 401, provider: 'Anthropic' })
  memory.push('session/events', [
    { ...turn, type: 'turn-started', turnId: 't9' as never, choice: { provider: 'anthropic', model: 'finch-4' }, level: 'writes' },
    { ...turn, seq: 901, type: 'turn-ended', turnId: 't9' as never, step: 1, reason: 'error', say: refused, text: '', tokens: { input: 0, output: 0 }, auditHead: null },
  ])
  if (story.startsWith('picker')) return showPicks(true)
  go('models')
  await new Promise((done) => setTimeout(done, 200))
  if (story === 'models-tested') await testProvider('harbor')
  if (story === 'models-new') await refreshModels('harbor')
  if (story === 'models-refused') selectProvider('anthropic')
  if (story === 'models-offered') selectProvider('openai')
  if (story === 'models-environment') selectProvider('deepseek')
}
