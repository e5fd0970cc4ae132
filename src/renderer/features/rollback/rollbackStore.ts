import { create } from 'zustand'
import type { RollbackId } from '../../../shared/domain/ids'
import type { ConflictView, PlanRow, RollbackScope, RollbackTarget } from '../../../shared/domain/rollback'
import type { TreeEntry } from '../../../shared/domain/snapshot'
import { host } from '../../bridge/host'
import { beginDraft } from './mergeDraft'
import { decisionsOf, draftOf, fateOf, keyOf } from './planDecisions'
import type { LeftOut, Made, PlanWish, RollbackState, RowSide } from './planState'

const nothing: RollbackState = {
  wish: null, plan: null, lines: [], sent: [], sentCount: 0, skipped: new Map(), scope: 'files', unticked: new Set(), left: {}, drafts: {}, open: null, busy: null, busySinceMs: 0, progress: null, fault: null, done: null,
}

export const useRollback = create<RollbackState>(() => nothing)

const { getState: get, setState: set } = useRollback

/** Follows a rollback while it is written; returns a stop. */
export function connectRollback(): () => void {
  return host().on('rollback/progress', (progress) => { if (get().busy === 'writing') set({ progress }) })
}

/** Asks for a plan; nothing is written. */
export async function planFor(wish: PlanWish): Promise<void> {
  set({ ...nothing, wish })
  await makePlan()
}

/** Makes the plan anew. Ticks, changes left out and drafts stay where they still fit. */
export async function makePlan(): Promise<void> {
  const { wish, open } = get()
  if (!wish) return
  set({ busy: 'making', busySinceMs: Date.now(), fault: null, plan: null, open: null })
  const [result, uncovered] = await Promise.all([host().rollbackPlan({ target: wire(wish.target) }), host().timelineUncovered({})])
  if (get().wish !== wish) return
  const skipped = new Map(uncovered.ok ? uncovered.value.skipped.map(({ path, reason }) => [path, reason]) : [])
  if (!result.ok) return set({ busy: null, fault: result.fault })
  const { plan, lines, sent, sentCount } = result.value
  set({ busy: null, plan, lines, sent, sentCount, skipped })
  const again = plan.rows.find((row) => row.path === open?.path)
  const first = again ?? plan.rows.find((row) => row.action === 'conflict')
  if (first) await openRow(first)
}

/** With or without what the person changed since: another plan. */
export async function setKeep(keepUserEdits: boolean): Promise<void> {
  const { wish } = get()
  if (!wish) return
  set({ wish: { ...wish, target: { ...wish.target, keepUserEdits } } })
  await makePlan()
}

/** With or without what calls of other sessions changed since: another plan. */
export async function setOthers(isKept: boolean): Promise<void> {
  const { wish } = get()
  if (!wish || wish.sessionId === null) return
  const { ofSession: _, ...target } = wish.target
  set({ wish: { ...wish, target: isKept ? { ...target, ofSession: wish.sessionId } : target } })
  await makePlan()
}

export function setScope(scope: RollbackScope): void {
  set({ scope })
}

/** Ticked again, a row whose every change was left out, or of which the disk's side was taken, begins anew. */
export function tick(row: PlanRow, isOn: boolean): void {
  const { unticked, left, drafts } = get()
  const { by } = fateOf(row, { unticked, left, drafts })
  const ticks = new Set(unticked)
  if (!isOn) return set({ unticked: ticks.add(row.path) })
  ticks.delete(row.path)
  set({ unticked: ticks, ...(by === 'all-left' ? { left: without(left, row.path) } : {}), ...(by === 'disk' ? { drafts: without(drafts, row.path) } : {}) })
}

function without<Value>(record: Readonly<Record<string, Value>>, path: string): Readonly<Record<string, Value>> {
  return Object.fromEntries(Object.entries(record).filter(([one]) => one !== path))
}

/** All rows that would write something, or none. */
export function tickAll(isOn: boolean): void {
  const rows = get().plan?.rows ?? []
  set({ unticked: isOn ? new Set() : new Set(rows.filter((row) => row.action !== 'leave').map((row) => row.path)) })
}

/** Shows what a row would write; a conflict, to be resolved. */
export async function openRow(row: PlanRow): Promise<void> {
  const { plan } = get()
  const look = { path: row.path, key: keyOf(row) }
  const isShown = (): boolean => get().plan === plan && get().open?.path === row.path
  set({ open: { ...look, kind: 'reading' } })
  if (row.action === 'conflict' && plan) {
    const [view, disk, after] = await Promise.all([host().rollbackConflict({ target: wire(plan.target), path: row.path }), readSide(row.from), readSide(row.to)])
    if (!isShown()) return
    if (!view.ok) return set({ open: { ...look, kind: 'fault', fault: view.fault } })
    return set({ open: { ...look, kind: 'conflict', view: view.value, disk, after }, ...begun(row, view.value) })
  }
  const merged = row.merged
  const [disk, after] = await Promise.all([readSide(row.from), merged === undefined || row.to === null ? readSide(row.to) : { entry: row.to, version: { text: merged, sizeBytes: merged.length } }])
  if (isShown()) set({ open: { ...look, kind: 'texts', disk, after } })
}

/** A draft begins with the stretches as they are; one of other stretches is none. */
function begun(row: PlanRow, { earlier, disk, parts }: ConflictView): Pick<RollbackState, 'drafts'> {
  const { drafts } = get()
  const known = draftOf(row, drafts)
  if (earlier === null || disk === null || (known && (known.kind === 'whole' || JSON.stringify(known.draft.parts) === JSON.stringify(parts)))) return { drafts }
  return { drafts: { ...drafts, [row.path]: { key: keyOf(row), kind: 'text', draft: beginDraft(parts, disk) } } }
}

export function closeRow(): void {
  set({ open: null })
}

async function readSide(entry: TreeEntry | null): Promise<RowSide> {
  if (entry === null) return null
  if (entry.mode === '40000') return { entry, version: null }
  const result = await host().timelineFile({ oid: entry.oid })
  if (!result.ok) set({ fault: result.fault })
  return { entry, version: result.ok ? result.value : null }
}

/** Leaves these changes of a row as they are on disk. */
export function leaveChanges(row: PlanRow, left: Omit<LeftOut, 'key'>): void {
  set((state) => ({ left: { ...state.left, [row.path]: { ...left, key: keyOf(row) } } }))
}

/** Keeps what the person made of a conflict so far. */
export function draft(row: PlanRow, made: Made): void {
  set((state) => ({ drafts: { ...state.drafts, [row.path]: { ...made, key: keyOf(row) } } }))
}

/** Writes the plan as it stands on screen. */
export async function apply(): Promise<void> {
  const state = get()
  const { wish, plan, scope } = state
  if (!wish || !plan || state.busy) return
  set({ busy: 'writing', busySinceMs: Date.now(), progress: null, fault: null })
  const result = await host().rollbackApply({ target: wire(plan.target), scope, sessionId: wish.sessionId, turnId: wish.turnId, head: plan.head, ...decisionsOf(state) })
  set({ busy: null, ...(result.ok ? { done: result.value } : { fault: result.fault }) })
}

/** Takes a rollback back. */
export async function undo(rollbackId: RollbackId): Promise<void> {
  set({ busy: 'writing', busySinceMs: Date.now(), progress: null, fault: null })
  const result = await host().rollbackUndo({ rollbackId })
  set({ busy: null, ...(result.ok ? { done: result.value } : { fault: result.fault }) })
}

/** The same from elsewhere, without a plan on screen. */
export async function undoAlone(rollbackId: RollbackId): Promise<void> {
  set(nothing)
  await undo(rollbackId)
}

export function closePlan(): void {
  set(nothing)
}

function wire(target: RollbackTarget): Parameters<ReturnType<typeof host>['rollbackPlan']>[0]['target'] {
  const { to, only, ofSession, ofCall, paths, keepUserEdits } = target
  return { to, keepUserEdits, ...(only ? { only } : {}), ...(ofSession ? { ofSession } : {}), ...(ofCall ? { ofCall } : {}), ...(paths ? { paths: [...paths] } : {}) }
}
