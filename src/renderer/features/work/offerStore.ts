import { create } from 'zustand'
import type { SessionId } from '../../../shared/domain/ids'
import type { McpPrompt, McpResource } from '../../../shared/domain/mcp'
import type { Said } from '../../../shared/domain/result'
import { expandTemplate } from '../../../shared/domain/uriTemplate'
import { host } from '../../bridge/host'
import { triggerAt, withoutTrigger, type Trigger } from './trigger'
import { attach, changeDraft, draftKey, draftOf, useWork } from './workStore'

/** Something to choose from the list over the message box. */
export type Offer = { readonly kind: 'resource'; readonly resource: McpResource } | { readonly kind: 'command'; readonly prompt: McpPrompt }

/** Values that a template or a command asks for before it gives anything. */
interface OfferForm {
  readonly offer: Offer
  readonly trigger: Trigger
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
  const still = isSameWord ? offers.filter((offer) => fits(offer, trigger.query)) : []
  set({ trigger, offers: still, at: still.length > 0 ? 0 : -1, progress: 'asking', closedAt: null, fault: null })
  const asked = ticket
  timer = setTimeout(() => void find(trigger, asked), waitMs)
}

async function find(trigger: Trigger, asked: number): Promise<void> {
  try {
    const offers = await (trigger.kind === 'resource' ? findResources(trigger.query) : findCommands(trigger.query))
    if (asked === ticket) set({ offers, at: offers.length > 0 ? 0 : -1 })
  } finally {
    if (asked === ticket) set({ progress: 'known' })
  }
}

async function findResources(query: string): Promise<readonly Offer[]> {
  return (await host().mcpResources({ query })).map((resource) => ({ kind: 'resource', resource }))
}

async function findCommands(query: string): Promise<readonly Offer[]> {
  const offers = (await host().mcpPrompts({})).map((prompt): Offer => ({ kind: 'command', prompt })).filter((offer) => fits(offer, query))
  const begins = (offer: Offer): boolean => nameOf(offer).toLowerCase().startsWith(query.toLowerCase())
  return [...offers.filter(begins), ...offers.filter((offer) => !begins(offer))]
}

/** A command as it is typed, without its stroke; a resource by its name. */
export function nameOf(offer: Offer): string {
  return offer.kind === 'command' ? `${offer.prompt.server}:${offer.prompt.name}` : offer.resource.title || offer.resource.name || offer.resource.uri
}

function fits(offer: Offer, query: string): boolean {
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

/** Takes an offer: a resource becomes an attachment, a command text; one that asks for values opens its form first. */
export async function chooseOffer(offer: Offer): Promise<void> {
  const { trigger } = get()
  if (!trigger) return
  dismissOffers()
  const asksFirst = offer.kind === 'resource' ? offer.resource.isTemplate : offer.prompt.args.length > 0
  if (asksFirst) return set({ ...noForm, form: { offer, trigger }, notes: [] })
  await take(offer, trigger, {})
}

/** Closes the form; the word that opened it stays, and the caret goes back behind it. */
export function closeForm(): void {
  const to = get().form?.trigger.to
  set({ ...noForm, ...(to === undefined ? {} : { caret: { at: to } }) })
}

/** Takes the offer of the form with the values filled in. */
export async function submitForm(values: Readonly<Record<string, string>>): Promise<void> {
  const { form } = get()
  if (form) await take(form.offer, form.trigger, values)
}

async function take(offer: Offer, trigger: Trigger, values: Readonly<Record<string, string>>): Promise<void> {
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
