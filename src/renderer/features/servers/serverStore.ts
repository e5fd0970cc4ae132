import { create } from 'zustand'
import type { McpChange, McpChoice, McpLogLine, McpServerForm } from '../../../shared/domain/mcp'
import type { Result, Said } from '../../../shared/domain/result'
import type { McpPage, McpServerDetail, McpTestStep } from '../../../shared/ipc/views'
import type { Ask } from '../../../shared/ipc/bridge'
import { host } from '../../bridge/host'
import { countChanges, draftOf, emptyDraft, faultsOf, formOf, freeName, hasFaults, hiddenOf, looksSecret, type Draft, type DraftValue, type ValueList } from './draft'

/** What the form shows: a server that is kept, or one that is not yet. */
export type Chosen = { readonly kind: 'server'; readonly name: string } | { readonly kind: 'new'; readonly id: number }

/** A run of the test button. */
export interface TestRun {
  readonly ticket: string
  readonly steps: readonly McpTestStep[]
  readonly isRunning: boolean
  /** The form that was tried. */
  readonly draft: Draft
}

export interface ServerState {
  /** Null until the first answer. */
  readonly page: McpPage | null
  readonly chosen: Chosen | null
  readonly details: Readonly<Record<string, McpServerDetail>>
  /** What was changed and not saved, by `keyOf`; it stays when the person goes elsewhere. */
  readonly drafts: Readonly<Record<string, Draft>>
  readonly tests: Readonly<Record<string, TestRun>>
  /** Values that are looked at, by `revealKey`; each goes after 20 seconds. */
  readonly revealed: Readonly<Record<string, string>>
  readonly log: { readonly name: string; readonly lines: readonly McpLogLine[] } | null
  readonly fault: Said | null
  readonly isSaving: boolean
  /** The browser is open for it. */
  readonly signingIn: string | null
  readonly dialog: 'import' | 'paste' | 'remove' | null
}

export const useServers = create<ServerState>(() => ({ page: null, chosen: null, details: {}, drafts: {}, tests: {}, revealed: {}, log: null, fault: null, isSaving: false, signingIn: null, dialog: null }))

const { getState: get, setState: set } = useServers
let due: ReturnType<typeof setTimeout> | undefined
let tickets = 0
let newDrafts = 0
const hiding = new Map<string, ReturnType<typeof setTimeout>>()
const revealMs = 20_000

export const keyOf = (chosen: Chosen): string => (chosen.kind === 'server' ? `server:${chosen.name}` : `new:${chosen.id}`)
export const revealKey = (name: string, list: ValueList, field: string): string => JSON.stringify([name, list, field])

/** Follows the servers; returns a stop. */
export function connectServers(): () => void {
  const stops = [
    host().on('mcp/changed', (page) => {
      takePage(page)
      clearTimeout(due)
      due = setTimeout(() => void readShown(), 100)
    }),
    host().on('mcp/test-step', ({ ticket, step }) => addStep(ticket, step)),
  ]
  return () => {
    clearTimeout(due)
    hideAll()
    stops.forEach((stop) => stop())
  }
}

/** Reads the page and what of it is on screen. */
export async function loadServers(): Promise<void> {
  takePage(await host().mcpRead({}))
  await readShown()
}

function takePage(page: McpPage): void {
  const { chosen, drafts } = get()
  const names = new Set(page.servers.map((row) => row.name))
  const isGone = chosen?.kind === 'server' && !names.has(chosen.name) && !(keyOf(chosen) in drafts)
  const first = page.servers.find((row) => row.state.kind === 'failed' || row.changes > 0) ?? page.servers[0]
  set({ page, ...((chosen === null || isGone) && { chosen: first ? { kind: 'server', name: first.name } : null }) })
}

/** The server whose changed tools or start are beside the form: the chosen one if it has anything to show, else the first that waits. */
export function besideOf({ page, chosen, details }: Pick<ServerState, 'page' | 'chosen' | 'details'>): string | null {
  const own = chosen?.kind === 'server' ? chosen.name : null
  const detail = own === null ? undefined : details[own]
  if (detail && (detail.tools.length > 0 || detail.changes.length > 0 || detail.resources.length > 0 || detail.prompts.length > 0)) return own
  return page?.servers.find((row) => row.changes > 0 && row.state.kind !== 'disabled')?.name ?? own
}

async function readShown(): Promise<void> {
  const { chosen } = get()
  if (chosen?.kind === 'server') await readDetail(chosen.name)
  const beside = besideOf(get())
  if (beside !== null && !(chosen?.kind === 'server' && chosen.name === beside)) await readDetail(beside)
}

async function readDetail(name: string): Promise<void> {
  const result = await host().mcpServer({ name })
  if (result.ok) set((state) => ({ details: { ...state.details, [name]: withSameForm(result.value, state.details[name]) } }))
  else if (get().page?.servers.some((row) => row.name === name)) set({ fault: result.fault })
}

/** A form that did not change stays the same object: a caret in it is not lost because the server's state changed. */
function withSameForm(detail: McpServerDetail, before: McpServerDetail | undefined): McpServerDetail {
  return before && JSON.stringify(before.form) === JSON.stringify(detail.form) ? { ...detail, form: before.form } : detail
}

/** Opens a server's form; what was being typed in another one stays there. */
export function choose(chosen: Chosen): void {
  hideAll()
  set({ chosen, fault: null, log: null })
  void readShown()
}

/** Begins a server that is not kept before it is saved. */
export function addServer(change: Partial<Draft> = {}): void {
  newDrafts += 1
  const chosen: Chosen = { kind: 'new', id: newDrafts }
  set((state) => ({ drafts: { ...state.drafts, [keyOf(chosen)]: { ...emptyDraft, ...change } } }))
  choose(chosen)
}

/** The chosen form as it is: what was typed, else what is kept. */
export function draftShown({ chosen, drafts, details }: Pick<ServerState, 'chosen' | 'drafts' | 'details'>): Draft | null {
  if (chosen === null) return null
  const draft = drafts[keyOf(chosen)]
  if (draft) return draft
  const detail = chosen.kind === 'server' ? details[chosen.name] : undefined
  return detail ? keptDraft(detail) : null
}

const keptDrafts = new WeakMap<McpServerForm, Draft>()

/** The form of a server, once: its rows keep their ids while nothing is typed. */
function keptDraft({ form }: McpServerDetail): Draft {
  const draft = keptDrafts.get(form) ?? draftOf(form)
  keptDrafts.set(form, draft)
  return draft
}

/** The name it has in the file; none where it is new, or gone from the file meanwhile. */
function previousOf(chosen: Chosen): string | null {
  return chosen.kind === 'server' && get().page?.servers.some((row) => row.name === chosen.name) === true ? chosen.name : null
}

/** Names that another server has. */
export function takenNames({ page, chosen }: Pick<ServerState, 'page' | 'chosen'>): readonly string[] {
  return (page?.servers ?? []).map((row) => row.name).filter((name) => !(chosen?.kind === 'server' && chosen.name === name))
}

/** Changes the chosen form. A form that is as it was kept is no draft any more. */
export function edit(change: Partial<Draft>): void {
  const state = get()
  const draft = draftShown(state)
  if (state.chosen === null || draft === null) return
  const next = { ...draft, ...change }
  const kept = state.chosen.kind === 'server' ? state.details[state.chosen.name]?.form : undefined
  const key = keyOf(state.chosen)
  if (kept && countChanges(next, kept) === 0) return revert()
  set({ drafts: { ...state.drafts, [key]: next } })
}

const without = <Value>(record: Readonly<Record<string, Value>>, key: string): Readonly<Record<string, Value>> => Object.fromEntries(Object.entries(record).filter(([name]) => name !== key))

/** Gives up what was typed; a new server is gone with it. */
export function revert(): void {
  const { chosen, drafts, page } = get()
  if (chosen === null) return
  set({ drafts: without(drafts, keyOf(chosen)), fault: null })
  if (chosen.kind === 'new' || !page?.servers.some((row) => row.name === chosen.name)) {
    set({ chosen: null })
    if (page) takePage(page)
    void readShown()
  }
}

/** Whether the chosen form may be sent, and as what; says from then on what is missing. */
function checked(): { readonly chosen: Chosen; readonly draft: Draft; readonly form: Ask<'mcp/save'>['form'] } | null {
  const state = get()
  const { chosen } = state
  const draft = draftShown(state)
  if (chosen === null || draft === null) return null
  if (hasFaults(faultsOf(draft, takenNames(state)))) {
    set({ drafts: { ...state.drafts, [keyOf(chosen)]: { ...draft, isTried: true } } })
    return null
  }
  const form = formOf(draft)
  // A switch acts at once and is no part of what is typed.
  const isDisabled = chosen.kind === 'server' ? (state.details[chosen.name]?.form.isDisabled ?? draft.isDisabled) : draft.isDisabled
  return { chosen, draft, form: { ...form, isDisabled, args: [...form.args], env: [...form.env], headers: [...form.headers] } }
}

/** Writes the chosen form; only then is what was typed let go. Secrets leave the window with it. */
export async function save(passPhrase: string): Promise<boolean> {
  const ready = checked()
  if (!ready || get().isSaving) return false
  const { chosen, draft, form } = ready
  set({ isSaving: true })
  const result = await host().mcpSave({ form, previousName: previousOf(chosen), ...(passPhrase === '' ? {} : { passPhrase }) }).finally(() => set({ isSaving: false }))
  set({ fault: result.ok ? null : result.fault })
  if (!result.ok) return false
  // What was typed while it was being written is not lost.
  const isStill = get().drafts[keyOf(chosen)] === draft
  hideAll()
  if (isStill) set((state) => ({ drafts: without(state.drafts, keyOf(chosen)), tests: without(state.tests, keyOf(chosen)), chosen: state.chosen && keyOf(state.chosen) === keyOf(chosen) ? { kind: 'server', name: form.name } : state.chosen }))
  await loadServers()
  return true
}

/** Tries the chosen form without saving it. */
export async function test(): Promise<void> {
  const ready = checked()
  if (!ready) return
  const key = keyOf(ready.chosen)
  tickets += 1
  const ticket = `test-${tickets}`
  set((state) => ({ tests: { ...state.tests, [key]: { ticket, steps: [], isRunning: true, draft: ready.draft } } }))
  const end = (steps: readonly McpTestStep[]): void => { if (get().tests[key]?.ticket === ticket) set((state) => ({ tests: { ...state.tests, [key]: { ticket, steps, isRunning: false, draft: ready.draft } } })) }
  try {
    end(await host().mcpTest({ form: ready.form, previousName: previousOf(ready.chosen), ticket }))
  } finally {
    end(get().tests[key]?.steps ?? [])
  }
}

function addStep(ticket: string, step: McpTestStep): void {
  const found = Object.entries(get().tests).find(([, run]) => run.ticket === ticket && run.isRunning)
  if (found) set((state) => ({ tests: { ...state.tests, [found[0]]: { ...found[1], steps: [...found[1].steps, step] } } }))
}

export function closeTest(): void {
  const { chosen, tests } = get()
  if (chosen) set({ tests: without(tests, keyOf(chosen)) })
}

/** Takes what an answer says and reads anew what it changed. */
async function after(result: Result<unknown>): Promise<boolean> {
  set({ fault: result.ok ? null : result.fault })
  await loadServers()
  return result.ok
}

/** A switch of a server that is kept. */
export async function setChoice(name: string, choice: McpChoice): Promise<void> {
  await after(await host().mcpChoose({ name, choice }))
}

/** Answers exactly the change that was shown: its hash goes along (R54). */
export async function review(name: string, change: McpChange, accept: boolean): Promise<void> {
  await after(await host().mcpReview({ name, subject: change.subject, tool: change.tool, hash: change.hash, accept }))
}

export async function startNow(name: string): Promise<void> {
  await after(await host().mcpStart({ name }))
  // Its card says why it failed.
  if (get().page?.servers.find((row) => row.name === name)?.state.kind === 'failed') set({ fault: null })
}

export async function stopServer(name: string): Promise<void> {
  await after(await host().mcpStop({ name }))
}

export async function signIn(name: string): Promise<void> {
  set({ signingIn: name })
  await after(await host().mcpSignIn({ name }).finally(() => set({ signingIn: null })))
}

export async function signOut(name: string): Promise<void> {
  await after(await host().mcpSignOut({ name }))
}

export async function removeServer(name: string): Promise<void> {
  const result = await host().mcpRemove({ name })
  set((state) => ({ dialog: null, ...(result.ok && { drafts: without(state.drafts, `server:${name}`), details: without(state.details, name) }) }))
  await after(result)
}

/** Shows a value for 20 seconds, or puts it away again. */
export async function toggleReveal(name: string, list: ValueList, field: string): Promise<void> {
  const key = revealKey(name, list, field)
  if (key in get().revealed) return hide(key)
  const result = await host().mcpReveal({ name, list, field })
  if (!result.ok) return set({ fault: result.fault })
  clearTimeout(hiding.get(key))
  hiding.set(key, setTimeout(() => hide(key), revealMs))
  set((state) => ({ revealed: { ...state.revealed, [key]: result.value.text } }))
}

function hide(key: string): void {
  clearTimeout(hiding.get(key))
  hiding.delete(key)
  set((state) => ({ revealed: without(state.revealed, key) }))
}

function hideAll(): void {
  for (const key of hiding.keys()) hide(key)
}

/** A second server made from the chosen one. The keychain gives no secret out, so those are to be typed again. */
export async function duplicate(): Promise<void> {
  const state = get()
  const draft = draftShown(state)
  if (state.chosen?.kind !== 'server' || draft === null) return
  const { name } = state.chosen
  const detail = state.details[name] ?? null
  const [env, headers] = await Promise.all([copied(name, 'env', draft.env, detail), copied(name, 'headers', draft.headers, detail)])
  addServer({ ...draft, name: freeName(name, (state.page?.servers ?? []).map((row) => row.name)), env, headers, isTried: false, base: null })
}

async function copied(name: string, list: ValueList, values: readonly DraftValue[], detail: McpServerDetail | null): Promise<readonly DraftValue[]> {
  return Promise.all(values.map(async (value): Promise<DraftValue> => {
    if (value.value.kind !== 'kept') return value
    const hidden = hiddenOf(detail, list, value.name)
    if (hidden?.place === 'keychain') return { ...value, value: { kind: 'secret', text: '' } }
    if (hidden?.reference != null) return { ...value, value: { kind: 'text', text: hidden.reference } }
    const result = await host().mcpReveal({ name, list, field: value.name })
    return { ...value, value: { kind: looksSecret(value.name) ? 'secret' : 'text', text: result.ok ? result.value.text : '' } }
  }))
}

export async function showLog(name: string): Promise<void> {
  const lines = await host().mcpLog({ name })
  set({ log: { name, lines } })
}

/** Reads the log that is open again. */
export async function followLog(): Promise<void> {
  const { log } = get()
  if (log === null) return
  const lines = await host().mcpLog({ name: log.name })
  if (get().log?.name === log.name) set({ log: { name: log.name, lines } })
}

export function closeLog(): void {
  set({ log: null })
}

export function showDialog(dialog: ServerState['dialog']): void {
  set({ dialog })
}

export function closeDialog(): void {
  set({ dialog: null })
}
