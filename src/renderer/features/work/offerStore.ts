import { create } from 'zustand'
import type { SessionId } from '../../../shared/domain/ids'
import type { McpPrompt, McpResource } from '../../../shared/domain/mcp'
import type { SkillInputs } from '../../../shared/domain/skill'
import type { FoundPath } from '../../../shared/ipc/attachViews'
import type { SkillRow } from '../../../shared/ipc/views'
import type { Said } from '../../../shared/domain/result'
import { queryWords, scorePath } from '../../../shared/domain/fuzzyPath'
import { expandTemplate } from '../../../shared/domain/uriTemplate'
import { host } from '../../bridge/host'
import { addSkill, loadSkills, skillAt, useSkills, type SkillPlace } from './skillStore'
import { ownNames, type OwnName } from './ownCommand'
import { triggerAt, withoutTrigger, type Trigger } from './trigger'
import { addFile } from './fileStore'
import { attach, changeDraft, draftKey, draftOf, useWork } from './workStore'

/** Something to choose from the list over the message box. */
export type Offer = { readonly kind: 'file'; readonly found: FoundPath } | { readonly kind: 'resource'; readonly resource: McpResource } | { readonly kind: 'command'; readonly prompt: McpPrompt } | { readonly kind: 'skill'; readonly row: SkillRow } | { readonly kind: 'own'; readonly name: OwnName }

/** Values that a template, a command or a skill asks for before it gives anything; `trigger` null: no word asked for it. */
interface OfferForm {
  readonly offer: Exclude<Offer, { readonly kind: 'own' | 'file' }>
  readonly trigger: Trigger | null
  /** Values of a skill that were given before. */
  readonly given: SkillInputs
}

export interface OfferState {
  readonly trigger: Trigger | null
  readonly offers: readonly Offer[]
  /** The chosen place in the list; -1 where there is none. */
  readonly at: number
  /** `asking`: the servers have not answered for this word yet. */
  readonly progress: 'asking' | 'known'
  /** Where the person closed the list: it stays closed until another word asks. */
  readonly closedAt: number | null
  readonly form: OfferForm | null
  /** The server that is asked for the text of a command. */
  readonly waitsFor: string | null
  readonly fault: Said | null
  /** What is to be known of the text that a command gave. */
  readonly notes: readonly Said[]
  /** Completions of one field of the form. */
  readonly suggested: { readonly field: string; readonly values: readonly string[] } | null
  /** Where the caret goes after a word was taken out; a new object each time. */
  readonly caret: { readonly at: number } | null
}

const noList = { trigger: null, offers: [], at: -1, progress: 'known' } as const
const noForm = { form: null, fault: null, suggested: null } as const
const closed = { ...noList, ...noForm } as const

export const useOffers = create<OfferState>(() => ({ ...closed, closedAt: null, waitsFor: null, notes: [], caret: null }))

const { getState: get, setState: set } = useOffers
const waitMs = 120
let timer: ReturnType<typeof setTimeout> | undefined
/** Counts what was asked: an answer to an older question says nothing. */
let ticket = 0

// The list and the form belong to the box of one session.
useWork.subscribe((now, before) => { if (now.current !== before.current) closeOffers() })

/** Looks at the word that the caret ends, after each change of text or caret. Newer typing drops what was asked before. */
export function look(text: string, caret: number): void {
  const trigger = triggerAt(text, caret)
  const { trigger: before, closedAt, offers } = get()
  if (trigger?.kind === before?.kind && trigger?.from === before?.from && trigger?.query === before?.query) return
  clearTimeout(timer)
  ticket += 1
  if (trigger === null || trigger.from === closedAt) return set({ ...noList, ...(trigger === null && !get().form ? { closedAt: null } : {}) })
  const isSameWord = before?.kind === trigger.kind && before.from === trigger.from
  const still = isSameWord ? offers.filter((offer) => fits(offer, trigger.query)) : trigger.kind === 'command' ? sorted(offersHere(), trigger.query) : []
  set({ trigger, offers: still, at: still.length > 0 ? 0 : -1, progress: 'asking', closedAt: null, fault: null })
  const asked = ticket
  timer = setTimeout(() => void find(trigger, asked), waitMs)
}

async function find(trigger: Trigger, asked: number): Promise<void> {
  try {
    const isMention = trigger.kind === 'resource'
    const files = isMention ? await findFiles(trigger.query) : []
    // Files are known here at once; servers may take their time.
    if (asked === ticket && files.length > 0) set({ offers: files, at: 0 })
    const offers = [...files, ...(await (isMention ? findResources(trigger.query) : findCommands(trigger.query)))]
    if (asked === ticket && (files.length === 0 || offers.length > files.length)) set({ offers, at: offers.length > 0 ? 0 : -1 })
  } finally {
    if (asked === ticket) set({ progress: 'known' })
  }
}

async function findFiles(query: string): Promise<readonly Offer[]> {
  return (await host().attachFind({ query })).map((found) => ({ kind: 'file', found }))
}

async function findResources(query: string): Promise<readonly Offer[]> {
  return (await host().mcpResources({ query })).map((resource) => ({ kind: 'resource', resource }))
}

async function findCommands(query: string): Promise<readonly Offer[]> {
  const prompts = await host().mcpPrompts({})
  return sorted([...offersHere(), ...prompts.map((prompt): Offer => ({ kind: 'command', prompt }))], query)
}

/** Commands of the app and skills are known here: they are offered before any server has answered. */
function offersHere(): readonly Offer[] {
  return [...ownNames.map((name): Offer => ({ kind: 'own', name })), ...useSkills.getState().rows.map((row): Offer => ({ kind: 'skill', row }))]
}

/** What fits, and of that first what begins so. */
function sorted(all: readonly Offer[], query: string): readonly Offer[] {
  const offers = all.filter((offer) => fits(offer, query))
  const begins = (offer: Offer): boolean => nameOf(offer).toLowerCase().startsWith(query.toLowerCase())
  return [...offers.filter(begins), ...offers.filter((offer) => !begins(offer))]
}

/** A command or a skill as it is typed, without its stroke; a resource by its name. */
export function nameOf(offer: Offer): string {
  if (offer.kind === 'own') return offer.name
  if (offer.kind === 'file') return offer.found.path
  if (offer.kind === 'skill') return offer.row.skill.name
  return offer.kind === 'command' ? `${offer.prompt.server}:${offer.prompt.name}` : offer.resource.title || offer.resource.name || offer.resource.uri
}

function fits(offer: Offer, query: string): boolean {
  if (offer.kind === 'own') return offer.name.startsWith(query.toLowerCase())
  if (offer.kind === 'file') return scorePath(queryWords(query.normalize('NFKC')), offer.found.path) !== null
  if (offer.kind === 'skill') return [offer.row.skill.name, offer.row.skill.description, ...offer.row.skill.triggers].some((text) => text.toLowerCase().includes(query.toLowerCase()))
  const texts = offer.kind === 'command' ? [nameOf(offer), offer.prompt.title] : [offer.resource.name, offer.resource.title, offer.resource.uri]
  return texts.some((text) => text.toLowerCase().includes(query.toLowerCase()))
}

/** Up and down in the list, round its ends. */
export function moveOffer(by: 1 | -1): void {
  const { offers, at } = get()
  if (offers.length > 0) set({ at: (at + by + offers.length) % offers.length })
}

/** Closes the list for this word; what was typed stays. */
export function dismissOffers(): void {
  clearTimeout(timer)
  ticket += 1
  set((state) => ({ ...noList, closedAt: state.trigger?.from ?? state.closedAt }))
}

/** Closes everything; what was typed stays. */
export function closeOffers(): void {
  clearTimeout(timer)
  ticket += 1
  set({ ...closed, closedAt: null, notes: [], waitsFor: null })
}

export function closeNotes(): void {
  set({ notes: [], fault: null })
}

/** Takes an offer: a resource becomes an attachment, a command text, a skill goes with the message; one that asks for values opens its form first. */
export async function chooseOffer(offer: Offer): Promise<void> {
  const { trigger } = get()
  if (!trigger) return
  dismissOffers()
  if (offer.kind === 'own') return takeOwn(offer.name, trigger)
  if (offer.kind === 'file') return takeFound(offer.found, trigger)
  if (asksFirst(offer)) return set({ ...noForm, form: { offer, trigger, given: {} }, notes: [] })
  if (offer.kind === 'skill') takeSkill(offer.row, trigger, {})
  else await take(offer, trigger, {})
}

/** Writes a command of the app out, for what follows it to be typed. */
function takeOwn(name: OwnName, trigger: Trigger): void {
  const { text } = draftOf(draftKey())
  const word = `/${name} `
  changeDraft(draftKey(), { text: `${word}${(withoutTrigger(text, trigger) ?? text).trimStart()}` })
  set({ ...closed, closedAt: null, caret: { at: word.length } })
}

/** Attaches a file of the project; its name stays in the text, where it was asked for. */
function takeFound(found: FoundPath, trigger: Trigger): void {
  const key = draftKey()
  const { text } = draftOf(key)
  const word = `@${found.path} `
  addFile(key, { kind: 'project', ...found })
  const isThere = withoutTrigger(text, trigger) !== null
  changeDraft(key, { text: isThere ? text.slice(0, trigger.from) + word + text.slice(trigger.to) : text })
  set({ ...closed, closedAt: null, caret: { at: isThere ? trigger.from + word.length : text.length } })
}

function asksFirst(offer: OfferForm['offer']): boolean {
  if (offer.kind === 'skill') return offer.row.skill.inputs.length > 0
  return offer.kind === 'resource' ? offer.resource.isTemplate : offer.prompt.args.length > 0
}

/**
 * Puts a skill with what stands in the box, for the next message. Without `inputs` one that has any opens its form, filled with
 * what was given before; a skill that is not there any more is passed over.
 */
export async function chooseSkill(place: SkillPlace, inputs?: SkillInputs): Promise<void> {
  if (!skillAt(place)) await loadSkills()
  const row = skillAt(place)
  if (!row) return
  const given = draftOf(draftKey()).skills.find((one) => one.origin === place.origin && one.path === place.path)?.inputs ?? {}
  if (inputs === undefined && row.skill.inputs.length > 0) return set({ ...closed, form: { offer: { kind: 'skill', row }, trigger: null, given }, notes: [] })
  addSkill(draftKey(), row, inputs ?? {})
}

/** Takes the skill of the form with the values filled in. */
export function submitSkill(inputs: SkillInputs): void {
  const { form } = get()
  if (form?.offer.kind === 'skill') takeSkill(form.offer.row, form.trigger, inputs)
}

function takeSkill(row: SkillRow, trigger: Trigger | null, inputs: SkillInputs): void {
  const sessionId = draftKey()
  addSkill(sessionId, row, inputs)
  const text = trigger && withoutTrigger(draftOf(sessionId).text, trigger)
  if (text !== null) changeDraft(sessionId, { text })
  set({ ...closed, closedAt: null, caret: { at: text === null || !trigger ? draftOf(sessionId).text.length : trigger.from } })
}

/** Closes the form; the word that opened it stays, and the caret goes back behind it. */
export function closeForm(): void {
  const to = get().form?.trigger?.to
  set({ ...noForm, ...(to === undefined ? {} : { caret: { at: to } }) })
}

/** Takes the offer of the form with the values filled in. */
export async function submitForm(values: Readonly<Record<string, string>>): Promise<void> {
  const { form } = get()
  if (form?.trigger && form.offer.kind !== 'skill') await take(form.offer, form.trigger, values)
}

async function take(offer: Exclude<Offer, { readonly kind: 'skill' | 'own' | 'file' }>, trigger: Trigger, values: Readonly<Record<string, string>>): Promise<void> {
  const sessionId = draftKey()
  if (offer.kind === 'command') return insertCommand(sessionId, offer.prompt, trigger, values)
  const { server, isTemplate } = offer.resource
  const uri = isTemplate ? expandTemplate(offer.resource.uri, values) : offer.resource.uri
  attach(sessionId, [{ server, uri, name: isTemplate ? uri : nameOf(offer) }])
  const text = withoutTrigger(draftOf(sessionId).text, trigger)
  if (text !== null) changeDraft(sessionId, { text })
  set({ ...closed, closedAt: null, caret: { at: text === null ? draftOf(sessionId).text.length : trigger.from } })
}

/** Puts the text of a command in the place of its word, to be read before it is sent. A fault leaves everything as it is. */
async function insertCommand(sessionId: SessionId, prompt: McpPrompt, trigger: Trigger, args: Readonly<Record<string, string>>): Promise<void> {
  if (get().waitsFor !== null) return
  set({ waitsFor: prompt.server, fault: null, notes: [] })
  try {
    const result = await host().mcpPrompt({ server: prompt.server, name: prompt.name, args: { ...args } })
    if (!result.ok) return set({ fault: result.fault })
    const typed = draftOf(sessionId).text
    const rest = (withoutTrigger(typed, trigger) ?? typed).trim()
    changeDraft(sessionId, { text: rest === '' ? result.value.text : `${result.value.text}\n\n${rest}` })
    attach(sessionId, result.value.attachments)
    if (draftKey() === sessionId) set({ ...closed, notes: result.value.notes, closedAt: null, caret: { at: result.value.text.length } })
  } finally {
    set({ waitsFor: null })
  }
}

let suggestTimer: ReturnType<typeof setTimeout> | undefined
let suggestTicket = 0

/** Asks the server of the form how a value could go on. Newer typing drops what was asked before. */
export function suggest(field: string, value: string, known: Readonly<Record<string, string>>): void {
  const { form } = get()
  clearTimeout(suggestTimer)
  const asked = suggestTicket += 1
  set({ suggested: null })
  if (!form) return
  const { offer } = form
  if (offer.kind === 'skill') return
  const server = offer.kind === 'command' ? offer.prompt.server : offer.resource.server
  const of = offer.kind === 'command' ? { prompt: offer.prompt.name } : { template: offer.resource.uri }
  suggestTimer = setTimeout(() => {
    void host().mcpComplete({ server, of, argument: field, value, known: { ...known } }).then((values) => { if (asked === suggestTicket && get().form === form) set({ suggested: { field, values } }) })
  }, waitMs)
}

export function closeSuggestions(): void {
  clearTimeout(suggestTimer)
  suggestTicket += 1
  set({ suggested: null })
}
