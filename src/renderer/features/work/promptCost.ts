import { create } from 'zustand'
import type { SessionId } from '../../../shared/domain/ids'
import type { PromptCost } from '../../../shared/ipc/views'
import { host } from '../../bridge/host'
import { messageOf } from './typedMessage'
import { draftKey, draftOf, useWork } from './workStore'

interface CostState {
  /** What the next message of `of` would send; null while nobody counted. */
  readonly cost: PromptCost | null
  readonly of: SessionId | null
  readonly progress: 'reading' | 'read' | 'failed'
  readonly isOpen: boolean
}

export const usePromptCost = create<CostState>(() => ({ cost: null, of: null, progress: 'reading', isOpen: false }))

const { getState: get, setState: set } = usePromptCost
const typingMs = 400
const maxDraft = 2_000_000
let ticket = 0
let due: ReturnType<typeof setTimeout> | undefined

// It follows the files and pictures in the box, and while it is looked at what is typed.
useWork.subscribe((now, before) => {
  const key = draftKey()
  const isTyped = get().isOpen && now.drafts !== before.drafts
  if (!isTyped && now.files[key] === before.files[key]) return
  clearTimeout(due)
  due = setTimeout(() => void countPrompt(), typingMs)
})

/** Counts what the next message of the session on screen would send. */
export async function countPrompt(): Promise<void> {
  clearTimeout(due)
  ticket += 1
  const mine = ticket
  const { current } = useWork.getState()
  let cost: PromptCost | null = null
  set({ progress: 'reading', ...(get().of === current ? {} : { cost: null, of: current }) })
  try {
    const { text, files } = messageOf(draftOf(draftKey()))
    cost = await host().promptParts({ sessionId: current, draft: text.slice(0, maxDraft), ...(files === undefined ? {} : { files }) })
  } finally {
    if (mine === ticket) set(cost ? { cost, progress: 'read' } : { progress: 'failed' })
  }
}

export function lookAtCost(isOpen: boolean): void {
  set({ isOpen })
  if (isOpen) void countPrompt()
}

/** All parts together. */
export function sumOf({ parts }: PromptCost): number {
  return parts.reduce((sum, part) => sum + part.tokens, 0)
}

/** From this share of the window on it is said that it fills up. */
const nearlyFull = 0.8

/** How full the window would be; null where nobody knows how large it is. */
export function fillOf(cost: PromptCost): { readonly percent: number; readonly isNearlyFull: boolean } | null {
  if (cost.windowTokens === null) return null
  const share = sumOf(cost) / cost.windowTokens
  return { percent: Math.round(share * 100), isNearlyFull: share >= nearlyFull }
}
