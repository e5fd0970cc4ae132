import { create } from 'zustand'
import type { SnapshotId } from '../../../shared/domain/ids'
import type { Said } from '../../../shared/domain/result'
import { said } from '../../../shared/domain/result'
import type { Forgetting, SnapshotSpace, Uncovered } from '../../../shared/ipc/timelineViews'
import { host } from '../../bridge/host'
import { sizeSaid } from '../../ui/sizeText'
import { reloadTimeline } from './timelineStore'

export interface RoomState {
  readonly space: SnapshotSpace | null
  /** The question whether points older than one may go; `would` null while it is counted. */
  readonly asks: { readonly before: SnapshotId; readonly would: Forgetting | null; readonly fault: Said | null } | null
  /** What is not covered, while it is looked at; null within while it is read. */
  readonly uncovered: { readonly list: Uncovered | null; readonly fault: Said | null } | null
  readonly isBusy: boolean
  readonly notice: { readonly tone: 'ok' | 'bad'; readonly say: Said } | null
}

const nothing: RoomState = { space: null, asks: null, uncovered: null, isBusy: false, notice: null }

export const useRoom = create<RoomState>(() => nothing)

const { getState: get, setState: set } = useRoom

export function forgetRoom(): void {
  set(nothing)
}

export function closeNotice(): void {
  set({ notice: null })
}

export async function readSpace(): Promise<void> {
  const read = await host().snapshotSpace({})
  if (read.ok) set({ space: read.value })
  else set({ notice: { tone: 'bad', say: read.fault } })
}

/** Packs what is kept; no point is lost. */
export async function pack(): Promise<void> {
  if (get().isBusy) return
  set({ isBusy: true, notice: null })
  const before = get().space?.bytes
  const packed = await host().snapshotPack({}).finally(() => set({ isBusy: false }))
  if (!packed.ok) return set({ notice: { tone: 'bad', say: packed.fault } })
  const freed = before === undefined ? 0 : Math.max(0, before - packed.value.bytes)
  set({ space: packed.value, notice: { tone: 'ok', say: freed > 0 ? said('timeline.packed', { size: sizeSaid(freed) }) : said('timeline.packed-none') } })
  await reloadTimeline()
}

/** Asks what would go; nothing goes yet. */
export async function askForget(before: SnapshotId): Promise<void> {
  set({ asks: { before, would: null, fault: null }, notice: null })
  const would = await host().snapshotForget({ before, isDry: true })
  if (get().asks?.before !== before) return
  set({ asks: would.ok ? { before, would: would.value, fault: null } : { before, would: null, fault: would.fault } })
}

export function closeForget(): void {
  set({ asks: null })
}

/** Lets them go, for good. */
export async function forget(): Promise<void> {
  const { asks, isBusy } = get()
  if (!asks || isBusy) return
  set({ isBusy: true })
  const gone = await host().snapshotForget({ before: asks.before, isDry: false }).finally(() => set({ isBusy: false }))
  if (!gone.ok) return set({ asks: { ...asks, fault: gone.fault } })
  set({ asks: null, space: null, notice: { tone: 'ok', say: said('timeline.let-go-done', { count: gone.value.points }) } })
  await reloadTimeline()
}

export async function openUncovered(): Promise<void> {
  set({ uncovered: { list: null, fault: null } })
  const read = await host().timelineUncovered({})
  if (get().uncovered === null) return
  set({ uncovered: read.ok ? { list: read.value, fault: null } : { list: null, fault: read.fault } })
}

export function closeUncovered(): void {
  set({ uncovered: null })
}
