import { act, screen, within } from '@testing-library/react'
import { vi } from 'vitest'
import { Approvals } from '../../../src/renderer/features/approvals/Approvals'
import { connectApprovals } from '../../../src/renderer/features/approvals/approvalStore'
import type { CardWorld } from '../../../src/renderer/features/approvals/cardWorld'
import type { ApprovalRequest } from '../../../src/shared/domain/approval'
import type { Locale } from '../../../src/shared/words/say'
import type { MemoryAnswers, MemoryHost } from '../../support/memoryHost'
import { cardWorld, workspace } from '../stories/world'
import { freshHost, show } from '../support'

interface Shown {
  readonly world?: Partial<CardWorld>
  readonly answers?: MemoryAnswers
  readonly locale?: Locale
  readonly mayReview?: boolean
}

/** The cards of these questions beside a text field, on a bridge of their own. Times are faked. */
export async function showCards(asked: readonly ApprovalRequest[], { world = {}, answers = {}, locale = 'en', mayReview = false }: Shown = {}): Promise<MemoryHost> {
  const memory = freshHost({ 'approval/list': () => asked, ...answers })
  connectApprovals(() => mayReview)
  show(<><textarea aria-label="elsewhere" /><Approvals world={cardWorld({ root: workspace.root, ...world })} /></>, locale)
  await act(() => vi.advanceTimersByTimeAsync(5))
  return memory
}

/** Lets a card arm. */
export const armed = async (): Promise<void> => { await act(() => vi.advanceTimersByTimeAsync(650)) }

export const region = (name = 'Approval'): HTMLElement => screen.getByRole('region', { name })
export const button = (name: string | RegExp): HTMLElement => within(region()).getByRole('button', { name })
export const isThere = (name: string | RegExp): boolean => within(region()).queryByRole('button', { name }) !== null
export const text = (): string => region().textContent ?? ''

/** What was answered so far. */
export const answers = (memory: MemoryHost): readonly unknown[] => memory.asked.filter((one) => one.channel === 'approval/decide').map((one) => (one.ask as { answer: unknown }).answer)
