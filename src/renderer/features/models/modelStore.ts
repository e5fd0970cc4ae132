import { create } from 'zustand'
import type { ProviderSettings } from '../../../shared/domain/settings'
import type { Said } from '../../../shared/domain/result'
import type { ProviderRow, ProviderTest } from '../../../shared/ipc/views'
import { host } from '../../bridge/host'

export interface ModelState {
  readonly rows: readonly ProviderRow[]
  readonly selected: string | null
  readonly tests: Readonly<Record<string, ProviderTest | 'running'>>
  readonly models: Readonly<Record<string, readonly string[]>>
  readonly fault: Said | null
  /** Said once after something was kept; the place is in words of the main process. */
  readonly kept: { readonly provider: string; readonly place: string } | null
}

export const useModels = create<ModelState>(() => ({ rows: [], selected: null, tests: {}, models: {}, fault: null, kept: null }))

const { getState: get, setState: set } = useModels

/** Reads the providers; called at start, when the settings changed, and after everything that changes one. */
export async function loadProviders(): Promise<void> {
  const kept = await host().providerList({})
  const drafts = get().rows.filter((row) => isDraft(row) && !kept.some((one) => one.id === row.id))
  const rows = [...kept, ...drafts]
  const selected = get().selected
  set({ rows, selected: rows.some((row) => row.id === selected) ? selected : (rows.find((row) => row.isActive) ?? rows[0])?.id ?? null })
}

export function selectProvider(id: string): void {
  set({ selected: id, fault: null, kept: null })
  const row = get().rows.find((one) => one.id === id)
  if (row && !isDraft(row)) void loadModels(id)
}

/** Shows the provider that answers now. */
export function showActive(): void {
  const active = get().rows.find((row) => row.isActive)
  if (active) selectProvider(active.id)
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

/** From the first start: to the providers there are, or straight to the form of a new one where only the tutor is there. */
export async function chooseProvider(name: string): Promise<void> {
  await loadProviders()
  if (get().rows.every((row) => row.origin === 'practice')) addProvider(name)
}

export async function saveProvider(provider: ProviderSettings): Promise<boolean> {
  return after(await host().providerSave(provider))
}

/** The key leaves the window at once and never comes back. */
export async function saveKey(provider: string, key: string, passPhrase: string): Promise<boolean> {
  const result = await host().providerSaveKey({ provider, key, ...(passPhrase === '' ? {} : { passPhrase }) })
  if (result.ok) set({ kept: { provider, place: result.value.place } })
  return after(result)
}

/** Takes a provider away with its key; one that was only begun is just forgotten. */
export async function removeProvider(row: ProviderRow): Promise<boolean> {
  set(({ rows, tests: { [row.id]: _test, ...tests }, models: { [row.id]: _models, ...models } }) => ({ rows: isDraft(row) ? rows.filter((one) => one.id !== row.id) : rows, tests, models, kept: null }))
  return after(isDraft(row) ? { ok: true } : await host().providerRemove({ provider: row.id }))
}

export async function removeKey(provider: string): Promise<boolean> {
  set(({ tests: { [provider]: _test, ...tests } }) => ({ tests, kept: null }))
  return after(await host().providerRemoveKey({ provider }))
}

export async function unseal(passPhrase: string): Promise<boolean> {
  return after(await host().providerUnseal({ passPhrase }))
}

export async function testProvider(provider: string): Promise<void> {
  set((state) => ({ tests: { ...state.tests, [provider]: 'running' } }))
  const test = await host().providerTest({ provider })
  set((state) => ({ tests: { ...state.tests, [provider]: test } }))
  void loadModels(provider)
}

/** What the model field offers; a provider that cannot be reached offers nothing. */
async function loadModels(provider: string): Promise<void> {
  const result = await host().providerRefresh({ provider })
  if (result.ok) set((state) => ({ models: { ...state.models, [provider]: result.value.models.map((one) => one.id) } }))
}

export async function activate(provider: string): Promise<void> {
  await after(await host().settingsChange({ activeProvider: provider }))
}

async function after(result: { readonly ok: true } | { readonly ok: false; readonly fault: Said }): Promise<boolean> {
  set({ fault: result.ok ? null : result.fault })
  await loadProviders()
  return result.ok
}
