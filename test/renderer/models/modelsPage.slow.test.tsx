import { cleanup, fireEvent, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { go } from '../../../src/renderer/app/appStore'
import { loadProviders } from '../../../src/renderer/features/models/modelStore'
import { useProviderDrafts } from '../../../src/renderer/features/models/providerDrafts'
import type { Quirks } from '../../../src/shared/domain/catalogue'
import { asId, type TurnId } from '../../../src/shared/domain/ids'
import { unknownFacts } from '../../../src/shared/domain/model'
import { fail, said, succeed } from '../../../src/shared/domain/result'
import { defaultSettings } from '../../../src/shared/domain/settings'
import type { CataloguePage, ModelRow } from '../../../src/shared/ipc/modelViews'
import type { AppStart, ProviderRow } from '../../../src/shared/ipc/views'
import type { MemoryAnswers, MemoryHost } from '../../support/memoryHost'
import { events, sessionId, sessions, workDrafts, workspace } from '../stories/world'
import { doing, fakeBrowser, freshHost, settle, showWindow } from '../support'

const start: AppStart = { version: '1', platform: 'linux', locale: 'en', settings: defaultSettings, faults: [], stopped: null, workspace, recent: [], sandbox: { kind: 'none', reason: said('approval.no-sandbox'), canTry: false, testedAtMs: 0 }, audit: null, dataFolder: { path: '/d', setBy: null } }
const idle = events(workDrafts.slice(0, 6))
const row = (change: Partial<ProviderRow>): ProviderRow => ({ id: 'x', name: 'X', baseUrl: 'https://x.example/v1', model: '', isActive: false, origin: 'settings', key: null, hasKeychain: true, isSealed: false, isKeySealed: false, ...change })
const harbor = row({ id: 'harbor', name: 'Harbor', baseUrl: 'https://h.example/v1', model: 'tern-2', isActive: true, key: { place: 'keychain', lastFour: '4f2a' } })
const cloud = row({ id: 'cloud', name: 'Cloud', preset: 'cloud', baseUrl: 'https://cloud.example/v1', model: 'c-1', origin: 'catalogue' })
const model = (id: string, facts: Partial<ModelRow['facts']> = {}): ModelRow => ({ id, name: null, facts: { ...unknownFacts, ...facts }, pricesFrom: facts.prices ? 'catalogue' : null, sources: facts.prices ? ['https://h.example/prices'] : [] })
const quirks = (chatPath: string): Quirks => ({ chatPath, modelsPath: 'models', keyHeader: 'bearer', headers: {}, forcesHttp1: true, asksForUsage: true, reasoningFields: [], reasoningLists: [], reasoningReturn: 'never', reasoningReturnAs: null, reasoningFiller: null, systemRole: 'system', maxTokensField: 'max_tokens', maxTokensDefault: null, parallelCalls: null, strictTools: null, images: 'data-url', callIds: '^.*$', windowLimit: null, marksCache: false, schemaLimits: 'default', body: {} })
const page: CataloguePage = {
  offered: [{ id: 'cloud', name: 'Cloud', protocol: 'openai', baseUrl: 'https://cloud.example/v1', keyPage: 'https://cloud.example/keys', docs: null, defaultModel: 'c-1', keyVariables: ['CLOUD_KEY'], needsKey: true, quirks: {} }],
  models: { harbor: [model('tern-2', { windowTokens: 262_144, callsTools: true, seesImages: false, thinks: true, prices: { currency: 'USD', input: 0.6, cachedInput: 0.06, cacheWrite: null, output: 2.5 } }), model('tern-x')], cloud: [model('c-1')] },
  listedAtMs: { harbor: Date.UTC(2026, 7, 14, 12) },
  quirks: { openai: quirks('chat/completions'), ollama: quirks('api/chat') },
  network: { proxies: [{ variable: 'HTTPS_PROXY', host: 'proxy.example:3128' }], exempt: null, authority: { file: '/ca.pem', from: 'settings', variable: null, isRead: false } },
}
let stop: () => void = () => undefined

beforeEach(fakeBrowser)
afterEach(() => { stop(); cleanup(); useProviderDrafts.setState({}, true); vi.unstubAllGlobals() })

async function open(answers: MemoryAnswers = {}): Promise<MemoryHost> {
  const memory = freshHost({ 'app/start': () => start, 'session/list': () => sessions, 'session/read': ({ sessionId: id, fromSeq }) => (id === sessionId ? idle.filter((event) => event.seq >= fromSeq) : []), 'provider/list': () => [harbor, cloud], 'catalogue/read': () => page, ...answers })
  ;({ stop } = await showWindow())
  await settle(60)
  return memory
}

const asked = (memory: MemoryHost, channel: string) => memory.asked.filter((one) => one.channel === channel).map((one) => one.ask)
const click = (name: string | RegExp): Promise<void> => doing(() => { fireEvent.click(screen.getByRole('button', { name })) })
const type = (name: string, value: string): void => { fireEvent.change(screen.getByRole('textbox', { name }), { target: { value } }) }

async function openPage(answers: MemoryAnswers = {}): Promise<MemoryHost> {
  const memory = await open(answers)
  await doing(() => go('models'))
  await settle(100)
  return memory
}

test('R86 R93 the table tells window, abilities and price of each model, and what nobody knows is unknown, never 0', async () => {
  await openPage()
  const rows = within(screen.getByRole('region', { name: 'Models' })).getAllByRole('row').slice(1).map((line) => within(line).getAllByRole('cell').map((cell) => cell.textContent))
  expect(rows).toEqual([['tern-2', '262,144', 'unknown', 'toolsthinking', '0.60 USD', '2.50 USD', 'Default'], ['tern-x', 'unknown', 'unknown', 'tools, images, thinking unknown', 'unknown', 'unknown', 'Make default']])
  expect(screen.getByText('0.60 USD').title).toBe('Cached input 0.06 USD\nFrom https://h.example/prices')
  expect(screen.getByRole('region', { name: 'Network' }).textContent).toMatch(/proxy\.example:3128 from HTTPS_PROXY.*\/ca\.pem from authorityFile.*cannot be read/)
})

test('R87 R92 a built-in provider is set up by its key alone, and is not before', async () => {
  const memory = await openPage()
  await click(/^Cloud/)
  await click('Where keys are made')
  type('Key', 'sk-new-key-4711')
  await click('Save key')
  await settle()
  expect([asked(memory, 'link/open'), asked(memory, 'provider/save'), asked(memory, 'provider/save-key')]).toEqual([[{ url: 'https://cloud.example/keys' }], [{ id: 'cloud', name: 'Cloud', baseUrl: 'https://cloud.example/v1', protocol: 'openai', model: 'c-1' }], [{ provider: 'cloud', key: 'sk-new-key-4711' }]])
  expect(screen.getByText('The environment variable CLOUD_KEY would win over it.')).toBeDefined()
})

test('R89 the steps of a test are told as they come; a failed one moves the provider to what needs attention', async () => {
  let end: (steps: never[]) => void = () => undefined
  const memory = await openPage({ 'provider/test': () => new Promise((resolve) => { end = () => resolve({ steps: [step] }) }) })
  const step = { step: 'key', ok: false, say: said('model.key-refused', { status: 401, provider: 'h.example' }) } as const
  await click('Test')
  await doing(() => memory.push('provider/test-step', { provider: 'harbor', step }))
  expect([screen.getByText(/^The provider refused the key \(401\)/).tagName, screen.getByText(/^Testing/).tagName, screen.queryByText('Key refused')]).toEqual(['SPAN', 'P', null])
  await doing(() => end([]))
  await settle()
  expect([screen.queryByText(/^Testing/), screen.getByRole('heading', { name: 'Need attention' }).tagName, screen.getByText('Key refused').className, asked(memory, 'provider/refresh')]).toEqual([null, 'H2', 'sub cut t-bad', []])
})

test('R87 a model that answers and is not in its list stays where it was, with the step saying so', async () => {
  const told = (step: 'address' | 'model' | 'streaming', ok: boolean | null, say: ReturnType<typeof said>) => ({ step, ok, say })
  await openPage({ 'provider/test': () => ({ steps: [told('address', true, said('model.test-address-ok', { host: 'h.example', ms: 3 })), told('model', null, said('model.test-model-unlisted', { provider: 'h.example', model: 'tern-2', some: ['tern-x'] })), told('streaming', true, said('model.test-streaming-whole'))] }), 'provider/refresh': () => fail('model.no-list', { provider: 'h.example' }) })
  await click('Test')
  await settle()
  expect([screen.getByText('h.example does not list tern-2. It has: tern-x.').tagName, screen.queryByRole('heading', { name: 'Need attention' }), screen.queryByText('Did not answer')]).toEqual(['SPAN', null, null])
})

test('R86 refreshing shows what is new beside what was known, and a list that does not come says why', async () => {
  let answer: 'new' | 'none' = 'new'
  await openPage({ 'provider/refresh': () => (answer === 'new' ? succeed({ models: [...(page.models['harbor'] ?? []), model('tern-3')], fresh: ['tern-3'], listedAtMs: 0 }) : fail('model.no-list', { provider: 'h.example' })) })
  await click('Refresh')
  await settle()
  expect([screen.getByText('3 models known, 1 new.').tagName, screen.getByText('tern-3').closest('tr')?.textContent]).toEqual(['P', expect.stringContaining('new')])
  answer = 'none'
  await click('Refresh')
  await settle()
  expect(screen.getByText(/gives no list of models/)).toBeDefined()
})

test('R86 own facts and differences are kept whole or not at all', async () => {
  const memory = await openPage()
  await click('Your own facts of tern-x')
  type('Window, tokens', '0')
  fireEvent.change(screen.getByRole('combobox', { name: 'Add a field' }), { target: { value: 'headers' } })
  type('headers', '{"x-team":"harbor"}')
  await click('Save differences and models')
  expect([screen.getByRole('alert').textContent, asked(memory, 'provider/save')]).toEqual(['Nothing was saved: mend the marked fields first.', []])
  type('Window, tokens', '32000')
  await click('Save differences and models')
  await settle()
  expect(asked(memory, 'provider/save')).toEqual([{ id: 'harbor', name: 'Harbor', baseUrl: 'https://h.example/v1', protocol: 'openai', model: 'tern-2', quirks: { headers: { 'x-team': 'harbor' } }, models: [{ id: 'tern-x', ...unknownFacts, windowTokens: 32_000 }] }])
})

test('R86 an added difference shows what is inherited, and only what the person set is saved', async () => {
  const memory = await openPage({ 'provider/list': () => [{ ...harbor, protocol: 'ollama' }, cloud] })
  for (const name of ['chatPath', 'headers', 'systemRole']) fireEvent.change(screen.getByRole('combobox', { name: 'Add a field' }), { target: { value: name } })
  expect([screen.getByRole<HTMLInputElement>('textbox', { name: 'chatPath' }).value, screen.getByRole<HTMLInputElement>('textbox', { name: 'headers' }).value, screen.getByRole<HTMLSelectElement>('combobox', { name: 'systemRole' }).value, screen.getAllByText(/^As inherited/).length]).toEqual(['api/chat', '{}', 'system', 3])
  fireEvent.change(screen.getByRole('combobox', { name: 'systemRole' }), { target: { value: 'developer' } })
  await click('Save differences and models')
  await settle()
  expect(asked(memory, 'provider/save').map((one) => (one as { quirks: unknown }).quirks)).toEqual([{ systemRole: 'developer' }])
})

test('R86 what was changed and not saved stays while the person is elsewhere, and is said; saving or reverting ends it', async () => {
  const memory = await openPage()
  type('Address', 'https://new.example/v1')
  type('Key', 'sk-typed')
  fireEvent.change(screen.getByRole('combobox', { name: 'Add a field' }), { target: { value: 'chatPath' } })
  type('chatPath', 'v2/chat')
  expect(screen.getByText('3 unsaved changes').tagName).toBe('SPAN')
  await click(/^Cloud/)
  expect([screen.getByRole<HTMLInputElement>('textbox', { name: 'Address' }).value, screen.queryByText(/unsaved change/), within(screen.getByRole('button', { name: /^Harbor/ })).getByLabelText('Unsaved changes').tagName]).toEqual(['https://cloud.example/v1', null, 'svg'])
  await doing(() => go('settings'))
  await doing(() => go('models'))
  await click(/^Harbor/)
  expect(['Address', 'Key', 'chatPath'].map((name) => screen.getByRole<HTMLInputElement>('textbox', { name }).value)).toEqual(['https://new.example/v1', 'sk-typed', 'v2/chat'])
  await click('Save')
  await settle()
  expect([asked(memory, 'provider/save'), asked(memory, 'provider/save-key')]).toEqual([[{ id: 'harbor', name: 'Harbor', baseUrl: 'https://new.example/v1', protocol: 'openai', model: 'tern-2' }], [{ provider: 'harbor', key: 'sk-typed' }]])
  expect([screen.getByText('1 unsaved change').tagName, screen.getByRole<HTMLInputElement>('textbox', { name: 'chatPath' }).value]).toEqual(['SPAN', 'v2/chat'])
  await click('Revert')
  expect([screen.queryByText(/unsaved change/), screen.queryByRole('textbox', { name: 'chatPath' })]).toEqual([null, null])
})

test('R86 when the list came last is said', async () => {
  await openPage()
  expect(screen.getByText(/^The provider's list as of .*2026/).tagName).toBe('P')
})

test('R91 the message box lists the models of ready providers with window and price, and switches the session', async () => {
  const memory = await open()
  const trigger = screen.getByRole('button', { name: 'Model: tern-2' })
  expect(trigger.title).toBe('Window 262,144 tokens · 0.60 USD in, 2.50 USD out, a million tokens')
  await doing(() => { fireEvent.click(trigger) })
  const options = screen.getAllByRole('option').map((one) => one.textContent)
  expect(options).toEqual([expect.stringContaining('tern-2HarborIn use hereDefault'), expect.stringContaining('tern-xHarborWindow unknown · Price unknown')])
  const field = screen.getByRole('combobox', { name: 'Model' })
  fireEvent.change(field, { target: { value: 'X harb' } })
  await doing(() => { fireEvent.keyDown(field, { key: 'Enter' }) })
  await settle()
  expect([asked(memory, 'session/set-model'), screen.queryByRole('option')]).toEqual([[{ sessionId, choice: { provider: 'harbor', model: 'tern-x' } }], null])
  await doing(() => memory.push('session/events', events([{ type: 'model-changed', choice: { provider: 'harbor', model: 'tern-x' } }], idle.length + 1)))
  expect([screen.getByRole('button', { name: 'Model: tern-x' }).tagName, screen.getByText(/^From here on tern-x answers/).tagName]).toEqual(['BUTTON', 'DIV'])
})

test('R89 R91 an unreachable model is told in the trust bar; the unanswered message is in the box again; an answer clears it', async () => {
  const memory = await open()
  const turnId = asId<TurnId>('t9')
  const choice = { provider: 'harbor', model: 'tern-2' }
  const failed = events([
    { type: 'user-message-added', messageId: asId('m9'), turnId, text: 'add the index' },
    { type: 'turn-started', turnId, choice, level: 'writes' },
    { type: 'turn-ended', turnId, step: 1, reason: 'error', say: said('model.no-dns', { host: 'h.example' }), text: '', tokens: { input: 0, output: 0 }, auditHead: null },
  ], idle.length + 1)
  await doing(() => memory.push('session/events', failed))
  await settle()
  const offline = 'Offline. The model cannot be reached; everything else works.'
  await vi.waitFor(() => expect([within(screen.getByRole('contentinfo')).getByText(offline).tagName, screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Message' }).value]).toEqual(['B', 'add the index']), 5000)
  await screen.findByRole('button', { name: 'Other model' })
  await click('Other model')
  expect(screen.getAllByRole('option').length).toBe(2)
  await doing(() => memory.push('session/events', events([{ type: 'assistant-message-added', messageId: asId('m10'), turnId, step: 1, text: 'ok', reasoning: '', choice, calls: [], stop: 'stop', isComplete: true }], idle.length + 1 + failed.length)))
  await vi.waitFor(() => expect(screen.queryByText(offline)).toBeNull(), 5000)
})

test('R92 a refused key leads to the field of that provider\'s key', async () => {
  await open({ 'session/prompt': () => fail('model.key-refused', { status: 401, provider: 'h.example' }) })
  fireEvent.change(screen.getByRole('textbox', { name: 'Message' }), { target: { value: 'hello' } })
  await doing(() => { fireEvent.keyDown(screen.getByRole('textbox', { name: 'Message' }), { key: 'Enter' }) })
  await settle()
  expect(screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Message' }).value).toBe('hello')
  await click('Replace key')
  await settle(100)
  expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'Key' }))
})

test('R92 a key kept for another address says whose it is and can be removed; plain http is warned of before saving', async () => {
  const memory = await openPage({ 'provider/list': () => [{ ...harbor, key: null, keyOf: 'old.example' }, { ...cloud, baseUrl: 'https://proxy.example/v1' }] })
  expect([screen.getByText('The saved key belongs to old.example and is not sent to this address. Paste it again to use it here, or remove it.').tagName, screen.getByText('Key belongs to old.example').className]).toEqual(['DIV', 'sub cut t-warn'])
  type('Address', 'http://h.example/v1')
  expect([screen.getByText(/^This address is plain http/).tagName, asked(memory, 'provider/save')]).toEqual(['DIV', []])
  type('Address', 'http://127.0.0.1/v1')
  expect(screen.queryByText(/^This address is plain http/)).toBeNull()
  await click('Remove key')
  expect(within(screen.getByRole('dialog')).getByText('The key that belongs to old.example.').tagName).toBe('LI')
})

test('R92 a variable is said not to be used only where it is set', async () => {
  let unused: Partial<ProviderRow> = {}
  await openPage({ 'provider/list': () => [{ ...cloud, baseUrl: 'https://proxy.example/v1', ...unused }] })
  expect([screen.queryByText(/CLOUD_KEY/)]).toEqual([null])
  unused = { unusedVariables: ['CLOUD_KEY'] }
  await doing(() => void loadProviders())
  await settle()
  expect(screen.getByText('A key in CLOUD_KEY is not used for this address: it belongs to cloud.example.').tagName).toBe('P')
})
