import { create } from 'zustand'
import { applyEvent, applyPart, emptyChat, orderOf, type ChatView } from '../../../shared/domain/chatView'
import type { AgentEvent, LivePart } from '../../../shared/domain/event'
import type { CallId, SessionId, TurnId } from '../../../shared/domain/ids'
import { modelFaultKind } from '../../../shared/domain/modelFaultKind'
import { said, type Said } from '../../../shared/domain/result'
import type { AskingLevel, SessionSummary } from '../../../shared/domain/session'
import { applyToSummary, inListOrder } from '../../../shared/domain/sessionList'
import { readPageEvents } from '../../../shared/ipc/sessionViews'
import type { ProgramRow } from '../../../shared/ipc/views'
import { host } from '../../bridge/host'
import { drafts, sayable, withFiles, type Attachment, type ChosenSkill, type Editing, type MessageFile, type Typed } from './drafts'
import { OutputBook } from './outputBook'
import { readOwnCommand, type OwnCommand } from './ownCommand'
import { enqueue, handingOver } from './queueActs'
import { moveReading, readingOf, takeUnread } from './readingStore'
import { messageOf } from './typedMessage'

/** The place of a draft before its session exists. */
const newSession = 'new' as SessionId

/** A place in a conversation: a call, or what was said at a time. */
export interface Place {
  readonly sessionId: SessionId
  readonly at: { readonly callId: CallId } | { readonly atMs: number } | { readonly seq: number }
}

export interface WorkState {
  readonly sessions: readonly SessionSummary[]
  readonly current: SessionId | null
  readonly chats: Readonly<Record<SessionId, ChatView>>
  readonly drafts: Readonly<Record<SessionId, string>>
  /** The resources that go with a draft. */
  readonly attached: Readonly<Record<SessionId, readonly Attachment[]>>
  /** The files and pictures that go with a draft. */
  readonly files: Readonly<Record<SessionId, readonly MessageFile[]>>
  /** The skills that go with a draft. */
  readonly chosen: Readonly<Record<SessionId, readonly ChosenSkill[]>>
  /** Earlier messages that a draft takes the place of. */
  readonly editing: Readonly<Record<SessionId, Editing | undefined>>
  /** Why the last message did not go out. */
  readonly faults: Readonly<Record<SessionId, Said>>
  /** Sessions whose message is being handed over, since when. */
  readonly sending: Readonly<Record<SessionId, number>>
  /** Where in a conversation to go once it is drawn. */
  readonly place: Place | null
  /** Programs that finished commands left running. */
  readonly programs: readonly ProgramRow[]
}

export const useWork = create<WorkState>(() => ({ sessions: [], current: null, chats: {}, drafts: {}, attached: {}, files: {}, chosen: {}, editing: {}, faults: {}, sending: {}, place: null, programs: [] }))
export const outputs = new OutputBook()

const { getState: get, setState: set } = useWork
/** Events that came while an earlier range was asked for. */
const held = new Map<SessionId, AgentEvent[]>()

/** Where what is typed now belongs. */
export const draftKey = (): SessionId => get().current ?? newSession

/** Hears everything about sessions from now on; returns a stop. */
export function connectWork(): () => void {
  const stops = [host().on('session/events', receive), host().on('session/parts', receiveParts), host().on('program/changed', (programs) => set({ programs }))]
  return () => stops.forEach((stop) => stop())
}

/** Reads the sessions of the folder that was opened and shows the newest. */
export async function loadSessions(): Promise<void> {
  const [sessions, programs] = await Promise.all([host().sessionList({}), host().programList({}), drafts.load()])
  held.clear()
  set({ sessions: inListOrder(sessions), current: null, chats: {}, drafts: {}, attached: {}, files: {}, chosen: {}, editing: {}, faults: {}, programs })
  showDraft(newSession)
  for (const [sessionId, names] of takeUnread()) tellFault(sessionId, said('attach.lost', { names: names.join(', ') }))
  const { place } = get()
  const wished = sessions.find((row) => row.id === place?.sessionId)
  const newest = sessions.reduce<SessionSummary | null>((best, row) => (row.deletedAtMs !== null || (best && best.lastAtMs >= row.lastAtMs) ? best : row), null)
  const first = wished ?? newest
  if (first) await selectSession(first.id)
}

/** What stands in the box of a session, as it was left. */
function showDraft(sessionId: SessionId): void {
  const { text, attachments, files, skills, editing } = drafts.read(sessionId)
  set((state) => ({ drafts: { ...state.drafts, [sessionId]: text }, attached: { ...state.attached, [sessionId]: attachments }, files: { ...state.files, [sessionId]: files }, chosen: { ...state.chosen, [sessionId]: skills }, editing: { ...state.editing, [sessionId]: editing } }))
}

/** Shows a session; reads its events when they are not known yet. */
export async function selectSession(sessionId: SessionId): Promise<void> {
  set({ current: sessionId })
  if (get().drafts[sessionId] === undefined) showDraft(sessionId)
  if (get().chats[sessionId] === undefined) await catchUp(sessionId)
}

/** Reads the events of sessions that are not on screen, one after the other; those that are known already are left alone. */
export async function readChats(ids: readonly SessionId[]): Promise<void> {
  for (const id of ids) if (get().chats[id] === undefined && !held.has(id)) await catchUp(id)
}

/** Shows the empty page of a session that does not exist before its first message. */
export function startNewSession(): void {
  set({ current: null })
  showDraft(newSession)
}

export async function renameSession(sessionId: SessionId, title: string): Promise<void> {
  if (title.trim() !== '') await host().sessionRename({ sessionId, title: title.trim() })
}

export function setDraft(text: string): void {
  changeDraft(draftKey(), { text })
}

/** What stands in a message box, with what goes along. */
export function draftOf(sessionId: SessionId): Typed {
  const { drafts: texts, attached, files, chosen, editing } = get()
  const edited = editing[sessionId]
  return { text: texts[sessionId] ?? '', attachments: attached[sessionId] ?? [], files: files[sessionId] ?? [], skills: chosen[sessionId] ?? [], ...(edited === undefined ? {} : { editing: edited }) }
}

/** Replaces the text, the attachments, the files or the skills, or several of them. */
export function changeDraft(sessionId: SessionId, change: Partial<Omit<Typed, 'editing'>>): void {
  putDraft(sessionId, { ...draftOf(sessionId), ...change })
}

/** Everything that stands in the box. */
export function putDraft(sessionId: SessionId, typed: Typed): void {
  drafts.write(sessionId, typed)
  showDraft(sessionId)
}

/** Attaches resources to what stands in a box; one that is attached already stays once. */
export function attach(sessionId: SessionId, more: readonly Attachment[]): void {
  changeDraft(sessionId, { attachments: together(draftOf(sessionId).attachments, more) })
}

export function detach(attachment: Attachment): void {
  const sessionId = draftKey()
  changeDraft(sessionId, { attachments: draftOf(sessionId).attachments.filter((one) => !isSame(one, attachment)) })
}

function isSame(a: Attachment, b: Attachment): boolean {
  return a.server === b.server && a.uri === b.uri
}

function together(first: readonly Attachment[], more: readonly Attachment[]): readonly Attachment[] {
  return more.reduce<readonly Attachment[]>((all, one) => (all.some((known) => isSame(known, one)) ? all : [...all, one]), first)
}

/** Puts words into the box, after what stands there. */
export function addToDraft(text: string): void {
  const typed = get().drafts[draftKey()] ?? ''
  setDraft(typed === '' ? text : `${typed}\n${text}`)
}

/** Skills and white space alone are no message; a picture alone is one (R90). */
export function isNothing({ text, attachments = [], files = [] }: { readonly text: string; readonly attachments?: readonly unknown[] | undefined; readonly files?: readonly unknown[] | undefined }): boolean {
  return text.trim() === '' && attachments.length + files.length === 0
}

const nothing: Typed = { text: '', attachments: [], files: [], skills: [] }

/** Sends what is in the box. While a turn runs, or is being prepared, it waits in the record for the next step; `isNow` interrupts the running one. */
export async function submit(isNow = false): Promise<void> {
  const { current, chats, sending } = get()
  const draft = draftOf(draftKey())
  const typed: Typed = { ...draft, text: draft.text.trim() }
  // Nothing goes without the picture that is still being read. A session that is being made takes no second message yet; the text stays in the box.
  if (isNothing(typed) || readingOf(draftKey()).length > 0 || (current === null && newSession in sending)) return
  putDraft(draftKey(), { ...nothing, text: typed.editing?.aside ?? '' })
  if (typed.editing !== undefined || current === null || !(chats[current]?.turn || current in sending)) return prompt(current, typed)
  const done = await enqueue(current, typed, isNow)
  if (done?.ok) return
  // The message before it is in the box already where it did not go out.
  putBack(current, typed, done === null ? 'behind' : 'before')
  if (done) tellFault(current, done.fault)
}

/** Why something about a message did not work; shown above the box of its session. */
export function tellFault(sessionId: SessionId, fault: Said): void {
  set((state) => ({ faults: { ...state.faults, [sessionId]: fault } }))
}

/**
 * Does what is typed when it is a command of the app itself: that never goes to the model. False when it is none. What was not
 * done goes back into the box.
 */
export function submitOwn(run: (command: OwnCommand) => Promise<boolean>): boolean {
  const sessionId = draftKey()
  const { text } = draftOf(sessionId)
  const command = readOwnCommand(text)
  if (command === null) return false
  changeDraft(sessionId, { text: '' })
  void perform(async () => run(command), () => putBack(sessionId, { ...nothing, text }))
  return true
}

async function perform(act: () => Promise<boolean>, otherwise: () => void): Promise<void> {
  let isDone = false
  try {
    isDone = await act()
  } finally {
    if (!isDone) otherwise()
  }
}

/** Goes to a place in a conversation as soon as it is drawn. */
export function showPlace(sessionId: SessionId, at: Place['at']): void {
  set({ place: { sessionId, at } })
}

/** The place was shown, or is nowhere. */
export function leavePlace(): void {
  set({ place: null })
}

/** Opens what is sealed and sends what could not go out without it; a fault says why it stays shut. */
export async function unsealAndSend(passPhrase: string): Promise<Said | null> {
  const opened = await host().providerUnseal({ passPhrase })
  if (!opened.ok) return opened.fault
  const key = draftKey()
  set(({ faults: { [key]: _told, ...faults } }) => ({ faults }))
  await submit()
  return null
}

/** Stops the turn that runs in the session on screen; false when none does. */
export function stopTurn(): boolean {
  const { current, chats } = get()
  if (current === null || !chats[current]?.turn) return false
  void host().sessionCancel({ sessionId: current })
  return true
}

export async function setLevel(level: AskingLevel): Promise<void> {
  const sessionId = await ensureSession()
  const result = await host().sessionSetLevel({ sessionId, level })
  if (!result.ok) tellFault(sessionId, result.fault)
}

let making: Promise<SessionId> | null = null

/** The session on screen; made where there is none yet, once however often it is asked for. */
export async function ensureSession(): Promise<SessionId> {
  return get().current ?? (making ??= createSession().finally(() => (making = null)))
}

export function openLink(url: string): void {
  void host().linkOpen({ url })
}

export function typeIntoCommand(callId: CallId, text: string): void {
  void host().commandInput({ callId, text })
}

export async function endProgram(pid: number): Promise<void> {
  await host().programEnd({ pid })
  set({ programs: await host().programList({}) })
}

export function resizeCommand(callId: CallId, columns: number, rows: number): void {
  void host().commandResize({ callId, columns, rows })
}

/** All of a stored output that is short enough to draw. */
export async function readOutput(ref: string): Promise<string | null> {
  const result = await host().outputRead({ ref, offset: 0, length: 1_000_000 })
  return result.ok ? result.value.text : null
}

async function createSession(): Promise<SessionId> {
  const session = await host().sessionCreate({})
  // What stands in the box, and what is still being read for it, goes along: nobody left it behind.
  putDraft(session.id, draftOf(newSession))
  set((state) => ({ sessions: inListOrder([session, ...state.sessions.filter((row) => row.id !== session.id)]), current: session.id }))
  putDraft(newSession, nothing)
  moveReading(newSession, session.id)
  await catchUp(session.id)
  return session.id
}

/** What cannot be sent goes back into the box, before what was typed since. */
async function prompt(current: SessionId | null, typed: Typed): Promise<void> {
  let sessionId = current ?? newSession
  const begin = (): void => set((state) => ({ sending: { ...state.sending, [sessionId]: Date.now() } }))
  const end = (): void => set(({ sending: { [sessionId]: _over, ...sending } }) => ({ sending }))
  begin()
  try {
    if (current === null) {
      const made = await ensureSession()
      end()
      sessionId = made
      begin()
    }
    const sent = typed.editing ? host().sessionResend({ sessionId, messageSeq: typed.editing.messageSeq, ...messageOf(typed) }) : host().sessionPrompt({ sessionId, ...messageOf(typed) })
    handingOver(sessionId, sent.then(({ ok }) => ok, () => false))
    const result = await sent
    set((state) => {
      const { [sessionId]: _gone, ...faults } = state.faults
      return { faults: result.ok ? faults : { ...faults, [sessionId]: result.fault } }
    })
    if (!result.ok) putBack(sessionId, typed)
  } finally {
    end()
  }
}

function putBack(sessionId: SessionId, typed: Typed, place: 'before' | 'behind' = 'before'): void {
  // An edited message comes back as it was; what was put aside for it still is.
  if (typed.editing) return putDraft(sessionId, typed)
  const { text, attachments, files, skills } = typed
  const now = draftOf(sessionId)
  changeDraft(sessionId, { text: (place === 'before' ? [text, now.text] : [now.text, text]).filter((one) => one !== '').join('\n\n'), attachments: together(attachments, now.attachments), files: withFiles(files, now.files), skills: [...skills, ...now.skills.filter((one) => !skills.some(({ origin, path }) => one.origin === origin && one.path === path))] })
}

/** A message comes back with all that went along with it, unless something else stands in the box by now. */
export function putBackWhereEmpty(sessionId: SessionId, message: Parameters<typeof sayable>[0]): void {
  if (isNothing(draftOf(sessionId))) changeDraft(sessionId, sayable(message))
}

/** A message that no model answered goes back into its box, where nothing else was typed: it can be sent again once the fault is mended. */
function putBackUnanswered(sessionId: SessionId, turnId: TurnId): void {
  const items = get().chats[sessionId]?.items ?? []
  const at = items.findLastIndex((item) => item.kind === 'user' && item.turnId === turnId)
  const item = items[at]
  // An answer that broke off is none, and neither is thinking alone.
  const isAnswered = items.slice(at + 1).some((one) => one.kind === 'calls' || (one.kind === 'agent' && one.isComplete))
  if (item?.kind === 'user' && !isAnswered) putBackWhereEmpty(sessionId, item)
}

/** A model failed, sent nothing, or broke off. */
function endedUnanswered({ reason, say }: Extract<AgentEvent, { readonly type: 'turn-ended' }>): boolean {
  return (reason === 'error' || reason === 'incomplete') && (say.code === 'turn.empty' || say.code === 'turn.incomplete' || modelFaultKind(say) !== null)
}

function receive(events: readonly AgentEvent[]): void {
  const bySession = new Map<SessionId, AgentEvent[]>()
  for (const event of events) bySession.set(event.sessionId, [...(bySession.get(event.sessionId) ?? []), event])
  for (const [sessionId, own] of bySession) {
    set((state) => ({ sessions: inListOrder(state.sessions.map((row) => (row.id === sessionId ? own.reduce(applyToSummary, row) : row))) }))
    const waiting = held.get(sessionId)
    if (waiting) waiting.push(...own)
    else if (get().chats[sessionId]) foldInto(sessionId, own)
    for (const event of own) {
      if (event.type === 'tool-started') outputs.begin(event.callId)
      if (event.type === 'turn-ended' && endedUnanswered(event)) putBackUnanswered(sessionId, event.turnId)
    }
  }
  const isUnknown = [...bySession.keys()].some((id) => !get().sessions.some((row) => row.id === id))
  if (isUnknown) void host().sessionList({}).then((sessions) => set({ sessions: inListOrder(sessions) }))
}

function foldInto(sessionId: SessionId, events: readonly AgentEvent[]): void {
  let view = get().chats[sessionId] ?? emptyChat(sessionId)
  for (const [at, event] of events.entries()) {
    if (orderOf(view, event) === 'gap') {
      held.set(sessionId, [...events.slice(at)])
      void catchUp(sessionId)
      break
    }
    view = applyEvent(view, event)
  }
  set((state) => ({ chats: { ...state.chats, [sessionId]: view } }))
}

/** Asks for what is missing; what is pushed meanwhile waits and is folded after it. */
async function catchUp(sessionId: SessionId): Promise<void> {
  if (!held.has(sessionId)) held.set(sessionId, [])
  const fromSeq = (get().chats[sessionId]?.lastSeq ?? 0) + 1
  const events = await readFrom(sessionId, fromSeq)
  const pushed = held.get(sessionId) ?? []
  held.delete(sessionId)
  const last = events.at(-1)?.seq ?? fromSeq - 1
  foldInto(sessionId, events)
  // A range that the main process does not have either must not be asked for for ever.
  const isStuck = events.length === 0 && (pushed[0]?.seq ?? 0) > last + 1
  if (!isStuck) foldInto(sessionId, pushed)
}

/** A long conversation comes page by page. */
async function readFrom(sessionId: SessionId, fromSeq: number): Promise<readonly AgentEvent[]> {
  const events: AgentEvent[] = []
  for (;;) {
    const next = fromSeq + events.length
    const page = await host().sessionRead({ sessionId, fromSeq: next })
    events.push(...page)
    // An answer that begins elsewhere is none to this question; it must not be asked for ever.
    if (page.length < readPageEvents || page[0]?.seq !== next) return events
  }
}

function receiveParts(parts: readonly LivePart[]): void {
  const views: Record<SessionId, ChatView> = {}
  for (const part of parts) {
    if (part.body.type === 'tool-output') outputs.append(part.body.callId, part.body.text)
    const view = views[part.sessionId] ?? get().chats[part.sessionId]
    if (view) views[part.sessionId] = applyPart(view, part)
  }
  set((state) => ({ chats: { ...state.chats, ...views } }))
}
