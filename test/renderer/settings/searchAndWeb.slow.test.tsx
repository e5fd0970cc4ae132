import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import axe from 'axe-core'
import { useState } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { useLookup } from '../../../src/renderer/features/settings/lookupStore'
import { hostOf } from '../../../src/renderer/features/settings/PrivateHosts'
import { SearchAndWeb } from '../../../src/renderer/features/settings/SearchAndWeb'
import { said } from '../../../src/shared/domain/result'
import { defaultSettings, type Settings } from '../../../src/shared/domain/settings'
import type { EndpointRow } from '../../../src/shared/ipc/views'
import type { MemoryAnswers, MemoryHost } from '../../support/memoryHost'
import { doing, fakeBrowser, freshHost, show } from '../support'

beforeEach(() => { fakeBrowser(); useLookup.setState(useLookup.getInitialState(), true) })
afterEach(() => { cleanup(); vi.unstubAllGlobals() })

const row = (of: EndpointRow['of'], more: Partial<EndpointRow> = {}): EndpointRow => ({ of, url: 'http://x', isKeySealed: false, key: null, ...more })
const provider = { id: 'harbor', name: 'Harbor', baseUrl: 'https://models.example/v1', model: 'big', origin: 'settings', isActive: true, key: null, hasKeychain: true, isSealed: false, isKeySealed: false } as const

type Part = Pick<Settings, 'retrieval' | 'web'>

/** The section over settings that change as the main process would change them. */
async function section(start: Partial<Part> = {}, answers: MemoryAnswers = {}, kept = () => Promise.resolve()): Promise<{ readonly memory: MemoryHost; readonly now: () => Part; readonly changes: () => number }> {
  const memory = freshHost({ 'provider/list': () => [provider], 'endpoint/list': () => (['embedding', 'rerank', 'web-search'] as const).map((of) => row(of)), ...answers })
  let changes = 0
  let now: Part = { retrieval: defaultSettings.retrieval, web: defaultSettings.web, ...start }
  function Held() {
    const [part, setPart] = useState(now)
    return <SearchAndWeb retrieval={part.retrieval} web={part.web} onChange={(change) => { changes += 1; setPart((now = { ...now, ...change })); return kept() }} />
  }
  await doing(() => { show(<Held />) })
  await waitFor(() => expect(useLookup.getState().providers).toHaveLength(1))
  return { memory, now: () => now, changes: () => changes }
}

const choose = (name: string, value: string) => doing(() => { fireEvent.change(screen.getByRole('combobox', { name }), { target: { value } }) })
const field = (name: string) => screen.getByRole('textbox', { name })
const type = (name: string, text: string) => doing(() => { fireEvent.change(field(name), { target: { value: text } }); fireEvent.blur(field(name)) })
const isOff = (name: string): boolean => screen.getByRole<HTMLButtonElement>('button', { name }).disabled
const press = (name: string) => doing(() => { fireEvent.click(screen.getByRole('button', { name })) })

test('R98 the index is switched on and off, says how it stands, and is built anew', async () => {
  const ready = { phase: 'ready', files: 1, waiting: 0, chunks: 12, vectors: 0, skipped: 0, fault: null } as const
  const { memory, now } = await section({}, { 'retrieval/read': () => ready })
  expect(screen.getByText('1 file in 12 pieces.')).toBeTruthy()
  await press('Rebuild')
  expect(memory.asked.some((one) => one.channel === 'retrieval/rebuild')).toBe(true)
  await doing(() => { memory.push('retrieval/changed', { ...ready, phase: 'indexing', files: 3, waiting: 40 }) })
  expect(screen.getByText('3 files read, 40 to go. Search works already.').getAttribute('aria-live')).toBe('off')
  await doing(() => { memory.push('retrieval/changed', { ...ready, phase: 'failed', fault: said('retrieval.no-folder') }) })
  expect(screen.getByRole('alert').textContent).toContain('No folder is open')
  await doing(() => { fireEvent.click(screen.getByRole('switch', { name: 'Index the project' })) })
  expect(now().retrieval.isOn).toBe(false)
  expect(screen.queryByRole('button', { name: 'Rebuild' })).toBeNull()
  cleanup()
  expect(memory.listeners()['retrieval/changed']).toBe(0)
})

test('R100 R99 embedding, rewriting, reranking and the threshold are kept when they are whole', async () => {
  const { now } = await section()
  await choose('Embeddings', 'ollama')
  await press('Use: Embeddings')
  expect(now().retrieval.embedding).toEqual({ kind: 'ollama', url: 'http://localhost:11434', model: 'bge-m3' })
  for (const bad of ['ftp://x', 'http://me:word@host/', 'http://', '']) {
    await type('Address for embeddings', bad)
    expect([screen.getByText('An address begins with http:// or https:// and holds no name or password.') !== null, isOff('Use: Embeddings')]).toEqual([true, true])
  }
  await type('Address for embeddings', ' http://gpu.example:11434 ')
  await type('Model for embeddings', '')
  expect(isOff('Use: Embeddings')).toBe(true)
  await type('Model for embeddings', 'm3')
  expect(now().retrieval.embedding?.url).toBe('http://localhost:11434')
  await press('Use: Embeddings')
  expect(now().retrieval.embedding).toEqual({ kind: 'ollama', url: 'http://gpu.example:11434', model: 'm3' })
  await choose('Rewriting of questions', 'harbor')
  await type('Model for: Rewriting of questions', 'small')
  expect(now().retrieval.rewrite).toEqual({ provider: 'harbor', model: 'small' })
  await choose('Reranking', 'model')
  await press('Use: Reranking')
  expect(now().retrieval.rerank).toEqual({ kind: 'model', choice: { provider: 'harbor', model: 'big' } })
  await choose('Reranking', 'endpoint')
  await press('Use: Reranking')
  expect(now().retrieval.rerank).toMatchObject({ kind: 'endpoint', url: 'https://api.jina.ai/v1' })
  for (const bad of ['2', '-1', 'a', '0.12345']) await type('Least score of a reranked place', bad)
  expect(now().retrieval.threshold).toBe(0.3)
  await type('Least score of a reranked place', '0.55')
  expect(now().retrieval.threshold).toBe(0.55)
  await choose('Embeddings', 'none')
  await choose('Reranking', 'none')
  expect([now().retrieval.embedding, now().retrieval.rerank]).toEqual([null, null])
})

test('R98 R100 the index says how much of it is found by meaning, and when nothing is', async () => {
  const ready = { phase: 'ready', files: 2, waiting: 0, chunks: 12, vectors: 0, skipped: 0, fault: null } as const
  const { memory } = await section({ retrieval: { ...defaultSettings.retrieval, embedding: { kind: 'ollama', url: 'http://localhost:11434', model: 'bge-m3' } } }, { 'retrieval/read': () => ready })
  expect(screen.getByText('2 files in 12 pieces; none is found by meaning yet.')).toBeTruthy()
  await doing(() => { memory.push('retrieval/changed', { ...ready, vectors: 9 }) })
  expect(screen.getByText('2 files in 12 pieces, 9 of them found by meaning too.')).toBeTruthy()
})

test('R100 choosing a kind, typing an address and leaving the field keep and send nothing before Use is pressed', async () => {
  const { memory, now, changes } = await section()
  const before = now()
  const asked = memory.asked.length
  for (const [name, kinds] of [['Embeddings', ['compatible', 'ollama', 'compatible']], ['Reranking', ['model', 'endpoint']], ['Web search', ['brave', 'searxng', 'tavily']]] as const) {
    for (const kind of kinds) await choose(name, kind)
    expect(screen.queryByRole('textbox', { name: 'Key' })).toBeNull()
  }
  for (const name of ['Address for embeddings', 'Address for reranking', 'Address of the search service']) await type(name, 'https://half.example')
  fireEvent.keyDown(field('Address for embeddings'), { key: 'Enter' })
  expect(screen.getAllByText('Not in use yet. Nothing is kept or sent before you press Use.')).toHaveLength(3)
  for (const cancel of screen.getAllByRole('button', { name: 'Cancel' })) await doing(() => { fireEvent.click(cancel) })
  expect([changes(), now(), memory.asked.slice(asked)]).toEqual([0, before, []])
  expect(['Embeddings', 'Reranking', 'Web search'].map((name) => screen.getByRole<HTMLSelectElement>('combobox', { name }).value)).toEqual(['none', 'none', 'none'])
})

test('R92 a key leaves the window when it is kept, and a test says what answered', async () => {
  let key: EndpointRow['key'] = null
  const { memory, now } = await section({}, { 'endpoint/list': () => [row('web-search', { key })], 'endpoint/test': () => ({ ok: false, fault: said('web.search-bad-key', { host: 'api.search.brave.com', status: 401 }) }), 'endpoint/save-key': () => { key = { place: 'keychain', lastFour: '9876' }; return { ok: true, value: { place: 'keychain' } } } })
  await choose('Web search', 'brave')
  await press('Use: Web search')
  expect(now().web.search).toEqual({ kind: 'brave', url: 'https://api.search.brave.com' })
  await doing(() => { fireEvent.change(field('Key'), { target: { value: 'brave-secret-9876' } }) })
  await press('Save key')
  expect(memory.asked.filter((one) => one.channel === 'endpoint/save-key').map((one) => one.ask)).toEqual([{ of: 'web-search', key: 'brave-secret-9876' }])
  expect((field('Key') as HTMLInputElement).value).toBe('')
  expect(screen.getByText('The key ending in 9876 is in the system keychain.')).toBeTruthy()
  await press('Test')
  expect(screen.getAllByRole('status').some((one) => one.textContent?.includes('does not accept the key'))).toBe(true)
  await press('Remove key')
  expect(memory.asked.filter((one) => one.channel === 'endpoint/remove-key').map((one) => one.ask)).toEqual([{ of: 'web-search' }])
})

test('R92 without a keychain a pass phrase is asked for, and one that fails is told', async () => {
  const { memory } = await section({ web: { search: { kind: 'tavily', url: 'https://api.tavily.com' }, privateHosts: [] } }, { 'provider/list': () => [{ ...provider, hasKeychain: false }], 'endpoint/save-key': () => ({ ok: false, fault: said('settings.wrong-pass-phrase') }) })
  await doing(() => { fireEvent.change(field('Key'), { target: { value: 'tvly-1' } }) })
  await doing(() => { fireEvent.change(field('Pass phrase'), { target: { value: 'four words' } }) })
  await press('Save key')
  expect(memory.asked.filter((one) => one.channel === 'endpoint/save-key').map((one) => one.ask)).toEqual([{ of: 'web-search', key: 'tvly-1', passPhrase: 'four words' }])
  expect(screen.getByRole('alert').textContent).toContain('does not open the sealed keys')
})

test('R100 a test waits until the address it is for has reached the main process', async () => {
  let arrive: () => void = () => undefined
  const { memory } = await section({ web: { search: { kind: 'searxng', url: 'http://localhost:8080' }, privateHosts: [] } }, { 'endpoint/test': () => ({ ok: true, value: said('web.endpoint-searches', { count: 3 }) }) }, () => new Promise((resolve) => { arrive = resolve }))
  const tests = (): number => memory.asked.filter((one) => one.channel === 'endpoint/test').length
  await type('Address of the search service', 'http://search.corp:8080')
  await press('Use: Web search')
  await press('Test')
  expect([tests(), screen.getByText('Testing. One request is sent.')]).toEqual([0, expect.anything()])
  await doing(() => arrive())
  expect([tests(), screen.getByText('The service answers: 3 results.')]).toEqual([1, expect.anything()])
  await type('Address of the search service', 'http://other.corp:8080')
  await press('Use: Web search')
  expect(screen.queryByText('The service answers: 3 results.')).toBeNull()
  await doing(() => arrive())
})

test('R100 a test that runs can be called off, and an answer that comes after a change is not shown', async () => {
  let answer: (result: { ok: false; fault: ReturnType<typeof said> }) => void = () => undefined
  const { memory } = await section({ web: { search: { kind: 'searxng', url: 'http://localhost:8080' }, privateHosts: [] } }, { 'endpoint/test': () => new Promise((resolve) => { answer = resolve }) })
  await press('Test')
  await press('Cancel')
  expect(memory.asked.filter((one) => one.channel === 'endpoint/cancel-test').map((one) => one.ask)).toEqual([{ of: 'web-search' }])
  await doing(() => answer({ ok: false, fault: said('tool.cancelled') }))
  expect([await screen.findByText('Cancelled by the user.'), screen.getByRole('button', { name: 'Test' })]).toHaveLength(2)
  await press('Test')
  await choose('Web search', 'none')
  await doing(() => answer({ ok: false, fault: said('tool.cancelled') }))
  await choose('Web search', 'searxng')
  await press('Use: Web search')
  await doing(() => undefined)
  expect(useLookup.getState().tests).toEqual({})
  expect(screen.queryByText('Cancelled by the user.')).toBeNull()
})

test('R102 private hosts are allowed one by one, as an address has them', async () => {
  const { now } = await section()
  await doing(() => { fireEvent.change(field('Host'), { target: { value: ' HTTP://Wiki.Corp:8080/start?x ' } }) })
  await press('Allow')
  await doing(() => { fireEvent.change(field('Host'), { target: { value: 'localhost:3000' } }); fireEvent.keyDown(field('Host'), { key: 'Enter' }) })
  expect(now().web.privateHosts).toEqual(['wiki.corp:8080', 'localhost:3000'])
  await doing(() => { fireEvent.change(field('Host'), { target: { value: 'a b' } }) })
  expect(screen.getByText(/A host, with its port/)).toBeTruthy()
  await press('No longer allow wiki.corp:8080')
  expect(now().web.privateHosts).toEqual(['localhost:3000'])
  expect(within(screen.getByRole('list', { name: 'Allowed private hosts' })).getAllByRole('listitem')).toHaveLength(1)
  expect(['me@host', 'host/path', 'host?x', '', 'host\\x', '[::1]:80', '2130706433:8080'].map(hostOf)).toEqual([null, null, null, null, null, '[::1]', '127.0.0.1:8080'])
})

test('the section has no faults that a reader of screens would meet', async () => {
  await section({ retrieval: { ...defaultSettings.retrieval, embedding: { kind: 'compatible', url: 'https://e.example/v1', model: 'm' }, rerank: { kind: 'endpoint', url: 'https://r.example', model: 'r' }, rewrite: { provider: 'gone', model: 'x' } }, web: { search: { kind: 'searxng', url: 'http://localhost:8080' }, privateHosts: ['localhost:3000'] } })
  expect((await axe.run(document.body, { rules: { region: { enabled: false }, 'color-contrast': { enabled: false } } })).violations.map((one) => one.id)).toEqual([])
})

test('R92 a key of another address says whose it is, in the words of the providers, and can be removed', async () => {
  const { memory } = await section({ web: { search: { kind: 'brave', url: 'https://new.example' }, privateHosts: [] } }, { 'endpoint/list': () => [row('web-search', { url: 'https://new.example', keyOf: 'api.search.brave.com' })] })
  await waitFor(() => expect(screen.getByText('The saved key belongs to api.search.brave.com and is not sent to this address. Paste it again to use it here, or remove it.')).toBeTruthy())
  await press('Remove key')
  expect(memory.asked.filter((one) => one.channel === 'endpoint/remove-key').map((one) => one.ask)).toEqual([{ of: 'web-search' }])
})
