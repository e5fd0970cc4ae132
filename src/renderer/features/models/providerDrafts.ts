import { create } from 'zustand'
import type { ProviderSettings } from '../../../shared/domain/settings'
import type { ProviderRow } from '../../../shared/ipc/views'
import { ownDraft, quirkText, type OwnModelDraft, type QuirkDraft, type QuirkName } from './advancedDraft'

export type ProviderFields = Pick<ProviderSettings, 'name' | 'baseUrl' | 'model' | 'protocol'>

/** What was changed of a provider and is not saved; what is left out is as it is kept. */
export interface ProviderDraft extends Partial<ProviderFields> {
  readonly quirks?: readonly QuirkDraft[]
  readonly own?: readonly OwnModelDraft[]
  /** A key that stands in its field. */
  readonly key?: string
}

/** Unsaved changes by the id of their provider; they stay when the person goes elsewhere, until the window is closed. */
export const useProviderDrafts = create<Readonly<Record<string, ProviderDraft>>>(() => ({}))

const { setState: set } = useProviderDrafts

export function editDraft(id: string, change: ProviderDraft): void {
  set((drafts) => ({ [id]: { ...drafts[id], ...change } }))
}

/** Forgets what was saved, or is not wanted any more. */
export function dropDraft(id: string, part: 'all' | 'fields' | 'advanced' | 'key' = 'all'): void {
  set(({ [id]: draft, ...others }) => {
    if (!draft) return others
    const kept = part === 'all' ? {} : without(draft, part)
    return Object.keys(kept).length === 0 ? others : { ...others, [id]: kept }
  }, true)
}

function without({ name, baseUrl, model, protocol, quirks, own, key }: ProviderDraft, part: 'fields' | 'advanced' | 'key'): ProviderDraft {
  const fields = part === 'fields' ? {} : given({ name, baseUrl, model, protocol })
  return { ...fields, ...(part === 'advanced' ? {} : given({ quirks, own })), ...(part === 'key' ? {} : given({ key })) }
}

function given(draft: { readonly [Field in keyof ProviderDraft]: ProviderDraft[Field] | undefined }): ProviderDraft {
  return Object.fromEntries(Object.entries(draft).filter(([, value]) => value !== undefined))
}

/** The fields as they are kept. */
export function keptFields({ name, baseUrl, model, protocol }: ProviderRow): ProviderFields {
  return { name, baseUrl, model, protocol: protocol ?? 'openai' }
}

export function keptQuirks({ quirks }: Pick<ProviderRow, 'quirks'>): readonly QuirkDraft[] {
  return Object.entries(quirks ?? {}).map(([name, value]) => ({ name: name as QuirkName, text: quirkText(name as QuirkName, value), isSet: true }))
}

export function keptOwn({ models }: Pick<ProviderRow, 'models'>): readonly OwnModelDraft[] {
  return (models ?? []).map((model, key) => ownDraft(key, model))
}

const fieldNames = ['name', 'baseUrl', 'model', 'protocol'] as const

/** Whether one of the fields differs from what is kept. */
export function hasChangedFields(row: ProviderRow, draft: ProviderDraft): boolean {
  return changedFields(row, draft) > 0
}

/** How many things differ from what is kept: a field, a difference, a model and a key are one each. */
export function countChanges(row: ProviderRow, draft: ProviderDraft | undefined): number {
  if (!draft) return 0
  const quirks = draft.quirks === undefined ? 0 : differing(draft.quirks.filter((one) => one.isSet).map(({ name, text }) => [name, text]), keptQuirks(row).map(({ name, text }) => [name, text]))
  const own = draft.own === undefined ? 0 : differing(draft.own.map((one) => [one.key, one]), keptOwn(row).map((one) => [one.key, one]))
  return changedFields(row, draft) + quirks + own + (draft.key === undefined || draft.key.trim() === '' ? 0 : 1)
}

function changedFields(row: ProviderRow, draft: ProviderDraft): number {
  const kept = keptFields(row)
  return fieldNames.filter((field) => draft[field] !== undefined && draft[field] !== kept[field]).length
}

type Entries = readonly (readonly [string | number, unknown])[]

function differing(now: Entries, before: Entries): number {
  const kept = new Map(before.map(([key, value]) => [key, JSON.stringify(value)]))
  const changed = now.filter(([key, value]) => kept.get(key) !== JSON.stringify(value)).length
  return changed + before.filter(([key]) => !now.some(([one]) => one === key)).length
}
