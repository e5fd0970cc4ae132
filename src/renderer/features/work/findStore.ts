import { create } from 'zustand'
import { visibleItems } from '../../../shared/domain/chatView'
import { findIn, mostHits, patternOf, type FindQuery, type Hit } from './findText'
import { outputs, useWork } from './workStore'

export interface FindState {
  readonly isOpen: boolean
  readonly query: FindQuery
  readonly hits: readonly Hit[]
  /** The hit that is shown; -1 with none. */
  readonly at: number
  readonly isSearching: boolean
  /** Counts how often the bar was asked for: it takes the keyboard each time. */
  readonly asked: number
}

export const useFind = create<FindState>(() => ({ isOpen: false, query: { text: '', isCase: false, isWord: false }, hits: [], at: -1, isSearching: false, asked: 0 }))

const { getState: get, setState: set } = useFind
/** Keystrokes that come closer are one. */
const pauseMs = 90
let due: ReturnType<typeof setTimeout> | undefined
let turn = 0

/** The hit on screen. */
export const currentHit = (state: FindState): Hit | null => (state.isOpen ? (state.hits[state.at] ?? null) : null)

/** Whether more was found than is counted. */
export const isMany = (state: FindState): boolean => state.hits.length === mostHits

/** Opens the bar, with what is selected where that is one line; false without a conversation. */
export function openFind(): boolean {
  const { current, chats } = useWork.getState()
  if (current === null || (chats[current]?.items.length ?? 0) === 0) return false
  const selected = document.getSelection()?.toString() ?? ''
  set((state) => ({ isOpen: true, asked: state.asked + 1 }))
  changeQuery(selected !== '' && selected.length < 200 && !selected.includes('\n') ? { text: selected } : {})
  return true
}

export function closeFind(): void {
  clearTimeout(due)
  turn += 1
  set({ isOpen: false, hits: [], at: -1, isSearching: false })
}

/** Takes what was typed; the search follows a moment later. */
export function changeQuery(change: Partial<FindQuery>): void {
  set((state) => ({ query: { ...state.query, ...change }, isSearching: true }))
  searchSoon(null)
}

/** Rows were added or changed: the same hit stays on screen. */
export function searchAgain(): void {
  if (get().isOpen && get().query.text !== '') searchSoon(currentHit(get()))
}

/** The next hit, or the one before; round at the ends. */
export function step(by: 1 | -1): void {
  const { hits, at } = get()
  if (hits.length > 0) set({ at: (at + by + hits.length) % hits.length })
}

function searchSoon(kept: Hit | null): void {
  clearTimeout(due)
  due = setTimeout(() => void search(kept), pauseMs)
}

async function search(kept: Hit | null): Promise<void> {
  const mine = (turn += 1)
  const { current, chats } = useWork.getState()
  const chat = current === null ? undefined : chats[current]
  const pattern = patternOf(get().query)
  if (!chat || pattern === null) return set({ hits: [], at: -1, isSearching: false })
  const hits = await findIn(visibleItems(chat), pattern, (callId) => outputs.read(callId), () => turn !== mine)
  if (turn !== mine) return
  const same = kept === null ? -1 : hits.findIndex((hit) => hit.part === kept.part && hit.nth === kept.nth)
  // What was said last is nearest to the person.
  set({ hits, at: same === -1 ? hits.length - 1 : same, isSearching: false })
}
