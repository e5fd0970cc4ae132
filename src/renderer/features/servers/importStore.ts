import { create } from 'zustand'
import type { Said } from '../../../shared/domain/result'
import type { McpImportPreview, McpImportRow } from '../../../shared/ipc/views'
import { host } from '../../bridge/host'
import { loadServers, useServers } from './serverStore'

/** A preview with what the person ticked and renamed; nothing of it is written before it is imported. */
export interface Offer {
  readonly preview: McpImportPreview
  /** Null for a file that a scan named; else the pasted text itself. */
  readonly text: string | null
  readonly ticked: ReadonlySet<string>
  readonly names: Readonly<Record<string, string>>
}

export interface ImportState {
  /** Null while nothing was looked at. */
  readonly offers: readonly Offer[] | null
  readonly isBusy: boolean
  readonly fault: Said | null
  /** How many came in; set once it is done. */
  readonly added: readonly string[] | null
}

const empty: ImportState = { offers: null, isBusy: false, fault: null, added: null }

export const useImport = create<ImportState>(() => empty)

const { getState: get, setState: set } = useImport

export function beginImport(): void {
  set(empty)
}

/** What is new is ticked; a name that is taken waits for the person, and what is there already cannot be added. */
function offerOf(preview: McpImportPreview, text: string | null): Offer {
  return { preview, text, ticked: new Set(preview.rows.filter((row) => row.state === 'new').map((row) => row.name)), names: Object.fromEntries(preview.rows.map((row) => [row.name, row.as])) }
}

/** Looks into the files of other tools; reads only. */
export async function scan(): Promise<void> {
  set({ ...empty, isBusy: true })
  const previews = await host().mcpScan({}).finally(() => set({ isBusy: false }))
  set({ isBusy: false, offers: previews.map((preview) => offerOf(preview, null)) })
}

/** Looks at a pasted text; writes nothing. */
export async function look(text: string): Promise<void> {
  set({ ...empty, isBusy: true })
  const result = await host().mcpPaste({ text }).finally(() => set({ isBusy: false }))
  set(result.ok ? { isBusy: false, offers: [offerOf(result.value, text)] } : { isBusy: false, fault: result.fault })
}

function change(at: number, next: (offer: Offer) => Offer): void {
  set((state) => ({ offers: state.offers?.map((offer, index) => (index === at ? next(offer) : offer)) ?? null }))
}

export function tick(at: number, name: string, isOn: boolean): void {
  change(at, (offer) => {
    const ticked = new Set(offer.ticked)
    if (isOn) ticked.add(name)
    else ticked.delete(name)
    return { ...offer, ticked }
  })
}

export function rename(at: number, name: string, as: string): void {
  change(at, (offer) => ({ ...offer, names: { ...offer.names, [name]: as } }))
}

export const nameOf = (offer: Offer, row: McpImportRow): string => (offer.names[row.name] ?? row.as).trim()

/** The rows that would come in. */
export function chosenRows(offer: Offer): readonly McpImportRow[] {
  return offer.preview.rows.filter((row) => row.state !== 'same' && offer.ticked.has(row.name))
}

/** Names that two of the ticked rows would share, or that a server has already, or that are empty. */
export function clashes(offers: readonly Offer[]): ReadonlySet<string> {
  const taken = new Set(useServers.getState().page?.servers.map((row) => row.name))
  const bad = new Set<string>()
  for (const offer of offers) {
    for (const row of chosenRows(offer)) {
      const name = nameOf(offer, row)
      if (name === '' || taken.has(name)) bad.add(name)
      taken.add(name)
    }
  }
  return bad
}

/** Brings in what is ticked, one source after the other; what is in already stays in when a later one fails. */
export async function importTicked(passPhrase: string): Promise<void> {
  const { offers, isBusy } = get()
  if (offers === null || isBusy) return
  set({ isBusy: true, fault: null })
  try {
    set(await bringIn(offers, passPhrase === '' ? {} : { passPhrase }))
  } finally {
    set({ isBusy: false })
  }
  await loadServers()
}

async function bringIn(offers: readonly Offer[], phrase: { readonly passPhrase?: string }): Promise<Partial<ImportState>> {
  const added: string[] = []
  for (const offer of offers) {
    const rows = chosenRows(offer).map((row) => ({ name: row.name, as: nameOf(offer, row) }))
    if (rows.length === 0) continue
    const result = await host().mcpImport({ source: offer.text === null ? { path: offer.preview.source } : { text: offer.text }, rows, ...phrase })
    if (!result.ok) return { fault: result.fault }
    added.push(...result.value.added)
  }
  return { added }
}
