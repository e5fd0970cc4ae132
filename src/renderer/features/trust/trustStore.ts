import { create } from 'zustand'
import type { Said } from '../../../shared/domain/result'
import type { TrustFindings, TrustItem, TrustRef } from '../../../shared/domain/trust'
import { host } from '../../bridge/host'

export interface TrustState {
  /** Of the opened folder; null before the first answer, and without a folder. */
  readonly findings: TrustFindings | null
  /** `asking`: what was never decided, or changed since; `all`: everything, because the person wants to see it. */
  readonly open: 'asking' | 'all' | null
  /** By `keyOf`: a tick is for exactly the content that is shown. */
  readonly ticked: ReadonlySet<string>
  readonly selected: string | null
  readonly isDeciding: boolean
  readonly fault: Said | null
}

export const useTrust = create<TrustState>(() => ({ findings: null, open: null, ticked: new Set(), selected: null, isDeciding: false, fault: null }))

const { getState: get, setState: set } = useTrust

export const keyOf = ({ kind, name, hash }: TrustRef): string => JSON.stringify([kind, name, hash])
export const refOf = ({ kind, name, hash }: TrustRef): TrustRef => ({ kind, name, hash })
const isOpenQuestion = ({ state }: TrustItem): boolean => state === 'new' || state === 'changed'

/** What the dialog shows of the findings. */
export function shownItems({ findings, open }: Pick<TrustState, 'findings' | 'open'>): readonly TrustItem[] {
  const items = findings?.items ?? []
  return open === 'all' ? items : items.filter(isOpenQuestion)
}

/** Whether the dialog may come up by itself now; set by `connectTrust`. */
let mayOpen: () => boolean = () => true

/** Follows the folder: by what main says, and by looking again when the window is used again. Returns a stop. */
export function connectTrust(mayOpenNow: () => boolean): () => void {
  mayOpen = mayOpenNow
  const look = (): void => void loadTrust()
  window.addEventListener('focus', look)
  const stop = host().on('trust/changed', take)
  return () => {
    stop()
    window.removeEventListener('focus', look)
    forgetTrust()
  }
}

/** Another folder was opened, or none is: nothing that was asked of the one before may be answered. */
export function forgetTrust(): void {
  set({ findings: null, open: null, ticked: new Set(), selected: null, isDeciding: false, fault: null })
}

export async function loadTrust(): Promise<void> {
  take(await host().trustRead({}))
}

function take(findings: TrustFindings | null): void {
  if (findings === null) return forgetTrust()
  const before = get()
  const isSameFolder = before.findings?.workspaceId === findings.workspaceId
  const open = isSameFolder && before.open === 'all' ? 'all' : findings.isAsking && (before.open !== null || mayOpen()) ? 'asking' : null
  const shown = shownItems({ findings, open })
  const keys = new Set(shown.map(keyOf))
  // A tick for a content that is gone is no tick for another.
  const ticked = new Set([...before.ticked].filter((key) => keys.has(key)))
  const selected = before.selected !== null && keys.has(before.selected) ? before.selected : (shown[0] ? keyOf(shown[0]) : null)
  set({ findings, open, ticked: open === null ? new Set() : ticked, selected })
}

/** Opens the dialog because the person asked for it: with what is open to answer, else with everything. */
export function showTrust(): void {
  const { findings } = get()
  if (findings === null) return
  const open = findings.isAsking ? 'asking' : 'all'
  const items = shownItems({ findings, open })
  set({ open, ticked: new Set(open === 'all' ? items.filter(({ state }) => state === 'trusted').map(keyOf) : []), selected: items[0] ? keyOf(items[0]) : null, fault: null })
}

export function select(key: string): void {
  set({ selected: key })
}

export function tick(key: string, isOn: boolean): void {
  const ticked = new Set(get().ticked)
  if (isOn) ticked.add(key)
  else ticked.delete(key)
  set({ ticked, selected: key })
}

/** The narrowest answer: nothing that is asked takes part. Where nothing was asked, nothing changes. */
export async function goOnWithout(): Promise<void> {
  if (get().open === 'all') return set({ open: null, fault: null })
  await decide([], shownItems(get()))
}

/** Trusts what is ticked, and leaves out the rest of what was shown. */
export async function trustTicked(): Promise<void> {
  const { ticked } = get()
  const items = shownItems(get())
  await decide(items.filter((item) => ticked.has(keyOf(item))), items.filter((item) => !ticked.has(keyOf(item))))
}

async function decide(trusted: readonly TrustItem[], declined: readonly TrustItem[]): Promise<void> {
  if (get().isDeciding) return
  set({ isDeciding: true, fault: null })
  const of = get().findings?.workspaceId
  try {
    const result = await host().trustDecide({ trusted: trusted.map(refOf), declined: declined.map(refOf) })
    if (get().findings?.workspaceId !== of) return
    if (result.ok) set({ findings: result.value, open: null, ticked: new Set(), selected: null })
    else {
      set({ fault: result.fault })
      await loadTrust()
    }
  } finally {
    set({ isDeciding: false })
  }
}
