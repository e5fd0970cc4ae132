import { create } from 'zustand'
import type { Result, Said } from '../../../shared/domain/result'
import type { IndexState } from '../../../shared/domain/retrieval'
import type { EndpointName, EndpointRow } from '../../../shared/ipc/views'
import { host } from '../../bridge/host'

/** What the section on search and the web knows of the main process. */
export interface LookupState {
  readonly endpoints: readonly EndpointRow[]
  readonly providers: readonly { readonly id: string; readonly name: string; readonly model: string }[]
  readonly hasKeychain: boolean
  readonly index: IndexState | null
  readonly tests: Readonly<Partial<Record<EndpointName, Result<Said> | 'running'>>>
  readonly faults: Readonly<Partial<Record<EndpointName, Said>>>
}

export const useLookup = create<LookupState>(() => ({ endpoints: [], providers: [], hasKeychain: true, index: null, tests: {}, faults: {} }))

const { setState: set } = useLookup

/** The last change of settings on its way to the main process: a request that follows it has to meet it there, and what an earlier one answered is past. */
let changed: Promise<unknown> = Promise.resolve()

export function followChange(change: Promise<unknown>): void {
  changed = change
  set({ tests: {} })
}

/** Reads what the section shows, and follows the index; returns what ends that. */
export function followLookup(): () => void {
  void loadEndpoints()
  void host().retrievalRead({}).then((index) => set({ index }))
  void host().providerList({}).then((rows) => set({ providers: rows.filter((row) => row.origin !== 'catalogue' || row.key !== null).map(({ id, name, model }) => ({ id, name, model })), hasKeychain: rows.every((row) => row.hasKeychain) }))
  return host().on('retrieval/changed', (index) => set({ index }))
}

/** Reads the endpoints again; after their settings changed too. */
export async function loadEndpoints(): Promise<void> {
  set({ endpoints: await host().endpointList({}) })
}

/** The key leaves the window at once and never comes back. */
export async function saveEndpointKey(of: EndpointName, key: string, passPhrase: string): Promise<void> {
  await changed
  await after(of, await host().endpointSaveKey({ of, key, ...(passPhrase === '' ? {} : { passPhrase }) }))
}

export async function removeEndpointKey(of: EndpointName): Promise<void> {
  await after(of, await host().endpointRemoveKey({ of }))
}

async function after(of: EndpointName, result: Result<unknown>): Promise<void> {
  set(({ faults: { [of]: _before, ...faults }, tests: { [of]: _test, ...tests } }) => ({ tests, faults: result.ok ? faults : { ...faults, [of]: result.fault } }))
  await loadEndpoints()
}

/** Makes one real request. */
export async function testEndpoint(of: EndpointName): Promise<void> {
  set(({ tests }) => ({ tests: { ...tests, [of]: 'running' } }))
  await changed
  const result = await host().endpointTest({ of })
  // Changed meanwhile: this is an answer of the place before.
  set(({ tests }) => (tests[of] === 'running' ? { tests: { ...tests, [of]: result } } : {}))
}

/** Calls off the test that runs; it answers that it was. */
export async function cancelTest(of: EndpointName): Promise<void> {
  await host().endpointCancelTest({ of })
}

export async function rebuildIndex(): Promise<void> {
  await host().retrievalRebuild({})
}
