import { create } from 'zustand'
import type { CallId, WorkspaceId } from '../../../shared/domain/ids'
import { said, type Said } from '../../../shared/domain/result'
import type { RuleDraft } from '../../../shared/domain/rule'
import type { Ask } from '../../../shared/ipc/bridge'
import type { BackTest, PermissionsPage } from '../../../shared/ipc/views'
import { host } from '../../bridge/host'
import { callKey, draftOf, editingOfCall, editingOfRule, newEditing, ruleKey, withShape, type Editing } from './editing'
import type { Revocable } from './live'

/** What was tried last; `of` is the very draft, so that no answer stands beside another question. */
export interface Trial {
  readonly key: string
  readonly phase: 'trying' | 'done' | 'failed'
  readonly of: RuleDraft
  readonly result: BackTest | null
  readonly fault: Said | null
}

export interface RuleNotice {
  readonly tone: 'ok' | 'bad' | 'info'
  readonly say: Said
  /** The call whose question may still wait. */
  readonly callId: CallId | null
}

export interface RuleState {
  readonly page: PermissionsPage | null
  /** The project that is open; rules on "this project" are saved for it. */
  readonly openId: WorkspaceId | null
  /** Everything that is being written, by key; leaving the page loses none of it. */
  readonly drafts: Readonly<Record<string, Editing>>
  /** The one in the editor. */
  readonly at: string | null
  readonly proposing: CallId | null
  readonly trial: Trial | null
  readonly isSaving: boolean
  /** Of the last try to save. */
  readonly fault: Said | null
  readonly notice: RuleNotice | null
  readonly isDrawerOpen: boolean
}

export const useRules = create<RuleState>(() => ({ page: null, openId: null, drafts: {}, at: null, proposing: null, trial: null, isSaving: false, fault: null, notice: null, isDrawerOpen: false }))

const { getState: get, setState: set } = useRules
const tryMs = 250

/** Counts what was asked: an older answer says nothing. */
let ticket = 0
let due: ReturnType<typeof setTimeout> | undefined

/** Follows what holds; returns a stop. */
export function connectRules(): () => void {
  const stop = host().on('permission/changed', (page) => set({ page }))
  return () => {
    clearTimeout(due)
    ticket += 1
    stop()
  }
}

export async function loadRules(): Promise<void> {
  const { openId } = get()
  const page = await host().permissionRead({})
  if (get().openId === openId) set({ page })
}

/** Another folder, or none: what was made from its calls is of no use here; a new rule stays, for whatever folder it is saved in. */
export function enterRules(openId: WorkspaceId | null): void {
  clearTimeout(due)
  ticket += 1
  const { new: fresh } = get().drafts
  set({ openId, page: null, drafts: fresh ? { new: { ...fresh, scope: fresh.scope === 'this' && openId === null && fresh.kind !== 'tool' ? 'all' : fresh.scope } } : {}, at: null, proposing: null, trial: null, isSaving: false, fault: null, notice: null, isDrawerOpen: false })
  void loadRules()
}

export function showGrants(isDrawerOpen: boolean): void {
  set({ isDrawerOpen, ...(isDrawerOpen ? { notice: null } : {}) })
}

export function dismissNotice(): void {
  set({ notice: null })
}

/** The editor with a new rule, or with the one that was begun. */
export function startRule(): void {
  const { drafts, openId } = get()
  open(drafts['new'] ?? newEditing(openId !== null))
}

/** The editor with a rule that is there; one that is gone is told of. */
export async function editRule(id: string): Promise<void> {
  const kept = get().drafts[ruleKey(id)]
  if (kept) return open(kept)
  const rowOf = () => get().page?.rules.find(({ rule }) => rule.id === id)
  if (!rowOf()) await loadRules()
  const row = rowOf()
  if (row) open(editingOfRule(row, get().openId))
  else set({ at: null, notice: { tone: 'bad', say: said('guard.rule-gone', { rule: id }), callId: null } })
}

/** The editor with what a call proposes. */
export async function ruleForCall(callId: CallId): Promise<void> {
  const kept = get().drafts[callKey(callId)]
  if (kept) return open(kept)
  set({ proposing: callId, at: null, notice: null })
  const found = await host().permissionPropose({ callId }).finally(() => { if (get().proposing === callId) set({ proposing: null }) })
  if (get().at !== null) return
  if (found.ok) open(editingOfCall(callId, found.value))
  else set({ notice: { tone: 'bad', say: found.fault, callId } })
}

function open(editing: Editing): void {
  set((state) => ({ at: editing.key, drafts: { ...state.drafts, [editing.key]: editing }, trial: state.trial?.key === editing.key ? state.trial : null, fault: null, notice: null }))
  tryOut()
}

/** Changes what is in the editor. */
export function edit(change: (editing: Editing) => Editing): void {
  const { at, drafts } = get()
  const editing = at === null ? undefined : drafts[at]
  if (at === null || !editing) return
  set({ drafts: { ...drafts, [at]: change(editing) }, fault: null })
  tryOut()
}

/** Puts a narrower shape into the editor. */
export function narrowTo(shape: RuleDraft['shape']): void {
  edit((editing) => withShape(editing, shape))
}

/** Gives up what is in the editor. */
export function cancelRule(): void {
  const { at, drafts } = get()
  clearTimeout(due)
  ticket += 1
  set({ at: null, drafts: without(drafts, at), trial: null, fault: null })
}

/** Leaves the editor and keeps what is in it. */
export function leaveRule(): void {
  set({ at: null })
}

function without(drafts: RuleState['drafts'], key: string | null): RuleState['drafts'] {
  return Object.fromEntries(Object.entries(drafts).filter(([name]) => name !== key))
}

/** The editor's rule as it would be saved now; null while it is none, with what is missing shown beside its field. */
export function draftNow({ at, drafts, openId }: Pick<RuleState, 'at' | 'drafts' | 'openId'>): RuleDraft | null {
  const editing = at === null ? undefined : drafts[at]
  const drafted = editing && draftOf(editing, openId, Date.now())
  return drafted?.ok === true ? drafted.draft : null
}

/** What the back-test depends on: a time that runs on changes nothing. */
export function isSameTrial(first: RuleDraft, other: RuleDraft): boolean {
  const key = ({ expiresAtMs, ...rest }: RuleDraft): string => JSON.stringify({ ...rest, hasEnd: expiresAtMs !== null })
  return key(first) === key(other)
}

/** Tries what is in the editor on the past, once it was left alone for a moment; only the last answer counts. */
export function tryOut(waitMs = tryMs): void {
  clearTimeout(due)
  const draft = draftNow(get())
  const { trial, at } = get()
  if (draft === null || at === null) {
    ticket += 1
    return
  }
  if (trial && trial.key === at && trial.phase !== 'failed' && isSameTrial(trial.of, draft)) return
  ticket += 1
  const mine = ticket
  set({ trial: { key: at, phase: 'trying', of: draft, result: trial?.key === at ? trial.result : null, fault: null } })
  due = setTimeout(() => void askPast(mine, at, draft), waitMs)
}

async function askPast(mine: number, key: string, draft: RuleDraft): Promise<void> {
  const replaces = replacing(get())
  try {
    const found = await host().permissionTryOut({ draft: wire(draft), replaces })
    if (mine === ticket) set({ trial: { key, phase: found.ok ? 'done' : 'failed', of: draft, result: found.ok ? found.value : null, fault: found.ok ? null : found.fault } })
  } catch (error) {
    if (mine === ticket) set({ trial: { key, phase: 'failed', of: draft, result: null, fault: said('permission.not-tried') } })
    throw error
  }
}

/** As the bridge takes it: the same, of its own. */
function wire(draft: RuleDraft): Ask<'permission/try-out'>['draft'] {
  return structuredClone(draft) as ReturnType<typeof wire>
}

/** The rule that saving takes the place of; none when it is gone. */
function replacing({ at, drafts, page }: RuleState): string | null {
  const id = at === null ? null : (drafts[at]?.replaces ?? null)
  return id !== null && page?.rules.some(({ rule }) => rule.id === id) === true ? id : null
}

/** Saves what is in the editor, or the narrower shapes that its trial found. */
export async function saveRule(what: 'as-is' | 'narrowed'): Promise<void> {
  const { at, drafts, trial, isSaving } = get()
  const draft = draftNow(get())
  const editing = at === null ? undefined : drafts[at]
  if (isSaving || !draft || !editing || trial?.phase !== 'done' || !isSameTrial(trial.of, draft)) return
  const shapes = what === 'narrowed' ? (trial.result?.narrowed?.shapes ?? []) : [draft.shape]
  if (shapes.length === 0) return
  set({ isSaving: true, fault: null })
  try {
    const known = await host().permissionRead({})
    const saved = await host().permissionSave({ drafts: shapes.map((shape) => wire({ ...draft, shape })), replaces: replacing(get()) })
    if (!saved.ok) return set({ fault: saved.fault })
    const page = await host().permissionRead({})
    takeSaved(editing, page, page.rules.map(({ rule }) => rule.id).filter((id) => !known.rules.some(({ rule }) => rule.id === id)))
  } finally {
    set({ isSaving: false })
  }
}

function takeSaved(editing: Editing, page: PermissionsPage, rules: readonly string[]): void {
  const { key, replaces, callId } = editing
  const isFromCard = replaces === null && callId !== null
  set((state) => ({
    page, drafts: without(state.drafts, key), at: state.at === key ? null : state.at, trial: state.trial?.key === key ? null : state.trial,
    notice: { tone: 'ok', say: said('permission.saved', { rules }), callId: isFromCard ? callId : null },
  }))
}

/** Ends one permission at once. */
export async function revoke(of: Revocable, done: Said): Promise<void> {
  const ended = await host().permissionRevoke({ of })
  set({ notice: ended.ok ? { tone: 'ok', say: done, callId: null } : { tone: 'bad', say: ended.fault, callId: null } })
  await loadRules()
}

/** Ends all that lets calls run here. */
export async function revokeAll(): Promise<void> {
  await host().permissionRevokeAll({})
  set({ notice: { tone: 'ok', say: said('permission.revoked-all'), callId: null } })
  await loadRules()
}
