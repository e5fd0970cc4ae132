import { create } from 'zustand'
import type { RollbackId, SessionId, TurnId } from '../../../shared/domain/ids'
import type { Said } from '../../../shared/domain/result'
import type { PlanRow, RollbackPlan, RollbackRecord, RollbackScope, RollbackTarget } from '../../../shared/domain/rollback'
import { host } from '../../bridge/host'

/** What a plan was asked for. */
export interface PlanWish {
  readonly target: RollbackTarget
  /** A sentence that names the moment. */
  readonly title: string
  readonly sessionId: SessionId | null
  readonly turnId: TurnId | null
}

/** A call of another session that lies in a plan's range. */
export interface OtherCall {
  readonly sessionId: SessionId
  /** Its name. */
  readonly session: string
  readonly paths: readonly string[]
}

/** The three texts of a conflict. */
export interface ConflictTexts {
  readonly path: string
  readonly earlier: string | null
  readonly disk: string | null
}

export interface RollbackState {
  readonly wish: PlanWish | null
  readonly plan: RollbackPlan | null
  readonly scope: RollbackScope
  readonly unticked: ReadonlySet<string>
  /** The person's result for a conflict, by path. */
  readonly resolved: Readonly<Record<string, string>>
  readonly texts: ConflictTexts | null
  readonly isBusy: boolean
  readonly fault: Said | null
  readonly done: RollbackRecord | null
}

const nothing: RollbackState = { wish: null, plan: null, scope: 'files', unticked: new Set(), resolved: {}, texts: null, isBusy: false, fault: null, done: null }

export const useRollback = create<RollbackState>(() => nothing)

const { getState: get, setState: set } = useRollback

/** Asks for a plan; nothing is written. */
export async function planFor(wish: PlanWish): Promise<void> {
  set({ ...nothing, wish, isBusy: true })
  const result = await host().rollbackPlan({ target: wire(wish.target) })
  if (get().wish !== wish) return
  set({ isBusy: false, ...(result.ok ? { plan: result.value.plan } : { fault: result.fault }) })
  const conflict = get().plan?.rows.find((row) => row.action === 'conflict')
  if (conflict) await openConflict(conflict)
}

export async function setKeep(keepUserEdits: boolean): Promise<void> {
  const { wish, scope } = get()
  if (!wish) return
  await planFor({ ...wish, target: { ...wish.target, keepUserEdits } })
  set({ scope })
}

export function setScope(scope: RollbackScope): void {
  set({ scope })
}

export function tick(path: string, isOn: boolean): void {
  const unticked = new Set(get().unticked)
  if (isOn) unticked.delete(path)
  else unticked.add(path)
  set({ unticked })
}

export async function openConflict(row: PlanRow): Promise<void> {
  const [earlier, disk] = await Promise.all([textOf(row.to?.oid), textOf(row.from?.oid)])
  set({ texts: { path: row.path, earlier, disk } })
}

async function textOf(oid: string | undefined): Promise<string | null> {
  if (oid === undefined) return null
  const result = await host().timelineFile({ oid })
  if (!result.ok) set({ fault: result.fault })
  return result.ok ? result.value.text : null
}

export function resolve(path: string, text: string): void {
  set((state) => ({ resolved: { ...state.resolved, [path]: text } }))
}

/** Rows that will write something when the button is pressed. */
export function writingRows(state: Pick<RollbackState, 'plan' | 'unticked'>): readonly PlanRow[] {
  return (state.plan?.rows ?? []).filter((row) => row.action !== 'leave' && row.action !== 'cannot' && !state.unticked.has(row.path))
}

/** Other sessions of which calls are taken back with what is ticked, and how many of each; in order of their first one. */
export function othersTaken(state: Pick<RollbackState, 'plan' | 'unticked'>, others: readonly OtherCall[]): readonly { readonly sessionId: SessionId; readonly session: string; readonly count: number }[] {
  const writing = new Set(writingRows(state).map((row) => row.path))
  const taken = new Map<SessionId, { sessionId: SessionId; session: string; count: number }>()
  for (const { sessionId, session, paths } of others) {
    if (paths.some((path) => writing.has(path))) taken.set(sessionId, { sessionId, session, count: (taken.get(sessionId)?.count ?? 0) + 1 })
  }
  return [...taken.values()]
}

/** Conflicts that are ticked and have no result yet. */
export function openConflicts(state: Pick<RollbackState, 'plan' | 'unticked' | 'resolved'>): readonly PlanRow[] {
  return writingRows(state).filter((row) => row.action === 'conflict' && state.resolved[row.path] === undefined)
}

/** Writes the plan as it stands on screen. */
export async function apply(): Promise<void> {
  const state = get()
  const { wish, plan, scope, unticked, resolved } = state
  if (!wish || !plan || state.isBusy) return
  set({ isBusy: true, fault: null })
  const result = await host().rollbackApply({ target: wire(plan.target), scope, sessionId: wish.sessionId, turnId: wish.turnId, head: plan.head, unticked: [...unticked], leftChanges: {}, resolved: { ...resolved } })
  set({ isBusy: false, ...(result.ok ? { done: result.value } : { fault: result.fault }) })
}

/** Takes a rollback back. */
export async function undo(rollbackId: RollbackId): Promise<void> {
  set({ isBusy: true, fault: null })
  const result = await host().rollbackUndo({ rollbackId })
  set({ isBusy: false, ...(result.ok ? { done: result.value } : { fault: result.fault }) })
}

export function closePlan(): void {
  set(nothing)
}

function wire(target: RollbackTarget): Parameters<ReturnType<typeof host>['rollbackPlan']>[0]['target'] {
  const { to, only, paths, keepUserEdits } = target
  return { to, keepUserEdits, ...(only ? { only } : {}), ...(paths ? { paths: [...paths] } : {}) }
}
