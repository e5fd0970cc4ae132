import { create } from 'zustand'
import type { AgentEvent, LivePart } from '../../../shared/domain/event'
import { modelFaultKind, type ModelFaultKind } from '../../../shared/domain/modelFaultKind'
import type { ProviderSettings } from '../../../shared/domain/settings'
import type { Said } from '../../../shared/domain/result'
import type { CataloguePage } from '../../../shared/ipc/modelViews'
import type { ProviderRow, ProviderTest } from '../../../shared/ipc/views'
import { host } from '../../bridge/host'
import { dropDraft } from './providerDrafts'
import { faultOfTest } from './providerState'

/** Why a provider does not answer, as a request or a test found out last. */
export interface ProviderFault {
  readonly kind: ModelFaultKind
  readonly say: Said
  readonly atMs: number
}

/** A test as far as it is; its steps come one by one. */
export interface TestView extends ProviderTest {
  readonly isRunning: boolean
}

export interface ModelState {
  readonly rows: readonly ProviderRow[]
  /** Null until it was read. */
  readonly page: CataloguePage | null
  readonly selected: string | null
  readonly tests: Readonly<Record<string, TestView>>
  /** What the last request for a provider's list found, or that it is on its way. */
  readonly lists: Readonly<Record<string, { readonly fresh: readonly string[]; readonly fault: Said | null } | 'asking'>>
  readonly faults: Readonly<Record<string, ProviderFault>>
  readonly fault: Said | null
  /** Said once after something was kept; the place is in words of the main process. */
  readonly kept: { readonly provider: string; readonly place: string } | null
  /** The key's field is to have the keyboard when the form is next shown. */
  readonly isKeyWanted: boolean
}

export const useModels = create<ModelState>(() => ({ rows: [], page: null, selected: null, tests: {}, lists: {}, faults: {}, fault: null, kept: null, isKeyWanted: false }))

const { getState: get, setState: set } = useModels

/** Which provider answered last in a session. */
const answering = new Map<string, string>()

/** Hears the steps of tests, and of providers that fail or answer in a conversation; returns a stop. */
export function connectModels(): () => void {
  const stops = [host().on('provider/test-step', ({ provider, step }) => addStep(provider, step)), host().on('session/events', (events) => events.forEach(hear)), host().on('session/parts', (parts) => parts.forEach(hearPart))]
  return () => stops.forEach((stop) => stop())
}

function hear(event: AgentEvent): void {
  if ((event.type === 'turn-started' || event.type === 'usage-reported') && event.choice) answering.set(event.sessionId, event.choice.provider)
  if (event.type === 'assistant-message-added' && event.isComplete) clearFault(event.choice.provider)
  if (event.type === 'turn-ended' && event.reason === 'error') markFault(answering.get(event.sessionId), event.say, event.atMs)
}

function hearPart({ sessionId, body, atMs }: LivePart): void {
  const provider = answering.get(sessionId)
  if (body.type === 'retrying') markFault(provider, body.say, atMs)
  if ((body.type === 'text-delta' || body.type === 'thinking-delta') && provider !== undefined) clearFault(provider)
}

function markFault(provider: string | undefined, say: Said, atMs: number): void {
  const kind = modelFaultKind(say)
  if (provider !== undefined && kind !== null) set(({ faults }) => ({ faults: { ...faults, [provider]: { kind, say, atMs } } }))
}

function clearFault(provider: string): void {
  if (provider in get().faults) set(({ faults: { [provider]: _over, ...faults } }) => ({ faults }))
}

/** Reads the providers; called at start, when the settings changed, and after everything that changes one. */
export async function loadProviders(): Promise<void> {
  const [kept, page] = await Promise.all([host().providerList({}), host().catalogueRead({})])
  const drafts = get().rows.filter((row) => isDraft(row) && !kept.some((one) => one.id === row.id))
  const rows = [...kept, ...drafts]
  const selected = get().selected
  set({ rows, page, selected: rows.some((row) => row.id === selected) ? selected : (rows.find((row) => row.isActive) ?? rows[0])?.id ?? null })
}

export function selectProvider(id: string): void {
  set({ selected: id, fault: null, kept: null, isKeyWanted: false })
}

/** Shows the provider that answers now, or a given one; `isKeyWanted` to write its key. */
export function showProvider(id: string | null, isKeyWanted = false): void {
  const shown = get().rows.find((row) => row.id === id) ?? get().rows.find((row) => row.isActive)
  if (!shown) return
  selectProvider(shown.id)
  set({ isKeyWanted })
}

/** Begun, not kept: the main process keeps no provider without an address. */
export function isDraft(row: ProviderRow): boolean {
  return row.origin === 'settings' && row.baseUrl === ''
}

/** Begins a provider at any compatible address; it is kept when its form is saved. One that was begun before is gone on with. */
export function addProvider(name: string): void {
  const { rows } = get()
  const begun = rows.find(isDraft)
  if (begun) return selectProvider(begun.id)
  const ids = new Set(rows.map((row) => row.id))
  let number = 1
  while (ids.has(`compatible-${number}`)) number += 1
  const id = `compatible-${number}`
  const draft: ProviderRow = { id, name, baseUrl: '', model: '', isActive: false, origin: 'settings', key: null, hasKeychain: rows.some((row) => row.hasKeychain), isSealed: rows.some((row) => row.isSealed), isKeySealed: false }
  set({ rows: [...rows, draft] })
  selectProvider(id)
}

/** From the first start: to what is set up or built in, or straight to the form of a new one where only the tutor is there. */
export async function chooseProvider(name: string): Promise<void> {
  await loadProviders()
  const { rows } = get()
  if (rows.every((row) => row.origin === 'practice')) return addProvider(name)
  const first = rows.find((row) => row.origin === 'settings') ?? rows.find((row) => row.origin === 'catalogue')
  if (first) selectProvider(first.id)
}

export async function saveProvider(provider: ProviderSettings): Promise<boolean> {
  return after(await host().providerSave(provider))
}

/** The key leaves the window at once and never comes back. */
export async function saveKey(provider: string, key: string, passPhrase: string): Promise<boolean> {
  const result = await host().providerSaveKey({ provider, key, ...(passPhrase === '' ? {} : { passPhrase }) })
  if (result.ok) set({ kept: { provider, place: result.value.place } })
  // What was found out with the key before says nothing of this one.
  if (result.ok) forget(provider)
  return after(result)
}

/** Takes a provider away with its key; one that was only begun is just forgotten. */
export async function removeProvider(row: ProviderRow): Promise<boolean> {
  forget(row.id)
  dropDraft(row.id)
  set(({ rows, lists: { [row.id]: _list, ...lists } }) => ({ rows: isDraft(row) ? rows.filter((one) => one.id !== row.id) : rows, lists, kept: null }))
  return after(isDraft(row) ? { ok: true } : await host().providerRemove({ provider: row.id }))
}

export async function removeKey(provider: string): Promise<boolean> {
  forget(provider)
  set({ kept: null })
  return after(await host().providerRemoveKey({ provider }))
}

function forget(provider: string): void {
  clearFault(provider)
  set(({ tests: { [provider]: _test, ...tests } }) => ({ tests }))
}

export async function unseal(passPhrase: string): Promise<boolean> {
  return after(await host().providerUnseal({ passPhrase }))
}

export async function testProvider(provider: string): Promise<void> {
  set((state) => ({ tests: { ...state.tests, [provider]: { steps: [], isRunning: true } } }))
  const test = await host().providerTest({ provider })
  set((state) => ({ tests: { ...state.tests, [provider]: { ...test, isRunning: false } } }))
  const say = faultOfTest(test)
  if (say) markFault(provider, say, Date.now())
  else clearFault(provider)
  if (!say) void refreshModels(provider)
}

function addStep(provider: string, step: ProviderTest['steps'][number]): void {
  const test = get().tests[provider]
  if (test?.isRunning) set((state) => ({ tests: { ...state.tests, [provider]: { ...test, steps: [...test.steps, step] } } }))
}

/** Asks a provider for its models; what the catalogue knows of them stays. */
export async function refreshModels(provider: string): Promise<void> {
  if (get().lists[provider] === 'asking') return
  set(({ lists }) => ({ lists: { ...lists, [provider]: 'asking' } }))
  const result = await host().providerRefresh({ provider })
  set(({ lists, page }) => ({
    lists: { ...lists, [provider]: { fresh: result.ok ? result.value.fresh : [], fault: result.ok ? null : result.fault } },
    page: result.ok && page ? { ...page, models: { ...page.models, [provider]: result.value.models }, listedAtMs: { ...page.listedAtMs, [provider]: result.value.listedAtMs } } : page,
  }))
}

export async function activate(provider: string): Promise<void> {
  await after(await host().settingsChange({ activeProvider: provider }))
}

/** Opens an address in the person's browser, which asks first. */
export function openPage(url: string): void {
  void host().linkOpen({ url })
}

async function after(result: { readonly ok: true } | { readonly ok: false; readonly fault: Said }): Promise<boolean> {
  set({ fault: result.ok ? null : result.fault })
  await loadProviders()
  return result.ok
}
