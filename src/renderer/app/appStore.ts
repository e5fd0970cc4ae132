import { create } from 'zustand'
import { said, type Result, type Said } from '../../shared/domain/result'
import type { SandboxFacts } from '../../shared/domain/sandbox'
import type { Workspace } from '../../shared/domain/session'
import type { Settings } from '../../shared/domain/settings'
import type { AppStart } from '../../shared/ipc/views'
import type { Locale } from '../../shared/words/say'
import { host } from '../bridge/host'
import { readSizes, writeSizes, type Sizes } from './sizes'

export type Page = 'work' | 'timeline' | 'memory' | 'servers' | 'skills' | 'audit' | 'models' | 'usage' | 'settings' | 'permissions' | 'plan' | 'context' | 'turn'

/** What of the record is known: how long it is, and whether it was checked. */
export interface RecordState {
  readonly entries: number
  readonly firstBroken: number | null
  readonly isChecked: boolean
  readonly startsAt: number
  readonly checkedAtMs: number | null
  readonly isChecking: boolean
}

/** Before it was walked. */
export const uncheckedRecord: RecordState = { entries: 0, firstBroken: null, isChecked: false, startsAt: 1, checkedAtMs: null, isChecking: false }

export interface AppState {
  readonly start: AppStart | null
  readonly settings: Settings | null
  readonly workspace: Workspace | null
  readonly page: Page
  readonly isPaletteOpen: boolean
  readonly isOpening: boolean
  readonly isSessionsOpen: boolean
  readonly isTimelineOpen: boolean
  readonly sizes: Sizes
  readonly fault: Said | null
  readonly record: RecordState | null
  /** Why the window could not begin: the main process did not answer. */
  readonly broken: string | null
}

export const useApp = create<AppState>(() => ({
  start: null, settings: null, workspace: null, page: 'work', isPaletteOpen: false, isOpening: false, isSessionsOpen: true, isTimelineOpen: true, sizes: readSizes(''), fault: null, record: null, broken: null,
}))

const { getState: get, setState: set } = useApp

/** What follows when a folder was entered; set by `connectApp`. */
let entered: (workspace: Workspace) => void = () => undefined

/** What follows when it was left. */
let left: () => void = () => undefined

/** A folder is open: by a button here, or by another way that main tells of. Known already: nothing changes but the page. */
function enter(workspace: Workspace): void {
  const isNew = get().workspace?.id !== workspace.id
  // At the start the folder is only learnt of, and the person may have gone to another page meanwhile.
  const page = get().start === null ? get().page : 'work'
  // What main says twice (as an answer and as a push, in either order) must not take a fault off the screen.
  set((state) => ({ workspace, fault: isNew ? null : state.fault, isOpening: false, page, sizes: readSizes(workspace.id) }))
  if (isNew) entered(workspace)
}

/** Reads what the window needs before it draws, and follows it from then on; returns a stop. */
export async function connectApp(onWorkspace: (workspace: Workspace) => void, onSettings: () => void, onLeft: () => void = () => undefined): Promise<() => void> {
  entered = onWorkspace
  left = onLeft
  const stops = [
    host().on('workspace/opened', enter),
    host().on('app/fault', (fault) => set({ fault })),
    host().on('sandbox/changed', takeSandbox),
    host().on('settings/changed', (settings) => { takeSettings(settings); onSettings() }),
    host().on('audit/changed', ({ entries }) => set((state) => ({ record: { ...(state.record ?? uncheckedRecord), entries } }))),
  ]
  const start = await host().appStart({})
  takeSettings(start.settings)
  if (start.workspace) enter(start.workspace)
  set({ start, record: start.audit && { ...uncheckedRecord, entries: start.audit.entries } })
  set({ fault: start.faults[0] ?? null })
  return () => stops.forEach((stop) => stop())
}

/** A fault nobody expected: said in words wherever the person is. */
export function tellBug(reason: unknown): void {
  set({ isOpening: false, fault: said('ui.bug', { problem: reason instanceof Error ? reason.message : String(reason) }) })
}

/** Says that the window cannot begin. */
export function cannotBegin(reason: unknown): void {
  set({ broken: reason instanceof Error ? reason.message : String(reason) })
}

/** Says in a toast why something was not done. */
export function tellFault(fault: Said): void {
  set({ fault })
}

export function go(page: Page): void {
  set({ page })
}

export function showPalette(isPaletteOpen: boolean): void {
  set({ isPaletteOpen })
}

export function toggleSessions(): void {
  set((state) => ({ isSessionsOpen: !state.isSessionsOpen }))
}

export function toggleTimeline(): void {
  set((state) => ({ isTimelineOpen: !state.isTimelineOpen }))
}

/** Sizes of zones are kept per project. */
export function resizeZone(change: Partial<Sizes>): void {
  const sizes = { ...get().sizes, ...change }
  set({ sizes })
  writeSizes(get().workspace?.id ?? '', sizes)
}

export async function chooseFolder(): Promise<void> {
  const result = await host().workspaceChoose({})
  if (result) take(result)
}

export async function openFolder(root: string): Promise<void> {
  set({ isOpening: true, fault: null })
  take(await host().workspaceOpen({ root }))
}

export async function openDropped(file: File): Promise<void> {
  const root = host().droppedPath(file)
  if (root !== '') await openFolder(root)
}

export async function startPractice(): Promise<void> {
  set({ isOpening: true, fault: null })
  take(await host().practiceStart({}))
}

/** Closes the folder; nothing of it is read any more. */
export async function leaveFolder(): Promise<void> {
  const result = await host().workspaceClose({})
  if (!result.ok) return set({ fault: result.fault })
  set({ workspace: null, page: 'work', fault: null })
  left()
}

function take(result: Result<Workspace>): void {
  if (result.ok) {
    set({ fault: null })
    enter(result.value)
  } else set({ isOpening: false, fault: result.fault })
}

/** What the last self-test of the sandbox found; the window's start holds it. */
function takeSandbox(sandbox: SandboxFacts): void {
  set((state) => (state.start === null ? {} : { start: { ...state.start, sandbox } }))
}

/** Tests the sandbox again, as at the start. */
export async function testSandbox(): Promise<void> {
  takeSandbox({ kind: 'testing' })
  takeSandbox(await host().sandboxTest({}))
}

/** Settings as main has them, and the changes it has not answered yet: those that are on their way, and those that wait for that answer. */
const changes: { known: Settings | null; sent: Partial<Settings>; next: Partial<Settings>; sending: Promise<void> | null } = { known: null, sent: {}, next: {}, sending: null }

/** What main says is older than what the person changed since: that stays on screen, and in the objects that further changes are made from. */
function takeSettings(known: Settings): void {
  changes.known = known
  set({ settings: { ...known, ...changes.sent, ...changes.next } })
}

/**
 * Shows a change at once, and puts it back when it could not be kept. One is sent after the other: main may take its time
 * over one, and two at once might be kept in the wrong order. Resolves when everything changed so far was answered.
 */
export function changeSettings(change: Partial<Settings>): Promise<void> {
  changes.next = { ...changes.next, ...change }
  const { settings } = get()
  if (settings) set({ settings: { ...settings, ...change } })
  changes.sending ??= sendChanges().finally(() => { changes.sending = null })
  return changes.sending
}

async function sendChanges(): Promise<void> {
  while (Object.keys(changes.next).length > 0) {
    changes.sent = changes.next
    changes.next = {}
    const result = await host().settingsChange(changes.sent).finally(() => { changes.sent = {} })
    const known = result.ok ? result.value : changes.known
    if (known) takeSettings(known)
    set({ fault: result.ok ? null : result.fault })
  }
}

/** Checks the record from its first entry on. */
export async function verifyRecord(): Promise<void> {
  set((state) => ({ record: { ...(state.record ?? uncheckedRecord), isChecking: true } }))
  try {
    const { entries, firstBroken, startsAt, atMs } = await host().auditVerify({})
    set({ record: { entries, firstBroken, startsAt, isChecked: true, checkedAtMs: atMs, isChecking: false } })
  } finally {
    set((state) => ({ record: state.record && { ...state.record, isChecking: false } }))
  }
}

/** The language to speak: the chosen one, else the system's as the main process found it. */
export function localeOf(start: AppStart | null, settings: Settings | null): Locale {
  if (settings && settings.locale !== 'system') return settings.locale
  return start?.locale ?? (navigator.language.startsWith('zh') ? 'zh-CN' : 'en')
}
